//! What the program guesses about its input it says, and what it says is true.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::{Playground, demo, with_demo};

const FRENCH: &str = "\
( (SENT (PONCT «) (NP (DET la) (NC chèvre)) (VN (V dort)) (PONCT ») (PONCT .)))
( (SENT (NP (DET la) (NC chèvre)) (VN (V mange) (NP (DET l') (NC herbe))) (PONCT .)))
";

fn roots(conllu: &str) -> Vec<&str> {
    let rows = conllu.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    rows.filter(|row| row.len() == 10 && row[6] == "0").map(|row| row[1]).collect()
}

#[test]
fn head_rules_are_learned_where_labels_are_not_of_the_penn_treebank_and_a_note_says_so() {
    let playground = Playground::new();
    playground.write("x.mrg", FRENCH);
    let run = playground.run("convert x.mrg -o x.conllu --to conllu --save-head-rules x.heads");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("rules learned from the labels of 2 trees in x.mrg"), "{}", run.stderr);
    assert_eq!(roots(&playground.read("x.conllu")), ["dort", "mange"]);
    // What was learned can be given back, and then nothing is guessed.
    let again = playground.run("convert x.mrg -o y.conllu --to conllu --head-rules x.heads");
    assert!(!again.stderr.contains("note: heads"), "{}", again.stderr);
    assert_eq!(playground.read("x.conllu"), playground.read("y.conllu"));
}

#[test]
fn labels_of_the_penn_treebank_are_told_and_nothing_is_said_where_rules_are_asked_for_or_not_needed() {
    let playground = with_demo();
    let run = playground.run("convert village.mrg -o - --to conllu");
    assert!(run.stderr.contains("village.mrg has the labels of the Penn Treebank"), "{}", run.stderr);
    let asked = playground.run("convert village.mrg -o - --to conllu --head-rules english");
    assert!(!asked.stderr.contains("Penn"), "{}", asked.stderr);
    assert_eq!(run.stdout, asked.stdout);
    for to in ["gfl", "brackets"] {
        let run = playground.run(&format!("convert village.mrg -o - --to {to}"));
        assert!(!run.stderr.contains("heads are found"), "{}", run.stderr);
    }
}

#[test]
fn first_tree_that_lacks_a_bracket_does_not_take_the_others_along() {
    let playground = Playground::new();
    let whole = "(S (NP (NN goat)) (VP (VBZ sleeps)))\n".repeat(199);
    playground.write("x.mrg", format!("(S (NP (NN goat)) (VP (VBZ sleeps))\n{whole}"));
    let run = playground.run("check x.mrg --message-format short");
    assert!(run.stderr.contains("x.mrg: 200 sentences (brackets), 1 error"), "{}", run.stderr);
    assert!(run.stderr.contains("x.mrg:1:1: error[unbalanced-bracket]"), "{}", run.stderr);
}

#[test]
fn traces_zeros_and_lemmas_are_taken_out_wherever_trees_are_normalised() {
    let playground = with_demo();
    let tree = "( (IP-MAT (NP-SBJ *T*-1) (CP (WNP-2 0) (C 0)) (NP (DT The-the) (NN goat-goat) (, ,-,)) (VBZ sleeps-sleep) (. .-.)))\n";
    playground.write("raw.mrg", tree);
    let run = playground.run("convert raw.mrg -o - --to brackets --normalise");
    assert_eq!(run.stdout, "(TOP (IP (NP (DT The) (NN goat) (, ,)) (VBZ sleeps) (. .)))\n");
    assert!(run.stderr.contains("words of raw.mrg have their lemmas behind them"), "{}", run.stderr);
    let trained = playground
        .run("train constituency village-train.mrg -o m.treelet -k 1 --burn-in 1 --samples 1 --chains 1");
    assert_eq!(trained.code, 0, "{}", trained.stderr);
    let parsed = playground.run("parse m.treelet raw.mrg --normalise");
    let words: Vec<&str> =
        parsed.stdout.split([' ', '(', ')', '\n']).filter(|word| !word.is_empty()).collect();
    for word in ["The", "goat", ",", "sleeps", "."] {
        assert!(words.contains(&word), "{word} in {}", parsed.stdout);
    }
    assert!(!parsed.stdout.contains('*') && !parsed.stdout.contains(" 0)"), "{}", parsed.stdout);
    let ignored = playground.run_with_input("parse m.treelet - --normalise", b"The goat sleeps .\n");
    assert!(
        ignored.stderr.contains("--normalise has no effect here: it changes brackets only"),
        "{}",
        ignored.stderr
    );
}

#[test]
fn models_do_not_depend_on_how_a_path_is_typed() {
    let playground = with_demo();
    std::fs::create_dir(playground.path("folder")).unwrap();
    std::fs::copy(demo("village-train.mrg"), playground.path("folder/village-train.mrg")).unwrap();
    std::fs::copy(demo("village.conllu"), playground.path("folder/village.conllu")).unwrap();
    let folder = playground.path("folder").display().to_string();
    let commands = [
        ("train constituency FILE -o OUT -k 1 --burn-in 1 --samples 1 --chains 1", "village-train.mrg"),
        ("train dependency FILE -o OUT --epochs 1", "village.conllu"),
        ("tag train --tokens FILE --raw FILE -o OUT", "village.conllu"),
        ("induce dmv FILE -o OUT --passes 1", "village.conllu"),
    ];
    for (command, file) in commands {
        let typed =
            [file.to_string(), format!("./{file}"), format!("folder/../{file}"), format!("{folder}/{file}")];
        let mut models = Vec::new();
        for (number, path) in typed.iter().enumerate() {
            let out = format!("m{number}.treelet");
            let run = playground.run(&command.replace("FILE", path).replace("OUT", &out));
            assert_eq!(run.code, 0, "{command}: {}", run.stderr);
            models.push(std::fs::read(playground.path(&out)).unwrap());
        }
        assert!(models.iter().all(|model| *model == models[0]), "{command}");
    }
}

#[test]
fn words_that_look_alike_are_told_apart_in_messages() {
    let playground = Playground::new();
    let row = |form: &str| format!("1\t{form}\t_\tX\tX\t_\t0\troot\t_\t_\n\n");
    playground.write("gold.conllx", row("10\u{A0}000"));
    playground.write("system.conllx", row("10 000"));
    playground.write("x.anno", "% TEXT\ndon't\n% ANNO\ndon't**\n");
    playground.write("words.conllu", row("don\u{2019}t"));
    playground.write("text.conllu", format!("# text = don\u{2019}t\n{}", row("don't")));
    let score = playground.run("score gold.conllx system.conllx");
    assert!(score.stderr.contains("`10<U+00A0>000` and `10<U+0020>000`"), "{}", score.stderr);
    let texts = playground.run("score words.conllu text.conllu");
    assert!(texts.stderr.contains("`<U+2019>t` and `<U+0027>t`"), "{}", texts.stderr);
    let words = playground.run("impute x.anno --words words.conllu -o -");
    assert!(
        words.stderr.contains("don<U+2019>t") && words.stderr.contains("don<U+0027>t"),
        "{}",
        words.stderr
    );
    assert!(words.stderr.contains("they look alike"), "{}", words.stderr);
    let text = playground.run("check text.conllu");
    assert!(text.stderr.contains("don<U+2019>t"), "{}", text.stderr);
}

#[test]
fn unknown_tokens_of_annotations_are_answered_with_those_that_were_meant() {
    let playground = Playground::new();
    let text = "% TEXT\nThe goat don\u{2019}t sleep cafe\u{301}\n% ANNO\n";
    for (name, meant) in [
        ("don't", "did you mean `don<U+2019>t` (they look alike, but characters differ)?"),
        ("the", "did you mean `The` (only capital and small letters differ)?"),
        ("gaot", "did you mean `goat` (one letter differs)?"),
        ("caf\u{E9}", "did you mean `caf<U+0065><U+0301>` (only Unicode's normal form differs, NFC or NFD)?"),
    ] {
        playground.write("x.anno", format!("{text}{name} < sleep\n"));
        let run = playground.run("check x.anno --message-format short");
        assert!(run.stderr.contains("unknown-token") && run.stderr.contains(meant), "{name}: {}", run.stderr);
    }
    playground.write("x.anno", format!("{text}zebra < sleep\n"));
    assert!(!playground.run("check x.anno").stderr.contains("did you mean"));
}

#[test]
fn plain_text_is_checked_counted_converted_and_drawn() {
    let playground = Playground::new();
    playground
        .write("a.txt", "The goat sleeps .\n\nIt dreams .\n")
        .write("b.txt", "The goat sleeps. It dreams.\n");
    for (file, format) in [("a.txt", "text"), ("b.txt", "raw")] {
        let check = playground.run(&format!("check {file}"));
        assert_eq!(check.code, 0, "{}", check.stderr);
        assert!(check.stderr.contains(&format!("2 sentences ({format}), no problems")), "{}", check.stderr);
        assert_eq!(check.stderr.contains("is read as running text"), format == "raw", "{}", check.stderr);
        let stats = playground.run(&format!("stats {file} --json")).json();
        assert_eq!((stats["sentences"].as_u64(), stats["tokens"].as_u64()), (Some(2), Some(7)), "{stats}");
        assert!(stats.get("whole_trees").is_none() && stats.get("tags").is_none(), "{stats}");
        let rows = playground.run(&format!("convert {file} -o - --to conllu")).stdout;
        let forms: Vec<&str> = rows.lines().filter_map(|line| line.split('\t').nth(1)).collect();
        assert_eq!(forms, ["The", "goat", "sleeps", ".", "It", "dreams", "."], "{rows}");
        assert!(!rows.contains("\n\n\n"), "{rows}");
        let view = playground.run(&format!("view {file}"));
        assert!(view.code == 0 && view.stdout.contains("# 2: It dreams"), "{}{}", view.stdout, view.stderr);
    }
    let piped = playground.run_with_input("check -", b"The goat sleeps .\n");
    assert!(piped.stderr.contains("1 sentence (text)"), "{}", piped.stderr);
}

#[test]
fn what_is_no_text_is_not_taken_for_text() {
    let playground = Playground::new();
    playground.write("x.dat", b"\0\x01\x02goat\0").write("x.xml", "<?xml version=\"1.0\"?>\n<goat/>\n");
    for file in ["x.dat", "x.xml"] {
        let run = playground.run(&format!("check {file}"));
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(
            run.stderr.contains("cannot tell the format") && run.stderr.contains("lines"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn lines_are_sentences_whose_tokens_are_found() {
    let playground = with_demo();
    playground.write("m.txt", "no full stop here\nYes! No? Both, one line\n");
    let check = playground.run("check m.txt --lines");
    assert!(check.stderr.contains("2 sentences (lines)"), "{}", check.stderr);
    let rows = playground.run("convert m.txt -o - --to conllu --lines").stdout;
    let n_words: Vec<usize> = rows
        .split_terminator("\n\n")
        .map(|sentence| sentence.lines().filter(|line| !line.starts_with('#')).count())
        .collect();
    assert_eq!(n_words, [4, 8]);
    let trained = playground
        .run("train constituency village-train.mrg -o m.treelet -k 1 --burn-in 1 --samples 1 --chains 1");
    assert_eq!(trained.code, 0, "{}", trained.stderr);
    let parsed = playground.run("parse m.treelet m.txt --lines --no-marks");
    assert_eq!(parsed.stdout.lines().count(), 2, "{}", parsed.stdout);
    // Without a word about it, punctuation that touches words makes running text of it.
    let guessed = playground.run("parse m.treelet m.txt");
    assert!(guessed.stderr.contains("m.txt is read as running text"), "{}", guessed.stderr);
    let told = playground.run("parse m.treelet m.txt --from text");
    assert!(!told.stderr.contains("running text"), "{}", told.stderr);
    assert_eq!(playground.run("check m.txt --lines --from raw").code, 2);
}

#[test]
fn pictures_of_annotations_have_their_tags() {
    let playground = Playground::new();
    playground.write(
        "x.anno",
        "% TEXT\nThe goat sleeps\n% POS TEXT\nThe/DDD goat/NNN sleeps/VVV\n% ANNO\nThe > goat > sleeps**\n",
    );
    for to in ["gfl", "conllu"] {
        let converted = playground.run(&format!("convert x.anno -o y.{to} --to {to}"));
        assert_eq!(converted.code, 0, "{}", converted.stderr);
        let view = playground.run(&format!("view y.{to}")).stdout;
        assert!(["DDD", "NNN", "VVV"].iter().all(|tag| view.contains(tag)), "{view}");
    }
}

#[test]
fn measures_are_explained_below_tables_unless_quiet() {
    let playground = with_demo();
    for (command, measure) in [
        ("score village.conllu village-system.conllu", "LAS = "),
        ("score village.mrg village-system.mrg", "Bracketing FMeasure = "),
        ("stats village.anno", "mean commitment = "),
        ("agree village.anno village.anno", "com = "),
    ] {
        let run = playground.run(command);
        assert!(run.stderr.contains("legend: ") && run.stderr.contains(measure), "{command}: {}", run.stderr);
        let quiet = playground.run(&format!("{command} --quiet"));
        assert!(!quiet.stderr.contains("legend"), "{command}: {}", quiet.stderr);
        assert_eq!(run.stdout, quiet.stdout, "{command}");
    }
    assert!(!playground.run("score village.conllu village-system.conllu --json").stderr.contains("legend"));
}
