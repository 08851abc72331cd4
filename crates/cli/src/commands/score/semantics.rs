//! Entities, relations and roles, whichever there are.

use super::labels::{row, table};
use std::collections::BTreeMap;
use treelet::options::Score;
use treelet::use_cases::score::{Counts, SemanticScores};

pub(super) fn text(scores: &SemanticScores, options: &Score) -> String {
    let tables = [entities(scores, options), relations(scores, options), roles(scores, options)];
    tables.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

fn entities(scores: &SemanticScores, options: &Score) -> Option<String> {
    let report = scores.entities.as_ref()?;
    let rows = [("all", report.all), ("without types", report.unlabelled)];
    let mut text = table("entities", &with_kinds(&rows, &report.kinds));
    text.push_str(&format!("accuracy of labels: {:.2}\n", 100.0 * report.tags.value()));
    Some(text + &per_sentence("entities of sentence", report.sentences.iter().copied(), options))
}

fn relations(scores: &SemanticScores, options: &Score) -> Option<String> {
    let report = scores.relations.as_ref()?;
    let all = report.all;
    let rows = [
        ("all", all.directed),
        ("in either direction", all.typed),
        ("pairs", all.pairs),
        ("pairs, directed", all.directed_pairs),
        ("with types of entities", all.strict),
    ];
    let mut text = table("relations", &with_kinds(&rows, &report.kinds));
    text.push_str(&format!("mean F1 of types: {:.2}\n", 100.0 * report.macro_f1()));
    if report.is_semeval() {
        let [score, accuracy] = [all.official.macro_f1(), report.exact()].map(|share| 100.0 * share);
        text.push_str(&format!(
            "official score of SemEval-2010 task 8, (9+1)-way with direction, macro-averaged F1: {score:.2}; accuracy {accuracy:.2}\n"
        ));
    }
    let counts = report.sentences.iter().map(|one| one.directed);
    Some(text + &per_sentence("relations of sentence", counts, options))
}

fn roles(scores: &SemanticScores, options: &Score) -> Option<String> {
    let report = scores.roles.as_ref()?;
    let all = report.all;
    let rows = [
        ("labelled", all.labelled()),
        ("unlabelled", all.unlabelled()),
        ("predicates", all.predicates),
        ("senses", all.senses),
        ("arguments", all.arguments),
        ("roles", all.roles),
    ];
    let text = table("semantics", &with_kinds(&rows, &report.kinds));
    let counts = report.sentences.iter().map(|one| one.labelled());
    Some(text + &per_sentence("semantics of sentence", counts, options))
}

fn with_kinds<K: AsRef<str>>(first: &[(&str, Counts)], kinds: &BTreeMap<K, Counts>) -> Vec<Vec<String>> {
    let first = first.iter().map(|(name, counts)| row(name, *counts));
    first.chain(kinds.iter().map(|(kind, counts)| row(kind.as_ref(), *counts))).collect()
}

fn per_sentence(heading: &str, counts: impl Iterator<Item = Counts>, options: &Score) -> String {
    if !options.per_sentence {
        return String::new();
    }
    let rows: Vec<Vec<String>> =
        (1..).zip(counts).map(|(number, counts): (usize, _)| row(&number.to_string(), counts)).collect();
    format!("\n{}", table(heading, &rows))
}
