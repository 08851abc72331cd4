//! What the program says is true: answers that were once silently wrong.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::{Playground, Run, with_demo};

fn run(playground: &Playground, arguments: &str) -> Run {
    let run = playground.run(arguments);
    assert_eq!(run.code, 0, "treelet {arguments}: {}{}", run.stdout, run.stderr);
    run
}

/// The demo corpus, and a parser that was trained on it.
fn trained() -> Playground {
    let playground = with_demo();
    run(&playground, "convert village-train.mrg -o train.conllu --to conllu --head-rules english");
    run(&playground, "train dependency village.conllu -o m --order 1 --epochs 3 -q");
    playground
}

fn rows(text: &str) -> Vec<Vec<String>> {
    let rows = text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    let rows = rows.map(|line| line.split('\t').map(str::to_string).collect::<Vec<_>>());
    rows.filter(|cells| is_word(&cells[0])).collect()
}

/// Whether a row is that of a word, not of a range or an empty node.
fn is_word(id: &str) -> bool {
    id.bytes().all(|byte| byte.is_ascii_digit())
}

/// Changes a column of some rows.
fn changed(text: &str, column: usize, change: impl Fn(usize, &str) -> String) -> String {
    let mut n_rows = 0;
    let mut out = String::new();
    for line in text.lines() {
        let mut cells: Vec<String> = line.split('\t').map(str::to_string).collect();
        if cells.len() == 10 && is_word(&cells[0]) {
            cells[column] = change(n_rows, &cells[column]);
            n_rows += 1;
        }
        out.push_str(&cells.join("\t"));
        out.push('\n');
    }
    out
}

#[test]
fn relations_that_were_said_are_constraints_of_the_parser() {
    let playground = trained();
    // Relations that no parser would find: every third one, its head open or not.
    let said = changed(&playground.read("village.conllu"), 7, |at, relation| match at % 3 {
        0 if relation != "root" => "vocative".to_string(),
        1 => "_".to_string(),
        _ => relation.to_string(),
    });
    let said = changed(&said, 6, |at, head| if at % 4 == 0 { "_".to_string() } else { head.to_string() });
    playground.write("said.conllu", &said);
    run(&playground, "parse m said.conllu -o out.conllu --constraints");
    for (before, after) in rows(&said).iter().zip(&rows(&playground.read("out.conllu"))) {
        for column in [6, 7] {
            assert!(before[column] == "_" || before[column] == after[column], "{before:?} {after:?}");
        }
        assert_eq!(after[9].contains("DeprelBy="), before[7] == "_", "{after:?}");
        assert_eq!(after[9].contains("HeadBy="), before[6] == "_", "{after:?}");
        assert_eq!(after[6] == "0", after[7] == "root", "{after:?}");
    }
}

#[test]
fn a_relation_and_a_head_that_contradict_each_other_are_reported() {
    let playground = trained();
    let row = |id: u32, head: &str, relation: &str| {
        format!("{id}\tw{id}\t_\tNOUN\t_\t_\t{head}\t{relation}\t_\t_\n")
    };
    // Both words say that they are the root, one by its relation only.
    playground.write("two.conllu", row(1, "_", "root") + &row(2, "_", "obj") + &row(3, "_", "_") + "\n");
    run(&playground, "parse m two.conllu -o out.conllu --constraints");
    let heads: Vec<String> =
        rows(&playground.read("out.conllu")).into_iter().map(|row| row[6].clone()).collect();
    assert_eq!(heads[0], "0");
    assert!(heads[1] != "0", "{heads:?}");
    // Words that all depend on some word leave no root.
    playground.write("none.conllu", row(1, "_", "obj") + &row(2, "_", "nsubj") + "\n");
    let refused = playground.run("parse m none.conllu -o out.conllu --constraints");
    assert!(refused.code == 1 && refused.stderr.contains("none.conllu"), "{}", refused.stderr);
}

