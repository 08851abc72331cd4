//! Every use case can be called by its name.

use crate::{demo, files_in, object};
use serde_json::{Value, json};
use treelet::watch::Unwatched;
use treelet::{Usage, call, use_case_names};

#[test]
fn every_use_case_refuses_options_that_it_does_not_have() {
    assert!(use_case_names().count() > 30);
    for name in use_case_names() {
        let error = call(name, &object(json!({"no_such_option": 1})), &Unwatched).unwrap_err();
        assert!(error.is::<Usage>(), "{name}: {error:#}");
        assert!(error.to_string().contains("`no_such_option`"), "{name}: {error:#}");
    }
}

#[test]
fn a_name_that_there_is_not_is_refused_with_those_that_there_are() {
    let error = call("trian", &object(json!({})), &Unwatched).unwrap_err();
    assert!(error.is::<Usage>());
    assert!(use_case_names().all(|name| error.to_string().contains(name)), "{error}");
}

/// Chains of calls on the demo corpus: `@name` is a file that a call writes, or one before it has written.
fn calls() -> Vec<(&'static str, Value)> {
    let (gold, system) = (demo("village.conllu"), demo("village-system.conllu"));
    let (trees, anno, raw) = (demo("village-train.mrg"), demo("village.anno"), demo("village.txt"));
    vec![
        ("check", json!({"files": [gold]})),
        ("stats", json!({"files": [gold, trees]})),
        ("score", json!({"gold": gold, "systems": [system]})),
        ("convert", json!({"file": anno, "output": "@partial.conllu", "to": "conllu"})),
        ("train dependency", json!({"files": [gold], "output": "@parser", "epochs": 1})),
        ("model info", json!({"file": "@parser"})),
        ("parse", json!({"model": "@parser", "input": raw, "output": "@parsed"})),
        ("impute", json!({"file": anno, "output": "@imputed", "save_model": "@imputer", "method": "gpc"})),
        ("sample", json!({"model": "@imputer", "input": gold, "output": "@drawn", "draws": 2})),
        ("induce dmv", json!({"files": [gold], "output": "@dmv", "passes": 2})),
        ("model show", json!({"file": "@dmv"})),
        ("tag train", json!({"tokens": [gold], "output": "@tagger", "epochs": 1})),
        ("tag run", json!({"model": "@tagger", "input": raw, "output": "@tagged"})),
        ("agree", json!({"files": [gold, system]})),
        ("divide", json!({"files": [gold], "annotators": 2, "common": 0.25, "output": "@parts"})),
        ("select", json!({"files": [anno], "n": 2})),
    ]
}

#[test]
fn what_a_call_gives_back_is_a_value() {
    let folder = tempfile::tempdir().unwrap();
    for (name, options) in calls() {
        let written = options.to_string().replace('@', &format!("{}/", folder.path().display()));
        let called = call(name, &object(serde_json::from_str(&written).unwrap()), &Unwatched)
            .unwrap_or_else(|error| panic!("{name}: {error:#}"));
        assert!(called.result.is_object() || called.result.is_array(), "{name}: {}", called.result);
        let shown = serde_json::to_string(&called).unwrap();
        let again: Value = serde_json::from_str(&shown).unwrap();
        assert_eq!(again["has_problems"], called.has_problems, "{name}");
    }
    // No checkpoint, and nothing half written.
    let files = [
        "dmv",
        "drawn",
        "imputed",
        "imputer",
        "parsed",
        "parser",
        "partial.conllu",
        "parts",
        "tagged",
        "tagger",
    ];
    assert_eq!(files_in(&folder), files);
}
