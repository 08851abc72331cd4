//! Bad input to the commands for partial annotation: clear problems with places, the right exit code, nothing
//! overwritten.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::{Playground, with_demo};

/// Fails with this code and says this; an output of that name stays as it was.
fn refused(playground: &Playground, arguments: &str, code: i32, said: &str) {
    playground.write("out.conllu", "precious");
    let run = playground.run(arguments);
    assert_eq!(run.code, code, "{arguments}: {}", run.stderr);
    assert!(run.stderr.contains(said), "{arguments}: {}", run.stderr);
    assert_eq!(playground.read("out.conllu"), "precious", "{arguments}");
}

/// Reports a problem, with exit code 1, and completes all the same.
fn complained(playground: &Playground, arguments: &str, said: &[&str]) -> String {
    let run = playground.run(&format!("{arguments} -o out.conllu"));
    assert_eq!(run.code, 1, "{arguments}: {}", run.stderr);
    for said in said {
        assert!(run.stderr.contains(said), "{said}: {}", run.stderr);
    }
    let check = playground.run("check --strict out.conllu");
    assert_eq!(check.code, 0, "{}", check.stderr);
    playground.read("out.conllu")
}

fn anno(text: &str, anno: &str) -> String {
    format!("---\n% ID 1\n% TEXT\n{text}\n% ANNO\n{anno}\n")
}

#[test]
fn contradictions_name_both_places_and_the_sentence_is_kept() {
    let playground = Playground::new();
    playground.write("a.anno", anno("the dog barks loudly", "the > dog > barks\ndog > loudly"));
    let out = complained(
        &playground,
        "impute a.anno",
        &[
            "error[contradiction]",
            "a.anno:7:",
            "(line 6, column 7) and on word 4 (line 7, column 1)",
            "remove one of the two",
        ],
    );
    assert!(out.contains("# treelet_conflict = word 2 depends on word 3"), "{out}");
    // What was said is kept beside the tree that could not have it.
    assert_eq!((out.matches("HeadSaid=").count(), out.matches("# anno = ").count()), (1, 2), "{out}");
    playground.write("b.conllu", "# a comment\n1\ta\t_\tNOUN\t_\t_\t2\t_\t_\t_\n2\tb\t_\tNOUN\t_\t_\t1\t_\t_\t_\n3\tc\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n");
    let out = complained(
        &playground,
        "impute b.conllu",
        &["error[contradiction]", "line 2, column 16 and line 3, column 16"],
    );
    assert!(out.contains("# treelet_conflict"));
    // A bracket that two words leave is a contradiction as a constituent and as connected words.
    playground.write("c.anno", anno("a b c d", "(a b)\na > c\nb > d"));
    for reading in ["", "--brackets connected"] {
        complained(
            &playground,
            &format!("impute c.anno {reading}"),
            &["both depend on something outside", "line 6", "line 8"],
        );
    }
    // Crossing brackets contradict each other only as constituents.
    playground.write("d.anno", anno("a b c d", "(a b)\n(b c)"));
    complained(&playground, "impute d.anno", &["crosses the bracket"]);
    let run = playground.run("impute d.anno -o out.conllu --brackets connected");
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn contradictions_in_json_lines_name_the_record() {
    let playground = Playground::new();
    playground.write(
        "a.jsonl",
        "{\"sent\": \"a b\", \"anno\": \"a > b\"}\n{\"sent\": \"a b c\", \"anno\": \"a > b\\na > c\"}\n",
    );
    let out = complained(
        &playground,
        "impute a.jsonl --from gfl-json",
        &["a.jsonl:2", "word 1 depends on word 2 (line 1, column 1) and on word 3 (line 2, column 1)"],
    );
    assert_eq!(out.matches("treelet_conflict").count(), 1);
}

#[test]
fn tokens_that_are_not_in_the_sentence_are_problems() {
    let playground = Playground::new();
    playground.write("a.anno", anno("the dog barks", "the > dog\ncat > barks"));
    let out = complained(&playground, "impute a.anno", &["error[unknown-token]", "a.anno:7:1", "cat"]);
    assert!(!out.contains("treelet_conflict"));
    playground.write("b.conllu", "1\ta\t_\tNOUN\t_\t_\t9\t_\t_\t_\n2\tb\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n");
    complained(&playground, "impute b.conllu", &["error[head-out-of-range]", "b.conllu:1"]);
}

#[test]
fn annotations_of_another_sentence_are_problems() {
    let playground = Playground::new();
    playground.write("a.anno", anno("the dog barks", "the > dog"));
    playground.write(
        "words.conllu",
        "# sent_id = 1\n1\tdogs\t_\tNOUN\t_\t_\t_\t_\t_\t_\n2\tbark\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n",
    );
    complained(
        &playground,
        "impute a.anno --words words.conllu",
        &["error[another-sentence]", "a.anno:", "has 3 words", "2 in words.conllu"],
    );
    playground.write("words.conllu", "# sent_id = 1\n1\tthe\t_\tDET\t_\t_\t_\t_\t_\t_\n2\tcat\t_\tNOUN\t_\t_\t_\t_\t_\t_\n3\tbarks\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n");
    complained(
        &playground,
        "impute a.anno --words words.conllu",
        &["another-sentence", "word 2 is `dog` in the annotation, but `cat`"],
    );
    playground.write("b.anno", anno("the dog barks loudly", "the > dog"));
    let run = playground.run("agree a.anno b.anno");
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("sentence 1 has 4 words here, but 3 elsewhere"), "{}", run.stderr);
}

