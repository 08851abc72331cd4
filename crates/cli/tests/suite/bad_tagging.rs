//! `treelet tag` with input that is not as it should be.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::{Playground, Run};

const RAW: &str = "the goat sleeps .\nthe dog sleeps .\n";

fn train(dictionary: impl AsRef<[u8]>, more: &str) -> (Playground, Run) {
    let playground = Playground::new();
    playground.write("dict.tsv", dictionary).write("raw.txt", RAW);
    let run = playground.run(&format!("tag train --dict dict.tsv --raw raw.txt -o t.treelet {more}"));
    (playground, run)
}

#[test]
fn commands_that_cannot_be_meant_say_what_is_missing() {
    let playground = Playground::new();
    playground
        .write("d.tsv", "a\tX\n")
        .write("r.txt", "a b\n")
        .write("t.conllu", "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
    for (arguments, part) in [
        ("tag train -o m", "nothing to learn from"),
        ("tag train --dict d.tsv -o m", "--raw"),
        ("tag train --raw r.txt -o m", "--dict or --tokens"),
        ("tag train --tokens t.conllu -o m", "no word has a tag"),
        ("tag train --tokens t.conllu -o -", "written to a file"),
        ("tag train --tokens t.conllu -o t.conllu", "written over"),
        ("tag train --dict d.tsv --raw r.txt --tagset missing -o m", "cannot read missing"),
        ("tag run m r.txt -o - --json", "--json"),
    ] {
        let run = playground.run(arguments);
        assert!(run.code == 2 || run.code == 3, "{arguments}: {} {}", run.code, run.stderr);
        assert!(run.stderr.contains(part), "{arguments}: {}", run.stderr);
    }
    assert!(!playground.path("m").exists());
}

#[test]
fn an_empty_dictionary_is_refused() {
    for text in ["", "\n\n", "# nothing\n"] {
        let (playground, run) = train(text, "");
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains("dict.tsv has no words"), "{}", run.stderr);
        assert!(!playground.path("t.treelet").exists());
    }
}

#[test]
fn lines_without_tab_or_tags_are_named_with_their_place_and_left_out() {
    let (_, run) = train("the\tDET\ngoat NOUN\nsleeps\t\n.\tPUNCT\n", "--message-format short");
    assert_eq!(run.code, 1, "{}", run.stderr);
    for part in ["dict.tsv:2:1", "no-tab", "dict.tsv:3:8", "no-tags"] {
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    }
}

#[test]
fn words_that_stand_twice_or_are_written_in_two_ways_are_put_together_with_a_note() {
    let (_, run) = train(
        "the\tDET\ngoat\tNOUN\ngoat\tVERB\ncafe\u{301}\tNOUN\ncaf\u{e9}\tNOUN\n",
        "--message-format short",
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("repeated-word") && run.stderr.contains("not-nfc"), "{}", run.stderr);
    assert!(run.stdout.contains("3 words, 4 entries"), "{}", run.stdout);
}

#[test]
fn line_ends_marks_and_bytes_of_other_systems_do_no_harm() {
    let (_, run) = train("\u{feff}the\tDET\r\ngoat\tNOUN\r\n", "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let (_, run) = train(b"the\tDET\ng\xFFat\tNOUN\n", "--message-format short");
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("invalid-utf8"), "{}", run.stderr);
}

#[test]
fn tags_outside_the_tag_set_are_left_out_with_a_warning() {
    let (playground, run) = train("the\tDET\ngoat\tNOUN NOMEN\nsleeps\tNOMEN\n", "--tagset upos");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("2 tags outside the tag set left out: NOMEN (2)"), "{}", run.stderr);
    playground.write("tags.txt", "DET\nNOUN\n");
    let run = playground.run("tag train --dict dict.tsv --raw raw.txt -o t.treelet --tagset tags.txt --json");
    assert!(run.stdout.contains("\"tags\": 2"), "{}", run.stdout);
    playground.write("tags.txt", "\n");
    assert_eq!(
        playground.run("tag train --dict dict.tsv --raw raw.txt -o t.treelet --tagset tags.txt").code,
        2
    );
}

