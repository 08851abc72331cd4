//! Every graph of the original GFL parser is reproduced, and what it refused is refused.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use formats::gfl::{Block, GflReader};
use formats::{Problem, fudg_json};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Refused by the original, which knows no comments; see `docs/gfl.md`.
const ACCEPTED_FOR_THEIR_COMMENTS: [(&str, u64); 4] = [
    ("anno/long_nyt_semicolons.anno", 0),
    ("anno/tweets/dev.0009.anno", 1),
    ("anno/tweets/dev.0012.anno", 1),
    ("anno/witch-babies.anno", 0),
];

fn read_block(file: &std::path::Path, number: u64) -> (Block, Vec<Problem>) {
    let bytes = std::fs::read(file).unwrap();
    let mut blocks = GflReader::new(bytes.as_slice())
        .map(|reading| reading.map(|reading| (reading.value, reading.problems)).unwrap());
    blocks.find(|(block, _)| block.number as u64 == number).unwrap()
}

/// Edges, coordinations, links and words of a graph with brackets named by their members.
fn canonical(graph: &Value, edges: &Value) -> BTreeSet<String> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let texts = |value: &Value| value.as_array().unwrap().iter().map(text).collect::<BTreeSet<_>>();
    let edges: Vec<(String, String, Option<String>)> = edges
        .as_array()
        .unwrap()
        .iter()
        .map(|edge| (text(&edge[0]), text(&edge[1]), edge[2].as_str().map(str::to_owned)))
        .filter(|(_, _, label)| !matches!(label.as_deref(), Some("Conj" | "Coord" | "Anaph")))
        .collect();
    let mut members: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (head, dependent, label) in &edges {
        if label.is_some() {
            members.entry(head).or_default().insert(dependent);
        }
    }
    fn name(node: &str, members: &BTreeMap<&str, BTreeSet<&str>>) -> String {
        match members.get(node) {
            Some(inner) => {
                let inner: BTreeSet<String> = inner.iter().map(|member| name(member, members)).collect();
                format!("FE{inner:?}")
            }
            None => node.to_owned(),
        }
    }
    let mut facts = BTreeSet::new();
    for (head, dependent, label) in &edges {
        facts.insert(format!("{} -> {} {label:?}", name(head, &members), name(dependent, &members)));
    }
    for coordination in graph["coords"].as_array().unwrap() {
        let parts = |value| texts(value).iter().map(|part| name(part, &members)).collect::<BTreeSet<_>>();
        let (first, second) = (parts(&coordination[1]), parts(&coordination[2]));
        facts.insert(format!("{} :: {first:?} :: {second:?}", text(&coordination[0])));
    }
    for link in graph["anaph"].as_array().unwrap() {
        facts.insert(format!("{} = {}", name(&text(&link[0]), &members), name(&text(&link[1]), &members)));
    }
    for (node, words) in graph["n2w"].as_object().unwrap() {
        facts.insert(format!("{node} is {:?}", texts(words)));
    }
    facts
}

#[test]
fn graphs_equal_those_of_the_original_parser_and_its_refusals_are_ours() {
    let (Some(fixture), Some(data)) =
        (testkit::shared("fixtures/gfl/graphs.json"), testkit::shared("data/gfl/gfl_syntax"))
    else {
        return;
    };
    let entries: Vec<Value> = serde_json::from_slice(&std::fs::read(fixture).unwrap()).unwrap();
    let (mut reproduced, mut refused, mut accepted) = (0, 0, 0);
    for entry in &entries {
        let file = entry["file"].as_str().unwrap();
        let number = entry["block"].as_u64().unwrap();
        let (block, problems) = read_block(&data.join(file), number);
        let errors: Vec<&Problem> = problems.iter().filter(|problem| problem.is_error()).collect();
        let tokens: Vec<&str> =
            entry["tokens"].as_array().unwrap().iter().map(|t| t.as_str().unwrap()).collect();
        assert_eq!(block.tokens, tokens, "{file} {number}");
        if entry.get("error").is_none() {
            assert!(errors.is_empty(), "{file} {number}: {errors:?}");
            let ours = fudg_json::to_json(&block.said, &block.tokens);
            assert_eq!(
                canonical(&ours, &ours["node_edges"]),
                canonical(entry, &entry["deps"]),
                "{file} {number}"
            );
            reproduced += 1;
        } else if ACCEPTED_FOR_THEIR_COMMENTS.contains(&(file, number)) {
            assert!(errors.is_empty(), "{file} {number}: {errors:?}");
            accepted += 1;
        } else {
            let located = |problem: &&Problem| problem.place.line > 0 && problem.place.column > 0;
            assert!(!errors.is_empty() && errors.iter().all(located), "{file} {number}: {errors:?}");
            refused += 1;
        }
    }
    assert_eq!((entries.len(), reproduced, refused, accepted), (92, 68, 20, 4));
}

#[test]
fn refusals_say_what_is_wrong() {
    let Some(data) = testkit::shared("data/gfl/gfl_syntax") else { return };
    let rules = |file: &str, number| -> Vec<String> {
        let (_, problems) = read_block(&data.join(file), number);
        problems.iter().map(|p| format!("{}:{} {}", p.place.line, p.place.column, p.rule)).collect()
    };
    assert_eq!(rules("anno/unbal_parens.anno", 0), ["5:8 unbalanced-parenthesis"]);
    assert_eq!(rules("anno/empty_copula.anno", 0), ["5:7 undefined-variable", "6:1 undefined-variable"]);
    assert_eq!(rules("anno/appositive.anno", 0), ["6:1 coordination-without-coordinator"]);
    assert_eq!(rules("anno/tweets/dev.0010.anno", 1), ["15:1 two-heads", "16:1 two-heads"]);
    assert_eq!(rules("anno/tweets/dev.0020.anno", 1), ["17:21 missing-space"]);
    assert_eq!(rules("cbbs/bbc1/sent.0003.anno", 0), ["16:1 two-heads"]);
    assert_eq!(rules("anno/tweets/dev.0015.anno", 1), ["12:4 unbalanced-parenthesis"]);
}
