//! The part of a grammar that a sentence can use, close together.

use super::{Emission, Laid};
use forest::scale::Lost;

/// Rules over nonterminals and those preterminals that occur; labels are numbered anew, nonterminals first.
#[derive(Debug, Clone, Default)]
pub(super) struct Local {
    /// The number of nonterminals.
    pub(super) k: usize,
    /// What the labels are in the grammar.
    pub(super) labels: Vec<usize>,
    /// Weights by parent, left and right child.
    pub(super) rules: Vec<f64>,
    /// What the root takes.
    pub(super) root: Vec<f64>,
}

impl Local {
    /// The number of labels.
    pub(super) fn m(&self) -> usize {
        self.labels.len()
    }

    /// The rules of a parent and a left child.
    #[inline]
    pub(super) fn row(&self, parent: usize, left: usize) -> std::ops::Range<usize> {
        let start = (parent * self.m() + left) * self.m();
        start..start + self.m()
    }

    /// Copies what is needed; `None` if a weight is too large for plain numbers.
    pub(super) fn fill(&mut self, laid: &Laid<'_>, lost: &mut Lost) -> Option<()> {
        let shape = laid.shape;
        self.k = shape.n_nonterminals();
        self.labels.clear();
        self.labels.extend(laid.words.iter().flat_map(|&word| shape.preterminals_of(word)));
        self.labels.sort_unstable();
        self.labels.dedup();
        self.labels.splice(0..0, 0..self.k);
        self.root.clear();
        self.root.extend(self.labels.iter().map(|&label| laid.weights[shape.root(label)]));
        self.rules.clear();
        for parent in 0..self.k {
            for &left in &self.labels {
                let row = &laid.weights[shape.rule(parent, left, 0)..];
                self.rules.extend(self.labels.iter().map(|&right| row[right]));
            }
        }
        for weight in self.rules.iter_mut().chain(&mut self.root) {
            *weight = lost.weight(*weight)?;
        }
        Some(())
    }

    /// Whether the weights of what the sentence can use sum to no more than 1, so that no sum over trees does.
    pub(super) fn is_proper(&self, laid: &Laid<'_>) -> bool {
        let proper = |sum: f64| sum <= 1.0 + 1e-6;
        let mut words = laid.words.to_vec();
        words.sort_unstable();
        words.dedup();
        let emissions = |label: &usize| match laid.shape.emission() {
            Emission::Free { .. } => words.iter().map(|&word| laid.emission(*label, word)).sum(),
            Emission::Tags(_) => 1.0,
        };
        let m = self.m();
        proper(self.root.iter().sum())
            && self.rules.chunks(m * m).all(|row| proper(row.iter().sum()))
            && self.labels[self.k..].iter().map(emissions).all(proper)
    }

    /// Adds counts of local rules to those of the grammar.
    pub(super) fn add_rules(&self, laid: &Laid<'_>, local: &[f64], share: f64, counts: &mut [f64]) {
        for parent in 0..self.k {
            for (left, &label) in self.labels.iter().enumerate() {
                let row = &local[self.row(parent, left)];
                let start = laid.shape.rule(parent, label, 0);
                self.labels
                    .iter()
                    .zip(row)
                    .for_each(|(&right, count)| counts[start + right] += share * count);
            }
        }
    }
}
