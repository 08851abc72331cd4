//! From fragments to trees, with the real program: impute, parse, simulate, agree, select, plan.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::{Playground, with_demo};
use std::collections::BTreeMap;

/// Short runs: tests look at what is done, not at how well.
const GPC: &str = "--method gpc --burn-in 5 --sweeps 10 --chains 2";

/// Runs a command that must succeed.
fn run(playground: &Playground, arguments: &str) -> crate::common::Run {
    let run = playground.run(arguments);
    assert_eq!(run.code, 0, "{arguments}: {}", run.stderr);
    run
}

fn bytes(playground: &Playground, name: &str) -> Vec<u8> {
    std::fs::read(playground.path(name)).unwrap()
}

fn check_valid(playground: &Playground, name: &str) {
    let run = playground.run(&format!("check --strict {name}"));
    assert_eq!(run.code, 0, "{name}: {}\n{}", run.stderr, playground.read(name));
}

/// The rows of words: columns, without ranges and empty nodes.
fn rows(text: &str) -> Vec<Vec<String>> {
    let words =
        text.lines().filter(|line| line.split('\t').next().is_some_and(|id| id.parse::<u32>().is_ok()));
    words.map(|line| line.split('\t').map(str::to_string).collect()).collect()
}

fn misc(row: &[String]) -> BTreeMap<String, String> {
    let items = row[9].split('|').filter_map(|item| item.split_once('='));
    items.map(|(key, value)| (key.to_string(), value.to_string())).collect()
}

/// Half of the heads of the village.
fn half() -> Playground {
    let playground = with_demo();
    run(&playground, "simulate village.conllu -o half.conllu --model random --keep 0.5 --seed 1");
    playground
}

#[test]
fn fragments_become_trees_that_keep_what_was_said() {
    let playground = half();
    for method in ["", "--method convexmst --soft --steps 20", "--non-projective", "--no-rules", GPC] {
        run(&playground, &format!("impute half.conllu -o out.conllu {method}"));
        check_valid(&playground, "out.conllu");
        let (before, after) = (rows(&playground.read("half.conllu")), rows(&playground.read("out.conllu")));
        assert_eq!(before.len(), after.len());
        for (before, after) in before.iter().zip(&after) {
            assert_eq!((&before[..6], &before[8]), (&after[..6], &after[8]));
            let misc = misc(after);
            let is_said = before[6] != "_";
            let overruled = misc.contains_key("HeadSaid");
            assert!(!is_said || before[6] == after[6] || (overruled && method.contains("soft")), "{after:?}");
            assert_eq!(misc.contains_key("HeadBy"), !is_said || overruled, "{after:?}");
            assert_eq!(misc.contains_key("DeprelBy"), before[7] != after[7], "{after:?}");
            assert_eq!(misc.contains_key("HeadProb"), !is_said || overruled, "{after:?}");
            assert_eq!(before[9].contains("SpaceAfter=No"), after[9].contains("SpaceAfter=No"));
            assert_eq!(after[6] == "0", after[7] == "root");
        }
    }
}

#[test]
fn probabilities_of_a_word_are_sorted_and_sum_to_no_more_than_one() {
    let playground = half();
    run(&playground, "impute half.conllu -o out.conllu --entropy --temperature 0.5");
    let text = playground.read("out.conllu");
    let mut n_alternatives = 0;
    for row in rows(&text) {
        let misc = misc(&row);
        assert!(misc["Entropy"].parse::<f64>().unwrap() >= 0.0);
        let Some(chosen) = misc.get("HeadProb") else { continue };
        let others: Vec<(u32, f64)> = misc
            .get("HeadAlt")
            .into_iter()
            .flat_map(|list| list.split(','))
            .map(|item| {
                let (head, p) = item.split_once(':').unwrap();
                (head.parse().unwrap(), p.parse().unwrap())
            })
            .collect();
        n_alternatives += others.len();
        assert!(others.len() <= 3 && others.is_sorted_by(|a, b| a.1 >= b.1), "{row:?}");
        assert!(others.iter().all(|(head, _)| head.to_string() != row[6]), "{row:?}");
        let sum = chosen.parse::<f64>().unwrap() + others.iter().map(|(_, p)| p).sum::<f64>();
        assert!(sum <= 1.03, "{row:?}");
        let keys: Vec<&str> = row[9].split('|').map(|item| item.split('=').next().unwrap()).collect();
        assert!(keys.is_sorted(), "{row:?}");
    }
    assert!(n_alternatives > 10);
    assert_eq!(text.matches("# entropy = ").count(), 8);
}

