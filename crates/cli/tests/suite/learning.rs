//! Train, parse, sample, look: on the demo corpus, from end to end.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::{Playground, with_demo};

/// Short runs: tests look at what is done, not at how well.
const QUICK: &str = "-k 4 --chains 2 --stage-sweeps 3 --burn-in 3 --samples 4";

fn trained() -> Playground {
    let playground = with_demo();
    playground.write("sentences.txt", sentences(&playground.read("village-test.mrg")));
    let run = playground.run(&format!("train constituency village-train.mrg -o m {QUICK}"));
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    playground
}

/// The words of bracketed trees, one sentence per line.
fn sentences(trees: &str) -> String {
    let words = |tree: &str| {
        let leaves = tree.split(')').filter_map(|piece| piece.rsplit('(').next()?.split_once(' '));
        leaves.map(|(_, word)| word.to_string()).collect::<Vec<_>>().join(" ")
    };
    trees.lines().map(|tree| words(tree) + "\n").collect()
}

fn bytes(playground: &Playground, name: &str) -> Vec<u8> {
    std::fs::read(playground.path(name)).unwrap()
}

#[test]
fn a_trained_model_parses_sentences_that_it_has_not_seen() {
    let playground = trained();
    let run = playground.run("parse --no-marks m sentences.txt -o out.mrg");
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    let score = playground.run("score village-test.mrg out.mrg --json").json();
    assert!(score["all"]["f1"].as_f64().unwrap() > 90.0, "{score}");
    assert_eq!(sentences(&playground.read("out.mrg")), playground.read("sentences.txt"));
    assert!(!playground.path("m.checkpoint").exists());
}

