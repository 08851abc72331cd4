//! The same use cases without a command line: by name, with options and results as JSON.

use crate::common::with_demo;
use serde_json::{Map, Value, json};
use treelet::watch::Unwatched;

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(object) = value else { panic!("no object: {value}") };
    object
}

/// As it is printed and read, without times, which differ from run to run.
fn timeless(value: Value) -> Value {
    let mut value: Value = serde_json::from_str(&value.to_string()).unwrap();
    if let Value::Object(object) = &mut value {
        object.remove("seconds");
    }
    value
}

#[test]
fn what_a_call_gives_back_is_what_the_command_prints_as_json() {
    let playground = with_demo();
    let path = |name: &str| playground.path(name).display().to_string();
    let (gold, system, anno) = (path("village.conllu"), path("village-system.conllu"), path("village.anno"));
    let (trees, parsed) = (path("village.mrg"), path("village-system.mrg"));
    let model = path("called.treelet");
    let cases = [
        ("stats", json!({"files": [gold, trees]}), format!("stats {gold} {trees}")),
        ("score", json!({"gold": gold, "systems": [system]}), format!("score {gold} {system}")),
        (
            "score",
            json!({"gold": trees, "systems": [parsed], "per_label": true}),
            format!("score {trees} {parsed} --per-label"),
        ),
        ("agree", json!({"files": [gold, system]}), format!("agree {gold} {system}")),
        ("select", json!({"files": [anno], "n": 3}), format!("select {anno} -n 3")),
        (
            "train dependency",
            json!({"files": [gold], "output": model, "epochs": 2}),
            format!("train dependency {gold} -o {model} --epochs 2"),
        ),
        ("model info", json!({"file": model}), format!("model info {model}")),
        (
            "tag train",
            json!({"tokens": gold, "output": model, "epochs": 2}),
            format!("tag train --tokens {gold} -o {model} --epochs 2"),
        ),
        ("tag score", json!({"gold": gold, "system": system}), format!("tag score {gold} {system}")),
        (
            "induce dmv",
            json!({"files": [gold], "output": model, "passes": 3}),
            format!("induce dmv {gold} -o {model} --passes 3"),
        ),
    ];
    for (name, options, command) in cases {
        let printed = playground.run(&format!("{command} --json"));
        assert!(printed.code <= 1, "{command}: {}", printed.stderr);
        let printed: Value =
            serde_json::from_str(&printed.stdout).unwrap_or_else(|error| panic!("{command}: {error}"));
        let called = treelet::call(name, &object(options), &Unwatched)
            .unwrap_or_else(|error| panic!("{name}: {error:#}"));
        assert_eq!(timeless(called.result), timeless(printed), "{command}");
    }
}

#[test]
fn what_a_command_refuses_a_call_refuses() {
    let refused = |name: &str, options: Value| {
        treelet::call(name, &object(options), &Unwatched).unwrap_err().to_string()
    };
    assert!(refused("trian", json!({})).contains("train dependency"));
    assert!(refused("stats", json!({})).contains("<FILE>"));
    assert!(refused("plan", json!({"files": ["x"], "no_such": 1})).contains("no option `no_such`"));
}

fn called(name: &str, options: Value) -> treelet::Called {
    let options_shown = options.to_string();
    treelet::call(name, &object(options), &Unwatched)
        .unwrap_or_else(|error| panic!("{name} {options_shown}: {error:#}"))
}

/// A learner, its options without the model that it writes, and the name that its models have.
fn learners(playground: &crate::common::Playground) -> [(&'static str, Value, &'static str); 8] {
    let path = |name: &str| playground.path(name).display().to_string();
    let (gold, trees) = (path("village.conllu"), path("village-train.mrg"));
    let quick = json!({"file": trees, "samples": 2, "burn-in": 2, "chains": 1, "annotations": 2});
    let arcs = json!({"train": [gold], "task": "dependency", "epochs": 1});
    let brackets = json!({"train": [trees], "task": "brackets", "epochs": 1});
    [
        ("train constituency", quick, "constituency"),
        ("train dependency", json!({"files": [gold], "epochs": 1}), "dependency"),
        ("induce dmv", json!({"files": [gold], "passes": 2}), "dmv"),
        ("induce pcfg", json!({"files": [gold], "passes": 2}), "pcfg"),
        ("induce hmm", json!({"files": [gold], "passes": 2}), "hmm"),
        (
            "impute",
            json!({"file": path("village.anno"), "output": path("imputed"), "method": "gpc"}),
            "imputer",
        ),
        ("joint train", arcs, "joint"),
        ("joint train", brackets, "brackets"),
    ]
}

