//! What each annotator did.

use super::as_map;
use super::people::People;
use crate::committed::Commitments;
use ::score::Counts;
use serde::Serialize;
use study::statistics::{AnnotationReport, Options, by_annotator};

/// What an annotator did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Annotator {
    /// The name.
    #[serde(rename = "annotator")]
    pub name: String,
    /// Sentences.
    pub sentences: usize,
    /// Words of the sentences, annotated or not.
    pub tokens: usize,
    /// Mean commitment: 0 if every tree is allowed, 1 if a single one is.
    #[serde(rename = "com")]
    pub commitment: Option<f64>,
    /// The same by the words that are named.
    #[serde(rename = "com_named")]
    pub named_commitment: Option<f64>,
    /// Mean logarithm of the number of trees that are allowed.
    #[serde(rename = "ln_promiscuity")]
    pub ln_trees: Option<f64>,
    /// Arcs.
    pub arcs: usize,
    /// Brackets.
    pub brackets: usize,
    /// Words that are said to be roots.
    pub roots: usize,
    /// Multiwords.
    pub multiwords: usize,
    /// Coordinations.
    pub coordinations: usize,
    /// Arcs and roots made in an hour, if times are known.
    pub arcs_per_hour: Option<f64>,
    /// How many words have a certain head, by tag.
    #[serde(serialize_with = "as_map")]
    pub completion: Vec<(String, Completion)>,
    /// What heads constructions of a content word and a function word.
    #[serde(serialize_with = "as_map")]
    pub constructions: Vec<(String, HeadedBy)>,
    /// How right the certain heads are, where there is gold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gold: Option<AgainstGold>,
}

/// Words of a tag, and how many of them have a certain head.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Completion {
    /// Words with a certain head.
    pub with_head: usize,
    /// All words.
    pub words: usize,
}

impl Completion {
    /// The share with a head; `None` if there are no words.
    pub fn share(self) -> Option<f64> {
        (self.words > 0).then(|| self.with_head as f64 / self.words as f64)
    }
}

/// Pairs of a content word and a function word of which one depends on the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct HeadedBy {
    /// Pairs headed by the content word.
    pub by_content: usize,
    /// Pairs headed by the function word.
    pub by_function: usize,
}

impl HeadedBy {
    /// The share of pairs headed by the content word; `None` if there are no pairs.
    pub fn content_share(self) -> Option<f64> {
        let total = self.by_content + self.by_function;
        (total > 0).then(|| self.by_content as f64 / total as f64)
    }
}

/// Certain heads compared with gold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AgainstGold {
    /// Heads that are right.
    pub correct: usize,
    /// Heads that were given.
    pub given: usize,
    /// Heads of gold.
    pub gold: usize,
    /// The share of the given that are right.
    pub precision: f64,
    /// The share of gold that was given.
    pub recall: f64,
}

impl From<Counts> for AgainstGold {
    fn from(arcs: Counts) -> Self {
        let (precision, recall) = (arcs.precision(), arcs.recall());
        Self { correct: arcs.matched, given: arcs.system, gold: arcs.gold, precision, recall }
    }
}

/// All annotators, in the order of their first annotations.
pub(super) fn all(people: &People<'_>, has_gold: bool) -> Vec<Annotator> {
    let reports = by_annotator(&people.records(), &Options::default());
    let numbered = reports.iter().enumerate();
    numbered
        .map(|(who, (name, report))| Annotator::new(name, report, &commitments_of(people, who), has_gold))
        .collect()
}

impl Annotator {
    fn new(name: &str, report: &AnnotationReport, committed: &Commitments, has_gold: bool) -> Self {
        let counts = &report.densities;
        let completion = report.completion.iter().map(|(tag, counts)| {
            (tag.to_string(), Completion { with_head: counts.correct, words: counts.total })
        });
        let constructions = report.constructions.iter().map(|(one, counts)| {
            let headed = HeadedBy { by_content: counts.by_content, by_function: counts.by_function };
            (one.name.to_string(), headed)
        });
        Self {
            name: name.to_string(),
            sentences: counts.n_sentences,
            tokens: counts.n_tokens,
            commitment: committed.mean(|one| one.exact),
            named_commitment: committed.mean(|one| one.named),
            ln_trees: committed.mean(|one| one.ln_trees),
            arcs: counts.n_arcs,
            brackets: counts.n_brackets,
            roots: counts.n_roots,
            multiwords: counts.n_multiwords,
            coordinations: counts.n_coordinations,
            arcs_per_hour: counts.arcs_per_hour(),
            completion: completion.collect(),
            constructions: constructions.collect(),
            gold: has_gold.then(|| report.against_gold.into()),
        }
    }

    /// A count per word; 0 without words.
    pub fn per_token(&self, count: usize) -> f64 {
        if self.tokens == 0 { 0.0 } else { count as f64 / self.tokens as f64 }
    }
}

fn commitments_of(people: &People<'_>, who: usize) -> Commitments {
    let mut commitments = Commitments::default();
    people.said_by(who).for_each(|said| commitments.add(said));
    commitments
}