#[test]
fn tags_that_a_parser_filled_in_are_open_again_and_its_own_tagger_can_be_asked_for() {
    let playground = trained();
    playground.write("bare.conllu", changed(&playground.read("village.conllu"), 3, |_, _| "_".into()));
    let first = run(&playground, "parse m bare.conllu -o tagged.conllu");
    assert!(first.stderr.contains("had no tag"), "{}", first.stderr);
    let tagged = playground.read("tagged.conllu");
    assert!(
        rows(&tagged).iter().all(|row| row[3] == "_" || row[9].contains("UposBy=dependency@")),
        "{tagged}"
    );
    let again = run(&playground, "parse m tagged.conllu -o again.conllu");
    assert!(again.stderr.contains("had no tag"), "{}", again.stderr);
    let given = run(&playground, "parse m village.conllu -o given.conllu");
    assert!(given.stderr.contains("are those of the input; --retag"), "{}", given.stderr);
    assert!(!playground.read("given.conllu").contains("UposBy"));
    run(&playground, "parse m village.conllu -o retagged.conllu --retag");
    let (one, other) = (rows(&playground.read("retagged.conllu")), rows(&playground.read("again.conllu")));
    assert!(one.iter().zip(&other).all(|(one, other)| one[3] == other[3]));
    // A tagger learns from people's tags only.
    let learned = playground.run("train dependency tagged.conllu -o none --order 1 --epochs 1");
    assert!(learned.code != 0, "{}", learned.stderr);
}

#[test]
fn enhanced_dependencies_are_not_dropped() {
    let playground = trained();
    playground.write("deps.conllu", changed(&playground.read("village.conllu"), 8, |_, _| "0:root".into()));
    let run = run(&playground, "parse m deps.conllu -o out.conllu");
    assert!(run.stderr.contains("enhanced dependencies (DEPS)"), "{}", run.stderr);
    assert!(rows(&playground.read("out.conllu")).iter().all(|row| row[8] == "0:root"));
}

#[test]
fn gfl_keeps_all_columns_and_parsers_take_the_other_column_of_tags_with_a_note() {
    let playground = trained();
    run(&playground, "convert village.conllu -o v.anno --to gfl");
    run(&playground, "convert v.anno -o back.conllu --to conllu");
    assert_eq!(playground.read("back.conllu"), playground.read("village.conllu"));
    let direct = run(&playground, "parse m village.conllu --no-marks").stdout;
    assert_eq!(run(&playground, "parse m v.anno --no-marks").stdout, direct);
    // The same tags in XPOS.
    let mut moved = String::new();
    for line in playground.read("village.conllu").lines() {
        let mut cells: Vec<&str> = line.split('\t').collect();
        if cells.len() == 10 && is_word(cells[0]) {
            cells[4] = cells[3];
            cells[3] = "_";
        }
        moved += &(cells.join("\t") + "\n");
    }
    playground.write("x.conllu", &moved);
    let parsed = run(&playground, "parse m x.conllu --no-marks");
    assert!(parsed.stderr.contains("the parser goes by tags in UPOS"), "{}", parsed.stderr);
    let heads =
        |text: &str| rows(text).into_iter().map(|row| (row[6].clone(), row[7].clone())).collect::<Vec<_>>();
    assert_eq!(heads(&parsed.stdout), heads(&direct));
    assert!(rows(&parsed.stdout).iter().all(|row| row[3] == "_" && row[4] != "_"));
    run(&playground, "impute village.conllu -o t.conllu --save-model imputer -q");
    let imputed = run(&playground, "parse imputer x.conllu --no-marks");
    assert!(imputed.stderr.contains("no word has one; those in XPOS are taken"), "{}", imputed.stderr);
}