#[test]
fn a_saved_model_gives_what_learning_gives() {
    let playground = half();
    for method in ["", GPC] {
        run(&playground, &format!("impute half.conllu -o direct.conllu --save-model m {method}"));
        run(&playground, "impute half.conllu -o saved.conllu --model m");
        // A saved model signs with a part of its checksum, too.
        let unsigned = |name: &str| {
            let text = playground.read(name);
            let mut pieces = text.split('@');
            let first = pieces.next().unwrap_or_default().to_string();
            pieces.fold(first, |text, piece| text + &piece[8..])
        };
        assert!(playground.read("saved.conllu").contains('@'));
        assert_eq!(playground.read("direct.conllu"), unsigned("saved.conllu"));
        // Parsing with the heads that were said finds the same trees.
        run(&playground, "parse m half.conllu -o told.conllu --constraints");
        run(&playground, "parse m half.conllu -o same.conllu --constrain");
        assert_eq!(bytes(&playground, "told.conllu"), bytes(&playground, "same.conllu"));
        let heads = |name: &str| {
            rows(&playground.read(name)).into_iter().map(|row| row[6].clone()).collect::<Vec<_>>()
        };
        assert_eq!(heads("told.conllu"), heads("direct.conllu"));
        check_valid(&playground, "told.conllu");
        let info = run(&playground, "model info m").stdout;
        assert!(info.contains("model/") && info.contains("tags") && info.contains("upos"), "{info}");
    }
}

#[test]
fn parsing_ignores_the_heads_of_the_input() {
    let playground = half();
    run(&playground, "impute half.conllu -o out.conllu --save-model m");
    run(&playground, "parse m village.conllu -o full.conllu");
    run(&playground, "parse m half.conllu -o half-parsed.conllu");
    assert_eq!(bytes(&playground, "full.conllu"), bytes(&playground, "half-parsed.conllu"));
    check_valid(&playground, "full.conllu");
    assert!(!playground.read("full.conllu").contains("HeadProb"));
    for (option, said) in [("", false), ("--decode mbr", true), ("--n-best 2", true)] {
        let notes = run(&playground, &format!("parse m village.conllu {option}")).stderr;
        assert_eq!(notes.contains("has no effect here"), said, "{option}: {notes}");
    }
    let marked = run(&playground, "parse m village.conllu --posteriors").stdout;
    assert!(marked.contains("HeadProb="), "{marked}");
    let json = run(&playground, "parse m village.conllu --json").stdout;
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(first["words"][0]["form"], "The");
    run(&playground, "parse m village.anno -o anno.conllu");
    check_valid(&playground, "anno.conllu");
}

#[test]
fn the_number_of_threads_does_not_show() {
    let playground = half();
    let commands = [
        "impute half.conllu -o NAME",
        &format!("impute half.conllu -o NAME {GPC} --seed 7 --samples 3 --sampled drawn.conllu"),
        "select half.conllu --json -n 5",
        "plan half.conllu --json --folds 3 --points 4",
        "plan half.conllu --json --folds 3 --points 4 --method convexmst --steps 10",
    ];
    for command in commands {
        let outputs = [1, 4].map(|threads| {
            let run =
                run(&playground, &format!("{} --threads {threads}", command.replace("NAME", "out.conllu")));
            let file = if command.contains("NAME") { bytes(&playground, "out.conllu") } else { Vec::new() };
            let drawn =
                if command.contains("drawn") { bytes(&playground, "drawn.conllu") } else { Vec::new() };
            (run.stdout, file, drawn)
        });
        assert!(outputs[0] == outputs[1], "{command}");
    }
    check_valid(&playground, "drawn.conllu");
}