#[test]
fn foreign_and_missing_tags_are_warned_of() {
    let playground = Playground::new();
    let rows = |tags: [&str; 3]| {
        format!(
            "1\tthe\t_\t_\t{}\t_\t2\t_\t_\t_\n2\tdog\t_\t_\t{}\t_\t_\t_\t_\t_\n3\tbarks\t_\t_\t{}\t_\t_\t_\t_\t_\n\n",
            tags[0], tags[1], tags[2]
        )
    };
    playground.write("a.conllu", rows(["DT", "NN", "VBZ"]).repeat(2));
    let run = playground.run("impute a.conllu -o out.conllu");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stderr.contains("6 of 6 words have tags that no rule knows: DT (2), NN (2), VBZ (2)"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("--tag-map"), "{}", run.stderr);
    playground.write("tags.tsv", "DT\tDET\nNN\tNOUN\nVBZ\tVERB\n");
    let run = playground.run("impute a.conllu -o mapped.conllu --tag-map tags.tsv");
    assert!(run.code == 0 && !run.stderr.contains("warning"), "{}", run.stderr);
    // Names that have another name in the rules, and those that no rule is about, are names, too.
    playground.write("tags.tsv", "DT PUNCT\nNN PROPN\nVBZ VERB\n");
    let run = playground.run("impute a.conllu -o mapped.conllu --tag-map tags.tsv");
    assert!(run.code == 0 && !run.stderr.contains("warning"), "{}", run.stderr);
    assert!(!playground.run("impute a.conllu -o out.conllu --no-rules").stderr.contains("warning"));
    assert!(!playground.run("-q impute a.conllu -o out.conllu").stderr.contains("warning"));
    playground.write("b.conllu", rows(["_", "_", "_"]));
    let run = playground.run("impute b.conllu -o out.conllu");
    assert!(run.code == 0 && run.stderr.contains("no word has a tag"), "{}", run.stderr);
    playground.write("tags.tsv", "DT\n");
    refused(&playground, "impute a.conllu -o out.conllu --tag-map tags.tsv", 2, "tags.tsv: line 1");
    playground.write("rules.txt", "VERB\n");
    refused(&playground, "impute a.conllu -o out.conllu --rules rules.txt", 2, "rules.txt: line 1");
    refused(&playground, "impute a.conllu -o out.conllu --rules missing.txt", 3, "cannot read missing.txt");
}

#[test]
fn empty_files_become_empty_files() {
    let playground = Playground::new();
    playground.write("empty.conllu", "").write("blank.conllu", "\n\n").write("empty.anno", "");
    for name in ["empty.conllu", "empty.anno"] {
        let run = playground.run(&format!("impute {name} -o out.conllu"));
        assert_eq!(run.code, 0, "{name}: {}", run.stderr);
        assert!(run.stderr.contains("has no sentences"), "{}", run.stderr);
        assert_eq!(playground.read("out.conllu"), "");
    }
    assert_eq!(playground.run("simulate empty.conllu -o out.conllu").code, 0);
    assert_eq!(playground.run("select empty.conllu").code, 0);
    assert_eq!(playground.run("agree empty.conllu empty.anno").code, 0);
    let run = playground.run("plan empty.conllu");
    assert!(run.code == 1 && run.stderr.contains("too few for a forecast"), "{}", run.stderr);
    assert_eq!(playground.run("impute empty.conllu -o out.conllu --save-model m").code, 2);
    assert!(!playground.path("m").exists());
}

