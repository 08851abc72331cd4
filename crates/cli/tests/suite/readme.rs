//! The README's commands work as they stand.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::with_demo;
use std::path::Path;

fn commands(page: &str) -> Vec<String> {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page)).unwrap();
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.flat_map(|block| block.lines().map(str::to_string).collect::<Vec<_>>()).collect()
}

/// Runs the commands of a page one after another in a folder with the demo corpus; `n` of them at least.
fn check(page: &str, n: usize) {
    let playground = with_demo();
    std::fs::create_dir_all(playground.path("data/demo")).unwrap();
    for name in crate::common::DEMO {
        std::fs::copy(crate::common::demo(name), playground.path("data/demo").join(name)).unwrap();
    }
    let mut n_run = 0;
    for command in commands(page) {
        if let Some(arguments) = command.strip_prefix("treelet ") {
            let run = playground.run(arguments);
            assert_eq!(run.code, 0, "{command}: {}", run.stderr);
            n_run += 1;
        }
    }
    assert!(n_run >= n, "{page}: {n_run}");
}

#[test]
fn every_treelet_command_of_the_readme_succeeds() {
    check("README.md", 30);
}

#[test]
fn every_treelet_command_of_the_manuals_succeeds() {
    check("docs/training.md", 5);
    check("docs/parsing.md", 5);
    check("docs/imputation.md", 8);
    check("docs/induction.md", 6);
    check("docs/factors.md", 6);
    check("docs/segment.md", 4);
    check("docs/provenance.md", 6);
    check("docs/head-rules.md", 3);
}

#[test]
fn every_command_of_the_stories_succeeds() {
    check("docs/stories/linguist.md", 16);
    check("docs/stories/builder.md", 16);
    check("docs/stories/researcher.md", 13);
}

#[test]
fn the_two_commands_are_the_ones_that_exist() {
    let commands = commands("README.md");
    assert_eq!(commands[..2], ["cargo run --release -- demo", "cargo xtask test"]);
    let demo = with_demo().run("demo");
    assert_eq!((demo.code, demo.stderr.as_str()), (0, ""));
    assert!(demo.stdout.contains("LAS") && demo.stdout.contains("held-out sentences: F1"), "{}", demo.stdout);
    assert!(demo.stdout.contains("each arc with its probability"), "{}", demo.stdout);
}

#[test]
fn the_pictures_are_those_that_the_program_draws() {
    let playground = with_demo();
    for (file, sentence, name) in [("village.anno", 2, "fragment.svg"), ("village.conllu", 6, "tree.svg")] {
        let run = playground.run(&format!("view {file} --sentence {sentence} -o {name}"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        let shown = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures").join(name);
        assert_eq!(playground.read(name), std::fs::read_to_string(shown).unwrap(), "{name}");
    }
}

/// The examples of a page in blocks of a kind.
fn examples(page: &str, kind: &str) -> Vec<String> {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page)).unwrap();
    let fence = format!("```{kind}\n");
    let blocks = text.split(&fence).skip(1).filter_map(|rest| rest.split("```").next());
    blocks.map(str::to_string).collect()
}

#[test]
fn every_example_of_the_lesson_is_as_it_says() {
    let playground = crate::common::Playground::new();
    let right = examples("docs/gfl-lesson.md", "gfl");
    assert!(right.len() >= 8, "{}", right.len());
    for example in right {
        playground.write("lesson.anno", &example);
        let run = playground.run("check lesson.anno --strict");
        assert!(run.stderr.contains("1 sentence (gfl), no problems"), "{example}{}", run.stderr);
        assert_eq!(playground.run("view lesson.anno").code, 0, "{example}");
    }
    let wrong = examples("docs/gfl-lesson.md", "gfl-mistake");
    assert_eq!(wrong.len(), 1);
    playground.write("lesson.anno", &wrong[0]);
    let run = playground.run("check lesson.anno");
    assert!(run.code == 1 && run.stderr.contains("did you mean"), "{}", run.stderr);
}
