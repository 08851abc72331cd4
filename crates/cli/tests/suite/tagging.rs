//! `treelet tag`, and what other commands say to its models.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::{Playground, with_demo};

const VILLAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/demo/village.conllu");

/// A folder with a tagger of the village.
fn village() -> Playground {
    let playground = Playground::new();
    playground.write("train.conllu", std::fs::read(VILLAGE).unwrap());
    let run = playground.run("tag train --tokens train.conllu -o tagger.treelet --threads 1");
    assert_eq!(run.code, 0, "{}", run.stderr);
    playground
}

/// Rows of forms, one sentence.
fn rows(forms: &[&str]) -> String {
    let row = |(at, form): (usize, &&str)| format!("{}\t{form}\t_\t_\t_\t_\t_\t_\t_\t_\n", at + 1);
    forms.iter().enumerate().map(row).collect::<String>() + "\n"
}

#[test]
fn a_tagger_gives_back_the_tags_it_learned() {
    let playground = village();
    let run = playground.run("tag run tagger.treelet train.conllu -o tagged.conllu --all --threads 1");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = playground.run("tag score train.conllu tagged.conllu --train train.conllu --json");
    let scores: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(scores["all"]["accuracy"].as_f64().unwrap() > 99.0, "{}", run.stdout);
    assert_eq!(scores["unknown_words"]["total"], 0);
    let text = playground.run("tag score train.conllu tagged.conllu");
    assert!(text.stdout.starts_with("accuracy"), "{}", text.stdout);
    assert!(text.stdout.contains("precision"), "{}", text.stdout);
}

#[test]
fn all_but_tags_and_their_probabilities_stays_byte_for_byte() {
    let playground = village();
    let given = "# sent_id = 1\n# text = The goat sleeps.\n# a remark\n\
        1-2\tThegoat\t_\t_\t_\t_\t_\t_\t_\tX=1\n\
        1\tThe\tthe\tDET\tdt\tDefinite=Def\t2\tdet\t2:det\tSpaceAfter=No\n\
        2\tgoat\tgoat\t_\tnn\t_\t3\tnsubj\t3:nsubj\tHeadProb=0.5|Zz=1\n\
        2.1\tghost\t_\t_\t_\t_\t_\t_\t3:dep\t_\n\
        3\tsleeps\tsleep\t_\t_\t_\t0\troot\t0:root\tSpaceAfter=No\n\
        4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t3:punct\t_\n\n";
    playground.write("in.conllu", given);
    let run = playground.run("tag run tagger.treelet in.conllu -o out.conllu");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let out = playground.read("out.conllu");
    for (before, after) in given.lines().zip(out.lines()) {
        if before.starts_with("2\t") || before.starts_with("3\t") {
            let (before, after): (Vec<&str>, Vec<&str>) =
                (before.split('\t').collect(), after.split('\t').collect());
            assert_ne!(after[3], "_");
            assert!(after[9].contains("UposProb=0.") || after[9].contains("UposProb=1."), "{}", after[9]);
            for column in [0, 1, 2, 4, 5, 6, 7, 8] {
                assert_eq!(before[column], after[column]);
            }
            for item in before[9].split('|') {
                assert!(after[9].contains(item), "{}", after[9]);
            }
        } else {
            assert_eq!(before, after);
        }
    }
    assert_eq!(given.lines().count(), out.lines().count());
    // A second run has nothing left to do.
    let run = playground.run("tag run tagger.treelet out.conllu -o again.conllu");
    assert!(run.stderr.contains("kept the tag"), "{}", run.stderr);
    assert_eq!(playground.read("again.conllu"), out);
}

#[test]
fn tags_can_be_listed_with_their_probabilities_and_go_into_either_column() {
    let playground = village();
    playground.write("in.conllu", rows(&["The", "goat", "sleeps", "."]));
    let run = playground.run("tag run tagger.treelet in.conllu --n-best 3 --column xpos -o -");
    assert_eq!(run.code, 0, "{}", run.stderr);
    for line in run.stdout.lines().filter(|line| !line.is_empty()) {
        let columns: Vec<&str> = line.split('\t').collect();
        assert_eq!(columns[3], "_");
        assert_ne!(columns[4], "_");
        assert!(columns[9].contains("XposBy=tagger@"), "{line}");
        let listed = columns[9].split('|').find_map(|item| item.strip_prefix("XposNBest=")).unwrap();
        assert_eq!(listed.split(',').count(), 3, "{line}");
        assert!(listed.starts_with(columns[4]), "{line}");
        assert!(columns[9].contains("|XposProb="), "{line}");
    }
}