#[test]
fn files_that_are_missing_binary_or_of_another_kind_are_refused() {
    let playground = with_demo();
    playground
        .write("binary", [0u8, 159, 146, 150, 0, 1, 2, 255].repeat(50))
        .write("a.conllu", "1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n\n");
    for command in
        ["impute NAME -o out.conllu", "simulate NAME -o out.conllu", "agree NAME", "select NAME", "plan NAME"]
    {
        refused(&playground, &command.replace("NAME", "missing.conllu"), 3, "cannot read missing.conllu");
        refused(&playground, &command.replace("NAME", "binary"), 2, "binary");
        refused(&playground, &command.replace("NAME", "village.mrg"), 2, "has no heads");
    }
    refused(&playground, "impute a.conllu -o out.conllu --model missing", 3, "cannot read missing");
    refused(&playground, "impute a.conllu -o out.conllu --model a.conllu", 3, "a.conllu");
    refused(
        &playground,
        "impute a.conllu -o out.conllu --text missing.conllu",
        3,
        "cannot read missing.conllu",
    );
    refused(&playground, "impute a.conllu -o nowhere/out.conllu", 3, "cannot write nowhere/out.conllu");
    refused(&playground, "impute a.conllu -o a.conllu", 2, "would be written over");
    refused(&playground, "impute a.conllu -o out.conllu --save-model out.conllu", 2, "given for two outputs");
    refused(&playground, "impute a.conllu -o out.conllu --save-model -", 2, "a model is no text");
}

#[test]
fn flags_that_cannot_be_meant_are_refused() {
    let playground = with_demo();
    let cases = [
        ("impute village.conllu", "--output"),
        ("impute village.conllu -o out.conllu --method magic", "magic"),
        ("impute village.conllu -o out.conllu --samples 3", "--sampled"),
        ("impute village.conllu -o out.conllu --samples 3 --sampled s.conllu", "use --method gpc"),
        ("impute village.conllu -o out.conllu --rules a --no-rules", "cannot be used with"),
        ("impute village.conllu -o out.conllu --temperature 0", "above 0"),
        ("simulate village.conllu -o out.conllu --keep 1.5", "from 0 to 1"),
        ("simulate village.conllu -o out.conllu --model tag", "--fit FILE"),
        ("simulate village.conllu -o out.conllu --model noun --fit village.anno", "--fit is for"),
        ("agree village.conllu --combine union", "--output"),
        ("agree village.conllu --combine weighted -o out.conllu", "--gold FILE"),
        ("select village.conllu -n 0", "0"),
        ("plan village.conllu --folds 1", "1"),
        ("plan village.conllu -o plan.pdf", ".html or .svg"),
    ];
    for (arguments, said) in cases {
        refused(&playground, arguments, 2, said);
    }
    assert!(!playground.path("s.conllu").exists());
    let run = playground.run("impute village.conllu -o out2.conllu --sweeps 3");
    assert!(
        run.code == 0 && run.stderr.contains("--sweeps has no effect here: it is for gpc"),
        "{}",
        run.stderr
    );
}

#[test]
fn trees_that_are_not_whole_cannot_be_simulated_from() {
    let playground = Playground::new();
    playground.write("a.conllu", "1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n");
    let run = playground.run("simulate a.conllu -o out.conllu --keep 1");
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("no-whole-tree") && run.stdout.contains("kept 1 of 1"),
        "{}{}",
        run.stdout,
        run.stderr
    );
}

