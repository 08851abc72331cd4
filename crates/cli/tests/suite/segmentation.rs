//! `treelet segment`: what it makes, and what it says about bad input.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::{Playground, Run};

const LIST: &str = "9 walk\n4 walks\n3 walked\n5 walking\n8 talk\n2 talks\n4 talked\n6 talking\n7 jump\n3 jumps\n1 jumping\n5 sing\n3 singing\n";

fn playground() -> Playground {
    let playground = Playground::new();
    playground.write("words.txt", LIST);
    playground
}

/// Runs a command that must end with `code` and say all of `words`.
fn says(playground: &Playground, arguments: &str, code: i32, words: &[&str]) -> Run {
    let run = playground.run(arguments);
    assert_eq!(run.code, code, "{arguments}: {}{}", run.stdout, run.stderr);
    for words in words {
        assert!(run.stderr.contains(words), "{arguments}: no {words:?} in {}", run.stderr);
    }
    assert!(!run.stderr.contains("panicked"), "{arguments}: {}", run.stderr);
    run
}

#[test]
fn words_are_cut_with_what_was_learnt_from_a_list() {
    let playground = playground();
    let json =
        says(&playground, "segment train words.txt -o m.treelet --dampening none --json", 0, &["13 words"])
            .json();
    assert!(json["cost"].as_f64().unwrap() > 0.0 && json["words"] == 13, "{json}");
    playground.write("new.txt", "jumped\n2 rewalking\n");
    says(&playground, "segment run m.treelet new.txt -o out.txt", 0, &[]);
    assert_eq!(playground.read("out.txt"), "jump ed\nr e walk ing\n");
    let n_best =
        says(&playground, "segment run m.treelet new.txt -o - --n-best 2 --threads 2", 0, &[]).stdout;
    assert!(n_best.starts_with("jumped\t1\t") && n_best.lines().count() == 4, "{n_best}");
    let json = says(&playground, "segment run m.treelet new.txt -o - --json", 0, &[]).stdout;
    assert!(
        json.starts_with("{\"word\":\"jumped\",\"analyses\":[{\"morphs\":[\"jump\",\"ed\"],\"cost\":"),
        "{json}"
    );
}

#[test]
fn text_models_are_written_and_read() {
    let playground = playground();
    says(&playground, "segment train words.txt -o m.treelet --dampening none", 0, &[]);
    says(&playground, "segment train words.txt -o m.txt --text --dampening none", 0, &[]);
    let text = playground.read("m.txt");
    assert!(text.contains("\n5 walk + ing\n"), "{text}");
    playground.write("new.txt", "jumped\ntalkings\n");
    let binary = says(&playground, "segment run m.treelet new.txt -o -", 0, &[]).stdout;
    assert_eq!(binary, says(&playground, "segment run m.txt new.txt -o -", 0, &[]).stdout);
    says(&playground, "segment score m.txt m.txt", 0, &[]);
}

#[test]
fn the_same_seed_gives_the_same_file() {
    let playground = playground();
    for more in
        ["--method viterbi --smoothing 1", "--online", "--skips --order sorted", "--random-splits 0.3"]
    {
        for name in ["a", "b"] {
            says(&playground, &format!("segment train words.txt -o {name} --seed 5 {more}"), 0, &[]);
        }
        let bytes = |name| std::fs::read(playground.path(name)).unwrap();
        assert_eq!(bytes("a"), bytes("b"), "{more}");
    }
}

