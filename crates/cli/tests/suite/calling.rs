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
