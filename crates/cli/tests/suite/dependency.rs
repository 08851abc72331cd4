//! Dependency parsers, with the real program: train, parse, resume, and everything that can be wrong with the input.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::{Playground, Run, with_demo};

/// Runs a command that must succeed.
fn run(playground: &Playground, arguments: &str) -> Run {
    let run = playground.run(arguments);
    assert_eq!(run.code, 0, "{arguments}: {}", run.stderr);
    run
}

/// The demo's trees as dependencies: 87 to learn from, 24 others.
fn prepared() -> Playground {
    let playground = with_demo();
    for name in ["train", "test"] {
        run(
            &playground,
            &format!("convert village-{name}.mrg -o {name}.conllu --to conllu --head-rules english"),
        );
    }
    playground
}

fn trained() -> Playground {
    let playground = prepared();
    let summary = run(&playground, "train dependency train.conllu -o m --json").json();
    assert_eq!(summary["order"], 2, "{summary}");
    playground
}

fn bytes(playground: &Playground, name: &str) -> Vec<u8> {
    std::fs::read(playground.path(name)).unwrap()
}

/// A column of all words.
fn column(conllu: &str, number: usize) -> Vec<String> {
    let rows = conllu.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    rows.map(|row| row.split('\t').nth(number).unwrap().to_string()).collect()
}

fn uas(playground: &Playground, gold: &str, system: &str) -> f64 {
    run(playground, &format!("score {gold} {system} --json")).json()["UAS"]["f1"].as_f64().unwrap()
}

#[test]
fn a_trained_parser_parses_sentences_that_it_has_not_seen() {
    let playground = trained();
    run(&playground, "parse m test.conllu -o out.conllu");
    assert!(uas(&playground, "test.conllu", "out.conllu") > 90.0);
    assert_eq!(column(&playground.read("out.conllu"), 1), column(&playground.read("test.conllu"), 1));
    assert!(!playground.path("m.checkpoint").exists());
    let info = run(&playground, "model info m --json").json();
    assert_eq!(info["kind"], "model/dependency");
    assert!(info["bytes"].as_u64().unwrap() < 20_000_000);
    assert_eq!((&info["order"], &info["projective"]), (&2.into(), &true.into()), "{info}");
    assert!(info["weights"]["second_order"].as_u64().unwrap() > 0, "{info}");
}

#[test]
fn heads_of_the_input_count_only_if_they_are_asked_for() {
    let playground = trained();
    let text = playground.read("test.conllu");
    // Every word hangs from the one before: hardly what the parser would say.
    let chained: String = text
        .lines()
        .map(|line| match line.split('\t').collect::<Vec<_>>()[..] {
            [id, form, lemma, upos, xpos, feats, _, _, deps, misc] => {
                let head = id.parse::<u32>().unwrap() - 1;
                format!("{id}\t{form}\t{lemma}\t{upos}\t{xpos}\t{feats}\t{head}\t_\t{deps}\t{misc}\n")
            }
            _ => format!("{line}\n"),
        })
        .collect();
    playground.write("chained.conllu", &chained);
    run(&playground, "parse m test.conllu -o free.conllu");
    run(&playground, "parse m chained.conllu -o ignored.conllu");
    assert_eq!(column(&playground.read("free.conllu"), 6), column(&playground.read("ignored.conllu"), 6));
    run(&playground, "parse m chained.conllu -o honoured.conllu --constraints");
    assert_eq!(column(&playground.read("honoured.conllu"), 6), column(&chained, 6));
}

#[test]
fn the_same_seed_gives_the_same_bytes_at_any_number_of_threads() {
    let playground = prepared();
    for threads in [1, 2, 4] {
        let train = format!("train dependency train.conllu -o m{threads} --threads {threads} --ensemble 2");
        run(&playground, &train);
        let parse = "--posteriors --n-best 3";
        run(&playground, &format!("parse m{threads} test.conllu -o o{threads} {parse} --threads {threads}"));
    }
    for threads in [2, 4] {
        assert!(bytes(&playground, "m1") == bytes(&playground, &format!("m{threads}")), "{threads} threads");
        assert_eq!(playground.read("o1"), playground.read(&format!("o{threads}")));
    }
}