#[test]
fn gfl_is_completed_with_the_rows_of_another_file() {
    let playground = with_demo();
    run(&playground, "impute village.anno --words village.conllu -o out.conllu");
    check_valid(&playground, "out.conllu");
    let rows = rows(&playground.read("out.conllu"));
    // (The old woman*) > carries**: the head of the bracket is said, those of its other words are not.
    assert_eq!((rows[2][6].as_str(), rows[2][9].contains("HeadBy")), ("4", false));
    assert!(rows[0][9].contains("HeadBy=convexmst:") && ["2", "3"].contains(&rows[0][6].as_str()));
    assert_eq!((rows[0][3].as_str(), rows[0][5].as_str()), ("DET", "Definite=Def|PronType=Art"));
}

#[test]
fn all_spellings_of_gfl_give_the_same_trees() {
    let playground = with_demo();
    run(&playground, "convert village.anno -o village.jsonl --to gfl-json");
    run(&playground, "convert village.anno -o village.fudg --to fudg-json");
    let heads = |name: &str| {
        run(&playground, &format!("impute {name} -o out.conllu"));
        rows(&playground.read("out.conllu")).into_iter().map(|row| row[6].clone()).collect::<Vec<_>>()
    };
    let expected = heads("village.anno");
    assert_eq!(heads("village.jsonl --from gfl-json"), expected);
    assert_eq!(heads("village.fudg --from fudg-json"), expected);
}

#[test]
fn reading_choices_change_the_trees() {
    let playground = Playground::new();
    playground.write(
        "a.anno",
        "---\n% ID 1\n% TEXT\nrice and salt of course\n% ANNO\n$x :: {rice salt} :: {and}\n[of course]\n$x**\n",
    );
    let heads = |options: &str| {
        run(&playground, &format!("impute a.anno -o out.conllu {options}"));
        check_valid(&playground, "out.conllu");
        rows(&playground.read("out.conllu")).into_iter().map(|row| row[6].clone()).collect::<Vec<_>>()
    };
    let coordinator = heads("");
    assert_eq!(coordinator[..3], ["2", "0", "2"]);
    assert_eq!(coordinator[4], "4");
    assert_eq!(heads("--coordination conjunct")[..3], ["0", "3", "1"]);
    assert_eq!(heads("--multiword last")[3], "5");
    playground.write("b.anno", "---\n% ID 1\n% TEXT\ndogs bark loudly\n% ANNO\ndogs > bark**\n");
    run(&playground, "impute b.anno -o out.conllu --omit-unmentioned");
    let rows = rows(&playground.read("out.conllu"));
    assert_eq!((rows[2][6].as_str(), rows[2][9].as_str()), ("_", "Omitted=Yes"));
}

#[test]
fn sentences_of_one_and_of_two_hundred_words_are_completed() {
    let playground = Playground::new();
    let tags = ["DET", "NOUN", "VERB", "ADP"];
    let mut text = "1\tGo\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n".to_string();
    for word in 1..=200 {
        let head = if word % 4 == 2 { (word + 1).to_string() } else { "_".into() };
        text.push_str(&format!("{word}\tw{}\t_\t{}\t_\t_\t{head}\t_\t_\t_\n", word % 13, tags[word % 4]));
    }
    playground.write("a.conllu", text + "\n");
    for method in ["--steps 10", "--method gpc --burn-in 1 --sweeps 2 --chains 1"] {
        run(&playground, &format!("impute a.conllu -o out.conllu {method}"));
        check_valid(&playground, "out.conllu");
        assert_eq!(rows(&playground.read("out.conllu"))[0][6..8], ["0", "root"]);
    }
}

