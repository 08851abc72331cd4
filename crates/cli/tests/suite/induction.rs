//! `treelet induce`, and `parse` and `model show` with what it makes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use std::process::{Command, Output};

const VILLAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/demo/village.conllu");

fn treelet(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_treelet")).current_dir(folder).args(arguments).output().unwrap()
}

fn fine(folder: &Path, arguments: &[&str]) -> Output {
    let output = treelet(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// `treelet induce` from the village, the rest in words with spaces between them.
fn induced(folder: &Path, kind: &str, rest: &str) -> Output {
    let rest = rest.split(' ').map(|word| if word == "VILLAGE" { VILLAGE } else { word });
    fine(folder, &["induce", kind, VILLAGE].into_iter().chain(rest).collect::<Vec<_>>())
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn every_method_learns_a_grammar_that_parses_and_can_be_shown() {
    let folder = tempfile::tempdir().unwrap();
    let methods: [&[&str]; 8] = [
        &["--method", "em"],
        &["--method", "em-map", "--search", "lateen"],
        &["--method", "vb", "--start", "random", "--restarts", "3"],
        &["--method", "vb-em", "--share", "4"],
        &["--method", "ln", "--families", "built-in", "--pooling", "2", "--heat-map", "tags.svg"],
        &["--method", "em", "--start", "partial", "--valence"],
        &["--method", "em", "--rules", "--anneal", "0.5"],
        &["--method", "em", "--batch", "5", "--start", "even"],
    ];
    for more in methods {
        let mut arguments =
            vec!["induce", "dmv", VILLAGE, "-o", "g.treelet", "--passes", "15", "--held-out", VILLAGE];
        arguments.extend(more);
        fine(folder.path(), &arguments);
        let shown = fine(folder.path(), &["model", "show", "g.treelet"]);
        assert!(String::from_utf8(shown.stdout).unwrap().contains("takes on the left"));
        for decode in ["viterbi", "mbr"] {
            fine(
                folder.path(),
                &["parse", "g.treelet", VILLAGE, "-o", "out.conllu", "--decode", decode, "--posteriors"],
            );
            fine(folder.path(), &["check", "out.conllu"]);
        }
    }
    let svg = std::fs::read_to_string(folder.path().join("tags.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("NOUN"));
}

#[test]
fn the_same_bytes_at_any_number_of_threads_and_the_same_trace() {
    let folder = tempfile::tempdir().unwrap();
    for method in ["em", "ln"] {
        let mut models = Vec::new();
        for threads in ["1", "2", "4"] {
            let run = format!("--method {method} --passes 6 --threads {threads}");
            induced(folder.path(), "dmv", &format!("-o g.treelet --trace trace.tsv {run}"));
            let trace = std::fs::read(folder.path().join("trace.tsv")).unwrap();
            models.push((std::fs::read(folder.path().join("g.treelet")).unwrap(), trace));
        }
        assert!(models.windows(2).all(|pair| pair[0] == pair[1]), "{method}");
    }
}

#[test]
fn brackets_and_tags_are_induced_too() {
    let folder = tempfile::tempdir().unwrap();
    for more in [&["--gibbs", "--sweeps", "20", "--burn-in", "10"][..], &["--method", "em", "--passes", "10"]]
    {
        let mut arguments = vec!["induce", "pcfg", VILLAGE, "-o", "b.treelet", "-k", "4"];
        arguments.extend(more);
        fine(folder.path(), &arguments);
        fine(folder.path(), &["parse", "b.treelet", VILLAGE, "-o", "out.mrg", "--decode", "mbr"]);
        fine(folder.path(), &["check", "out.mrg"]);
    }
    std::fs::write(folder.path().join("tags.tsv"), "the DET\na DET\ngoat NOUN VERB\n").unwrap();
    for more in [&["-k", "5"][..], &["--dictionary", "tags.tsv"]] {
        let mut arguments =
            vec!["induce", "hmm", VILLAGE, "-o", "h.treelet", "--max-length", "40", "--passes", "10"];
        arguments.extend(more);
        fine(folder.path(), &arguments);
        fine(folder.path(), &["parse", "h.treelet", VILLAGE, "-o", "tagged.conllu", "--decode", "viterbi"]);
        fine(folder.path(), &["check", "tagged.conllu"]);
    }
    let tagged = std::fs::read_to_string(folder.path().join("tagged.conllu")).unwrap();
    let the = tagged
        .lines()
        .find(|line| line.split('\t').nth(1).is_some_and(|form| form.eq_ignore_ascii_case("the")));
    assert_eq!(the.unwrap().split('\t').nth(4), Some("DET"));
}

#[test]
fn one_word_corpora_unseen_tags_and_empty_held_out_text_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let row = |form: &str, tag: &str| format!("1\t{form}\t_\t{tag}\t_\t_\t_\t_\t_\t_\n\n");
    let write = |name: &str, text: String| std::fs::write(folder.path().join(name), text).unwrap();
    write("one.conllu", row("Yes", "INTJ") + &row("No", "INTJ") + &row("Goat", "NOUN"));
    write("none.conllu", String::new());
    write("other.conllu", "1\tx\t_\tQQ\t_\t_\t_\t_\t_\t_\n2\ty\t_\tINTJ\t_\t_\t_\t_\t_\t_\n\n".into());
    for method in ["em", "em-map", "vb", "vb-em", "ln"] {
        let learned = fine(
            folder.path(),
            &[
                "induce",
                "dmv",
                "one.conllu",
                "-o",
                "g.treelet",
                "--method",
                method,
                "--held-out",
                "none.conllu",
            ],
        );
        assert!(stderr(&learned).contains("none.conllu has no sentence"), "{}", stderr(&learned));
        let parsed = fine(folder.path(), &["parse", "g.treelet", "other.conllu", "-o", "out.conllu"]);
        assert!(stderr(&parsed).contains("QQ (1)"), "{}", stderr(&parsed));
    }
    write("families.txt", "INTJ word\n".into());
    let missed = fine(
        folder.path(),
        &["induce", "dmv", "one.conllu", "-o", "g.treelet", "--method", "ln", "--families", "families.txt"],
    );
    assert!(stderr(&missed).contains("1 tag of no family, each on its own: NOUN"), "{}", stderr(&missed));
}

#[test]
fn what_cannot_work_is_refused_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("empty.conllu"), "").unwrap();
    std::fs::write(folder.path().join("bad.txt"), "NOUN\n").unwrap();
    let cases: [(&[&str], i32, &str); 7] = [
        (&["induce", "dmv", "empty.conllu", "-o", "g.treelet"], 2, "no sentence to learn from"),
        (
            &["induce", "dmv", VILLAGE, "-o", "g.treelet", "--method", "em-map", "--alpha", "0.5"],
            2,
            "above 1",
        ),
        (&["induce", "dmv", VILLAGE, "-o", "g.treelet", "--start", "nowhere"], 2, "harmonic, even, random"),
        (
            &["induce", "dmv", VILLAGE, "-o", "g.treelet", "--method", "ln", "--families", "bad.txt"],
            2,
            "TAG FAMILY",
        ),
        (&["induce", "dmv", VILLAGE, "-o", "-"], 2, "give its file a name with -o"),
        (&["induce", "dmv", "missing.conllu", "-o", "g.treelet"], 3, "missing.conllu"),
        (&["model", "show", VILLAGE], 3, "village.conllu"),
    ];
    for (arguments, code, text) in cases {
        let output = treelet(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(text), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn held_out_text_chooses_how_many_sentences_share_a_grammar_and_it_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let learn = ["induce", "dmv", VILLAGE, "-o", "g.treelet", "--method", "ln", "--passes", "3", "--json"];
    let output = fine(folder.path(), &[&learn[..], &["--held-out", VILLAGE]].concat());
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let tried: Vec<u64> =
        said["tried"].as_array().unwrap().iter().map(|one| one["share"].as_u64().unwrap()).collect();
    assert_eq!(tried, [1, 8, 32, 128]);
    assert!(tried.contains(&said["share"].as_u64().unwrap()));
    assert!(stderr(&output).contains("of 4 runs"), "{}", stderr(&output));
    let output = fine(folder.path(), &learn);
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(said["share"], 32);
}

#[test]
fn options_that_mean_nothing_for_a_method_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let useless = "-o g.treelet --method ln --passes 2 --search hard --alpha 2 --rules";
    let output = induced(folder.path(), "dmv", useless);
    for name in ["--search", "--alpha", "--rules"] {
        assert!(stderr(&output).contains(name), "{}", stderr(&output));
    }
    let output = induced(folder.path(), "dmv", "-o g.treelet --passes 2 --share 2");
    assert!(stderr(&output).contains("--share"), "{}", stderr(&output));
}

#[test]
fn broken_input_of_brackets_and_tags_is_reported_and_long_and_empty_files_work() {
    let folder = tempfile::tempdir().unwrap();
    fine(
        folder.path(),
        &["induce", "pcfg", VILLAGE, "-o", "b.treelet", "-k", "3", "--method", "em", "--passes", "3"],
    );
    fine(folder.path(), &["induce", "hmm", VILLAGE, "-o", "h.treelet", "-k", "3", "--passes", "3"]);
    let row = |at: usize| format!("{at}\tw{at}\t_\tNOUN\t_\t_\t_\t_\t_\t_\n");
    let long: String = (1..=120).map(row).collect();
    std::fs::write(folder.path().join("long.conllu"), long + "\n").unwrap();
    std::fs::write(folder.path().join("empty.conllu"), "").unwrap();
    std::fs::write(folder.path().join("broken.conllu"), row(1) + "2\tonly\tthree\n\n").unwrap();
    for model in ["b.treelet", "h.treelet"] {
        fine(folder.path(), &["parse", model, "long.conllu", "-o", "out"]);
        let empty = fine(folder.path(), &["parse", model, "empty.conllu", "-o", "out"]);
        assert!(stderr(&empty).contains("has no sentences"), "{}", stderr(&empty));
        let broken = treelet(folder.path(), &["parse", model, "broken.conllu", "-o", "out", "--json"]);
        assert_eq!(broken.status.code(), Some(1), "{}", stderr(&broken));
        assert!(stderr(&broken).contains("broken.conllu:2"), "{}", stderr(&broken));
        let written = std::fs::read_to_string(folder.path().join("out")).unwrap();
        let object: serde_json::Value = serde_json::from_str(written.lines().next().unwrap()).unwrap();
        assert!(object["tree"].is_string() || object["tags"].is_array(), "{object}");
    }
}

#[test]
fn options_that_mean_nothing_for_drawing_or_for_several_runs_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let gibbs = "-o b.treelet -k 3 --gibbs --sweeps 3 --burn-in 1";
    let several = "--held-out VILLAGE --restarts 2 --trace t.tsv";
    let drawn = induced(folder.path(), "pcfg", &format!("{gibbs} {several}"));
    assert!(
        stderr(&drawn).contains("--held-out") && stderr(&drawn).contains("--restarts"),
        "{}",
        stderr(&drawn)
    );
    assert!(folder.path().join("t.tsv").exists());
    let several = induced(folder.path(), "dmv", "-o g.treelet --held-out VILLAGE --passes 2 --checkpoint c");
    assert!(stderr(&several).contains("none is saved"), "{}", stderr(&several));
}