#[test]
fn rows_get_morphs_and_keep_everything_else() {
    let playground = playground();
    says(&playground, "segment train words.txt -o m --dampening none", 0, &[]);
    let before = "# text = walking-talks\r\n1-2\twalkingtalks\t_\t_\t_\t_\t_\t_\t_\t_\n1\twalking\twalk\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No\n\
                  2\ttalks\t_\tX\t_\t_\t1\tdep\t_\tMSeg=t-alks|Gloss=x\n\nodd line";
    playground.write("in.conllu", before);
    says(&playground, "segment run m in.conllu -o out.conllu", 0, &["1 word kept the morphs"]);
    let written = playground.read("out.conllu");
    let mark = written.split("MSegBy=").nth(1).unwrap().split('|').next().unwrap();
    assert!(mark.starts_with("segmenter@") && mark.ends_with(":walk-ing"), "{mark}");
    let misc = format!("MSegBy={mark}|SpaceAfter=No|MSeg=walk-ing");
    assert_eq!(written, before.replace("SpaceAfter=No", &misc));
    says(&playground, "segment run m in.conllu -o all.conllu --all", 0, &[]);
    let item = format!("MSeg=talk-s|Gloss=x|MSegBy={}", mark.replace("walk-ing", "talk-s"));
    assert!(playground.read("all.conllu").contains(&item), "{}", playground.read("all.conllu"));
    playground.write("in.txt", "he  was walking, and talks\twalked\n");
    let text = says(&playground, "segment run m in.txt -o - --from text", 0, &[]).stdout;
    assert!(text.contains("  w@@ a@@ s walk@@ ing@@ ,") && text.ends_with("talk@@ s\twalk@@ ed\n"), "{text}");
    says(&playground, "segment run m in.conllu -o x --n-best 2", 2, &["lists of words"]);
}

#[test]
fn chunks_need_no_model() {
    let playground = playground();
    playground.write("new.txt", "jumped\nŝtono\n");
    let run = says(&playground, "segment run --chunks 4 new.txt -o -", 0, &[]);
    assert_eq!(run.stdout, "jump ed\nŝton o\n");
    says(&playground, "segment run new.txt -o -", 2, &["give a model and an input"]);
    says(&playground, "segment run --chunks 4 m new.txt -o -", 2, &["needs no model"]);
}

#[test]
fn annotations_pull_boundaries_to_where_they_have_them() {
    let playground = playground();
    playground.write("gold.tsv", "walking wal king\ntalking\ttal king, talking\n");
    says(
        &playground,
        "segment train words.txt -o m.txt --text --annotations gold.tsv --annotation-weight 99",
        0,
        &[],
    );
    assert!(playground.read("m.txt").contains("\n1 wal + king\n"), "{}", playground.read("m.txt"));
    playground.write("bad.tsv", "walking\twalk in\n");
    let words = ["bad.tsv:1:1", "morphs-of-another-word", "no annotated word"];
    says(&playground, "segment train words.txt -o m --annotations bad.tsv --message-format short", 1, &words);
    says(&playground, "segment train words.txt -o m --annotation-weight 2", 2, &["--annotations"]);
}

#[test]
fn boundaries_are_scored_against_the_nearest_gold() {
    let playground = Playground::new();
    playground.write("gold.tsv", "walking\twalk ing, wal king\ntalks\ttalk s\nsing\tsing\n");
    playground.write("system.txt", "wal king\nsi ng\n");
    let run = says(
        &playground,
        "segment score gold.tsv system.txt --json",
        0,
        &["1 word of gold not in system.txt"],
    );
    let json = run.json();
    assert_eq!(json["boundaries"], serde_json::json!({ "gold": 2, "system": 2, "matched": 1 }));
    assert_eq!(json["f1"], 0.5);
    let table = says(&playground, "segment score gold.tsv gold.tsv", 0, &[]).stdout;
    assert!(table.contains("100.00") && table.contains("3 words"), "{table}");
}

#[test]
fn bad_lists_are_named_with_line_and_column() {
    let playground = Playground::new();
    let train = |text: &[u8], code: i32, words: &[&str]| {
        playground.write("bad.txt", text);
        says(&playground, "segment train bad.txt -o m --message-format short", code, words)
    };
    train(b"3 abc\nx7 def\n", 1, &["bad.txt:2:1: error[unreadable-count]: `x7` is no count"]);
    train(b"3 abc\n-7 def\n", 1, &["bad.txt:2:1: error[negative-count]"]);
    train(b"3 abc\n77777777777777777777 def\n", 1, &["bad.txt:2:1: error[huge-count]"]);
    train(b"3 abc\n0 def\n", 0, &["bad.txt:2:1: warning[zero-count]"]);
    train(b"3 abc\n4 d\xFFf\n", 1, &["bad.txt:2:4: error[invalid-utf8]"]);
    train(b"3 abc\n4 d\x07f\n", 1, &["bad.txt:2:4: error[control-in-word]"]);
    train(b"this is text\n5 abc\n", 1, &["bad.txt:1:6: error[word-with-spaces]", "--from text"]);
    train(b"", 1, &["bad.txt: there is no word to learn from"]);
    train(b"# nothing\n\n", 1, &["there is no word to learn from"]);
    train(b"3 123\n2 ...\n4 abc\n", 0, &["2 words without a letter"]);
    train("3 cafe\u{301}\n2 café\n".as_bytes(), 0, &["1 word not in the normal form NFC", "1 word, "]);
    train(b"3 abc\0\n", 1, &["a binary file and no list of words"]);
}

