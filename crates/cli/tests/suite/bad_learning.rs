//! Bad input to training and parsing: clear errors, the right exit code, nothing overwritten.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::Playground;

const QUICK: &str = "-k 2 --chains 1 --stage-sweeps 2 --burn-in 2 --samples 2";
const TREE: &str = "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ barks))))\n";

/// Training fails with this code and says this; a model of that name stays as it was.
fn refused(playground: &Playground, arguments: &str, code: i32, said: &str) {
    playground.write("m", "precious");
    let run = playground.run(&format!("train constituency {arguments} -o m {QUICK}"));
    assert_eq!(run.code, code, "{arguments}: {}", run.stderr);
    assert!(run.stderr.contains(said), "{arguments}: {}", run.stderr);
    assert_eq!(playground.read("m"), "precious");
    assert!(!playground.path("m.checkpoint").exists());
}

fn with_model() -> Playground {
    let playground = Playground::new();
    playground.write("a.mrg", TREE.repeat(3));
    let run = playground.run(&format!("train constituency a.mrg -o m {QUICK}"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    playground
}

#[test]
fn files_without_trees_are_refused() {
    let playground = Playground::new();
    playground.write("empty.mrg", "").write("blank", "\n\n").write("notes.mrg", "# nothing yet\n");
    for name in ["empty.mrg", "blank", "notes.mrg"] {
        refused(&playground, name, 1, "there is no tree to learn from");
    }
    refused(&playground, "missing.mrg", 3, "cannot read missing.mrg");
    playground.write("a.conllu", "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n");
    refused(&playground, "a.conllu", 2, "which has no constituents");
    playground.write("prose.txt", "Dear diary, today I wrote nothing at all.\n");
    refused(&playground, "prose.txt", 2, "cannot tell the format");
    playground.write("broken.mrg", "(S (NP (DT the\n");
    refused(&playground, "broken.mrg", 1, "unbalanced-bracket");
    playground.write("a.mrg", TREE);
    refused(&playground, "a.mrg --partial missing.mrg", 3, "missing.mrg");
    refused(&playground, "a.mrg --raw missing.txt", 3, "missing.txt");
    refused(&playground, "a.mrg --max-words 2", 1, "there is no tree to learn from");
}

#[test]
fn small_and_odd_treebanks_are_learnt() {
    let playground = Playground::new();
    let cases = [
        ("one tree", TREE.to_string()),
        ("one label", "(X (X a) (X b))\n(X (X b))\n".to_string()),
        ("one word", "(X a)\n".to_string()),
        ("several roots", format!("{TREE}(FRAG (NN dogs))\n( (NP (NN cats) (NN too)))\n")),
        ("no tags", "(S the (NP old dog) barks)\n".to_string()),
        ("wide", format!("(S {})\n", "(N dog) ".repeat(60))),
        ("deep", format!("{}(N dog){}\n", "(A (B ".repeat(40), "))".repeat(40))),
    ];
    for (name, trees) in cases {
        playground.write("a.mrg", trees);
        let run = playground.run(&format!("train constituency a.mrg -o m {QUICK}"));
        assert_eq!(run.code, 0, "{name}: {}", run.stderr);
        let run =
            playground.run_with_input("parse --no-marks m -", b"the dog barks\nnever seen words here\na\n");
        assert_eq!(run.code, 0, "{name}: {}", run.stderr);
        assert_eq!(
            run.stdout.lines().filter(|line| line.starts_with('(')).count(),
            3,
            "{name}: {}",
            run.stdout
        );
        assert!(run.stdout.contains("seen"), "{name}: {}", run.stdout);
    }
}

#[test]
fn bad_trees_are_left_out_counted_and_shown() {
    let playground = Playground::new();
    playground.write("a.mrg", format!("{TREE}(S (NP) (VP (VBZ barks)))\n{TREE})\n{TREE}"));
    let run = playground.run(&format!("train constituency a.mrg -o m {QUICK} --json"));
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("error[empty-constituent]") && run.stderr.contains("a.mrg:2:"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("error[unbalanced-bracket]"), "{}", run.stderr);
    assert!(run.stderr.contains("left out because of the errors above"), "{}", run.stderr);
    assert!(run.json()["left_out"]["errors"].as_u64().unwrap() >= 1 && run.json()["trees"] == 3);
    assert!(playground.path("m").exists());
    playground.write("p.mrg", "(S (ZZZ the dog) barks)\n(_ (_ the dog) barks)\n");
    let run = playground
        .run(&format!("train constituency a.mrg -o m {QUICK} --partial p.mrg --message-format short"));
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("p.mrg:1: error[unusable-brackets]: the label ZZZ"), "{}", run.stderr);
}

#[test]
fn outputs_that_cannot_be_written_are_found_before_training() {
    let playground = Playground::new();
    playground.write("a.mrg", TREE);
    std::fs::create_dir(playground.path("folder")).unwrap();
    let cases = [
        ("-o folder", 2, "is a folder"),
        ("-o nowhere/m", 3, "there is no folder nowhere"),
        ("-o -", 2, "a model is no text"),
        ("-o a.mrg", 2, "would be written over"),
        ("-o m --trace nowhere/t", 3, "there is no folder nowhere"),
        ("-o m --checkpoint a.mrg", 2, "would be written over"),
    ];
    for (arguments, code, said) in cases {
        let run = playground.run(&format!("train constituency a.mrg {arguments}"));
        assert_eq!(run.code, code, "{arguments}: {}", run.stderr);
        assert!(run.stderr.contains(said), "{arguments}: {}", run.stderr);
    }
    assert_eq!(playground.read("a.mrg"), TREE);
    let playground = with_model();
    let cases = [
        ("parse m a.mrg -o m", 2, "would be written over"),
        ("parse m a.mrg -o nowhere/x", 3, "there is no folder nowhere"),
        ("parse m a.mrg -o .", 2, "is a folder"),
        ("parse m a.mrg --posteriors", 2, "give OUT with -o"),
        ("parse m missing.txt", 3, "cannot read missing.txt"),
        ("parse missing a.mrg", 3, "cannot read missing"),
        ("parse a.mrg m", 3, "not a Treelet file"),
        ("parse m m", 2, "it is a Treelet model"),
        ("parse - -", 2, "a model is read from a file"),
        ("sample m missing.txt", 3, "cannot read missing.txt"),
        ("model info missing", 3, "cannot read missing"),
        ("model info a.mrg", 3, "not a Treelet file"),
    ];
    for (arguments, code, said) in cases {
        let run = playground.run(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (code, ""), "{arguments}: {}", run.stderr);
        assert!(run.stderr.contains(said), "{arguments}: {}", run.stderr);
    }
}

#[test]
fn numbers_that_make_no_sense_are_refused_with_advice() {
    let playground = with_model();
    for arguments in [
        "train constituency a.mrg -o x -k 0",
        "train constituency a.mrg -o x -k 65",
        "train constituency a.mrg -o x --chains 0",
        "train constituency a.mrg -o x --samples 0",
        "train constituency a.mrg -o x --rare many",
        "train constituency a.mrg -o x --jump-start 1.5",
        "train constituency a.mrg -o x --jump-start 0.5:x",
        "train constituency a.mrg",
        "train a.mrg -o x",
        "parse m",
        "parse m a.mrg --decode guess",
        "parse m a.mrg --threshold 2",
        "parse m a.mrg --lambda 2",
        "parse m a.mrg --gibbs --lambda 0",
        "parse m a.mrg --n-best 0",
        "parse m a.mrg --decode viterbi --n-best 2",
        "parse m a.mrg --exact --threshold 0.1",
        "sample m a.mrg -n 0",
    ] {
        let run = playground.run(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{arguments}: {}", run.stderr);
        assert!(run.stderr.starts_with("error"), "{arguments}: {}", run.stderr);
    }
    assert!(!playground.path("x").exists());
}

#[test]
fn damaged_models_are_refused_with_advice() {
    let playground = with_model();
    let whole = std::fs::read(playground.path("m")).unwrap();
    let refused = |bytes: &[u8], said: &str| {
        playground.write("bad", bytes);
        for command in ["parse bad a.mrg", "sample bad a.mrg", "model info bad"] {
            let run = playground.run(command);
            assert_eq!((run.code, run.stdout.as_str()), (3, ""), "{command}: {}", run.stderr);
            assert!(run.stderr.contains("bad") && run.stderr.contains(said), "{command}: {}", run.stderr);
        }
    };
    for n in [9, 30, whole.len() / 2, whole.len() - 1] {
        refused(&whole[..n], "cut short");
    }
    for at in [40, whole.len() / 2, whole.len() - 9] {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        refused(&bytes, "damaged");
    }
    let mut newer = whole.clone();
    newer[8] = 9;
    refused(&newer, "use a newer Treelet");
    refused(b"", "not a Treelet file");
    let mut longer = whole.clone();
    longer.push(0);
    refused(&longer, "copy it again");
    // The payload's version stands behind the length and the text of its kind.
    let at = whole.windows(18).position(|bytes| bytes == b"model/constituency").unwrap() + 18;
    let mut later = whole.clone();
    later[at] += 1;
    let head = u32::from_le_bytes(std::array::from_fn(|i| whole[12 + i])) as usize + 24;
    let checksum = chain::container::crc64(&later[..head]).to_le_bytes();
    later[head..head + 8].copy_from_slice(&checksum);
    refused(&later, "this program knows version 1; use a newer Treelet");
}

#[test]
fn checkpoints_that_are_none_are_refused() {
    let playground = with_model();
    playground.write("x.checkpoint", "not a checkpoint");
    let run = playground.run(&format!("train constituency a.mrg -o x {QUICK} --resume"));
    assert_eq!(run.code, 3);
    assert!(run.stderr.contains("not a Treelet file"), "{}", run.stderr);
    let run = playground.run(&format!("train constituency a.mrg -o x {QUICK} --resume --checkpoint m"));
    assert_eq!(run.code, 3);
    assert!(run.stderr.contains("a file of kind `model/constituency`"), "{}", run.stderr);
}

#[test]
fn sentences_that_cannot_be_parsed_get_a_makeshift_tree_and_are_named() {
    let playground = with_model();
    let long = format!("the dog barks\n{}\nthe dog\n", "dog ".repeat(2000));
    let run = playground.run_with_input("parse --no-marks m -", long.as_bytes());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run.stdout.lines().count(), 3);
    assert_eq!(run.stdout.lines().nth(1).unwrap().matches(" dog)").count(), 2000);
    assert!(run.stderr.contains("of 3 sentences have a makeshift tree: lines 2, 3"), "{}", run.stderr);
    assert!(run.stderr.contains("2000 words"), "{}", run.stderr);
    let run = playground.run_with_input("parse m - --max-words 2 --json", b"the dog barks\n");
    assert!(run.json()["fallback"].as_str().unwrap().contains("3 words") && run.json()["confidence"] == 0.0);
    playground
        .write("c.mrg", "(TOP (S (VP (DT the) (NN dog)) (VP (VBZ barks))))\n(TOP (QQ (DT the) (NN dog)))\n");
    let run = playground.run("parse --no-marks m c.mrg --constrain");
    assert_eq!((run.code, run.stdout.lines().count()), (0, 2), "{}", run.stderr);
    assert!(run.stderr.contains("the label QQ") && run.stderr.contains("line 2"), "{}", run.stderr);
    let run = playground.run_with_input("sample m - -n 2 --max-words 2", b"the dog barks\n");
    assert_eq!(run.stdout.lines().count(), 2);
}

#[test]
fn input_that_is_no_text_is_refused_and_empty_input_is_no_error() {
    let playground = with_model();
    playground.write("a.bin", b"\x7fELF\0\0\x01\x02");
    let run = playground.run("parse m a.bin");
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("a.bin is no text"), "{}", run.stderr);
    let run = playground.run_with_input("parse m -", b"");
    assert_eq!((run.code, run.stdout.as_str()), (0, ""));
    assert!(run.stderr.contains("<stdin> has no sentences"), "{}", run.stderr);
    let run =
        playground.run_with_input("parse --no-marks m - --from brackets", b"(S (NP (DT the) (NN dog)\n");
    assert_eq!((run.code, run.stdout.lines().count()), (1, 1), "{}", run.stderr);
    assert!(run.stderr.contains("error[unbalanced-bracket]"), "{}", run.stderr);
    let run = playground.run_with_input("parse m -", b"(the dog) barks\n");
    assert!(run.stderr.contains("--from text reads it as plain text"), "{}", run.stderr);
    let run = playground.run_with_input("parse --no-marks m - --from text", b"(the dog) barks\n");
    assert_eq!(run.code, 0);
    assert!(run.stdout.contains("\\(the") && run.stdout.contains("barks"), "{}", run.stdout);
    let run = playground.run_with_input("parse --no-marks m -", b"the d\xFFg barks\n");
    assert_eq!((run.code, run.stdout.lines().count()), (1, 1), "{}", run.stderr);
    assert!(run.stderr.contains("invalid-utf8"), "{}", run.stderr);
}
