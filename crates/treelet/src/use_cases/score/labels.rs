//! Labelled words: entities as `conlleval` counts them, and accuracy.

use super::{BySentence, Loaded, Report, Scored};
use ::score::Counts;
use ::score::entities;
use anyhow::bail;
use formats::bio::Labelled;
use formats::everything::Item;
use serde_json::{Map, Value, json};

/// How labelled words compare.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelScores {
    /// All entities.
    pub all: Counts,
    /// All entities, whatever their types.
    pub unlabelled: Counts,
    /// Entities by their types.
    pub kinds: Vec<(String, Counts)>,
    /// Entities by sentence.
    pub sentences: Vec<Counts>,
    /// The share of words with the right label, in percent.
    pub accuracy: f64,
}

pub(super) fn score(gold: &Loaded, system: &Loaded) -> anyhow::Result<Scored> {
    let (gold_sentences, system_sentences) = (sentences(gold), sentences(system));
    if gold_sentences.len() != system_sentences.len() {
        bail!(
            "{} sentences, but {} has {}; give one for each gold sentence",
            system_sentences.len(),
            gold.name,
            gold_sentences.len()
        );
    }
    let mut report = entities::EntityReport::default();
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
    let entities = super::semantics::entity_figures(&report);
    Ok(scored(
        system,
        entities,
        LabelScores {
            all: report.all,
            unlabelled: report.unlabelled,
            kinds: report.kinds.iter().map(|(kind, counts)| (kind.to_string(), *counts)).collect(),
            sentences: report.sentences,
            accuracy: 100.0 * report.tags.value(),
        },
    ))
}

fn scored(system: &Loaded, entities: Value, scores: LabelScores) -> Scored {
    let kinds = scores.kinds.iter().map(|(kind, counts)| (kind.clone(), figures(*counts)));
    let all = scores.all;
    Scored {
        name: system.path.clone(),
        headline: vec![
            ("precision", Some(100.0 * all.precision())),
            ("recall", Some(100.0 * all.recall())),
            ("F1", Some(100.0 * all.f1())),
            ("accuracy", Some(scores.accuracy)),
        ],
        figures: Map::from_iter([
            ("entities".to_string(), entities),
            ("all".to_string(), figures(all)),
            ("accuracy".to_string(), json!(scores.accuracy)),
            ("per_label".to_string(), Value::Object(kinds.collect())),
        ]),
        by_sentence: BySentence { figure: "F1", counts: scores.sentences.clone() },
        semantics: None,
        report: Report::Labels(scores.into()),
    }
}

fn sentences(loaded: &Loaded) -> Vec<&Labelled> {
    let labelled = loaded.items.iter().filter_map(|item| match item {
        Item::Labelled(labelled) if !labelled.is_boundary() => Some(labelled),
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
