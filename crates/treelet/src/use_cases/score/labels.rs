//! Labelled words: entities as `conlleval` counts them, and accuracy.

use super::{Loaded, Scored};
use crate::options;
use crate::table;
use ::score::Counts;
use ::score::entities::Report;
use anyhow::bail;
use formats::bio::Labelled;
use formats::everything::Item;
use serde_json::{Map, Value, json};

pub(super) fn score(gold: &Loaded, system: &Loaded, options: &options::Score) -> anyhow::Result<Scored> {
    let (gold_sentences, system_sentences) = (sentences(gold), sentences(system));
    if gold_sentences.len() != system_sentences.len() {
        bail!(
            "{} sentences, but {} has {}; give one for each gold sentence",
            system_sentences.len(),
            gold.name,
            gold_sentences.len()
        );
    }
    let mut report = Report::default();
    for (number, (gold, system)) in (1..).zip(gold_sentences.iter().zip(&system_sentences)) {
        if gold.rows.len() != system.rows.len() {
            bail!(
                "sentence {number} has {} words, but {} in gold; tokenise alike",
                system.rows.len(),
                gold.rows.len()
            );
        }
        let labels =
            |sentence: &Labelled| sentence.rows.iter().map(|row| row.label().to_string()).collect::<Vec<_>>();
        report.add(&labels(gold), &labels(system));
    }
    let mut json = Map::from_iter([
        ("all".to_string(), figures(report.all)),
        ("accuracy".to_string(), json!(100.0 * report.tags.value())),
    ]);
    let kinds = report.kinds.iter().map(|(kind, counts)| (kind.to_string(), figures(*counts)));
    json.insert("per_label".into(), Value::Object(kinds.collect()));
    Ok(Scored {
        headline: vec![
            ("precision", Some(100.0 * report.all.precision())),
            ("recall", Some(100.0 * report.all.recall())),
            ("F1", Some(100.0 * report.all.f1())),
            ("accuracy", Some(100.0 * report.tags.value())),
        ],
        json,
        text: text(&report, options),
        by_sentence: ("F1", report.sentences),
    })
}

fn sentences(loaded: &Loaded) -> Vec<&Labelled> {
    let labelled = loaded.items.iter().filter_map(|item| match item {
        Item::Labelled(labelled) => Some(labelled),
        _ => None,
    });
    labelled.collect()
}

fn figures(counts: Counts) -> Value {
    json!({
        "precision": 100.0 * counts.precision(), "recall": 100.0 * counts.recall(), "f1": 100.0 * counts.f1(),
        "correct": counts.matched, "gold": counts.gold, "system": counts.system,
    })
}

fn text(report: &Report, options: &options::Score) -> String {
    let row = |name: &str, counts: Counts| {
        let shares =
            [counts.precision(), counts.recall(), counts.f1()].map(|share| format!("{:.2}", 100.0 * share));
        let numbers = [counts.gold, counts.system, counts.matched].map(|n| n.to_string());
        [name.to_string()].into_iter().chain(numbers).chain(shares).collect::<Vec<String>>()
    };
    let mut rows = vec![row("all", report.all)];
    rows.extend(report.kinds.iter().map(|(kind, counts)| row(kind, *counts)));
    let mut text =
        table::render(&["entities", "gold", "system", "correct", "precision", "recall", "F1"], &rows);
    text.push_str(&format!("accuracy of labels: {:.2}\n", 100.0 * report.tags.value()));
    if options.per_sentence {
        let rows: Vec<_> = report
            .sentences
            .iter()
            .enumerate()
            .map(|(i, counts)| row(&(i + 1).to_string(), *counts))
            .collect();
        text.push_str(&format!(
            "\n{}",
            table::render(&["sentence", "gold", "system", "correct", "precision", "recall", "F1"], &rows)
        ));
    }
    text
}