#[test]
fn ranges_empty_nodes_and_comments_stay() {
    let playground = Playground::new();
    let text = "# sent_id = 1\n# text = vámonos al mar\n1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\t_\n\
        1\tvamos\tir\tVERB\t_\t_\t0\troot\t_\tGloss=go\n2\tnos\tnosotros\tPRON\t_\t_\t_\t_\t_\t_\n\
        2.1\te\t_\tVERB\t_\t_\t_\t_\t1:dep\t_\n3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_\n\
        3\ta\ta\tADP\t_\t_\t5\tcase\t_\t_\n4\tel\tel\tDET\t_\t_\t_\t_\t_\t_\n5\tmar\tmar\tNOUN\t_\t_\t_\tobl\t_\t_\n\n";
    playground.write("a.conllu", text);
    run(&playground, "impute a.conllu -o out.conllu");
    check_valid(&playground, "out.conllu");
    let out = playground.read("out.conllu");
    for kept in ["1-2\tvámonos", "2.1\te\t", "Gloss=go", "3\ta\ta\tADP\t_\t_\t5\tcase\t_\t_"] {
        assert!(out.contains(kept), "{out}");
    }
    assert_eq!(rows(&out)[4][7], "obl");
}

#[test]
fn more_text_takes_part_but_is_not_written() {
    let playground = half();
    playground.write("raw.conllu", playground.read("village.conllu").replace("village-", "raw-"));
    run(&playground, "impute half.conllu -o alone.conllu");
    run(&playground, "impute half.conllu -o more.conllu --text raw.conllu");
    assert_eq!(playground.read("more.conllu").matches("sent_id").count(), 8);
    assert_ne!(bytes(&playground, "alone.conllu"), bytes(&playground, "more.conllu"));
}

#[test]
fn json_has_an_object_for_each_sentence() {
    let playground = half();
    let stdout = run(&playground, "impute half.conllu -o - --json").stdout;
    let objects: Vec<serde_json::Value> =
        stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 8);
    let word = &objects[1]["words"][0];
    assert_eq!((word["id"].as_u64(), word["form"].as_str()), (Some(1), Some("Two")));
    assert!(word["probability"].as_f64().unwrap() <= 1.0 && objects[1]["conflict"].is_null());
}

#[test]
fn compressed_and_piped_files_are_the_same() {
    let playground = half();
    run(&playground, "impute half.conllu -o out.conllu");
    run(&playground, "impute half.conllu -o out.conllu.gz");
    run(&playground, "convert out.conllu.gz -o back.conllu --to conllu");
    assert_eq!(bytes(&playground, "out.conllu"), bytes(&playground, "back.conllu"));
    let piped = playground.run_with_input("impute - --from conllu -o -", &bytes(&playground, "half.conllu"));
    assert_eq!(piped.stdout.as_bytes(), bytes(&playground, "out.conllu"));
}

#[test]
fn simulated_annotators_keep_gold_heads_only_and_as_many_as_asked() {
    let playground = with_demo();
    let gold = rows(&playground.read("village.conllu"));
    for model in ["random", "noun", "constituent", "level"] {
        let said = run(
            &playground,
            &format!("simulate village.conllu -o p.conllu --model {model} --keep 0.4 --seed 3"),
        )
        .stdout;
        check_valid(&playground, "p.conllu");
        let partial = rows(&playground.read("p.conllu"));
        let kept = partial.iter().filter(|row| row[6] != "_").count();
        assert!(said.contains(&format!("kept {kept} of 69 heads")), "{model}: {said}");
        assert!(kept.abs_diff(28) <= 3, "{model}: {kept}");
        for (partial, gold) in partial.iter().zip(&gold) {
            assert!(partial[6] == "_" && partial[7] == "_" || partial[6..8] == gold[6..8], "{partial:?}");
        }
        run(&playground, &format!("simulate village.conllu -o p.anno --model {model} --keep 0.4 --seed 3"));
        check_valid(&playground, "p.anno");
        let again = run(&playground, "stats p.anno --json").json();
        assert!(again.to_string().contains("69"), "{again}");
        // Whatever a simulated annotator says can be completed.
        run(&playground, "impute p.anno -o out.conllu");
    }
    let fitted =
        run(&playground, "simulate village.conllu -o p.conllu --model tag --fit village.anno --json").json();
    assert_eq!(fitted["total"], 69);
    run(&playground, "simulate village.conllu -o p.conllu --model level --fit village.anno");
    let all = run(&playground, "simulate village.conllu -o p.conllu --keep 1 --json").json();
    assert_eq!(all["kept"], 69);
}

