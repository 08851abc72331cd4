//! The machine beside the annotator: heads of words that are open, under everything that she has said.

use super::Fault;
use crate::imputation::fragments::{TagChoice, fragment};
use crate::imputation::imputer::{Imputed, Imputer, Lesson};
use crate::imputation::rows::ImputedRow;
use crate::options::impute::Learning;
use crate::options::json::from_json;
use crate::watch::Watch;
use annotation::{Analysis, Attached, WordOrBlock};
use arcs::rules::RuleTable;
use chain::{Threads, Workers};
use impute::Fragment;
use impute::gpc::CompleteOptions;
use serde::Serialize;
use serde_json::Map;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tree::{Possible, Reading, Sentence};

/// Heads that are less probable are not shown among the alternatives.
const LEAST_SHOWN: f64 = 0.005;
/// So many alternatives of a head are shown.
const MOST_SHOWN: usize = 9;

/// A model that suggests heads.
pub struct Suggester {
    imputer: Imputer,
    tags: TagChoice,
    /// What there is to say about it.
    pub learned: Learned,
}

/// What a model was learned from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Learned {
    /// What it is.
    pub kind: String,
    /// Sentences in which somebody had said something.
    pub trained_on: usize,
    /// Whether its probabilities were held against heads that somebody had said.
    pub calibrated: bool,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// How long that took.
    pub seconds: f64,
}

/// What is suggested for one sentence.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Suggestions {
    /// Heads and how probable they are, best first, for each word.
    pub(crate) ranked: Vec<Vec<(usize, f64)>>,
    /// The heads of the best tree.
    pub(crate) best: Vec<usize>,
    /// How uncertain all of it is, in nats.
    pub(crate) entropy: f64,
}

impl Suggester {
    /// Learns from sentences as they are now; `None` if somebody stopped it.
    pub(crate) fn learn(
        lessons: &[(Arc<Sentence>, Analysis)],
        at: i64,
        stop: &Arc<AtomicBool>,
        watch: &dyn Watch,
    ) -> anyhow::Result<Option<Self>> {
        let begun = std::time::Instant::now();
        let learning: Learning = from_json(&Map::new())?;
        let tags = TagChoice::resolve(None, lessons.iter().map(|(sentence, _)| sentence.as_ref()));
        let fragments: Vec<Fragment> =
            lessons.iter().map(|(sentence, said)| fragment_of(sentence, said, tags)).collect();
        let rules = RuleTable::default();
        // One thread, so that the annotator's own keys are never kept waiting.
        let workers = Workers::new(Threads::from_count(1))?;
        let lesson = Lesson { learning: &learning, rules: Some(&rules), stop, workers: &workers, watch };
        let Some(imputer) = Imputer::learn(&fragments, &lesson)? else { return Ok(None) };
        let trained_on = lessons.iter().filter(|(_, said)| !said.is_empty()).count();
        let seconds = begun.elapsed().as_secs_f64();
        let calibrated = imputer.is_calibrated();
        let learned = Learned { kind: "ConvexMST".into(), trained_on, calibrated, at, seconds };
        Ok(Some(Self { imputer, tags, learned }))
    }

    /// The best tree under what was said; nothing if that contradicts itself.
    fn complete(&self, sentence: &Sentence, said: &Analysis) -> Option<Imputed> {
        let fragment = fragment_of(sentence, said, self.tags);
        let options = CompleteOptions { samples: 0, seed: 1 };
        let stop = AtomicBool::new(false);
        let watch = crate::watch::Unwatched;
        let mut imputed = self.imputer.complete(&[fragment], &options, &stop, &Workers::serial(), &watch);
        imputed.pop().filter(|imputed| imputed.satisfied)
    }

    /// The rows of what was said with heads where they are open, marked as a machine's, as `treelet impute` writes them.
    pub(crate) fn fill(&self, rows: &Sentence, said: &Analysis) -> Option<Sentence> {
        let possible = possible(said).ok()?;
        let row = ImputedRow {
            sentence: rows,
            said: &said.said(),
            possible: &possible,
            imputed: &self.complete(rows, said)?,
            conflict: None,
            machine: Some(&self.imputer.signature(None).ok()?),
            marks: true,
            entropy: false,
        };
        Some(row.completed())
    }

    /// The rest of a sentence under what was said; nothing if that contradicts itself.
    pub(crate) fn suggest(&self, sentence: &Sentence, said: &Analysis) -> Option<Suggestions> {
        let imputed = self.complete(sentence, said)?;
        let (heads, posteriors) = (&imputed.completed.heads, &imputed.completed.posteriors);
        let ranked = (1..=heads.len()).map(|word| {
            let shown =
                posteriors.ranked(word).into_iter().filter(|&(_, p)| p >= LEAST_SHOWN).take(MOST_SHOWN);
            shown.map(|(head, p)| (head, p.min(1.0))).collect()
        });
        Some(Suggestions {
            ranked: ranked.collect(),
            best: (1..=heads.len()).map(|word| heads.head(word)).collect(),
            entropy: posteriors.total_entropy(),
        })
    }
}

impl std::fmt::Debug for Suggester {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Suggester").field("learned", &self.learned).finish_non_exhaustive()
    }
}

/// A sentence as imputers see it, with tags that were said in the place of those of the file.
fn fragment_of(sentence: &Sentence, said: &Analysis, tags: TagChoice) -> Fragment {
    let possible = possible(said).unwrap_or_else(|_| Possible::everything(sentence.n_words()));
    let mut fragment = fragment(sentence, tags, possible);
    for (word, tag) in (1..).zip(&mut fragment.tags) {
        if let Some(said) = said.tag(word) {
            *tag = said.clone();
        }
    }
    fragment
}

/// What an analysis leaves open, or what in it contradicts what.
pub(crate) fn possible(said: &Analysis) -> Result<Possible, Fault> {
    let mut tree = said.said();
    // A relation says of an open head whether it is the root.
    for word in 1..=said.tokens().len() as u32 {
        let node = tree::Node::Word(word as usize);
        match (said.head(WordOrBlock::Word(word)), said.relation(WordOrBlock::Word(word))) {
            (None, Some(relation)) if tree::sentence::is_root_relation(relation) => {
                tree.roots.push((node, tree::Place::default()));
            }
            (None, Some(_)) => tree.dependents.push((node, tree::Place::default())),
            (Some(Attached::Root | Attached::To(_)) | None, _) => {}
        }
    }
    Possible::new(&tree, &Reading::default()).map_err(|conflict| Fault::Wrong(conflict.to_string()))
}
