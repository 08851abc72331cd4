//! What the commands do with good input.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::{Playground, with_demo};

#[test]
fn formats_convert_into_each_other_and_say_what_is_lost() {
    let playground = with_demo();
    let run = playground.run("convert village.anno -o a.conllu --to conllu");
    assert_eq!(run.code, 0);
    // CoNLL-U has no column for brackets; comments keep them.
    assert!(!run.stderr.contains("no place"), "{}", run.stderr);
    assert!(playground.read("a.conllu").contains("# anno = (The old woman*) > carries"));
    assert_eq!(playground.run("convert a.conllu -o again.anno --to gfl").code, 0);
    assert!(playground.read("again.anno").contains("(The old woman*) > carries"));
    let partial = playground.read("a.conllu");
    assert!(partial.contains("5\twater\t_\t_\t_\t_\t4\t_\t_\t_\n"), "{partial}");
    assert!(partial.contains("1\tThe\t_\t_\t_\t_\t_\t_\t_\t_\n"), "{partial}");
    assert_eq!(playground.run("check a.conllu").code, 0);

    for (to, name) in [
        ("conllx", "b.conllx"),
        ("conll09", "b.conll09"),
        ("gfl", "b.anno"),
        ("fudg-json", "b.fudg"),
        ("gfl-json", "b.jsonl"),
    ] {
        assert_eq!(playground.run(&format!("convert village.conllu -o {name} --to {to}")).code, 0, "{to}");
        let run = playground.run(&format!("check {name}"));
        assert_eq!(run.code, 0, "{to}: {}", run.stderr);
        assert!(run.stderr.contains("8 sentences"), "{}", run.stderr);
    }
}

#[test]
fn brackets_become_dependencies_by_head_rules() {
    let playground = with_demo();
    let run = playground.run("convert village.mrg -o - --to conllu");
    assert_eq!(run.code, 0);
    let first: Vec<&str> = run.stdout.lines().take(9).collect();
    let heads: Vec<&str> = first.iter().map(|line| line.split('\t').nth(6).unwrap()).collect();
    assert_eq!(heads, ["3", "3", "4", "0", "4", "4", "8", "6", "4"]);
}

#[test]
fn unlabelled_top_brackets_give_valid_dependencies() {
    let playground = Playground::new();
    playground.write("a.mrg", "( (S (NP (DT the) (NN dog)) (VP (VBZ barks))))\n");
    assert_eq!(playground.run("convert a.mrg -o a.conllu --to conllu").code, 0);
    assert!(playground.read("a.conllu").contains("\t0\troot\t"));
    let run = playground.run("check a.conllu --strict");
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn labels_go_to_conllu_and_back() {
    let playground = Playground::new();
    for (text, column) in [("Wolff B-PER\nin O\n\n", "NE=B-PER"), ("dogs NOUN\nbark VERB\n\n", "\tNOUN\t")] {
        playground.write("a.bio", text);
        assert_eq!(playground.run("convert a.bio -o a.conllu --to conllu").code, 0);
        assert!(playground.read("a.conllu").contains(column), "{}", playground.read("a.conllu"));
        assert_eq!(playground.run("convert a.conllu -o b.bio --to bio").code, 0);
        assert_eq!(playground.read("b.bio"), text);
    }
}

#[test]
fn nothing_is_lost_on_the_way_to_conll_2009_without_a_note() {
    let playground = with_demo();
    playground.write("a.bio", "Wolff B-PER\n\n");
    let run = playground.run("convert a.bio -o a.conll09 --to conll09");
    assert!(run.stderr.contains("MISC (1 sentence)"), "{}", run.stderr);
    let run = playground.run("convert village.conllu -o b.conll09 --to conll09");
    assert!(run.stderr.contains("MISC") && run.stderr.contains("comments"), "{}", run.stderr);
    assert!(playground.read("b.conll09").contains("\tNOUN\t"));
}

#[test]
fn parentheses_in_words_tags_and_relations_survive_brackets() {
    let playground = Playground::new();
    let text = "1\t(\t_\t$(\t_\t_\t2\tp(x)\t_\t_\n2\t-LRB-\t_\tX\t_\t_\t0\troot\t_\t_\n\n";
    playground.write("a.conllu", text);
    assert_eq!(playground.run("convert a.conllu -o a.mrg --to brackets").code, 0);
    assert_eq!(playground.run("convert a.mrg -o b.conllu --to conllu --head-rules dependency").code, 0);
    assert_eq!(playground.read("b.conllu"), text);
}

#[test]
fn dependencies_go_to_brackets_and_back() {
    let playground = with_demo();
    playground.run("convert village.conllu -o trees.mrg --to brackets --keep-going");
    assert_eq!(
        playground.run("convert trees.mrg -o back.conllu --to conllu --head-rules dependency").code,
        0
    );
    let columns = |text: &str| -> Vec<String> {
        let rows = text
            .lines()
            .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()) && !line.contains("2-3"));
        rows.map(|row| {
            let c: Vec<&str> = row.split('\t').collect();
            [c[1], c[3], c[6], c[7]].join(" ")
        })
        .collect()
    };
    let all = playground.read("village.conllu");
    let projective: String =
        all.split_inclusive("\n\n").filter(|block| !block.contains("village-06")).collect();
    assert_eq!(columns(&playground.read("back.conllu")), columns(&projective));
}