#[cfg(unix)]
#[test]
fn a_killed_run_resumes_and_equals_the_straight_run() {
    let playground = prepared();
    let settings = "train dependency train.conllu --epochs 40";
    run(&playground, &format!("{settings} -o straight"));
    let again = format!("{settings} -o m --checkpoint-every 0");
    crate::common::end_midway(&playground, &again, "-KILL");
    crate::common::resumed(&playground, &again);
}

#[test]
fn partial_trees_are_learned_from() {
    let playground = prepared();
    run(&playground, "simulate train.conllu -o half.conllu --model random --keep 0.5 --seed 1");
    run(&playground, "train dependency half.conllu -o m");
    run(&playground, "parse m test.conllu -o out.conllu");
    assert!(uas(&playground, "test.conllu", "out.conllu") > 85.0);
}

#[test]
fn text_is_tokenised_tagged_and_parsed() {
    let playground = trained();
    playground.write("story.txt", "The man sees the dog. My cat sleeps.\n");
    let raw = run(&playground, "parse m story.txt --from raw");
    assert_eq!(raw.stdout.matches("# text = ").count(), 2, "{}", raw.stdout);
    assert!(raw.stdout.contains("SpaceAfter=No") && raw.stderr.contains("had no tag"), "{}", raw.stderr);
    playground.write("lines.txt", "The man sees the dog .\nMy cat sleeps .\n");
    let lines = run(&playground, "parse m lines.txt");
    assert_eq!(column(&lines.stdout, 6), column(&raw.stdout, 6));
    assert_eq!(column(&lines.stdout, 3), column(&raw.stdout, 3));
}

#[test]
fn trees_are_listed_with_their_probabilities() {
    let playground = trained();
    let listed = run(&playground, "parse m test.conllu --n-best 3").stdout;
    assert_eq!(listed.matches("# rank = 1\n").count(), 24);
    let probabilities: Vec<f64> =
        listed.lines().filter_map(|line| line.strip_prefix("# probability = ")?.parse().ok()).collect();
    assert!(probabilities.iter().all(|p| (0.0..=1.0).contains(p)));
    let objects = run(&playground, "parse m test.conllu --n-best 3 --json").stdout;
    let first: serde_json::Value = serde_json::from_str(objects.lines().next().unwrap()).unwrap();
    let best = first["n_best"].as_array().unwrap();
    assert!(best[0]["probability"].as_f64() >= best[1]["probability"].as_f64(), "{first}");
    let marks = run(&playground, "parse m test.conllu --posteriors").stdout;
    assert!(column(&marks, 9).iter().all(|misc| misc.contains("HeadProb=") && misc.contains("DeprelProb=")));
}

#[test]
fn a_parser_of_tags_is_a_start_for_another_one() {
    let playground = prepared();
    run(&playground, "train dependency train.conllu -o tags --delexicalised");
    run(&playground, "train dependency train.conllu -o m --limit 3 --start tags");
    run(&playground, "parse m test.conllu -o out.conllu");
    run(&playground, "train dependency train.conllu -o alone --limit 3");
    run(&playground, "parse alone test.conllu -o alone.conllu");
    let (started, alone) =
        (uas(&playground, "test.conllu", "out.conllu"), uas(&playground, "test.conllu", "alone.conllu"));
    assert!(started > alone + 3.0, "{started} {alone}");
}

#[test]
fn several_words_may_hang_from_the_root_if_that_is_asked_for() {
    let playground = prepared();
    run(&playground, "train dependency train.conllu -o m --roots many");
    let parsed = run(&playground, "parse m test.conllu").stdout;
    assert_eq!(column(&parsed, 0), column(&playground.read("test.conllu"), 0));
}

