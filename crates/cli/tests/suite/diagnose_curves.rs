//! `treelet diagnose` beyond one run: watched rules, and F1 by sweeps of parsing, by sweeps of training and by λ.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::{Playground, with_demo};
use serde_json::Value;

const QUICK: &str = "-k 2 --chains 2 --stage-sweeps 2 --burn-in 1";

/// A playground with models of 2 + 1 + 2 and of 2 + 1 + 9 sweeps, and the trace of the latter.
fn trained() -> Playground {
    let playground = with_demo();
    for n in [2, 9] {
        let train =
            format!("train constituency village-train.mrg -o m{n} {QUICK} --samples {n} --trace t{n}.tsv");
        assert_eq!(playground.run(&train).code, 0);
    }
    playground.write("words.txt", {
        let gold = playground.read("village-test.mrg");
        let form = |piece: &str| piece.rsplit('(').next()?.split_once(' ').map(|(_, form)| form.to_owned());
        let line = |tree: &str| tree.split(')').filter_map(form).collect::<Vec<_>>().join(" ") + "\n";
        gold.lines().map(line).collect::<String>()
    });
    playground
}

/// F1 of parses with these options, as `treelet score` has it.
fn f1(playground: &Playground, parse: &str) -> f64 {
    let run = playground.run(&format!("parse {parse} -o out.mrg"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    let scored = playground.run("score village-test.mrg out.mrg --gold-punct --json").json();
    scored["all"]["strict_f1"].as_f64().unwrap()
}

fn check_points(points: &Value, key: &str, known: &[(f64, f64)]) {
    let point = |point: &Value| (point[key].as_f64().unwrap(), point["f1"].as_f64().unwrap());
    let found: Vec<(f64, f64)> = points.as_array().unwrap().iter().map(point).collect();
    assert_eq!(found.len(), known.len(), "{found:?}");
    for (found, known) in found.iter().zip(known) {
        assert!(found.0 == known.0 && (found.1 - known.1).abs() < 1e-9, "{found:?} is not {known:?}");
    }
    for point in points.as_array().unwrap() {
        assert_eq!(point["by_sentence"].as_array().unwrap().len(), 24);
    }
}

#[test]
fn curves_are_those_of_parsing_and_scoring_whatever_the_threads() {
    let playground = trained();
    let diagnose = "diagnose t9.tsv --model m9 --model m2 --gold village-test.mrg --draws 2 --seed 3 \
                    --sweeps 5,1,5 --lambdas 10,0.05";
    let run = playground.run(&format!("{diagnose} --json --threads 1 -o page.html"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    let json = run.json();
    assert_eq!(json, playground.run(&format!("{diagnose} --json --threads 3")).json());
    let gibbs = |options: &str| f1(&playground, &format!("m9 words.txt --seed 3 --gibbs {options}"));
    let after = |n: u32| (f64::from(n), gibbs(&format!("--decode mode --burn-in 0 --samples {n}")));
    check_points(&json["parsing_sweeps"], "sweeps", &[after(1), after(5)]);
    let weighted = |lambda: f64| (lambda, gibbs(&format!("--lambda {lambda}")));
    check_points(&json["lambdas"], "lambda", &[weighted(0.05), weighted(10.0)]);
    let model = |n: u32| (f64::from(n + 3), f1(&playground, &format!("m{n} words.txt")));
    check_points(&json["training_sweeps"], "sweeps", &[model(2), model(9)]);
    assert_eq!(json["training_sweeps"][0]["model"], "m2");
    assert_eq!(json["model"]["file"], "m9", "the first model is that of the trace");

    let page = playground.read("page.html");
    let table = playground.run(diagnose).stdout;
    for (heading, row) in [
        ("F1 by sweeps of parsing</h2>", "sweeps of parsing"),
        ("F1 by sweeps of training</h2>", "sweeps of training"),
        ("F1 by λ</h2>", "lambda"),
    ] {
        assert!(page.contains(heading) && table.contains(row), "{heading}");
    }
}

#[test]
fn nothing_is_worked_out_that_was_not_asked_for() {
    let playground = trained();
    let run = "diagnose t9.tsv --model m9 --gold village-test.mrg --draws 2 --limit 3";
    let json = playground.run(&format!("{run} --json -o page.html")).json();
    for curve in ["parsing_sweeps", "training_sweeps", "lambdas"] {
        assert_eq!(json[curve].as_array().map(Vec::len), Some(0), "{curve}");
    }
    assert!(!playground.read("page.html").contains("F1 by sweeps"));
    assert!(!playground.run(run).stdout.contains("sweeps of"));
}

#[test]
fn wrong_values_are_wrong_usage() {
    let playground = trained();
    let refused = |options: &str, said: &str| {
        let run = playground.run(&format!("diagnose t9.tsv {options} -o page.html"));
        assert_eq!(run.code, 2, "{options}: {}", run.stderr);
        assert!(run.stderr.contains(said), "{options}: {}", run.stderr);
        assert!(!playground.path("page.html").exists());
    };
    let gold = "--model m9 --gold village-test.mrg";
    for (options, said) in [
        ("--sweeps 0", "0 is not in 1..=100000"),
        ("--sweeps 1,x", "invalid digit"),
        ("--sweeps 1,,2", "cannot parse integer"),
        ("--lambdas 0", "give a number above 0"),
        ("--lambdas 1,-5", "give a number above 0"),
        ("--lambdas inf", "give a number above 0"),
        ("--lambdas five", "give a number"),
    ] {
        refused(&format!("{gold} {options}"), said);
    }
    refused("--model m9 --sweeps 1", "--gold");
    refused("--lambdas 1", "--gold");
    refused("--model m9 --model m2", "give the trees to compare with: --gold");
    refused("--model m9 --model -", "not from standard input");
}

/// The program with arguments that have spaces in them.
fn train(playground: &Playground, name: &str, rules: &[&str], more: &str) -> (Option<i32>, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_treelet"));
    command.current_dir(playground.path(""));
    let line = format!(
        "train constituency village-train.mrg -o {name} {QUICK} --samples 9 --trace {name}.tsv {more}"
    );
    command.args(line.split_whitespace());
    rules.iter().for_each(|rule| {
        command.args(["--trace-rule", rule]);
    });
    let output = command.output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// The numbers of a column, burn-in included.
fn column(trace: &str, name: &str) -> Vec<f64> {
    let at = trace.lines().next().unwrap().split('\t').position(|column| column == name).unwrap();
    trace.lines().skip(1).map(|line| line.split('\t').nth(at).unwrap().parse().unwrap()).collect()
}

#[test]
fn watched_rules_are_columns_of_the_trace_and_sections_of_the_page() {
    let playground = with_demo();
    let rules = ["NP -> DT NN", "NP→PRP", "NP  ->  DT NN"];
    for (name, threads) in [("a", 1), ("b", 3)] {
        let (code, stderr) = train(&playground, name, &rules, &format!("--threads {threads}"));
        assert_eq!(code, Some(0), "{stderr}");
    }
    let trace = playground.read("a.tsv");
    assert_eq!(trace, playground.read("b.tsv"));
    assert!(
        trace.lines().next().unwrap().ends_with("annotations\tP(NP[0] → DT NN)\tP(NP[0] → PRP)"),
        "{trace}"
    );
    // In the first stage, two sweeps of two chains, NP has one annotation, and the share is that of the treebank.
    let trees = playground.read("village-train.mrg");
    let is_dt_nn = |rest: &&str| {
        let (_, noun) = rest.split_once(") (NN ").filter(|(form, _)| !form.contains(' ')).unwrap_or_default();
        noun.split_once(')').is_some_and(|(form, after)| !form.contains(' ') && after.starts_with(')'))
    };
    let n_rule = trees.split("(NP (DT ").skip(1).filter(is_dt_nn).count();
    let known = n_rule as f64 / trees.matches("(NP ").count() as f64;
    let shares = column(&trace, "P(NP[0] → DT NN)");
    assert_eq!(shares[..4], [known; 4]);
    assert!(shares[4..].iter().any(|share| *share != known), "annotations are drawn: {shares:?}");
    assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{shares:?}");
    let run = playground.run("diagnose a.tsv -o page.html");
    assert!(run.stdout.contains("P(NP[0] → DT NN): run longer"), "{}", run.stdout);
    assert!(playground.read("page.html").contains("Trace of P(NP[0] → DT NN)</h2>"));
}

#[test]
fn watching_a_rule_changes_nothing_else() {
    let playground = with_demo();
    assert_eq!(train(&playground, "a", &["NP -> DT NN"], "").0, Some(0));
    assert_eq!(train(&playground, "b", &[], "").0, Some(0));
    let bytes = |name| std::fs::read(playground.path(name)).unwrap();
    assert_eq!(bytes("a"), bytes("b"));
    let without = |line: &str| line.rsplit_once('\t').unwrap().0.to_owned();
    let watched: Vec<String> = playground.read("a.tsv").lines().map(without).collect();
    assert_eq!(watched, playground.read("b.tsv").lines().collect::<Vec<_>>());
}

#[test]
fn rules_that_cannot_be_watched_are_refused_with_near_ones() {
    let playground = with_demo();
    let refused = |rule: &str, said: &str| {
        let (code, stderr) = train(&playground, "m", &[rule], "");
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.contains(said), "{rule}: {stderr}");
        assert!(!playground.path("m").exists() && !playground.path("m.tsv").exists());
    };
    refused("NP -> DT NM", "the trees have no rule `NP → DT NM`; near ones are `NP → DT NN`, ");
    refused("NP -> DT JJ NN", "rules of more than two parts are taken apart");
    refused("NP", "write a rule as HEAD -> PART PART");
    refused(" -> NP", "write a rule as HEAD -> PART PART");
    refused("", "write a rule as HEAD -> PART PART");
    let run = playground.run("train constituency village-train.mrg -o m --trace-rule NP->PRP");
    assert!(run.code == 2 && run.stderr.contains("--trace"), "{}", run.stderr);
}

#[test]
fn a_model_that_does_not_say_its_sweeps_is_refused() {
    let playground = trained();
    let mut model = constituency::Model::read(&playground.path("m2")).unwrap();
    assert_eq!(
        model.notes.remove("sweeps").as_deref(),
        Some("5"),
        "two of the start, one of burn-in, two kept"
    );
    model.write(&playground.path("old")).unwrap();
    let run = playground.run("diagnose t9.tsv --model m9 --model old --gold village-test.mrg");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("old does not say how many sweeps"), "{}", run.stderr);
    let alone = playground.run("diagnose t9.tsv --model old --gold village-test.mrg --draws 1 --limit 2");
    assert_eq!(alone.code, 0, "a single model need not: {}", alone.stderr);
}