#[test]
fn roles_of_conll_2009_survive_the_way_through_conllu() {
    let playground = Playground::new();
    let text = "1\tIt\tit\tit\tP\tPRP\t_\t_\t2\t2\tSBJ\tSBJ\t_\t_\tA0\tA|0,x\n2\tgoes\tgo\tgo\tV\tV\tt=3\t_\t0\t0\tROOT\tROOT\tY\tgo.01\t_\t_\n\n";
    playground.write("a.conll09", text);
    assert_eq!(playground.run("convert a.conll09 -o a.conllu --to conllu").code, 0);
    assert_eq!(playground.run("convert a.conllu -o b.conll09 --to conll09").code, 0);
    assert_eq!(playground.read("b.conll09"), text);
}

#[test]
fn compressed_files_and_pipes_are_transparent() {
    let playground = with_demo();
    for name in ["v.conllu.gz", "v.conllu.zst", "v.conllu.xz"] {
        assert_eq!(playground.run(&format!("convert village.conllu -o {name} --to conllu")).code, 0);
        let bytes = std::fs::read(playground.path(name)).unwrap();
        assert!(!bytes.starts_with(b"#"));
        let back = playground.run_with_input("convert - -o - --to conllu", &bytes);
        assert_eq!((back.code, back.stdout), (0, playground.read("village.conllu")));
    }
    let latin = playground
        .run_with_input("convert - -o - --to brackets --from brackets --encoding latin1", b"(N caf\xE9)\n");
    assert_eq!(latin.stdout, "(N café)\n");
}

#[test]
fn statistics_count_what_is_there() {
    let playground = with_demo();
    let figures = playground.run("stats village.conllu village.mrg village.anno --json").json();
    let [trees, brackets, fragments] = figures["files"].as_array().unwrap().as_slice() else { panic!() };
    assert_eq!((&trees["sentences"], &trees["tokens"]), (&8.into(), &69.into()));
    assert_eq!((&trees["multiword_tokens"], &trees["projective_trees"]), (&1.into(), &7.into()));
    assert_eq!(trees["mean_commitment"], 1.0);
    assert_eq!((&brackets["unary_chains"], &brackets["longest_unary_chain"]), (&15.into(), &1.into()));
    assert_eq!(
        (&fragments["brackets"], &fragments["coordinations"], &fragments["multiwords"]),
        (&4.into(), &1.into(), &1.into())
    );
    assert!(fragments["mean_commitment"].as_f64().unwrap() < 1.0);
    assert_eq!(figures["sentences"], 18);
    let text = playground.run("stats village.conllu").stdout;
    assert!(text.contains("projective share") && text.contains("NOUN 17"), "{text}");
}

#[test]
fn views_are_drawn_on_three_surfaces() {
    let playground = with_demo();
    let text = playground.run("view village.conllu --sentence 7 --ascii").stdout;
    assert!(text.is_ascii() && text.contains("Come") && text.contains("conj"), "{text}");
    assert_eq!(playground.run("view village.anno -o a.html").code, 0);
    let page = playground.read("a.html");
    assert_eq!(page.matches("<svg").count(), 3);
    assert!(!page.contains("http://") || page.contains("http://www.w3.org/2000/svg"), "no network");
    assert_eq!(playground.run("view village.mrg --sentence 2 -o tree.svg").code, 0);
    assert!(playground.read("tree.svg").starts_with("<svg"));
}