#[test]
fn agreement_covers_every_column_and_combining_takes_the_majority_of_each() {
    let playground = with_demo();
    let gold = playground.read("village.conllu");
    let wrong = changed(&gold, 7, |at, relation| if at % 3 == 1 { "dep".into() } else { relation.into() });
    let wrong = changed(&wrong, 3, |at, tag| if at % 10 == 0 { "X".into() } else { tag.into() });
    playground.write("a.conllu", &wrong).write("b.conllu", &gold).write("c.conllu", &gold);
    let figures =
        run(&playground, "agree a.conllu b.conllu c.conllu --json --combine union -o all.conllu").json();
    let columns = &figures["columns"];
    assert_eq!(columns["heads (UAS)"]["agreed"], 1.0);
    for (column, most) in [("relations", 0.85), ("UPOS", 0.97), ("heads and relations (LAS)", 0.85)] {
        let agreed = columns[column]["agreed"].as_f64().unwrap();
        let kappa = columns[column]["kappa"].as_f64().unwrap();
        let alpha = columns[column]["alpha"].as_f64().unwrap();
        assert!(
            agreed < most && kappa < agreed && alpha < agreed && alpha > 0.3,
            "{column}: {}",
            columns[column]
        );
    }
    assert!(columns["relations"]["labels"]["dep"]["first"].as_u64().unwrap() > 0);
    // Two of three are right, whoever stands first.
    let combined = playground.read("all.conllu");
    for (gold, combined) in rows(&gold).iter().zip(&rows(&combined)) {
        assert_eq!(gold[..8], combined[..8]);
    }
    let text = run(&playground, "agree a.conllu b.conllu").stdout;
    assert!(text.contains("By label: relations") && text.contains("most often confused"), "{text}");
}

#[test]
fn what_the_program_writes_passes_its_own_check() {
    let playground = trained();
    run(&playground, "simulate village.conllu -o half.conllu --keep 0.4 --seed 3");
    run(&playground, "simulate village.conllu -o half.anno --model constituent --keep 0.5 --seed 3");
    run(
        &playground,
        "impute half.conllu -o t1.conllu --save-model i --samples 2 --sampled t2.conllu --method gpc --burn-in 3 --sweeps 4",
    );
    run(&playground, "impute half.anno -o t3.conllu --words village.conllu");
    run(&playground, "parse m half.conllu -o t4.conllu");
    run(&playground, "parse m half.conllu -o t5.conllu --constraints --posteriors");
    run(&playground, "parse m half.conllu -o t6.conllu --n-best 3");
    run(&playground, "parse i half.conllu -o t7.conllu --posteriors");
    run(&playground, "sample i half.conllu -n 2 -o t8.conllu");
    run(&playground, "induce dmv village.conllu -o d --passes 3");
    run(&playground, "parse d half.conllu -o t9.conllu --posteriors");
    run(&playground, "induce hmm village.conllu -o h -k 3 --passes 3");
    run(&playground, "parse h half.conllu -o t10.conllu");
    run(&playground, "agree half.conllu t4.conllu --combine union -o t11.conllu");
    run(&playground, "tag train -o tagger --tokens village.conllu");
    run(&playground, "tag run tagger half.conllu -o t12.conllu");
    run(&playground, "induce pcfg village.conllu -o p -k 3 --method em --passes 3");
    run(&playground, "parse p half.conllu -o t13.mrg");
    run(
        &playground,
        "train constituency village-train.mrg -o c --limit 30 --chains 1 --burn-in 2 --samples 2",
    );
    run(&playground, "parse c village-test.mrg -o t14.mrg");
    run(&playground, "convert t5.conllu -o t15.anno --to gfl");
    run(&playground, "convert t5.conllu -o t16.conllx --to conllx");
    run(&playground, "convert t5.conllu -o t17.conll09 --to conll09");
    run(&playground, "convert t5.conllu -o t18.jsonl --to gfl-json");
    run(&playground, "convert t5.conllu -o t19.fudg --to fudg-json");
    // A parser that has seen two trees is at a loss, and still calls the root so, and nothing else.
    run(&playground, "train dependency village.conllu -o weak --limit 2 --order 1 --epochs 1");
    run(&playground, "parse weak train.conllu -o t20.conllu");
    run(&playground, "parse weak train.conllu -o t21.conllu --n-best 3");
    run(&playground, "joint train --task dependency village.conllu -o j --epochs 1");
    run(&playground, "joint run j t20.conllu -o t22.conllu");
    run(&playground, "joint train --task tagging --mode hidden village.conllu -o k --epochs 1");
    run(&playground, "joint run k t20.conllu -o t23.conllu --trees");
    run(&playground, "select half.conllu -n 3 -o t24.conllu");
    run(&playground, "segment train village.conllu -o s");
    run(&playground, "segment run s half.conllu -o t25.conllu");
    for at in 1..=25 {
        let ending = match at {
            13 | 14 => "mrg",
            15 => "anno",
            16 => "conllx",
            17 => "conll09",
            18 => "jsonl",
            19 => "fudg",
            _ => "conllu",
        };
        let name = format!("t{at}.{ending}");
        let checked = playground.run(&format!("check {name} --strict --message-format short"));
        assert_eq!(checked.code, 0, "{name}: {}{}", checked.stdout, checked.stderr);
    }
}