#[test]
fn annotators_are_compared_and_combined() {
    let playground = half();
    run(&playground, "simulate village.conllu -o other.conllu --keep 0.6 --seed 2");
    let json = run(&playground, "agree half.conllu other.conllu --gold village.conllu --json").json();
    let names: Vec<&str> =
        json["annotators"].as_array().unwrap().iter().map(|one| one["annotator"].as_str().unwrap()).collect();
    assert_eq!(names, ["half", "other"]);
    assert_eq!(json["annotators"][0]["gold"]["precision"], 1.0);
    assert_eq!(json["agreement"]["pairs"][0]["sentences"], 8);
    assert_eq!(json["agreement"]["overall"]["gflAgree"], 1.0);
    for how in ["union", "weighted", "dawid-skene"] {
        run(
            &playground,
            &format!("agree half.conllu other.conllu --gold village.conllu --combine {how} -o c.conllu"),
        );
        check_valid(&playground, "c.conllu");
        let gold = rows(&playground.read("village.conllu"));
        let combined = rows(&playground.read("c.conllu"));
        assert!(combined.iter().zip(&gold).all(|(one, gold)| one[6] == "_" || one[6] == gold[6]), "{how}");
        let n_heads = combined.iter().filter(|row| row[6] != "_").count();
        assert!(n_heads > 41, "{how}: {n_heads}");
    }
}

#[test]
fn one_file_may_hold_several_annotators() {
    let playground = Playground::new();
    let block = |who: &str, anno: &str| {
        format!("---\n% ID 1\n% ANNOTATOR {who}\n% TEXT\nthe dog barks\n% ANNO\n{anno}\n")
    };
    playground.write("a.anno", block("ana", "the > dog > barks**") + &block("ben", "dog > the > barks**"));
    let text = run(&playground, "agree a.anno").stdout;
    assert!(text.contains("ana – ben"), "{text}");
    let run = playground.run("agree a.anno --combine union -o c.conllu");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("word 1 `the`: heads 2 (ana), 3 (ben); 2 taken"), "{}", run.stderr);
    check_valid(&playground, "c.conllu");
    let json = playground.run("agree a.anno --json").json();
    assert_eq!(json["agreement"]["overall"]["gflAgree"].as_f64(), Some((0.5 + 0.5 + 1.0) / 3.0));
}

#[test]
fn the_same_annotator_in_one_file_counts_once_and_in_two_files_twice() {
    let playground = Playground::new();
    let block = "---\n% ID 1\n% ANNOTATOR ana\n% TEXT\nthe dog barks\n% ANNO\nthe > dog > barks**\n";
    playground.write("a.anno", block.repeat(2)).write("b.anno", block);
    let once = run(&playground, "agree a.anno --json");
    assert!(once.stderr.contains("annotated-twice"), "{}", once.stderr);
    assert_eq!(once.json()["annotators"].as_array().unwrap().len(), 1);
    let twice = run(&playground, "agree a.anno b.anno --json").json();
    assert_eq!(twice["annotators"][1]["annotator"], "ana (b)");
    assert_eq!(twice["agreement"]["overall"]["gflAgree"], 1.0);
}

