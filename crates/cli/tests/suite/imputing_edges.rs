//! The edges of partial annotation, with the real program: long sentences, several roots, groups, hashes, samples.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::{Playground, with_demo};
use impute::GpcOptions;
use impute::convex::ConvexOptions;

/// Runs a command that must succeed.
fn run(playground: &Playground, arguments: &str) -> crate::common::Run {
    let run = playground.run(arguments);
    assert_eq!(run.code, 0, "{arguments}: {}", run.stderr);
    run
}

fn anno(who: &str, text: &str, anno: &str) -> String {
    format!("---\n% ID 1\n% ANNOTATOR {who}\n% TEXT\n{text}\n% ANNO\n{anno}\n")
}

/// Rows of a sentence of so many words, each headed by the one before.
fn rows(n: usize, tag: impl Fn(usize) -> &'static str) -> String {
    let row = |id: usize| {
        let relation = if id == 1 { "root" } else { "dep" };
        format!("{id}\tw{id}\t_\t{}\t_\t_\t{}\t{relation}\t_\t_\n", tag(id), id - 1)
    };
    (1..=n).map(row).collect::<String>() + "\n"
}

/// The default that help tells for an option.
fn default_of(help: &str, option: &str) -> String {
    let from = help.find(&format!("      {option} <")).unwrap_or_else(|| panic!("{option} in {help}"));
    let (_, rest) = help[from..].split_once("[default: ").unwrap();
    rest.split(']').next().unwrap().to_string()
}

#[test]
fn help_tells_the_defaults_that_learning_has() {
    let (convex, gpc) = (ConvexOptions::default(), GpcOptions::default());
    for command in ["impute", "select", "plan"] {
        let help = run(&Playground::new(), &format!("{command} --help")).stdout;
        assert_eq!(default_of(&help, "--steps"), convex.max_iterations.to_string());
        assert_eq!(default_of(&help, "--longest"), convex.longest.to_string());
        assert_eq!(default_of(&help, "--longest"), gpc.longest.to_string());
        assert_eq!(default_of(&help, "--burn-in"), gpc.burn_in.to_string());
        assert_eq!(default_of(&help, "--sweeps"), gpc.samples.to_string());
        assert_eq!(default_of(&help, "--chains"), gpc.chains.to_string());
    }
}

#[test]
fn long_sentences_are_completed_without_being_learned_from() {
    let playground = Playground::new();
    let tag = |id: usize| ["NOUN", "VERB", "DET"][id % 3];
    playground.write("both.conllu", rows(30, tag) + &rows(6, tag)).write("short.conllu", rows(6, tag));
    for method in ["convexmst", "gpc --burn-in 2 --sweeps 2 --chains 1"] {
        let learn = format!("-o out.conllu --save-model m --longest 20 --method {method}");
        let both = run(&playground, &format!("impute both.conllu {learn}"));
        let told = "1 sentence has more than 20 words (the longest has 30) and no part in learning";
        assert!(both.stderr.contains(told), "{}", both.stderr);
        assert!(both.stderr.contains("learning from 1 sentence\n"), "{}", both.stderr);
        let n_rows = playground.read("out.conllu").lines().filter(|line| line.contains('\t')).count();
        assert_eq!(n_rows, 36);
        let short = run(&playground, &format!("impute short.conllu {learn}"));
        assert!(!short.stderr.contains("no part"), "{}", short.stderr);
    }
}

#[test]
fn a_search_that_is_given_up_is_warned_of() {
    let playground = Playground::new();
    let words: Vec<String> = (1..=43).map(|word| format!("w{word}")).collect();
    let brackets: Vec<String> =
        (2..=14).map(|word| format!("(w{word} w{} w{})", word + 14, word + 28)).collect();
    let text = anno("a", &words.join(" "), &brackets.join("\n"));
    playground.write("many.anno", text + "w1 > w43\n");
    let arguments =
        "impute many.anno -o out.conllu --brackets connected --non-projective --steps 1 --temperature 1";
    let given_up = run(&playground, arguments).stderr;
    assert!(given_up.contains("warning[search-given-up]") && given_up.contains("many.anno:1"), "{given_up}");
    assert!(!given_up.contains("contradict"), "{given_up}");
    let row = playground.read("out.conllu").lines().find(|line| line.starts_with("1\t")).unwrap().to_string();
    assert_eq!(row.split('\t').nth(6), Some("43"), "what was said stays: {row}");
}