#[test]
fn a_model_of_dependencies_wants_tagged_words() {
    let playground = with_demo();
    assert_eq!(playground.run("impute village.conllu -o out.conllu --save-model m --steps 5").code, 0);
    playground.write("a.txt", "the dog barks\n");
    refused(&playground, "parse m a.txt --from text -o out.conllu", 2, "goes by tags");
    refused(&playground, "parse m village.mrg -o out.conllu", 2, "has no heads");
    refused(&playground, "parse m missing.conllu -o out.conllu", 3, "cannot read missing.conllu");
    let damaged = std::fs::read(playground.path("m")).unwrap();
    playground.write("damaged", &damaged[..damaged.len() - 9]);
    refused(&playground, "parse damaged village.conllu -o out.conllu", 3, "damaged");
    // A contradiction counts only where the heads are asked for.
    playground.write("cycle.conllu", "1\ta\t_\tNOUN\t_\t_\t2\tx\t_\t_\n2\tb\t_\tNOUN\t_\t_\t1\tx\t_\t_\n3\tc\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n");
    assert_eq!(playground.run("parse m cycle.conllu -o out.conllu").code, 0);
    let run = playground.run("parse m cycle.conllu -o out.conllu --constraints");
    assert!(run.code == 1 && run.stderr.contains("contradiction"), "{}", run.stderr);
}

#[test]
fn errors_in_files_that_are_read_along_are_told() {
    let playground = with_demo();
    playground.write(
        "broken.conllu",
        "# sent_id = x\n1\ta\t_\tNOUN\n\n# sent_id = y\n1\tb\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n",
    );
    for option in ["--words", "--text"] {
        complained(
            &playground,
            &format!("impute village.conllu --steps 5 {option} broken.conllu"),
            &["error[column-count]", "broken.conllu:2"],
        );
    }
    for command in [
        "agree village.conllu village.conllu --words broken.conllu",
        "agree village.conllu --gold broken.conllu",
        "select village.conllu --steps 5 --text broken.conllu",
        "simulate village.conllu -o some.conllu --fit broken.conllu",
    ] {
        let run = playground.run(command);
        assert_eq!(run.code, 1, "{command}: {}", run.stderr);
        assert_eq!(run.stderr.matches("error[column-count]").count(), 1, "{command}: {}", run.stderr);
    }
    // The heads of a file that gives the words do not matter.
    playground.write("cycle.conllu", "1\ta\t_\tNOUN\t_\t_\t2\tx\t_\t_\n2\tb\t_\tNOUN\t_\t_\t1\tx\t_\t_\n\n");
    playground.write("a.anno", anno("a b", "a > b"));
    let run = playground.run("impute a.anno --words cycle.conllu -o out.conllu");
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn a_file_with_errors_and_no_sentence_writes_nothing_over() {
    let playground = with_demo();
    playground.write("comments.conllu", "# a\n# b\n");
    assert_eq!(playground.run("impute village.conllu -o first.conllu --save-model m --steps 5").code, 0);
    for command in ["impute NAME", "impute NAME --model m", "simulate NAME", "parse m NAME"] {
        let command = format!("{} -o out.conllu", command.replace("NAME", "comments.conllu"));
        refused(&playground, &command, 1, "out.conllu was not written");
    }
}

#[test]
fn negative_and_far_too_large_numbers_are_named() {
    let playground = with_demo();
    for (option, name) in [("--seed -1", "--seed <S>"), ("--threads -1", "--threads <T>")] {
        let arguments = format!("impute village.conllu -o out.conllu {option}");
        refused(&playground, &arguments, 2, &format!("invalid value '-1' for '{name}'"));
    }
    refused(&playground, "simulate village.conllu -o out.conllu --keep -0.5", 2, "from 0 to 1");
    refused(&playground, "plan village.conllu --arcs-per-hour -3", 2, "above 0");
    refused(&playground, "impute village.conllu -o out.conllu --threads 100000", 2, "at most 1024");
}

#[test]
fn texts_that_are_not_divided_into_sentences_are_warned_of() {
    let playground = Playground::new();
    let rows = |n: usize| {
        let row = |id: usize| format!("{id}\tw\t_\tNOUN\t_\t_\t{}\tdep\t_\t_\n", id - 1);
        (1..=n).map(row).collect::<String>().replace("\t0\tdep", "\t0\troot") + "\n"
    };
    playground.write("long.conllu", rows(301)).write("short.conllu", rows(300));
    let long = playground.run("impute long.conllu -o out.conllu --steps 1 --temperature 1");
    assert!(long.stderr.contains("1 sentence has more than 300 words"), "{}", long.stderr);
    let short = playground.run("impute short.conllu -o out.conllu --steps 1 --temperature 1");
    assert!(short.code == 0 && !short.stderr.contains("warning"), "{}", short.stderr);
}