#[test]
fn words_without_letters_and_words_of_all_scripts_are_words() {
    let playground = Playground::new();
    let words = ["12", "…", "\u{301}", "дом", "\u{43c}ama", "家", "ܐ", "👍🏽", "'", "\u{200b}"];
    let dictionary: String = words.iter().map(|word| format!("{word}\tX Y\n")).collect();
    playground.write("dict.tsv", dictionary).write("raw.txt", words.join(" ") + "\n");
    let run = playground.run("tag train --dict dict.tsv --raw raw.txt -o t.treelet --message-format short");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("mixed-scripts"), "{}", run.stderr);
    let run = playground.run("tag run t.treelet raw.txt");
    assert_eq!((run.code, run.stdout.matches("UposProb=").count()), (0, words.len()), "{}", run.stderr);
}

#[test]
fn forms_in_another_normal_form_are_tagged_alike_and_stay_as_they_are() {
    let playground = Playground::new();
    playground
        .write("dict.tsv", "caf\u{e9}\tNOUN\nbon\tADJ\n")
        .write("raw.txt", "bon caf\u{e9}\ncaf\u{e9} bon\n");
    let run = playground.run("tag train --dict dict.tsv --raw raw.txt -o t.treelet");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = playground.run_with_input("tag run t.treelet -", "bon cafe\u{301}\n".as_bytes());
    assert!(run.stdout.contains("cafe\u{301}\t_\tNOUN"), "{}", run.stdout);
    assert!(run.stderr.contains("normal form C"), "{}", run.stderr);
}

#[test]
fn broken_rows_and_empty_files_are_reported() {
    let (playground, run) = train("the\tDET\ngoat\tNOUN\n", "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    playground
        .write("broken.conllu", "1\tthe\t_\n\n1\tgoat\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
        .write("empty.conllu", "");
    let run = playground.run("tag run t.treelet broken.conllu -o out.conllu");
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("column-count"), "{}", run.stderr);
    let run = playground.run("tag run t.treelet empty.conllu -o out.conllu");
    assert_eq!((run.code, playground.read("out.conllu")), (0, String::new()), "{}", run.stderr);
    assert!(run.stderr.contains("no sentences"), "{}", run.stderr);
    let run = playground.run("tag run t.treelet missing.conllu -o out.conllu");
    assert_eq!(run.code, 3);
}

#[test]
fn scores_need_the_same_words() {
    let playground = Playground::new();
    let row = |id: usize, form: &str, tag: &str| format!("{id}\t{form}\t_\t{tag}\t_\t_\t_\t_\t_\t_\n");
    playground
        .write("gold.conllu", row(1, "a", "X") + &row(2, "b", "Y") + "\n")
        .write("short.conllu", row(1, "a", "X") + "\n")
        .write("none.conllu", row(1, "a", "_") + &row(2, "b", "_") + "\n")
        .write("more.conllu", row(1, "a", "X") + "\n" + &row(1, "b", "Y") + "\n");
    for (arguments, part) in [
        ("gold.conllu short.conllu", "sentence 1 has 1 words, but 2 in gold"),
        ("gold.conllu more.conllu", "2 sentences, but 1 in gold"),
        ("none.conllu gold.conllu", "has no tags"),
    ] {
        let run = playground.run(&format!("tag score {arguments}"));
        assert_eq!(run.code, 1, "{arguments}: {}", run.stderr);
        assert!(run.stderr.contains(part), "{arguments}: {}", run.stderr);
    }
    let run = playground.run("tag score gold.conllu none.conllu --json");
    assert!(run.stdout.contains("\"accuracy\": 0.0"), "{}", run.stdout);
}