#[test]
fn several_roots_are_noted_and_only_universal_dependencies_mind() {
    let playground = Playground::new();
    playground.write("two.anno", anno("a", "go on stop it", "go**\nstop**\non > go\nit > stop"));
    run(&playground, "check two.anno");
    let note = run(&playground, "impute two.anno -o two.conllu").stderr;
    assert!(note.contains("1 sentence has several roots"), "{note}");
    let check = playground.run("check two.conllu");
    assert_eq!(check.code, 1);
    assert!(check.stderr.contains("error[several-roots]"), "{}", check.stderr);
}

#[test]
fn rows_made_of_annotations_have_text_and_id() {
    let playground = Playground::new();
    playground.write("one.anno", anno("a", "the dog barks", "the > dog > barks**"));
    run(&playground, "impute one.anno -o one.conllu");
    assert!(playground.read("one.conllu").starts_with("# sent_id = 1\n# text = the dog barks\n1\tthe"));
    run(&playground, "convert one.anno -o two.conllu --to conllu");
    assert!(playground.read("two.conllu").starts_with("# sent_id = 1\n# text = the dog barks\n1\tthe"));
    run(&playground, "check --strict one.conllu two.conllu");
}

#[test]
fn comments_alone_are_no_sentence_to_draw() {
    let playground = Playground::new();
    playground.write("comments.conllu", "# nothing\n# but comments\n\n");
    for output in ["", "-o out.svg", "-o out.html"] {
        let run = playground.run(&format!("view comments.conllu {output}"));
        assert!(run.code != 0 && run.stdout.is_empty(), "{}", run.stdout);
        assert!(run.stderr.contains("no sentence"), "{}", run.stderr);
    }
}

#[test]
fn the_tag_hash_can_be_mapped() {
    let playground = Playground::new();
    playground
        .write("hash.conllu", rows(2, |id| if id == 1 { "#" } else { "VERB" }))
        .write("map.tsv", "# pounds\n#\tNUM\n");
    let unmapped = run(&playground, "impute hash.conllu -o out.conllu").stderr;
    assert!(unmapped.contains("tags that no rule knows: # (1)"), "{unmapped}");
    let mapped = run(&playground, "impute hash.conllu -o out.conllu --tag-map map.tsv").stderr;
    assert!(!mapped.contains("no rule knows"), "{mapped}");
}

#[test]
fn trees_are_drawn_from_a_model_that_draws() {
    let playground = with_demo();
    run(
        &playground,
        "impute village.conllu -o t.conllu --save-model g --method gpc --burn-in 5 --sweeps 5 --chains 2",
    );
    let draws = run(&playground, "sample g village.conllu -n 3 --seed 4 -o draws.conllu");
    assert!(draws.stderr.contains("draws.conllu: 24 drawn trees"), "{}", draws.stderr);
    run(&playground, "check --strict draws.conllu");
    let text = playground.read("draws.conllu");
    assert_eq!(text.matches("# sample = 3").count(), 8);
    assert_eq!(run(&playground, "sample g village.conllu -n 3 --seed 4").stdout, text);
    assert_ne!(run(&playground, "sample g village.conllu -n 3 --seed 5").stdout, text);
    // What the input says is kept if that is asked for; one of the trees has crossing arcs, which cannot be drawn.
    let said = run(&playground, "sample g village.conllu -n 1 --constraints -o said.conllu");
    assert!(said.stderr.contains("said.conllu: 7 drawn trees"), "{}", said.stderr);
    assert!(said.stderr.contains("1 sentence without a projective tree"), "{}", said.stderr);
    let heads = |text: &str| -> Vec<String> {
        let words = text.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit()));
        words.map(|line| line.split('\t').take(7).collect::<Vec<_>>().join(" ")).collect()
    };
    let gold = heads(&playground.read("village.conllu"));
    assert!(heads(&playground.read("said.conllu")).iter().all(|row| gold.contains(row)));
    assert!(!heads(&text).iter().all(|row| gold.contains(row)), "without being asked they differ");
}