#[test]
fn a_curve_says_what_more_sentences_bring() {
    let playground = prepared();
    let curve =
        run(&playground, "train dependency train.conllu -o m --dev test.conllu --curve 5,1,80 --json");
    let points = curve.json();
    let sizes: Vec<u64> =
        points.as_array().unwrap().iter().map(|p| p["sentences"].as_u64().unwrap()).collect();
    assert_eq!(sizes, [1, 5, 80]);
    assert!(points[2]["UAS"].as_f64() > points[0]["UAS"].as_f64(), "{points}");
}

#[test]
fn other_ways_to_train_work_too() {
    let playground = prepared();
    for settings in [
        "--order 1",
        "--non-projective",
        "--dev test.conllu",
        "--jackknife 4",
        "--hold-out 0 --l1 0.001 --batch 4 --rate 0.05 --epochs 3",
        "--rule-pull 0.5",
    ] {
        run(&playground, &format!("train dependency train.conllu -o m {settings}"));
        run(&playground, "parse m test.conllu -o out.conllu");
        let uas = uas(&playground, "test.conllu", "out.conllu");
        assert!(uas > 85.0, "{settings}: {uas}");
    }
}

#[test]
fn what_cannot_be_learned_from_is_said() {
    let playground = with_demo();
    let row = |id: u32, head: &str, relation: &str| {
        format!("{id}\tw{id}\t_\tNOUN\t_\t_\t{head}\t{relation}\t_\t_\n")
    };
    let tree = row(1, "2", "dep") + &row(2, "0", "root") + &row(3, "2", "dep") + "\n";
    let cycle = row(1, "2", "dep") + &row(2, "1", "dep") + "\n";
    let roots = row(1, "0", "root") + &row(2, "0", "root") + &row(3, "1", "dep") + "\n";
    let open = row(1, "_", "_") + &row(2, "_", "_") + "\n";
    let single = row(1, "0", "root") + "\n";
    playground.write("empty.conllu", "").write("single.conllu", &single).write("open.conllu", &open);
    for name in ["empty", "single", "open"] {
        let run = playground.run(&format!("train dependency {name}.conllu -o m"));
        assert_eq!(run.code, 2, "{name}: {}", run.stderr);
        assert!(run.stderr.contains("no sentence says anything of a tree"), "{}", run.stderr);
        assert!(!playground.path("m").exists());
    }
    playground.write("mixed.conllu", tree.clone() + &cycle + &roots + &open + &single + &tree);
    let mixed = playground.run("train dependency mixed.conllu -o m");
    assert_eq!(mixed.code, 1, "{}", mixed.stderr);
    assert!(mixed.stderr.contains("mixed.conllu:5"), "{}", mixed.stderr);
    assert!(mixed.stderr.contains("took no part"), "{}", mixed.stderr);
    run(&playground, "parse m mixed.conllu -o out.conllu");
    assert_eq!(column(&playground.read("out.conllu"), 0).len(), 3 + 2 + 3 + 2 + 1 + 3);
}

#[test]
fn what_has_no_effect_is_said() {
    let playground = prepared();
    let row = |id: u32, head: &str| format!("{id}\tw{id}\t_\t_\t_\t_\t{head}\tdep\t_\t_\n");
    playground.write("untagged.conllu", row(1, "2") + &row(2, "0") + "\n");
    playground.write("open.conllu", row(1, "_") + &row(2, "_") + "\n").write("empty.conllu", "");
    // The demo has tags in XPOS only.
    for (arguments, part) in [
        ("train.conllu", "goes by the tags in XPOS"),
        ("train.conllu --use xpos", "--use xpos: these are the tags"),
        ("train.conllu --use feats", "--use feats: the column is empty"),
        ("untagged.conllu", "no word has a tag; the parser will look at forms only"),
    ] {
        let said = run(&playground, &format!("train dependency {arguments} -o m --limit 5")).stderr;
        assert!(said.contains(part), "{arguments}: {said}");
    }
    let said = run(&playground, "train dependency train.conllu -o m --limit 5 --tags xpos").stderr;
    assert!(!said.contains("XPOS"), "{said}");
    for (arguments, part) in [
        ("--dev open.conllu", "open.conllu: no word has a head"),
        ("--dev empty.conllu", "empty.conllu: no word has a head"),
        ("--text-clusters 5", "--text <FILE>"),
    ] {
        let refused = playground.run(&format!("train dependency train.conllu -o m2 {arguments}"));
        assert_eq!(refused.code, 2, "{arguments}: {}", refused.stderr);
        assert!(refused.stderr.contains(part), "{arguments}: {}", refused.stderr);
        assert!(!playground.path("m2").exists());
    }
}

