//! Bad input gets a message that says where and what to do, and the right exit code.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::{Playground, with_demo};
use expect_test::{Expect, expect};

fn check(name: &str, text: &str, expected: Expect) {
    let playground = Playground::new();
    let run = playground.write(name, text).run(&format!("check {name}"));
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    expected.assert_eq(&run.stderr);
}

#[test]
fn diagnostics_underline_the_offending_place() {
    check(
        "a.conllu",
        "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t7\tdep\t_\t_\n\n",
        expect![[r#"
            error[head-out-of-range]: head 7, but the sentence has 2 words
             --> a.conllu:2:13
              |
            2 | 2 b _ X _ _ 7 dep _ _
              |             ^
              |
              = help: give a word's number, 0 for the root, or _ to leave it open

            a.conllu: 1 sentence (conllu), 1 error, 0 warnings
        "#]],
    );
    check(
        "a.mrg",
        "(S (NP x)))\n",
        expect![[r#"
            error[unbalanced-bracket]: a closing bracket that closes nothing
             --> a.mrg:1:11
              |
            1 | (S (NP x)))
              |           ^
              |
              = help: remove it, or add the ( that belongs to it

            a.mrg: 1 sentence (brackets), 1 error, 0 warnings
        "#]],
    );
}

#[test]
fn gfl_errors_name_the_line_of_the_file() {
    let text = "% TEXT\na b c\n% ANNO\na > b\nx > c\na > c\n";
    let playground = Playground::new();
    let run = playground.write("a.anno", text).run("check a.anno --message-format short");
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("a.anno:5:1: error[unknown-token]"), "{}", run.stderr);
    assert!(run.stderr.contains("a.anno:6:1: error[two-heads]"), "{}", run.stderr);
}

#[test]
fn problems_are_objects_for_programs() {
    let playground = Playground::new();
    let run = playground.write("a.mrg", "(S (NP x)\n").run("check a.mrg --message-format json");
    let problem: serde_json::Value = serde_json::from_str(run.stdout.trim()).unwrap();
    assert_eq!((problem["rule"].as_str(), problem["line"].as_u64()), (Some("unbalanced-bracket"), Some(1)));
    assert_eq!(run.code, 1);
}

#[test]
fn long_lists_of_problems_are_cut_with_a_number() {
    let text: String = (0..60).map(|_| "(S (NP x)))\n").collect();
    let playground = Playground::new();
    let run = playground.write("a.mrg", text).run("check a.mrg --message-format short");
    assert_eq!(run.stderr.matches("error[").count(), 50);
    assert!(run.stderr.contains("10 more; --max-problems 0 shows all"), "{}", run.stderr);
    assert_eq!(
        playground
            .run("check a.mrg --message-format short --max-problems 0")
            .stderr
            .matches("error[")
            .count(),
        60
    );
}

#[test]
fn usage_io_and_problems_have_their_own_exit_codes() {
    let playground = with_demo();
    assert_eq!(playground.run("check village.conllu").code, 0);
    assert_eq!(playground.run("check").code, 2);
    assert_eq!(playground.run("check --nonsense village.conllu").code, 2);
    assert_eq!(playground.run("chekc village.conllu").code, 2);
    let missing = playground.run("check missing.conllu");
    assert_eq!(missing.code, 3);
    assert!(missing.stderr.contains("cannot read missing.conllu"), "{}", missing.stderr);
    assert_eq!(playground.run("stats .").code, 2);
    assert_eq!(playground.run("view village.conllu --sentence 99").code, 2);
    assert_eq!(playground.run("view village.conllu -o picture.bmp").code, 2);
    assert_eq!(playground.run("convert village.conllu -o no/such/folder.mrg --to brackets").code, 3);
    assert_eq!(playground.run("score village.conllu village.mrg").code, 2);
    assert_eq!(playground.run("score village.mrg village-system.mrg --prm missing.prm").code, 3);
}

#[test]
fn empty_files_are_no_problem_but_nothing_can_be_drawn() {
    let playground = Playground::new();
    for name in ["a.conllu", "a.mrg", "a.anno", "a.txt"] {
        let run = playground.write(name, "").run(&format!("check {name}"));
        assert_eq!((run.code, run.stderr.trim()), (0, format!("{name}: empty").as_str()));
    }
    assert_eq!(playground.run("stats a.conllu --json").json()["sentences"], 0);
    let run = playground.run("view a.conllu");
    assert_eq!(
        (run.code, run.stderr.trim()),
        (1, "error: a.conllu has nothing to draw: there is no sentence in it")
    );
}

#[test]
fn unknown_formats_are_asked_for() {
    let playground = Playground::new();
    playground.write("notes.txt", "Dear diary,\n").write("page.html", "<p>Dear diary,</p>\n");
    // Text has nothing to be scored, and a page is no text.
    for command in ["score notes.txt notes.txt", "check page.html"] {
        let run = playground.run(command);
        assert_eq!(run.code, 2, "{command}: {}", run.stderr);
        assert!(run.stderr.contains("give it with --from"), "{}", run.stderr);
    }
}

#[test]
fn different_numbers_of_sentences_cannot_be_scored() {
    let playground = with_demo();
    playground.write("short.mrg", "(TOP (S (NN x)))\n");
    let run = playground.run("score village.mrg short.mrg");
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("1 trees, but village.mrg has 7"), "{}", run.stderr);
    let first: String = playground.read("village.conllu").split_inclusive("\n\n").take(3).collect();
    playground.write("short.conllu", first);
    let run = playground.run("score village.conllu short.conllu");
    assert_eq!(run.code, 1);
    assert!(run.stderr.starts_with("error: short.conllu: "), "{}", run.stderr);
}

#[test]
fn convert_leaves_the_old_file_alone_when_the_input_is_broken() {
    let playground = Playground::new();
    playground.write("in.mrg", "(S (NP x)\n").write("out.conllu", "precious");
    let run = playground.run("convert in.mrg -o out.conllu --to conllu");
    assert_eq!((run.code, playground.read("out.conllu").as_str()), (1, "precious"));
    assert!(run.stderr.contains("out.conllu was not written"), "{}", run.stderr);
    assert_eq!(playground.run("convert in.mrg -o out.conllu --to conllu --keep-going").code, 1);
    assert!(playground.read("out.conllu").contains("1\tx\t"));
    let leftovers = std::fs::read_dir(playground.path("")).unwrap().count();
    assert_eq!(leftovers, 2);
}

#[test]
fn sentences_that_cannot_be_converted_are_named() {
    let playground = with_demo();
    let run = playground.run("convert village.conllu -o out.mrg --to brackets --message-format short");
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("village.conllu:62: error[not-convertible]"), "{}", run.stderr);
    assert!(!playground.path("out.mrg").exists());
    let run = playground.run("convert village.conllu -o out.mrg --to brackets --keep-going");
    assert_eq!(
        (run.code, playground.read("out.mrg").lines().filter(|line| line.starts_with('(')).count()),
        (1, 7)
    );
}

#[test]
fn a_sentence_of_a_thousand_words_is_no_special_case() {
    let rows: String = (1..=1000)
        .map(|id| {
            format!("{id}\tw{id}\t_\tX\t_\t_\t{}\t{}\t_\t_\n", id - 1, if id == 1 { "root" } else { "x" })
        })
        .collect();
    let playground = Playground::new();
    playground.write("long.conllu", rows + "\n");
    for command in [
        "check long.conllu",
        "stats long.conllu",
        "score long.conllu long.conllu",
        "view long.conllu --width 80",
        "view long.conllu -o long.svg",
        "view long.conllu -o long.html",
        "convert long.conllu -o long.mrg --to brackets",
        "check long.mrg",
        "view long.mrg -o tree.svg",
    ] {
        let run = playground.run(command);
        assert_eq!(run.code, 0, "{command}: {}", run.stderr);
    }
}

#[test]
fn a_reader_of_the_pipe_that_goes_away_is_no_error() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_treelet"))
        .args(["convert", "-o", "-", "--to", "conllu"])
        .arg(crate::common::demo("village.mrg"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_file_that_cannot_be_read_does_not_keep_the_others_from_being_checked() {
    let playground = with_demo();
    let run = playground.run("check village.conllu missing.conllu village.mrg");
    assert_eq!(run.code, 3);
    assert!(
        run.stderr.contains("village.conllu: 8 sentences") && run.stderr.contains("village.mrg: 7 sentences")
    );
}

#[test]
fn a_file_in_another_format_is_not_swallowed_as_an_annotation() {
    let playground = with_demo();
    for name in ["village.conllu", "village.mrg"] {
        let run = playground.run(&format!("check {name} --from gfl --message-format short"));
        assert_eq!(run.code, 1, "{}", run.stderr);
        assert!(run.stderr.contains(&format!("{name}:1: error[text-outside-section]")), "{}", run.stderr);
    }
    std::fs::copy(playground.path("village.conllu"), playground.path("wrong.mrg")).unwrap();
    let run = playground.run("check wrong.mrg --message-format short");
    assert!(run.stderr.contains("it looks like conllu; --from conllu reads it so"), "{}", run.stderr);
}

#[test]
fn broken_heads_and_ids_are_converted_without_a_crash() {
    let playground = Playground::new();
    playground.write("a.conllu", "1\ta\t_\tX\t_\t_\t9\tx\t_\t_\n5\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n");
    for to in ["gfl", "gfl-json", "fudg-json", "conllx", "conll09", "bio"] {
        let run = playground.run(&format!("convert a.conllu -o out.txt --to {to} --keep-going"));
        assert_eq!(run.code, 1, "{to}: {}", run.stderr);
        assert!(!run.stderr.contains("panicked"), "{to}: {}", run.stderr);
    }
}

#[test]
fn standard_input_can_be_named_once() {
    let playground = with_demo();
    for command in ["check - -", "score - -", "stats - -"] {
        assert_eq!(playground.run(command).code, 2, "{command}");
    }
}

#[test]
fn options_without_effect_are_named() {
    let playground = with_demo();
    let run = playground.run("score village.conllu village-system.conllu --prm x.prm --gold-punct");
    assert_eq!(run.code, 0);
    assert!(
        run.stderr.contains("--prm has no effect here: it means nothing for conllu")
            && run.stderr.contains("--gold-punct"),
        "{}",
        run.stderr
    );
    let run =
        playground.run("convert village.conllu -o out.conllx --to conllx --indent --head-rules no.file");
    assert_eq!(run.code, 0);
    assert!(run.stderr.contains("--indent") && run.stderr.contains("--head-rules"), "{}", run.stderr);
    assert_eq!(playground.run("score village.mrg village-system.mrg --significance --samples 0").code, 2);
}

#[test]
fn empty_gold_and_foreign_files_in_a_folder_of_systems_are_reported() {
    let playground = with_demo();
    let run = playground.write("empty.conllu", "").run("score empty.conllu empty.conllu");
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    std::fs::create_dir(playground.path("systems")).unwrap();
    std::fs::copy(playground.path("village-system.conllu"), playground.path("systems/a.conllu")).unwrap();
    playground.write("systems/README.md", "Notes on the systems.\n").write("systems/.hidden", "x");
    let run = playground.run("score village.conllu systems");
    assert_eq!(run.code, 2);
    assert!(run.stdout.contains("92.75") && run.stderr.contains("README.md"), "{}{}", run.stdout, run.stderr);
}

#[test]
fn a_file_that_is_cut_off_in_compression_is_named() {
    let playground = with_demo();
    playground.run("convert village.conllu -o a.conllu.gz --to conllu");
    let bytes = std::fs::read(playground.path("a.conllu.gz")).unwrap();
    let run = playground.write("b.conllu.gz", &bytes[..bytes.len() / 2]).run("check b.conllu.gz");
    assert_eq!(run.code, 3);
    assert!(run.stderr.contains("cannot read b.conllu.gz"), "{}", run.stderr);
}