#[test]
fn trees_that_a_machine_built_are_not_learned_from_unless_somebody_corrects_them() {
    let playground = with_demo();
    let train = "--limit 30 --chains 1 --burn-in 2 --samples 2";
    run(&playground, &format!("train constituency village-train.mrg -o c {train}"));
    run(&playground, "parse c village-test.mrg -o parsed.mrg");
    let refused = playground.run(&format!("train constituency parsed.mrg -o d {train}"));
    assert!(refused.code != 0, "{}", refused.stderr);
    let trusting = run(&playground, &format!("train constituency parsed.mrg -o d {train} --trust imputed"));
    assert!(!trusting.stderr.contains("because a machine built them"), "{}", trusting.stderr);
    // Half of the trees are corrected by hand.
    let mut n_lines = 0;
    let corrected: String = playground
        .read("parsed.mrg")
        .lines()
        .map(|line| {
            n_lines += 1;
            if line.starts_with('(') && n_lines % 4 == 0 {
                line.replacen("(NP ", "(NX ", 1) + "\n"
            } else {
                format!("{line}\n")
            }
        })
        .collect();
    playground.write("corrected.mrg", corrected);
    let learned = run(&playground, &format!("train constituency corrected.mrg -o d {train}"));
    assert!(learned.stderr.contains("because a machine built them"), "{}", learned.stderr);
    // What was said stays said: brackets that had to be honoured are found again.
    playground.write("half.mrg", "(_ (NP (_ The) (_ dog)) (_ sleeps) (_ .))\n");
    run(&playground, "parse c half.mrg -o once.mrg --constrain");
    assert!(playground.read("once.mrg").contains(" said 1-2:NP"), "{}", playground.read("once.mrg"));
    run(&playground, "parse c once.mrg -o twice.mrg --constrain");
    assert_eq!(playground.read("once.mrg"), playground.read("twice.mrg"));
}

/// Models of every kind that `parse` takes, and an input for each.
fn all_kinds() -> (Playground, Vec<(&'static str, &'static str)>) {
    let playground = trained();
    run(&playground, "simulate village.conllu -o half.conllu --keep 0.4 --seed 3");
    run(&playground, "impute half.conllu -o t.conllu --save-model convex");
    run(&playground, "impute half.conllu -o t.conllu --save-model gpc --method gpc --burn-in 3 --sweeps 4");
    run(&playground, "induce dmv village.conllu -o dmv --passes 3");
    run(&playground, "induce hmm village.conllu -o hmm -k 3 --passes 3");
    run(&playground, "induce pcfg village.conllu -o pcfg -k 3 --method em --passes 3");
    run(
        &playground,
        "train constituency village-train.mrg -o brackets --limit 40 -k 2 --chains 2 --burn-in 3 --samples 3",
    );
    let (rows, trees) = ("half.conllu", "village-test.mrg");
    let kinds = vec![
        ("m", rows),
        ("convex", rows),
        ("gpc", rows),
        ("dmv", rows),
        ("hmm", rows),
        ("pcfg", rows),
        ("brackets", trees),
    ];
    (playground, kinds)
}

