//! Annotators like a real one.

use super::{OmissionModel, Rates};
use crate::Error;
use crate::error::in_range;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tree::{Heads, Text};

/// A sentence as a real annotator left it.
#[derive(Clone, Copy, Debug)]
pub struct Observed<'a> {
    /// Tags in word order.
    pub tags: &'a [Text],
    /// The heads the annotator gave, right or wrong.
    pub heads: &'a [Option<usize>],
    /// The gold tree, which tells the depths of words.
    pub gold: Option<&'a Heads>,
}

/// How often heads were left open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Words without a head.
    pub open: usize,
    /// All words.
    pub total: usize,
}

impl Tally {
    /// (open + λ) / (total + 2λ), the rate of removal with Laplace smoothing λ; ½ if nothing is known.
    pub fn rate(self, smoothing: f64) -> f64 {
        let total = self.total as f64 + 2.0 * smoothing;
        if total > 0.0 { (self.open as f64 + smoothing) / total } else { 0.5 }
    }

    fn add(&mut self, open: bool) {
        self.open += usize::from(open);
        self.total += 1;
    }
}

/// What a real annotator leaves open, by tag and by depth.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fitted {
    /// Over all words.
    pub overall: Tally,
    /// By the tag of the word.
    pub by_tag: BTreeMap<Text, Tally>,
    /// By the depth of the word in the gold tree, from depth 1; empty without gold trees.
    pub by_depth: Vec<Tally>,
    /// Smoothing λ of all rates.
    pub smoothing: f64,
}

/// Counts what an annotator leaves open. `smoothing` is added to both outcomes of every rate; 1 is usual.
pub fn fit(observed: &[Observed], smoothing: f64) -> Result<Fitted, Error> {
    in_range("the smoothing", smoothing, "0 or more", smoothing >= 0.0 && smoothing.is_finite())?;
    let mut fitted = Fitted { smoothing, ..Fitted::default() };
    observed.iter().try_for_each(|sentence| fitted.add(sentence))?;
    match fitted.overall.total {
        0 => Err(Error::Nothing { what: "annotated words" }),
        _ => Ok(fitted),
    }
}

impl Fitted {
    fn add(&mut self, sentence: &Observed) -> Result<(), Error> {
        let n_words = sentence.heads.len();
        let n_gold = sentence.gold.map_or(n_words, Heads::len);
        for (what, found) in [("the list of tags", sentence.tags.len()), ("the gold tree", n_gold)] {
            if found != n_words {
                return Err(Error::Length { what, found, n_words });
            }
        }
        for (tag, head) in sentence.tags.iter().zip(sentence.heads) {
            self.overall.add(head.is_none());
            self.by_tag.entry(tag.clone()).or_default().add(head.is_none());
        }
        let depths = sentence.gold.map(Heads::depths).unwrap_or_default();
        for (&depth, head) in depths.iter().skip(1).zip(sentence.heads) {
            if self.by_depth.len() < depth {
                self.by_depth.resize(depth, Tally::default());
            }
            self.by_depth[depth - 1].add(head.is_none());
        }
        Ok(())
    }

    /// An annotator with the same overall rate.
    pub fn random(&self) -> OmissionModel {
        OmissionModel::Random { rate: self.overall.rate(self.smoothing) }
    }

    /// An annotator with the same rate for each tag; tags that were never seen have the overall rate.
    pub fn per_tag(&self) -> OmissionModel {
        let rate = |(tag, tally): (&Text, &Tally)| (tag.clone(), tally.rate(self.smoothing));
        let by_tag = self.by_tag.iter().map(rate).collect();
        OmissionModel::PerTag { rates: Rates { by_tag, other: self.overall.rate(self.smoothing) } }
    }

    /// An annotator with the same rate for each depth, if there were gold trees.
    pub fn per_depth(&self) -> Option<OmissionModel> {
        let rates: Vec<f64> = self.by_depth.iter().map(|tally| tally.rate(self.smoothing)).collect();
        (!rates.is_empty()).then_some(OmissionModel::PerDepth { rates })
    }
}