#[test]
fn models_that_draw_no_trees_say_what_to_do_instead() {
    let playground = with_demo();
    run(&playground, "impute village.conllu -o t.conllu --save-model m --steps 3");
    let refused = playground.run("sample m village.conllu");
    assert_eq!(refused.code, 2);
    for part in ["draws no trees", "parse --posteriors", "--method gpc --save-model"] {
        assert!(refused.stderr.contains(part), "{}", refused.stderr);
    }
}

#[test]
fn brackets_and_multiwords_that_annotators_agree_on_are_combined() {
    let playground = Playground::new();
    let text = "the old town of New York sleeps";
    playground
        .write("a.anno", anno("a", text, "(the old town*)\n[New York] > of\n(of sleeps)"))
        .write("b.anno", anno("b", text, "(the old town)\n[New York] > of"))
        .write("c.anno", anno("c", text, "(the old town)\nNew > York\nthe > sleeps"));
    let combine = |how: &str, output: &str| {
        run(&playground, &format!("agree a.anno b.anno c.anno --combine {how} -o {output}")).stderr
    };
    // The bracket is kept by its votes, although the heads that were taken leave it one way only.
    let told = combine("dawid-skene", "all.anno");
    assert!(told.contains("without a majority"), "{told}");
    let kept = playground.read("all.anno");
    assert!(kept.contains("[New York]") && !kept.contains("(of sleeps)"), "{kept}");
    run(&playground, "check all.anno");
    let told = combine("union", "any.anno");
    assert!(told.contains("dropped: 0 without a majority"), "{told}");
    assert!(playground.read("any.anno").contains("(of sleeps)"), "{}", playground.read("any.anno"));
    combine("union", "any.conllu");
    assert!(
        playground.read("any.conllu").contains("# anno = (of sleeps)"),
        "{}",
        playground.read("any.conllu")
    );
    run(&playground, "check any.conllu any.anno");
}

#[test]
fn a_plan_that_cannot_tell_says_so() {
    let playground = Playground::new();
    let tag = |id: usize| ["NOUN", "VERB", "DET", "ADP"][id % 4];
    playground.write("tiny.conllu", rows(6, tag).repeat(8));
    let flat = run(&playground, "plan tiny.conllu --folds 3 --points 3");
    assert!(flat.stderr.contains("too few to tell"), "{}{}", flat.stdout, flat.stderr);
    let json = run(&playground, "plan tiny.conllu --folds 3 --points 3 --json").json();
    assert_eq!(json["enough_to_tell"], false);
}

#[test]
fn statistics_have_both_commitments() {
    let playground = Playground::new();
    // Of the trees over three words and the root, the bracket leaves fewer than the arcs that it allows.
    playground.write("one.anno", anno("a", "a b c d", "(a b c)\nd**"));
    let json = run(&playground, "stats one.anno --json").json();
    let figures = &json[0];
    let figure = |name: &str| {
        let value = figures.get(name).or_else(|| json.get(name)).and_then(serde_json::Value::as_f64);
        value.unwrap_or_else(|| panic!("{name} in {json:#}"))
    };
    assert!(figure("mean_spanning_commitment") < figure("mean_commitment"), "{json:#}");
    assert!(figure("ln_promiscuity") < figure("ln_spanning_promiscuity"), "{json:#}");
    let n: f64 = 5.0;
    let expected = 1.0 - figure("ln_promiscuity") / ((n - 2.0) * n.ln());
    assert!((figure("mean_commitment") - expected).abs() < 1e-9, "{json:#}");
}

#[test]
fn a_root_that_a_machine_overruled_in_gfl_is_said_again() {
    let playground = Playground::new();
    let rows = "1\tdog\t_\tNOUN\t_\t_\t_\t_\t_\t_\n\
                2\tbarks\t_\tVERB\t_\t_\t_\t_\t_\tHeadBy=convexmst:1|HeadSaid=0\n";
    let anno = format!("---\n% ID s\n% TEXT\ndog barks\n% ANNO\nbarks > dog\n% CONLLU\n{rows}");
    playground.write("a.anno", anno);
    let run = playground.run("impute a.anno -o out.conllu --steps 3");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let out = playground.read("out.conllu");
    let barks = out.lines().find(|line| line.contains("\tbarks\t")).unwrap();
    assert!(barks.contains("\t0\troot\t") && !barks.contains("HeadBy"), "{out}");
}