#[test]
fn systems_are_compared_in_a_table_and_by_tests_with_a_seed() {
    let playground = with_demo();
    std::fs::create_dir(playground.path("systems")).unwrap();
    for (from, to) in [("village.conllu", "systems/a.conllu"), ("village-system.conllu", "systems/b.conllu")]
    {
        std::fs::copy(playground.path(from), playground.path(to)).unwrap();
    }
    let table = playground.run("score village.conllu systems").stdout;
    assert!(table.contains("100.00") && table.contains("92.75"), "{table}");
    let command = "score village.conllu systems --significance --samples 1000 --seed 7 --json";
    let (first, second) = (playground.run(command), playground.run(command));
    assert_eq!(first.stdout, second.stdout);
    let test = &first.json()["significance"][0];
    assert_eq!(test["seed"], 7);
    assert!(test["p_randomisation"].as_f64().unwrap() <= 1.0 && test["difference"].as_f64().unwrap() > 7.0);
}

#[test]
fn score_json_has_the_promised_spellings() {
    let playground = with_demo();
    let brackets = playground.run("score village.mrg village-system.mrg --gold-punct --json").json();
    for key in [
        "sentences",
        "errors",
        "skipped",
        "valid",
        "recall",
        "precision",
        "f1",
        "exact",
        "crossing",
        "no_crossing",
        "two_or_less_crossing",
        "tagging",
        "strict_f1",
    ] {
        assert!(brackets["all"][key].is_number() && brackets["cutoff"][key].is_number(), "{key}");
    }
    assert_eq!(brackets["per_sentence"].as_array().unwrap().len(), 7);
    let dependencies = playground.run("score village.conllu village-system.conllu --json").json();
    for key in ["precision", "recall", "f1", "aligned_accuracy", "correct", "gold", "system"] {
        assert!(dependencies["UAS"][key].is_number() && dependencies["LAS"][key].is_number(), "{key}");
    }
    assert_eq!((&dependencies["LAS"]["correct"], &dependencies["LAS"]["gold"]), (&64.into(), &69.into()));
}

#[test]
fn annotations_are_compared_with_each_other_and_with_gold() {
    let playground = with_demo();
    let agreement = playground.run("score village.anno village.anno --json").json();
    assert_eq!(agreement["gflAgree"], 100.0);
    assert_eq!(agreement["com_gold"], agreement["comPrec_test"]);
    let gold = playground.run("score village.conllu village.anno --json").json();
    assert_eq!((&gold["sentences"], &gold["unpaired"]), (&3.into(), &5.into()));
    // Coordination and multiword heads differ between GFL and Universal Dependencies, hence the wrong ones.
    assert_eq!(gold["arcs"], serde_json::json!({"correct": 8, "gold": 28, "test": 13}));
}

#[test]
fn entities_are_scored_as_spans() {
    let playground = Playground::new();
    playground.write("gold.bio", "Wolff B-PER\nin O\nBuenos B-LOC\nAires I-LOC\n\n");
    playground.write("test.bio", "Wolff B-PER\nin O\nBuenos B-LOC\nAires B-LOC\n\n");
    let report = playground.run("score gold.bio test.bio --json").json();
    assert_eq!((&report["all"]["correct"], &report["all"]["system"]), (&1.into(), &3.into()));
    assert_eq!(report["accuracy"], 75.0);
}

#[test]
fn completions_and_manual_pages_come_from_the_same_definitions() {
    let playground = Playground::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(playground.run(&format!("completions {shell}")).stdout.contains("gold-punct"), "{shell}");
    }
    assert!(playground.run("man").stdout.contains(".TH treelet"));
    assert_eq!(playground.run("man pages").code, 0);
    assert!(playground.path("pages/treelet-score.1").exists());
}

#[test]
fn help_has_examples_for_every_command_with_files() {
    let playground = Playground::new();
    for command in
        ["check", "convert", "stats", "score", "view", "train constituency", "parse", "sample", "model info"]
    {
        let help = playground.run(&format!("{command} --help")).stdout;
        assert!(help.contains("Examples:") && help.contains(&format!("treelet {command}")), "{help}");
    }
}