#[test]
fn wrong_usage_is_named() {
    let playground = trained();
    playground.write("templates.txt", "arc: h.colour\n").write("cut", &bytes(&playground, "m")[..1000]);
    for (arguments, code, part) in [
        ("train dependency train.conllu -o m2 --order 2 --non-projective", 2, "--order 1"),
        ("train dependency train.conllu -o m2 --order 3", 2, "--order"),
        ("train dependency train.conllu -o m2 --templates templates.txt", 2, "`colour` is no attribute"),
        ("train dependency train.conllu -o train.conllu", 2, "would be written over"),
        ("train dependency village.mrg -o m2", 2, "has no heads"),
        ("train dependency missing.conllu -o m2", 3, "missing.conllu"),
        ("train dependency train.conllu -o m2 --start cut", 3, "cut"),
        ("train dependency train.conllu -o m2 --hold-out 0.9", 2, "0 to 0.5"),
        ("train dependency train.conllu -o m2 --curve 1,2", 2, "--dev"),
        ("parse cut test.conllu", 3, "cut"),
        ("parse m village.mrg", 2, "brackets"),
        ("parse m test.conllu --decode mode", 2, "mbr"),
    ] {
        let run = playground.run(arguments);
        assert_eq!(run.code, code, "{arguments}: {}", run.stderr);
        assert!(run.stderr.contains(part), "{arguments}: {}", run.stderr);
        assert!(!playground.path("m2").exists());
    }
}

#[test]
fn strange_input_is_parsed_and_noted() {
    let playground = trained();
    playground.write("tags.conllu", "1\tThe\t_\t_\tART\t_\t_\t_\t_\t_\n2\tman\t_\t_\tNN\t_\t_\t_\t_\t_\n\n");
    let tags = run(&playground, "parse m tags.conllu");
    assert!(
        tags.stderr.contains("1 of 2 words have tags") && tags.stderr.contains("ART (1)"),
        "{}",
        tags.stderr
    );
    let long: String = (1..=500).map(|id| format!("{id}\tword{id}\t_\tNOUN\t_\t_\t_\t_\t_\t_\n")).collect();
    playground.write("long.conllu", long + "\n");
    let whole = run(&playground, "parse m long.conllu --max-words 1000").stdout;
    assert_eq!((column(&whole, 6).len(), whole.contains("# treelet_fallback")), (500, false));
    // Longer sentences are parsed in pieces, which is said in the file and on the screen; what was said is kept.
    let pieces = run(&playground, "parse m long.conllu --posteriors");
    assert!(pieces.stderr.contains("1 sentence was longer than --max-words"), "{}", pieces.stderr);
    assert!(pieces.stdout.contains("# treelet_fallback") && !pieces.stdout.contains("HeadProb"));
    assert_eq!(column(&pieces.stdout, 6).iter().filter(|head| *head == "0").count(), 1);
    let said = playground
        .read("long.conllu")
        .replace("\n7\tword7\t_\tNOUN\t_\t_\t_\t_", "\n7\tword7\t_\tNOUN\t_\t_\t499\tobj");
    playground.write("said.conllu", said);
    let kept = run(&playground, "parse m said.conllu --constraints --max-words 20").stdout;
    assert_eq!((column(&kept, 6)[6].as_str(), column(&kept, 7)[6].as_str()), ("499", "obj"));
    let ignored = run(&playground, "parse m tags.conllu --average mixture").stderr;
    assert!(ignored.contains("--average"), "{ignored}");
    playground.write("empty.conllu", "");
    assert!(run(&playground, "parse m empty.conllu").stderr.contains("has no sentences"));
    let conflict = "1\ta\t_\tNOUN\t_\t_\t2\tdep\t_\t_\n2\tb\t_\tNOUN\t_\t_\t1\tdep\t_\t_\n\n";
    playground.write("cycle.conllu", conflict);
    run(&playground, "parse m cycle.conllu");
    let honoured = playground.run("parse m cycle.conllu --constraints");
    assert_eq!(honoured.code, 1, "{}", honoured.stderr);
    assert!(honoured.stdout.contains("# treelet_conflict = "), "{}", honoured.stdout);
}