#[test]
fn files_and_settings_that_cannot_be_used_are_refused() {
    let playground = playground();
    says(&playground, "segment train none.txt -o m", 3, &["cannot read none.txt"]);
    says(&playground, "segment train words.txt -o words.txt", 2, &["would be written over"]);
    says(&playground, "segment train words.txt -o -", 2, &["--text"]);
    says(&playground, "segment train words.txt -o m --corpus-weight 0", 2, &["above 0"]);
    says(&playground, "segment train words.txt -o m --random-splits 3", 2, &["between 0 and 1"]);
    says(&playground, "segment train words.txt -o m --no-split a", 2, &["not a pattern of two characters"]);
    says(&playground, "segment train words.txt -o m --min-count 100", 1, &["no word to learn from"]);
    says(&playground, "segment train words.txt -o m", 0, &[]);
    says(&playground, "segment run m words.txt -o - --smoothing -1", 2, &["give 0 or more"]);
    let bytes = std::fs::read(playground.path("m")).unwrap();
    playground.write("cut", &bytes[..bytes.len() / 2]).write("empty", "");
    says(&playground, "segment run cut words.txt -o -", 3, &["cannot read cut"]);
    says(&playground, "segment run empty words.txt -o -", 3, &["cannot read empty"]);
    playground.write("gold.tsv", "walking\twalk in\n");
    says(&playground, "segment run gold.tsv words.txt -o -", 1, &["neither a model"]);
    says(&playground, "segment run words.txt m -o -", 1, &["a binary file and no list of words"]);
}

/// Many words of a few syllables, so that an epoch takes its time.
fn many_words() -> String {
    let syllables = ["ka", "li", "mo", "ten", "sur", "an", "be", "ro", "wi", "ju", "na", "pel"];
    let mut text = String::new();
    for number in 0..30_000_usize {
        let mut rest = number * 7_919 % 248_832;
        for _ in 0..5 {
            text += syllables[rest % syllables.len()];
            rest /= syllables.len();
        }
        text.push('\n');
    }
    text
}

#[cfg(unix)]
#[test]
fn a_killed_or_interrupted_training_resumes_and_equals_the_straight_one() {
    let playground = playground();
    playground.write("many.txt", many_words());
    let settings = "segment train many.txt --finish-threshold 0 --skips --seed 3";
    let fine = |arguments: &str| {
        let run = playground.run(arguments);
        assert_eq!(run.code, 0, "{arguments}: {}", run.stderr);
    };
    fine(&format!("{settings} -o straight"));
    let again = format!("{settings} -o m --checkpoint-every 0");
    for (signal, code) in [("-KILL", None), ("-INT", Some(3))] {
        assert_eq!(crate::common::end_midway(&playground, &again, signal).code(), code);
        assert!(!playground.path("m").exists());
        let refused = playground.run(&again);
        assert!(refused.code == 2 && refused.stderr.contains("--resume"), "{}", refused.stderr);
        let other = playground.run(&format!("{again} --resume --corpus-weight 2"));
        assert!(other.code == 2 && other.stderr.contains("other settings"), "{}", other.stderr);
        fine(&format!("{again} --resume"));
        let bytes = |name: &str| std::fs::read(playground.path(name)).unwrap();
        assert!(bytes("m") == bytes("straight"), "{signal}");
        assert!(!playground.path("m.checkpoint").exists());
        std::fs::remove_file(playground.path("m")).unwrap();
    }
    let online = playground.run("segment train words.txt -o m --online --resume");
    assert!(online.code == 0 && online.stderr.contains("--resume has no effect"), "{}", online.stderr);
}