#[test]
fn probabilities_of_relations_are_calibrated_or_said_not_to_be() {
    let playground = trained();
    run(&playground, "train dependency train.conllu -o large --order 1 --epochs 3 -q");
    let calibrated = run(&playground, "parse large village.conllu -o out.conllu --posteriors");
    assert!(!calibrated.stderr.contains("relations are not calibrated"), "{}", calibrated.stderr);
    let sure = rows(&playground.read("out.conllu"));
    assert!(sure.iter().all(|row| row[9].contains("DeprelProb=")), "{sure:?}");
    run(&playground, "train dependency train.conllu -o small --order 1 --epochs 3 -q --limit 5");
    let few = run(&playground, "parse small village.conllu -o out.conllu --posteriors");
    assert!(few.stderr.contains("relations are not calibrated"), "{}", few.stderr);
    // Nobody asked, so nothing is said.
    assert!(!run(&playground, "parse small village.conllu -o out.conllu").stderr.contains("calibrated"));
}

#[test]
fn trees_of_a_list_have_their_own_relations() {
    let playground = trained();
    let chosen = rows(&run(&playground, "parse m village.conllu --decode viterbi --posteriors").stdout);
    let listed = run(&playground, "parse m village.conllu --n-best 4 --posteriors").stdout;
    let mut n_seen = 0;
    for sentence in listed.split("\n\n") {
        let relations = rows(sentence);
        assert!(relations.iter().all(|row| (row[6] == "0") == (row[7] == "root")), "{sentence}");
        assert!(relations.iter().all(|row| row[9].contains("DeprelProb=")), "{sentence}");
        if sentence.contains("# rank = 1\n") {
            let first = &chosen[n_seen..n_seen + relations.len()];
            for (one, other) in relations.iter().zip(first).filter(|(one, other)| one[6] == other[6]) {
                assert_eq!(one[7], other[7]);
            }
            n_seen += relations.len();
        }
    }
    assert_eq!(n_seen, chosen.len());
    let object = run(&playground, "parse m village.conllu --n-best 2 --json").stdout;
    let first: serde_json::Value = serde_json::from_str(object.lines().next().unwrap()).unwrap();
    assert_eq!(first["n_best"][0]["relations"].as_array().unwrap().len(), 9);
}

#[test]
fn morphs_of_people_stay_and_those_of_machines_are_marked() {
    let playground = with_demo();
    run(&playground, "segment train village.conllu -o s");
    let misc = |at: usize, misc: &str| match at {
        0 => "MSeg=Th-e".to_string(),
        _ => misc.to_string(),
    };
    playground.write("cut.conllu", changed(&playground.read("village.conllu"), 9, misc));
    let first = run(&playground, "segment run s cut.conllu -o once.conllu");
    assert!(first.stderr.contains("1 word kept the morphs"), "{}", first.stderr);
    let once = rows(&playground.read("once.conllu"));
    assert_eq!(once[0][9], "MSeg=Th-e");
    assert!(once[1..].iter().all(|row| row[9].contains("MSegBy=segmenter@")), "{once:?}");
    // A second segmenter finds anew what the first found, and nothing else.
    run(&playground, "segment run --chunks 1 once.conllu -o twice.conllu");
    let twice = rows(&playground.read("twice.conllu"));
    assert_eq!(twice[0][9], "MSeg=Th-e");
    assert!(twice[1][9].contains("MSeg=o-l-d|MSegBy=chunks:o-l-d"), "{:?}", twice[1]);
    run(&playground, "segment run --chunks 1 once.conllu -o all.conllu --all");
    assert!(rows(&playground.read("all.conllu"))[0][9].contains("MSeg=T-h-e|MSegBy=chunks:T-h-e"));
}

#[test]
fn brackets_of_a_joint_model_are_a_machines() {
    let playground = with_demo();
    run(&playground, "joint train --task labeled-brackets village.mrg -o j --epochs 2 -q");
    let parsed = run(&playground, "joint run j village-test.mrg -o parsed.mrg");
    assert!(parsed.stderr.contains("the brackets of the input were not looked at"), "{}", parsed.stderr);
    let text = playground.read("parsed.mrg");
    assert_eq!(text.matches("# treelet_by = joint@").count(), 24, "{text}");
    let learned = playground.run("train constituency parsed.mrg -o m -k 1 --burn-in 1 --samples 1");
    assert!(learned.stderr.contains("because a machine built them"), "{}", learned.stderr);
}