#[test]
fn the_tagger_of_a_parser_learns_from_the_tags_of_people_also_if_the_parser_does_not() {
    let playground = prepared();
    let bare: String = playground
        .read("test.conllu")
        .lines()
        .map(|line| match line.split('\t').collect::<Vec<_>>()[..] {
            [id, form, ..] => format!("{id}\t{form}\t_\t_\t_\t_\t_\t_\t_\t_\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    playground.write("bare.conllu", bare);
    // Few sentences, so that taggers of a half of them find other tags than people did.
    let tags = |settings: &str| {
        run(
            &playground,
            &format!("train dependency train.conllu -o m --limit 12 --order 1 --epochs 1 {settings}"),
        );
        run(&playground, "parse m bare.conllu -o out.conllu");
        column(&playground.read("out.conllu"), 4)
    };
    let plain = tags("");
    assert!(plain.iter().all(|tag| tag != "_"), "{plain:?}");
    assert_eq!(tags("--jackknife 2"), plain);
}

#[test]
fn the_tagger_of_a_parser_is_that_of_tag_train() {
    let playground = prepared();
    let seed = "--seed 3";
    run(&playground, &format!("train dependency train.conllu -o m --order 1 --epochs 1 {seed}"));
    run(&playground, &format!("tag train --tokens train.conllu -o tagger {seed}"));
    run(&playground, "parse m test.conllu --retag --posteriors -o parsed.conllu");
    run(&playground, "tag run tagger test.conllu --all -o tagged.conllu");
    let [parsed, tagged] = ["parsed", "tagged"].map(|name| playground.read(&format!("{name}.conllu")));
    let gold = column(&playground.read("test.conllu"), 4);
    assert_ne!(column(&parsed, 4), gold);
    assert_eq!(column(&parsed, 4), column(&tagged, 4));
    let sure = |text: &str| -> Vec<String> {
        let item =
            |misc: &String| misc.split('|').find_map(|item| item.strip_prefix("XposProb=").map(String::from));
        column(text, 9).iter().filter_map(item).collect()
    };
    assert_eq!(sure(&parsed).len(), gold.len());
    assert_eq!(sure(&parsed), sure(&tagged));
}

#[test]
fn tags_that_a_parser_fills_in_say_how_probable_they_are() {
    // The demo has fine tags only.
    let playground = trained();
    playground.write(
        "in.conllu",
        "1\tThe\t_\t_\t_\t_\t_\t_\t_\t_\n2\tgoat\t_\t_\tNN\t_\t_\t_\t_\tXposProb=0.5\n\n",
    );
    run(&playground, "parse m in.conllu -o out.conllu --posteriors");
    let misc = column(&playground.read("out.conllu"), 9);
    assert!(misc[0].contains("XposProb=0.") || misc[0].contains("XposProb=1."), "{misc:?}");
    // A tag that was there keeps what is said of it.
    assert!(misc[1].contains("XposProb=0.5"), "{misc:?}");
    run(&playground, "parse m in.conllu -o out.conllu");
    let misc = column(&playground.read("out.conllu"), 9);
    assert!(misc[0].contains("XposBy=dependency@") && !misc[0].contains("Prob="), "{misc:?}");
    assert!(misc[1].contains("XposProb=0.5") && !misc[1].contains("XposBy="), "{misc:?}");
    assert_eq!(run(&playground, "model info m --json").json()["calibrated_tags"], true);
}