#[test]
fn several_annotations_of_a_sentence_make_it_one_candidate() {
    let playground = Playground::new();
    let block = |anno: &str| format!("---\n% ID 1\n% TEXT\nthe dog barks\n% ANNO\n{anno}\n");
    playground.write("a.anno", block("the > dog > barks**") + &block("dog > the > barks**"));
    let json = run(&playground, "select a.anno --by difficulty --json").json();
    assert_eq!(json.as_array().unwrap().len(), 1);
    let first = &json[0];
    assert_eq!(
        (first["annotations"].as_u64(), first["disagreement"].as_u64(), first["open"].as_u64()),
        (Some(2), Some(2), Some(0))
    );
}

#[test]
fn what_to_annotate_next_is_listed_by_worth() {
    let playground = half();
    for options in [
        "",
        "--by entropy",
        "--by random",
        "--by difficulty",
        "--unit arc",
        "--cost decile",
        "--cost seconds --budget 100",
    ] {
        let json = run(&playground, &format!("select half.conllu -n 4 --json {options}")).json();
        let list = json.as_array().unwrap();
        assert!(!list.is_empty() && list.len() <= 4, "{options}: {json}");
        assert!(list.is_sorted_by(|a, b| a["score"].as_f64() >= b["score"].as_f64()), "{options}: {json}");
        assert!(list.iter().all(|one| one["open"].as_u64() > Some(0)), "{options}: {json}");
        assert_eq!(list[0]["word"].is_null(), !options.contains("arc"));
    }
    let text = run(&playground, "select half.conllu -n 2").stdout;
    assert!(text.contains("rank") && text.contains("village-") && text.contains(" or "), "{text}");
    // Nothing is left of whole trees.
    assert_eq!(run(&playground, "select village.conllu --json").json().as_array().unwrap().len(), 0);
}

#[test]
fn a_plan_has_a_curve_that_rises_and_a_page() {
    let playground = with_demo();
    playground.write("raw.conllu", playground.read("village.conllu"));
    let json = run(&playground, "plan village.conllu --folds 4 --points 4 --arcs-per-hour 100 --json").json();
    assert_eq!((json["arcs"].as_u64(), json["measured"].as_array().unwrap().len()), (Some(69), 4));
    let expected: Vec<f64> =
        json["expected"].as_array().unwrap().iter().map(|one| one["uas"].as_f64().unwrap()).collect();
    assert_eq!(json["expected"][1]["arcs"], 169.0);
    assert!(
        expected.len() == 5 && expected.is_sorted() && expected.iter().all(|uas| (0.0..=1.0).contains(uas)),
        "{json}"
    );
    let text = run(&playground, "plan village.conllu --folds 2 --points 3 -o plan.html");
    assert!(text.stdout.contains("+10 h") && text.stderr.contains("150 arcs an hour"), "{}", text.stdout);
    assert!(playground.read("plan.html").contains("<svg"));
    run(&playground, "plan village.conllu --folds 2 --points 3 -o plan.svg");
    assert!(playground.read("plan.svg").starts_with("<svg"));
}

#[test]
fn a_combined_head_has_the_relation_of_somebody_who_gave_it() {
    let playground = half();
    run(&playground, "simulate village.conllu -o other.conllu --model level --keep 0.5 --seed 2");
    for how in ["union", "dawid-skene"] {
        run(&playground, &format!("agree half.conllu other.conllu --combine {how} -o out.conllu"));
        let (gold, combined) =
            (rows(&playground.read("village.conllu")), rows(&playground.read("out.conllu")));
        let with_head: Vec<_> = gold.iter().zip(&combined).filter(|(_, row)| row[6] != "_").collect();
        assert!(with_head.len() > 40);
        for (gold, combined) in with_head {
            assert_eq!(gold[6..8], combined[6..8], "{how}: {combined:?}");
        }
    }
}