#[test]
fn tags_of_people_are_not_replaced_by_states() {
    let playground = with_demo();
    playground
        .write("x.conllu", changed(&playground.read("village.conllu"), 4, |at, _| format!("T{}", at % 2)));
    run(&playground, "induce hmm village.conllu -o hmm -k 3 --passes 2");
    let kept = run(&playground, "parse hmm x.conllu -o kept.conllu");
    assert!(kept.stderr.contains("kept the XPOS that a person gave"), "{}", kept.stderr);
    assert_eq!(playground.read("kept.conllu"), playground.read("x.conllu"));
    run(&playground, "parse hmm x.conllu -o states.conllu --retag");
    let states = rows(&playground.read("states.conllu"));
    assert!(states.iter().all(|row| row[4].starts_with('S') && row[9].contains("XposBy=hmm@")), "{states:?}");
    // What a machine said is open again.
    run(&playground, "parse hmm states.conllu -o again.conllu");
    assert_eq!(rows(&playground.read("again.conllu")), states);
}

#[test]
fn words_of_a_dictionary_keep_to_it_also_if_they_are_new() {
    let playground = with_demo();
    playground
        .write("few.conllu", "1\tgoats\t_\tNOUN\t_\t_\t_\t_\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n");
    playground.write("dictionary.tsv", "goats\tNOUN\nsleep\tVERB\nquickly\tADV\nrun\tVERB NOUN\n");
    run(&playground, "induce hmm few.conllu -o hmm --dictionary dictionary.tsv --passes 2");
    let row = |(id, form): (usize, &str)| format!("{id}\t{form}\t_\t_\t_\t_\t_\t_\t_\t_\n");
    let new: String = (1..).zip(["quickly", "run", "quickly", "goats"]).map(row).collect();
    playground.write("new.conllu", new + "\n");
    run(&playground, "parse hmm new.conllu -o out.conllu");
    let tags: Vec<String> =
        rows(&playground.read("out.conllu")).into_iter().map(|row| row[4].clone()).collect();
    assert!(tags[0] == "ADV" && tags[2] == "ADV" && tags[3] == "NOUN" && tags[1] != "ADV", "{tags:?}");
}

#[test]
fn sentences_beyond_the_limit_do_not_choose_the_column_of_tags() {
    let playground = trained();
    let alone = run(&playground, "train dependency train.conllu -o a --order 1 --epochs 1 --limit 20");
    let both =
        run(&playground, "train dependency train.conllu village.conllu -o b --order 1 --epochs 1 --limit 20");
    assert!(both.stderr.contains("nothing of village.conllu is used"), "{}", both.stderr);
    assert!(!alone.stderr.contains("is used"), "{}", alone.stderr);
    assert_eq!(run(&playground, "parse a train.conllu").stdout.replace("dependency@", ""), {
        let other = run(&playground, "parse b train.conllu").stdout;
        other.replace("dependency@", "")
    });
}

#[test]
fn heads_that_are_not_looked_at_are_told_for_every_model() {
    let (playground, kinds) = all_kinds();
    for (model, input) in kinds.into_iter().filter(|(model, _)| !["brackets", "hmm"].contains(model)) {
        let parsed = run(&playground, &format!("parse {model} {input} -o out"));
        assert!(parsed.stderr.contains("of the input were not looked at"), "{model}: {}", parsed.stderr);
    }
}

/// Rows of words with heads, `_` where they are open.
fn headed(heads: &[&str]) -> String {
    let row = |(id, head): (usize, &&str)| format!("{id}\tw{id}\t_\tX\t_\t_\t{head}\t_\t_\t_\n");
    format!("# sent_id = s\n{}\n", (1..).zip(heads).map(row).collect::<String>())
}