#[test]
fn parse_gives_back_what_it_wrote_whatever_the_model() {
    let playground = with_demo();
    let path = |name: &str| playground.path(name).display().to_string();
    let model = path("model");
    for (learner, mut options, name) in learners(&playground) {
        let field = if name == "imputer" { "save-model" } else { "output" };
        options[field] = model.clone().into();
        called(learner, options);
        let (input, output) = (path("village.conllu"), path("parsed"));
        let parsed = called("parse", json!({"model": model, "input": input, "output": output}));
        let result = &parsed.result;
        assert_eq!((&result["model"], &result["output"]), (&name.into(), &output.into()), "{result}");
        assert_eq!((&result["sentences"], &result["words"]), (&8.into(), &69.into()), "{result}");
        let own = match name {
            "constituency" => "makeshift",
            "dependency" => "in_pieces",
            "imputer" => "unsatisfied",
            "dmv" | "pcfg" | "hmm" => "unanalysed",
            _ => "exact",
        };
        assert!(!result[own].is_null(), "{result}");
        let heads = if matches!(name, "dependency" | "dmv" | "pcfg" | "imputer") { 69 } else { 0 };
        assert_eq!(result["ignored_heads"].as_u64().unwrap_or(0), heads, "{result}");
    }
}

#[test]
fn what_parse_notes_are_numbers_of_its_result() {
    let playground = with_demo();
    let path = |name: &str| playground.path(name).display().to_string();
    let model = path("model");
    called("train dependency", json!({"files": [path("village.conllu")], "epochs": 1, "output": model}));
    playground.write(
        "odd.conllu",
        "1\tcats\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t1\tdep\t_\t_\n3\twell\t_\tADV\t_\t_\t_\t_\t_\t_\n\n\
         1\tgoats\t_\tNOUN\t_\t_\t_\t_\t_\t_\n2\teat\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n",
    );
    let options = json!({"model": model, "input": path("odd.conllu"), "output": path("o"), "constrain": true, "max-words": 2});
    let parsed = called("parse", options);
    let result = &parsed.result;
    assert!(parsed.has_problems);
    assert_eq!((&result["conflicts"], &result["in_pieces"]), (&1.into(), &1.into()), "{result}");
    assert_eq!((&result["given_tags"], &result["sentences"]), (&5.into(), &2.into()), "{result}");
    playground.write("bad.conllu", "1\tcats\n");
    let parsed =
        called("parse", json!({"model": model, "input": path("bad.conllu"), "output": path("none")}));
    assert!(parsed.has_problems && parsed.result["output"].is_null(), "{}", parsed.result);
    assert!(!playground.path("none").exists());
}

#[test]
fn impute_and_sample_give_back_what_they_wrote() {
    let playground = with_demo();
    let path = |name: &str| playground.path(name).display().to_string();
    let (output, model, sampled) = (path("imputed.conllu"), path("model"), path("sampled.conllu"));
    let options = json!({
        "file": path("village.anno"), "output": output, "method": "gpc",
        "save-model": model, "samples": 2, "sampled": sampled,
    });
    let result = called("impute", options).result;
    let number = |name: &str| result[name].as_u64().unwrap();
    let rows = |name: &str| playground.read(name).lines().filter(|line| line.contains('\t')).count() as u64;
    let found = playground.read("imputed.conllu").matches("HeadBy=").count() as u64;
    assert_eq!(number("words"), rows("imputed.conllu"), "{result}");
    assert!(found > 0 && number("heads_said") > 0, "{result}");
    assert_eq!((number("heads_found"), number("heads_said") + found), (found, number("words")), "{result}");
    assert_eq!((number("drawn"), number("learned_from")), (2 * number("sentences"), number("sentences")));
    assert_eq!((&result["model"], &result["sampled"]), (&model.clone().into(), &sampled.into()), "{result}");

    let options =
        json!({"model": model, "input": path("village.conllu"), "output": path("drawn"), "draws": 3});
    let drawn = called("sample", options).result;
    assert_eq!((&drawn["model"], &drawn["drawn"]), (&"imputer".into(), &24.into()), "{drawn}");
    let grammar = path("grammar");
    let options = json!({"file": path("village-train.mrg"), "output": grammar, "samples": 2, "burn-in": 2, "chains": 1});
    called("train constituency", options);
    let options =
        json!({"model": grammar, "input": path("village.conllu"), "output": path("drawn"), "draws": 3});
    let drawn = called("sample", options).result;
    assert_eq!((&drawn["model"], &drawn["drawn"]), (&"constituency".into(), &24.into()), "{drawn}");
    assert_eq!(playground.read("drawn").lines().count(), 24);
}
