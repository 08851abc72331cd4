//! Dependency parsers that know more of words than forms and tags, with the real program.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::{Playground, Run, with_demo};

/// Runs a command that must succeed.
fn run(playground: &Playground, arguments: &str) -> Run {
    let run = playground.run(arguments);
    assert_eq!(run.code, 0, "{arguments}: {}", run.stderr);
    run
}

fn info(playground: &Playground, model: &str) -> serde_json::Value {
    run(playground, &format!("model info {model} --json")).json()
}

const PATHS: &str = "00\tthe\t40\n00\ta\t9\n01\twoman\t7\n01\twell\t5\n11\tcarries\t3\n";
const VECTORS: &str =
    "the 1 0.1\na 1 0.2\nwoman 0 1\nwell 0.1 1\ncarries -1 0\nfrom -1 0.1\nold -1 -1\nwater 0.2 1\n";

#[test]
fn columns_are_looked_at_only_if_asked_for_and_missed_if_absent() {
    let playground = with_demo();
    run(&playground, "train dependency village.conllu -o plain");
    assert_eq!(info(&playground, "plain")["looks_at"], serde_json::Value::Null);
    let summary = run(&playground, "train dependency village.conllu -o m --use feats,xpos --json");
    assert!(summary.json()["sentences"].as_u64().unwrap() > 0);
    // The demo has no tags of its own, and so nothing is learned from them.
    assert_eq!(info(&playground, "m")["looks_at"], serde_json::json!(["feats"]));
    assert!(!run(&playground, "parse m village.conllu -o out").stderr.contains("FEATS"));
    playground.write("bare.txt", "The old woman carries water .\n");
    for (model, warns) in [("m", true), ("plain", false)] {
        let parsed = run(&playground, &format!("parse {model} bare.txt -o out"));
        assert_eq!(parsed.stderr.matches("FEATS), but none of 6 words has any").count(), usize::from(warns));
    }
    let refused = playground.run("train dependency village.conllu -o x --use lemma");
    assert_eq!(refused.code, 2, "{}", refused.stderr);
}

#[test]
fn clusters_and_vectors_are_kept_in_the_model() {
    let playground = with_demo();
    playground.write("paths", PATHS).write("vectors.txt", VECTORS);
    let trained =
        run(&playground, "train dependency village.conllu -o m --clusters paths --vectors vectors.txt");
    assert!(
        trained.stderr.contains("bits TAB word TAB count, 5 words): 5 words in 3 clusters"),
        "{}",
        trained.stderr
    );
    assert!(trained.stderr.contains("vectors of 2 numbers"), "{}", trained.stderr);
    let figures = info(&playground, "m");
    assert_eq!(figures["clusters"], serde_json::json!({"words": 5, "codes": 3}));
    assert_eq!(figures["vectors"]["words"], 8);
    assert!(figures["notes"]["clusters"].as_str().unwrap().starts_with("paths, 51 bytes"), "{figures}");
    let text = run(&playground, "model info m").stdout;
    assert!(text.contains("clusters") && text.contains("words 5, codes 3"), "{text}");
    run(&playground, "parse m village.conllu -o out");
    // What is in the model does not depend on the files any more, nor on threads.
    std::fs::remove_file(playground.path("vectors.txt")).unwrap();
    run(&playground, "parse m village.conllu -o again --threads 3");
    assert_eq!(playground.read("out"), playground.read("again"));
}

#[test]
fn clusters_are_found_in_running_text_the_same_at_any_number_of_threads() {
    let playground = with_demo();
    let text: String = ["The", "A", "The old", "A young"]
        .iter()
        .flat_map(|start| ["woman", "man", "child"].map(|noun| format!("{start} {noun} carries the water. ")))
        .collect();
    playground.write("text.txt", text);
    for (model, threads) in [("one", 1), ("two", 2)] {
        let command = format!(
            "train dependency village.conllu -o {model} --text text.txt --text-clusters 5 --threads {threads}"
        );
        let trained = run(&playground, &command);
        assert!(trained.stderr.contains("in 5 clusters"), "{}", trained.stderr);
    }
    let bytes = |name: &str| std::fs::read(playground.path(name)).unwrap();
    assert!(bytes("one") == bytes("two"));
    assert_eq!(info(&playground, "one")["clusters"]["codes"], 5);
    let both = playground.run("train dependency village.conllu -o x --text text.txt --clusters text.txt");
    assert_eq!(both.code, 2, "{}", both.stderr);
}

#[test]
fn what_is_wrong_with_clusters_and_vectors_is_said_with_its_place() {
    let playground = with_demo();
    let paths =
        [b"\xEF\xBB\xBF".as_slice(), PATHS.replace('\n', "\r\n").as_bytes(), b"1\tb\xFFd\tx\r\n"].concat();
    playground.write("paths", paths).write("vectors.txt", format!("{VECTORS}cow 1 nan\na 5 5\npig 1\n"));
    let command =
        "train dependency village.conllu -o m --clusters paths --vectors vectors.txt --message-format short";
    let trained = playground.run(command);
    assert_eq!(trained.code, 1, "{}", trained.stderr);
    for part in [
        "paths:6:4: error[invalid-utf8]",
        "paths:6:7: error[unreadable-count]",
        "vectors.txt:9:7: error[vector-number]",
        "vectors.txt:10: warning[duplicate-word]",
        "vectors.txt:11:1: error[vector-length]",
    ] {
        assert!(trained.stderr.contains(part), "{part}: {}", trained.stderr);
    }
    assert_eq!(info(&playground, "m")["clusters"]["words"], 5);
    playground.write("empty", "");
    let trained = run(&playground, "train dependency village.conllu -o m --clusters empty");
    assert!(trained.stderr.contains("has no word that can be used"), "{}", trained.stderr);
    let missing = playground.run("train dependency village.conllu -o m --vectors nowhere.txt");
    assert_eq!(missing.code, 3, "{}", missing.stderr);
    let twice = playground.run("train dependency - -o m --vectors -");
    assert_eq!(twice.code, 2, "{}", twice.stderr);
}