#[test]
fn words_that_were_left_open_are_no_commitment() {
    let playground = Playground::new();
    playground.write("one.conllu", headed(&["2", "_", "_", "_"])).write("none.conllu", headed(&["_"; 4]));
    // Of the 5³ trees of four words an arc leaves 5².
    let near = |value: &serde_json::Value, expected: f64| {
        assert!((value.as_f64().unwrap() - expected).abs() < 1e-9, "{value}, expected {expected}");
    };
    let json = run(&playground, "agree one.conllu none.conllu --json").json();
    let [one, none] = json["annotators"].as_array().unwrap().as_slice() else { panic!("{json:#}") };
    near(&one["com"], 1.0 / 3.0);
    near(&one["com_named"], 1.0);
    near(&one["ln_promiscuity"], 25f64.ln());
    near(&none["com"], 0.0);
    near(&none["com_named"], 0.0);
    near(&none["ln_promiscuity"], 125f64.ln());
    assert_eq!(json["agreement"]["pairs"][0]["comPrec"][1], 0.0);
    for (file, all, named) in [("one", 1.0 / 3.0, 1.0), ("none", 0.0, 0.0)] {
        let json = run(&playground, &format!("stats {file}.conllu --json")).json();
        near(&json["mean_commitment"], all);
        near(&json["mean_named_commitment"], named);
    }
    let silent = run(&playground, "agree none.conllu none.conllu --json").json();
    assert_eq!(silent["agreement"]["overall"]["comPrec"], 0.0);
}

#[test]
fn words_of_a_bracket_whose_heads_are_open_are_not_headed() {
    let playground = Playground::new();
    for (anno, n_headed) in
        [("(b c) > a\na**", 1), ("(b* c) > a\na**", 3), ("[b c] > a\na**", 3), ("d > [b c]", 1)]
    {
        playground.write("a.anno", format!("---\n% ID s\n% TEXT\na b c d\n% ANNO\n{anno}\n"));
        let json = run(&playground, "stats a.anno --json").json();
        assert_eq!(json["headed_words"], n_headed, "{anno}: {json:#}");
    }
}

#[test]
fn depths_of_both_kinds_of_trees_are_kept_apart() {
    let playground = with_demo();
    let json = run(&playground, "stats village.conllu village.mrg --json").json();
    assert_eq!((&json["dependency_depth"], &json["constituency_depth"]), (&5.into(), &8.into()));
}

#[test]
fn tags_of_a_table_are_those_of_gold_or_of_the_majority() {
    let playground = with_demo();
    let gold = playground.read("village.conllu");
    playground.write("odd.conllu", changed(&gold, 3, |_, _| "X".into()));
    let tags = |arguments: &str| {
        let json = run(&playground, &format!("agree {arguments} --json")).json();
        json["annotators"][0]["completion"].as_object().unwrap().keys().cloned().collect::<Vec<_>>()
    };
    let right = tags("village.conllu");
    assert!(right.len() > 5 && !right.contains(&"X".to_string()), "{right:?}");
    assert_eq!(tags("odd.conllu --gold village.conllu"), right);
    playground.write("second.conllu", &gold);
    assert_eq!(tags("odd.conllu village.conllu second.conllu"), right);
    assert_eq!(tags("odd.conllu village.conllu"), ["X"]);
}

#[test]
fn relations_are_not_explained_as_measures() {
    let playground = with_demo();
    for command in ["agree village.conllu village-system.conllu", "stats village.conllu"] {
        let told = run(&playground, command).stderr;
        assert!(told.contains("legend: "), "{command}: {told}");
        let wrong = ["root = ", "UAS = ", " LAS = ", "F1 = "].into_iter().find(|name| told.contains(name));
        assert_eq!(wrong, None, "{command}: {told}");
    }
}

#[test]
fn labels_and_words_are_all_that_is_kept_of_rows_and_that_is_said() {
    let playground = Playground::new();
    let row = "1\tdogs\t_\tNOUN\tNNS\t_\t_\tnsubj\t0:root\tGloss=Hunde\n\n";
    playground.write("a.conllu", row);
    let told = run(&playground, "convert a.conllu -o a.bio --to bio").stderr;
    for lost in ["heads and relations", "language-specific tags", "enhanced dependencies", "MISC"] {
        assert!(told.contains(lost), "{lost}: {told}");
    }
    playground.write("b.conllu", "1\tdogs\t_\t_\tNNS\t_\t_\t_\t_\tLabel=B-X\n\n");
    let told = run(&playground, "convert b.conllu -o b.bio --to bio").stderr;
    assert!(told.contains("tags") && !told.contains("MISC"), "{told}");
}