#[test]
fn every_way_of_decoding_gives_every_sentence_a_tree() {
    let playground = trained();
    let ways = [
        "--decode mode --draws 20",
        "--decode mbr",
        "--decode viterbi",
        "--average mixture",
        "--exact",
        "--threshold 0.01",
        "--gibbs --samples 5 --burn-in 2",
        "--gibbs --decode mbr --samples 5 --lambda 2",
    ];
    for way in ways {
        let run = playground.run(&format!("parse --no-marks m sentences.txt {way}"));
        assert_eq!(run.code, 0, "{way}: {}", run.stderr);
        assert_eq!(sentences(&run.stdout), playground.read("sentences.txt"), "{way}");
        let again = playground.run(&format!("parse --no-marks m sentences.txt {way} --threads 1"));
        assert_eq!(run.stdout, again.stdout, "{way}");
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_at_any_number_of_threads() {
    let playground = trained();
    let more =
        "--partial partial.mrg --sample-concentrations --jump-start 0.5:3 --raw sentences.txt --clusters 5";
    playground.write("partial.mrg", "(_ (NP The man) (_ sees the dog) .)\n(S (_ My cat) sleeps .)\n");
    for threads in [1, 2, 4] {
        let train =
            format!("train constituency village-train.mrg {QUICK} {more} -o m{threads} --threads {threads}");
        assert_eq!(playground.run(&train).code, 0);
        let parse = "--posteriors --n-best 3 --decode mode";
        let run = playground.run(&format!(
            "parse --no-marks m{threads} sentences.txt -o o{threads} {parse} --threads {threads}"
        ));
        assert_eq!(run.code, 0, "{}", run.stderr);
        let sample =
            format!("sample m{threads} sentences.txt -n 4 -o s{threads} --seed 9 --threads {threads}");
        assert_eq!(playground.run(&sample).code, 0);
    }
    for name in ["m", "o", "s"] {
        for threads in [2, 4] {
            assert_eq!(
                bytes(&playground, &format!("{name}1")),
                bytes(&playground, &format!("{name}{threads}"))
            );
        }
    }
    assert_eq!(bytes(&playground, "o1.posteriors.tsv"), bytes(&playground, "o4.posteriors.tsv"));
    assert_eq!(
        playground.run(&format!("train constituency village-train.mrg {QUICK} {more} -o n --seed 1")).code,
        0
    );
    assert_ne!(bytes(&playground, "m1"), bytes(&playground, "n"));
}

#[cfg(unix)]
#[test]
fn a_killed_run_resumes_and_equals_the_straight_run() {
    for settings in ["", "--sample-concentrations --jump-start 0.3:2"] {
        let playground = with_demo();
        let run = format!("train constituency village-train.mrg -k 4 --chains 2 --samples 300 {settings}");
        assert_eq!(playground.run(&format!("{run} -o straight --trace straight.tsv")).code, 0);
        let run = format!("{run} -o m --checkpoint-every 0 --trace m.tsv");
        crate::common::end_midway(&playground, &run, "-KILL");
        let resumed = crate::common::resumed(&playground, &run);
        assert!(resumed.stderr.contains("goes on after sweep"), "{}", resumed.stderr);
        assert_eq!(playground.read("m.tsv"), playground.read("straight.tsv"));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_saves_itself_and_says_how_to_go_on() {
    let playground = with_demo();
    let run = "train constituency village-train.mrg -k 4 --chains 3 --samples 5000 -o m --checkpoint-every 0";
    assert_eq!(crate::common::end_midway(&playground, run, "-INT").code(), Some(3));
    assert!(!playground.path("m").exists() && playground.path("m.checkpoint").exists());
    let info = playground.run("model info m.checkpoint --json").json();
    assert_eq!((&info["kind"], &info["chains"]), (&"checkpoint/pcfg-la".into(), &3.into()));
    assert!(info["sweep"].as_u64().unwrap() < 5000);
}

#[test]
fn resuming_without_a_checkpoint_starts_from_the_beginning() {
    let playground = trained();
    let run = playground.run(&format!("train constituency village-train.mrg -o n {QUICK} --resume"));
    assert_eq!(run.code, 0);
    assert!(run.stderr.contains("starts from the beginning"), "{}", run.stderr);
    assert_eq!(bytes(&playground, "m"), bytes(&playground, "n"));
}

#[test]
fn lines_of_the_output_stand_beside_those_of_the_input() {
    let playground = trained();
    let run = playground.run_with_input("parse --no-marks m -", b"The dog sleeps .\n\n( He sings )\n");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!((lines.len(), lines[1]), (3, ""), "{}", run.stdout);
    assert!(lines[2].contains("-LRB-"), "{}", run.stdout);
    assert!(run.stderr.contains("1 line of the input is empty"), "{}", run.stderr);
    let objects =
        playground.run_with_input("parse --no-marks m - --json", b"The dog sleeps .\n\nHe sings .\n").stdout;
    let objects: Vec<serde_json::Value> =
        objects.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(objects.len() == 3 && objects[1]["tree"].is_null() && objects[2]["sentence"] == 3);
}

#[test]
fn tags_and_brackets_of_the_input_are_honoured() {
    let playground = trained();
    let gold = playground.read("village-test.mrg");
    let tagged = playground.run("parse --no-marks m village-test.mrg --gold-tags").stdout;
    let tags = |trees: &str| -> Vec<String> {
        trees
            .split(')')
            .filter_map(|piece| piece.rsplit('(').next())
            .map(String::from)
            .filter(|tag| tag.contains(' '))
            .collect()
    };
    assert_eq!(tags(&tagged), tags(&gold));
    let constrained = playground.run("parse --no-marks m village-test.mrg --gold-tags --constrain").stdout;
    assert_eq!(constrained, gold);
    playground
        .write("c.conllu", "1\tHe\t_\tPRP\t_\t_\t0\troot\t_\t_\n2\tsings\t_\tVERB\tVBZ\t_\t1\tx\t_\t_\n\n");
    let tree = playground.run("parse --no-marks m c.conllu --gold-tags").stdout;
    assert!(tree.contains("(PRP He)") && tree.contains("(VBZ sings)"), "{tree}");
    playground.write("half.mrg", "(_ (_ The old) man sees the dog .)\n");
    let tree = playground.run("parse --no-marks m half.mrg --constrain --json").json();
    let tree = tree["tree"].as_str().unwrap();
    assert!(tree.contains(" old))"), "{tree}");
}

#[test]
fn n_best_samples_and_posteriors_have_their_columns() {
    let playground = trained();
    let run = playground.run("parse --no-marks m sentences.txt --n-best 3 --posteriors -o out");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let rows: Vec<Vec<String>> =
        playground.read("out").lines().map(|line| line.split('\t').map(String::from).collect()).collect();
    assert!(rows.iter().all(|row| row.len() == 4 && row[3].starts_with("(TOP ")));
    assert_eq!((rows[0][0].as_str(), rows[0][1].as_str(), rows[1][1].as_str()), ("1", "1", "2"));
    let posteriors = playground.read("out.posteriors.tsv");
    let mut lines = posteriors.lines();
    assert_eq!(lines.next().unwrap(), "sentence\tstart\tend\tlabel\texpected_count\tin_tree");
    assert!(lines.next().unwrap().starts_with("# sentence 1\tline 1\tconfidence "));
    let first: Vec<&str> = lines.next().unwrap().split('\t').collect();
    assert_eq!((first[0], first[1], first[5]), ("1", "1", "1"), "{posteriors}");
    for row in lines.filter(|line| !line.starts_with('#')) {
        let expected: f64 = row.split('\t').nth(4).unwrap().parse().unwrap();
        assert!((0.001..=1.0001).contains(&expected), "{row}");
    }
    let samples = playground.run("sample m sentences.txt -n 7").stdout;
    assert_eq!(samples.lines().count(), 7 * playground.read("sentences.txt").lines().count());
    assert!(samples.starts_with("1\t1\t(TOP ") && samples.contains("\n2\t7\t(TOP "), "{samples}");
    let object = playground.run("parse --no-marks m sentences.txt --json --posteriors --n-best 2").stdout;
    let object: serde_json::Value = serde_json::from_str(object.lines().next().unwrap()).unwrap();
    assert!(object["confidence"].as_f64().unwrap() > 0.1 && object["constituents"][0]["label"].is_string());
    assert_eq!(object["n_best"].as_array().unwrap().len(), 2);
}

#[test]
fn a_label_twice_over_the_same_words_is_expected_more_than_once() {
    let playground = Playground::new();
    let twice = "(TOP (A (B (A (X x) (Y y)))))\n".repeat(9) + &"(TOP (A (X x) (Y y)))\n".repeat(3);
    playground.write("chains.mrg", twice).write("words.txt", "x y\n");
    let run = playground.run(&format!("train constituency chains.mrg -o m {QUICK}"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    let parsed = playground.run("parse m words.txt --posteriors --json").json();
    let constituents = parsed["constituents"].as_array().unwrap();
    let expected = |label: &str| {
        let found = constituents.iter().find(|c| c["label"] == label).unwrap();
        assert!(found.get("probability").is_none());
        found["expected_count"].as_f64().unwrap()
    };
    // One A for certain, and a second one wherever there is a B.
    assert!((expected("A") - 1.0 - expected("B")).abs() < 1e-9 && expected("B") > 0.5, "{parsed}");
    assert!(parsed["confidence"].as_f64().unwrap() <= 1.0);
}

#[test]
fn models_say_what_they_are() {
    let playground = trained();
    let info = playground.run("model info m --json").json();
    assert_eq!((&info["kind"], &info["version"]), (&"model/constituency".into(), &1.into()));
    assert_eq!((&info["chains"], &info["samples_per_chain"]), (&2.into(), &4.into()));
    assert_eq!(info["annotations"]["NP"], 4);
    let notes = &info["notes"];
    assert!(notes["file 1"].as_str().unwrap().contains("village-train.mrg"), "{notes}");
    assert!(notes["command"].as_str().unwrap().contains("-k 4 --chains 2 --seed 0"), "{notes}");
    let text = playground.run("model info m").stdout;
    assert!(
        text.contains("model/constituency, version 1") && text.contains("annotations by label"),
        "{text}"
    );
    let summary = playground.run(&format!("train constituency village-train.mrg -o n {QUICK} --json")).json();
    assert_eq!(summary["trees"], playground.read("village-train.mrg").lines().count());
    assert_eq!(summary["rules"]["lexical"], info["rules"]["lexical"]);
}

#[test]
fn options_of_the_data_are_honoured() {
    let playground = with_demo();
    let summary = |options: &str| {
        let run = playground.run(&format!(
            "train constituency village-train.mrg -o m --burn-in 3 --samples 4 {options} --json"
        ));
        assert_eq!(run.code, 0, "{options}: {}", run.stderr);
        run.json()
    };
    assert_eq!(summary("--limit 10")["trees"], 10);
    let short = summary("--max-words 6");
    let (trees, long) = (short["trees"].as_u64().unwrap(), short["left_out"]["too_long"].as_u64().unwrap());
    assert!(long > 0 && trees + long == summary("")["trees"].as_u64().unwrap());
    playground.write("partial.anno", "% TEXT\nthe old man sees the dog .\n% ANNO\n(the~1 old man)\n");
    let partial = summary("--partial partial.anno --unaries collapse --clusters auto --rare auto --thin 2");
    assert_eq!(partial["partial"], 1);
    let paper = summary("--preset paper --chains 1 -k 2");
    assert_eq!((&paper["annotations"], &paper["sweeps"]), (&2.into(), &7.into()));
}

#[test]
fn trees_come_from_pipes_and_packed_files() {
    let playground = trained();
    playground.run("convert village-train.mrg -o packed.mrg.gz --to brackets");
    assert_eq!(playground.run(&format!("train constituency packed.mrg.gz -o packed {QUICK}")).code, 0);
    let trees = playground.read("village-train.mrg");
    let run = playground.run_with_input(&format!("train constituency - -o piped {QUICK}"), trees.as_bytes());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let parse = |model: &str| playground.run(&format!("parse --no-marks {model} sentences.txt")).stdout;
    assert_eq!((parse("packed"), parse("piped")), (parse("m"), parse("m")));
}

#[test]
fn normalising_takes_out_traces() {
    let playground = Playground::new();
    playground.write("a.mrg", "( (S (NP-SBJ (-NONE- *)) (VP (VB Go))))\n");
    let run = playground.run(&format!("train constituency a.mrg -o m {QUICK}"));
    assert!(run.stderr.contains("--normalise takes them out"), "{}", run.stderr);
    assert_eq!(playground.run(&format!("train constituency a.mrg -o m {QUICK} --normalise")).code, 0);
    assert_eq!(playground.run_with_input("parse --no-marks m -", b"Go\n").stdout, "(TOP (S (VP (VB Go))))\n");
}
