//! How much of each kind of annotation there is.

use super::Record;
use serde::{Deserialize, Serialize};
use std::iter::Sum;
use std::ops::AddAssign;
use tree::GroupKind;

/// Counts of annotations of each kind, and the time they took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Densities {
    /// Sentences.
    pub n_sentences: usize,
    /// Tokens of the sentences, annotated or not.
    pub n_tokens: usize,
    /// Arrows.
    pub n_arcs: usize,
    /// Brackets.
    pub n_brackets: usize,
    /// Nodes said to be roots.
    pub n_roots: usize,
    /// Multiwords.
    pub n_multiwords: usize,
    /// Coordinations.
    pub n_coordinations: usize,
    /// Seconds, over the sentences for which they are known.
    pub seconds: f64,
    /// Tokens of those sentences.
    pub n_timed_tokens: usize,
    /// Arrows and roots of those sentences.
    pub n_timed_arcs: usize,
}

impl Densities {
    /// The counts of one sentence. Seconds that are no positive number count as unknown.
    pub fn of(record: &Record) -> Self {
        let said = &record.said;
        let count =
            |wanted: fn(&GroupKind) -> bool| said.groups.iter().filter(|group| wanted(&group.kind)).count();
        let seconds = record.seconds.filter(|seconds| seconds.is_finite() && *seconds > 0.0);
        Self {
            n_sentences: 1,
            n_tokens: said.n_words,
            n_arcs: said.arcs.len(),
            n_brackets: count(|kind| matches!(kind, GroupKind::Bracket { .. })),
            n_roots: said.roots.len(),
            n_multiwords: count(|kind| matches!(kind, GroupKind::Multiword { .. })),
            n_coordinations: count(|kind| matches!(kind, GroupKind::Coordination { .. })),
            seconds: seconds.unwrap_or(0.0),
            n_timed_tokens: seconds.map_or(0, |_| said.n_words),
            n_timed_arcs: seconds.map_or(0, |_| said.arcs.len() + said.roots.len()),
        }
    }

    /// A count per token; 0 without tokens.
    pub fn per_token(&self, count: usize) -> f64 {
        if self.n_tokens == 0 { 0.0 } else { count as f64 / self.n_tokens as f64 }
    }

    /// Tokens gone through in an hour, if times are known.
    pub fn tokens_per_hour(&self) -> Option<f64> {
        self.per_hour(self.n_timed_tokens)
    }

    /// Arrows and roots made in an hour, if times are known.
    pub fn arcs_per_hour(&self) -> Option<f64> {
        self.per_hour(self.n_timed_arcs)
    }

    fn per_hour(&self, count: usize) -> Option<f64> {
        (self.seconds > 0.0).then(|| count as f64 * 3600.0 / self.seconds)
    }
}

impl AddAssign for Densities {
    fn add_assign(&mut self, other: Self) {
        self.n_sentences += other.n_sentences;
        self.n_tokens += other.n_tokens;
        self.n_arcs += other.n_arcs;
        self.n_brackets += other.n_brackets;
        self.n_roots += other.n_roots;
        self.n_multiwords += other.n_multiwords;
        self.n_coordinations += other.n_coordinations;
        self.seconds += other.seconds;
        self.n_timed_tokens += other.n_timed_tokens;
        self.n_timed_arcs += other.n_timed_arcs;
    }
}

impl Sum for Densities {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |mut total, one| {
            total += one;
            total
        })
    }
}

/// The counts of each block of so many consecutive sentences; the last one may be shorter. Nothing for
/// blocks of 0.
pub fn over_time(records: &[&Record], block: usize) -> Vec<Densities> {
    if block == 0 {
        return Vec::new();
    }
    records.chunks(block).map(|records| records.iter().map(|record| Densities::of(record)).sum()).collect()
}