#[test]
fn the_probability_of_a_tag_is_the_one_that_it_is_listed_with() {
    let playground = village();
    playground.write("in.conllu", rows(&["The", "goat", "sleeps", "."]));
    let run = playground.run("tag run tagger.treelet in.conllu --n-best 2 -o -");
    for line in run.stdout.lines().filter(|line| !line.is_empty()) {
        let items: Vec<(&str, &str)> =
            line.split(['\t', '|']).filter_map(|item| item.split_once('=')).collect();
        let of = |name: &str| items.iter().find(|(key, _)| *key == name).unwrap().1;
        let listed: f64 = of("UposNBest").split([':', ',']).nth(1).unwrap().parse().unwrap();
        let said: f64 = of("UposProb").parse().unwrap();
        assert!((listed - said).abs() <= 0.0051, "{line}");
    }
}

#[test]
fn text_is_read_as_parse_reads_it() {
    let playground = village();
    playground
        .write("lines.txt", "The goat sleeps .\n\nA dog barks .\n")
        .write("running.txt", "The goat sleeps. A dog barks.");
    for (more, words) in [("lines.txt", 8), ("running.txt --from raw", 8)] {
        let run = playground.run(&format!("tag run tagger.treelet {more} -o -"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        let rows = run.stdout.lines().filter(|line| line.contains("UposProb="));
        assert_eq!(rows.count(), words, "{more}: {}", run.stdout);
    }
    let run = playground.run_with_input("tag run tagger.treelet - -o -", b"The goat sleeps .\n");
    assert_eq!((run.code, run.stdout.lines().filter(|line| line.contains("UposProb")).count()), (0, 4));
}

#[test]
fn the_number_of_threads_changes_nothing_and_the_seed_is_noted() {
    let playground = village();
    let model = std::fs::read(playground.path("tagger.treelet")).unwrap();
    for threads in [2, 4] {
        let run =
            playground.run(&format!("tag train --tokens train.conllu -o other.treelet --threads {threads}"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(std::fs::read(playground.path("other.treelet")).unwrap(), model, "{threads} threads");
    }
    let run = playground.run("tag train --tokens train.conllu -o other.treelet --seed 7");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let info = playground.run("model info other.treelet --json");
    let info: serde_json::Value = serde_json::from_str(&info.stdout).unwrap();
    assert_eq!((info["kind"].as_str(), info["notes"]["seed"].as_str()), (Some("model/tagger"), Some("7")));
}

#[test]
fn other_commands_know_a_tagger_when_they_see_one() {
    let playground = village();
    let shown = playground.run("model show tagger.treelet");
    assert!(shown.stdout.contains("NOUN") && shown.stdout.contains("speaks for"), "{}", shown.stdout);
    let shown = playground.run("model show tagger.treelet --json");
    assert!(serde_json::from_str::<serde_json::Value>(&shown.stdout).unwrap()["tags"].is_array());
    let parsed = playground.run("parse tagger.treelet train.conllu");
    assert_eq!(parsed.code, 2);
    assert!(parsed.stderr.contains("treelet tag run tagger.treelet"), "{}", parsed.stderr);
    // And a tagger knows what is none.
    playground.write("not.treelet", "nothing");
    assert_eq!(playground.run("tag run not.treelet train.conllu -o x.conllu").code, 3);
    let swapped = playground.run("tag run train.conllu tagger.treelet -o x.conllu");
    assert_ne!(swapped.code, 0);
}

#[test]
fn a_dictionary_and_raw_text_make_a_tagger_with_any_stage_left_out() {
    let playground = Playground::new();
    playground.write("dict.tsv", "the\tDET\ngoat\tNOUN\nsleeps\tVERB\n.\tPUNCT\nfish\tNOUN VERB\n").write(
        "raw.txt",
        "the goat sleeps .\nthe fish sleeps .\nthe dog sleeps .\nthe goat barks .\n".repeat(5),
    );
    for stages in [
        "",
        "--no-propagation",
        "--minimise",
        "--no-em",
        "--no-final",
        "--no-propagation --minimise --no-em --no-final",
        "--second-order --no-final",
    ] {
        let run = playground
            .run(&format!("tag train --dict dict.tsv --raw raw.txt -o t.treelet --next 2 --json {stages}"));
        assert_eq!(run.code, 0, "{stages}: {}", run.stderr);
        let summary: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(summary["dictionary"]["words"], 5);
        assert_eq!(summary["dictionary"]["coverage"]["tokens"]["covered"], 70);
        assert_eq!(summary["dictionary"]["coverage"]["tokens"]["total"], 80);
        let next: Vec<&str> =
            summary["next"].as_array().unwrap().iter().map(|wish| wish["word"].as_str().unwrap()).collect();
        assert_eq!(next.len(), 2);
        assert!(next.contains(&"dog") && next.contains(&"barks"), "{next:?}");
        playground.write("in.txt", "the goat sleeps .\n");
        let run = playground.run("tag run t.treelet in.txt");
        let tags: Vec<&str> = run.stdout.lines().filter_map(|line| line.split('\t').nth(3)).collect();
        assert_eq!(tags, ["DET", "NOUN", "VERB", "PUNCT"], "{stages}");
        let shown = playground.run("model show t.treelet");
        assert!(shown.code == 0 && shown.stdout.contains("NOUN"), "{stages}: {}", shown.stderr);
    }
}

#[test]
fn tagged_sentences_tell_how_good_a_dictionary_is() {
    let playground = village();
    playground.write("dict.tsv", "the\tDET\nThe\tDET\ngoat\tVERB\n");
    let run = playground.run("tag train --dict dict.tsv --tokens train.conllu -o t.treelet");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stdout.contains("covers tokens") && run.stdout.contains("has the right tag"),
        "{}",
        run.stdout
    );
}

#[cfg(feature = "foma")]
#[test]
fn lexicons_and_scripts_are_compiled() {
    let playground = Playground::new();
    std::fs::copy(VILLAGE, playground.path("train.conllu")).unwrap();
    playground
        .write("nouns.lexc", "Multichar_Symbols +N\nLEXICON Root\nwoman Noun ;\nLEXICON Noun\n+N:0 # ;\n");
    playground.write("all.foma", "read lexc nouns.lexc\ndefine Nouns ;\nregex Nouns ;\n");
    for fst in ["nouns.lexc", "all.foma"] {
        let run = playground.run(&format!("tag train --tokens train.conllu --fst {fst} -o t.treelet"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stderr.contains(&format!("{fst}: analyses of 1 of")), "{}", run.stderr);
    }
    playground.write("bad.lexc", "LEXICON Root\nwoman\n+N\n");
    let run = playground.run("tag train --tokens train.conllu --fst bad.lexc -o t.treelet");
    assert!(run.code != 0 && run.stderr.contains("lexc-syntax"), "{}", run.stderr);
}

#[test]
fn a_segmenter_gives_features_and_goes_with_the_model() {
    let playground = village();
    assert_eq!(playground.run("segment train train.conllu -o morphs.treelet").code, 0);
    for last in ["", "--no-final"] {
        let train = format!("tag train --tokens train.conllu --segmenter morphs.treelet -o t.treelet {last}");
        let run = playground.run(&train);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let info = playground.run("model info t.treelet --json");
        assert!(info.stdout.contains("\"segmenter\": true"), "{}", info.stdout);
        assert_eq!(playground.run("tag run t.treelet train.conllu -o out.conllu --all").code, 0);
    }
    let foreign = playground.run("tag train --tokens train.conllu --segmenter train.conllu -o t.treelet");
    assert!(foreign.code != 0 && foreign.stderr.contains("train.conllu"), "{}", foreign.stderr);
}

#[test]
fn a_transducer_gives_features_and_goes_with_the_model() {
    let playground = village();
    playground.write("fst.att", "0\t1\tgoat\tgoat\n1\t2\t+N\t@0@\n2\n0\t3\tsleeps\tsleeps\n3\t2\t+V\t@0@\n");
    let run = playground.run("tag train --tokens train.conllu --fst fst.att -o t.treelet");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("analyses of"), "{}", run.stderr);
    std::fs::remove_file(playground.path("fst.att")).unwrap();
    let info = playground.run("model info t.treelet --json");
    assert!(info.stdout.contains("\"analyser\": true"), "{}", info.stdout);
    assert_eq!(playground.run("tag run t.treelet train.conllu -o out.conllu --all").code, 0);
}

/// The village as words and tags in two columns.
fn two_columns(separator: &str, boundary: &str) -> String {
    let text = std::fs::read_to_string(VILLAGE).unwrap();
    let sentence = |block: &str| {
        let rows = block.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
        let rows = rows.map(|row| row.split('\t').collect::<Vec<_>>());
        let rows = rows.filter(|row| row[0].bytes().all(|byte| byte.is_ascii_digit()));
        rows.map(|row| format!("{}{separator}{}\n", row[1], row[3])).collect::<String>()
    };
    let sentences: Vec<String> = text.split("\n\n").map(sentence).filter(|text| !text.is_empty()).collect();
    format!("{boundary}{}", sentences.join("\n"))
}

#[test]
fn tagged_sentences_may_stand_in_two_columns() {
    let playground = village();
    playground.write("in.conllu", rows(&["The", "goat", "sleeps", "."]));
    let expected = playground.run("tag run tagger.treelet in.conllu --n-best 3").stdout;
    for (separator, boundary) in [("\t", ""), (" ", ""), (" ", "-DOCSTART- -X-\n\n"), ("\t", "-DOCSTART-\n")]
    {
        playground.write("train.txt", two_columns(separator, boundary));
        let run = playground.run("tag train --tokens train.txt -o t.treelet --threads 1");
        assert_eq!(run.code, 0, "{separator:?}: {}", run.stderr);
        assert_eq!(
            playground.run("tag run t.treelet in.conllu --n-best 3").stdout,
            expected,
            "{separator:?}"
        );
        let score = playground.run("tag score train.txt train.conllu --json").json();
        assert_eq!(score["all"]["accuracy"], 100.0, "{score}");
    }
    // The column that is asked for gets the tags.
    let run = playground.run("tag train --tokens train.txt --column xpos -o t.treelet");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(playground.run("tag run t.treelet in.conllu").stdout.contains("XposProb="));
    playground.write("bad.txt", "the DET\ngoat\nsleeps VERB\n");
    let run = playground.run("tag train --tokens bad.txt -o t.treelet --message-format short");
    assert!(
        run.code == 1 && run.stderr.contains("bad.txt:2:") && run.stderr.contains("column-count"),
        "{}",
        run.stderr
    );
}

/// Text in which `fish` is of one tag or the other, and nothing but a dictionary can tell which.
fn with_fish() -> Playground {
    let playground = Playground::new();
    playground
        .write("raw.txt", "the fish .\na goat sleeps .\nfish .\n".repeat(10))
        .write("in.txt", "fish fish .\n");
    playground
}

#[test]
fn dictionaries_may_be_tables_of_any_sort() {
    let playground = with_fish();
    let tagged = |text: &str| {
        playground.write("dict", text);
        let run = playground.run("tag train --dict dict --raw raw.txt -o t.treelet");
        assert_eq!(run.code, 0, "{text:?}: {}", run.stderr);
        playground.run("tag run t.treelet in.txt --n-best 2").stdout
    };
    let plain = tagged("the\tDET\na\tDET\ngoat\tNOUN\nfish\tNOUN VERB\nsleeps\tVERB\n.\tPUNCT\n");
    assert!(plain.contains("NOUN:") && plain.contains("VERB:"), "{plain}");
    for text in [
        "the DET\na DET\ngoat NOUN\nfish NOUN VERB\nsleeps VERB\n. PUNCT\n",
        "word,tag\nthe,DET\na,DET\ngoat,NOUN\nfish,NOUN\nfish,VERB\nsleeps,VERB\n.,PUNCT\n",
        "POS;Word\nDET;the\nDET;a\nNOUN;goat\nNOUN VERB;fish\nVERB;sleeps\nPUNCT;.\n",
    ] {
        assert_eq!(tagged(text), plain, "{text:?}");
    }
    // Problems have their places in tables too.
    playground.write("dict", "word,tag,count\nthe,DET,3\nfish,,4\ngoat,NOUN,x\n");
    let run = playground.run("tag train --dict dict --raw raw.txt -o t.treelet --message-format short");
    for part in ["dict:3:6", "no-tags", "dict:4:11", "bad-weight"] {
        assert!(run.code == 1 && run.stderr.contains(part), "{part}: {}", run.stderr);
    }
}

#[test]
fn counts_of_a_dictionary_decide_between_tags() {
    let playground = with_fish();
    for (counts, tag) in [("NOUN\t9\nfish\tVERB\t1", "NOUN"), ("NOUN\t1\nfish\tVERB\t9", "VERB")] {
        playground.write("dict.tsv", format!("the\tDET\t1\n.\tPUNCT\t1\nfish\t{counts}\n"));
        let run = playground.run("tag train --dict dict.tsv --raw raw.txt -o t.treelet");
        assert_eq!(run.code, 0, "{}", run.stderr);
        let out = playground.run("tag run t.treelet in.txt").stdout;
        let tags: Vec<&str> = out.lines().filter_map(|line| line.split('\t').nth(3)).collect();
        assert_eq!(tags, [tag, tag, "PUNCT"], "{out}");
    }
}

#[test]
fn the_order_of_tags_counts_unless_it_is_the_same_everywhere() {
    let playground = with_fish();
    let others = "the\tDET\n.\tPUNCT\n";
    for (entry, other, tag) in [
        ("NOUN VERB", "VERB NOUN", "NOUN"),
        ("VERB NOUN", "NOUN VERB", "VERB"),
        ("NOUN VERB", "NOUN VERB", ""),
    ] {
        playground.write("dict.tsv", format!("{others}fish\t{entry}\nswim\t{other}\n"));
        let run = playground.run("tag train --dict dict.tsv --raw raw.txt -o t.treelet");
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(run.stderr.contains("same order wherever"), tag.is_empty(), "{}", run.stderr);
        let notes = playground.run("model info t.treelet --json").json()["notes"].clone();
        assert_eq!(notes["order of tags"].as_str().unwrap().contains("not used"), tag.is_empty(), "{notes}");
        let out = playground.run("tag run t.treelet in.txt").stdout;
        let found = out.lines().filter_map(|line| line.split('\t').nth(3)).next().unwrap();
        assert!(tag.is_empty() || found == tag, "{out}");
    }
}

#[test]
fn probabilities_are_calibrated_or_said_not_to_be() {
    let playground = village();
    let info = playground.run("model info tagger.treelet --json").json();
    let basis = info["probabilities"].as_str().unwrap();
    assert!(basis.contains("calibrated on") && basis.contains("held out"), "{basis}");
    let run = playground.run("tag run tagger.treelet train.conllu --all -o out.conllu");
    assert!(!run.stderr.contains("calibrated"), "{}", run.stderr);
    // Two sentences are too few to find anything out.
    playground.write("few.txt", "the DET\ngoat NOUN\n\nthe DET\ndog NOUN\n").write("in.txt", "the goat\n");
    let run = playground.run("tag train --tokens few.txt -o few.treelet");
    assert!(run.stderr.contains("not calibrated"), "{}", run.stderr);
    let info = playground.run("model info few.treelet --json").json();
    assert!(info["probabilities"].as_str().unwrap().starts_with("not calibrated"), "{info}");
    let run = playground.run("tag run few.treelet in.txt -o out.conllu");
    assert!(run.stderr.contains("not calibrated"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn a_killed_or_interrupted_training_resumes_and_equals_the_straight_one() {
    let materials = [
        "--tokens village.conllu",
        "--dict village-dictionary.tsv --raw village.txt --held-out village.conllu",
    ];
    for (material, signal, code) in [(materials[0], "-KILL", None), (materials[1], "-INT", Some(3))] {
        let playground = with_demo();
        let settings = format!("tag train {material} --epochs 400 --seed 3");
        let run = |arguments: &str| {
            let run = playground.run(arguments);
            assert_eq!(run.code, 0, "{arguments}: {}", run.stderr);
            run
        };
        run(&format!("{settings} -o straight"));
        let again = format!("{settings} -o m --checkpoint-every 0");
        assert_eq!(crate::common::end_midway(&playground, &again, signal).code(), code);
        assert!(!playground.path("m").exists());
        let refused = playground.run(&again);
        assert!(refused.code == 2 && refused.stderr.contains("--resume"), "{}", refused.stderr);
        let other = playground.run(&format!("{again} --resume --seed 5"));
        assert_eq!(other.code, 2, "{}", other.stderr);
        let resumed = run(&format!("{again} --resume --threads 2"));
        assert!(resumed.stderr.contains("goes on after epoch"), "{}", resumed.stderr);
        let bytes = |name: &str| std::fs::read(playground.path(name)).unwrap();
        assert!(bytes("m") == bytes("straight"), "{material}");
        assert!(!playground.path("m.checkpoint").exists());
    }
}
