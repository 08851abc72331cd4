//! DEP-TREE and PROJ-TREE: which arcs form a dependency tree.

use std::ops::ControlFlow;

use arcs::{ArcForest, ArcScores, Projective, Roots, Spanning};
use forest::Forest;
use forest::semiring::Viterbi;

use super::{Structured, by_each};
use crate::{is_absent, is_required};

/// Arcs that form a tree: every word has one head, and all hang together below the root.
#[derive(Debug, Clone)]
pub struct Trees {
    n_words: usize,
    /// Head (0 for the root) and dependent of each literal.
    arcs: Vec<(u32, u32)>,
    roots: Roots,
    projective: bool,
}

impl Trees {
    /// Trees that may have crossing arcs, by the matrix–tree theorem; O(n³). Marginals are right to some 15 places after
    /// the point, not to so many digits: what is less probable than that may come out as nothing.
    pub fn spanning(n_words: usize, arcs: Vec<(u32, u32)>, roots: Roots) -> Trees {
        Trees { n_words, arcs, roots, projective: false }
    }

    /// Trees without crossing arcs, by Eisner's chart; O(n³).
    pub fn projective(n_words: usize, arcs: Vec<(u32, u32)>, roots: Roots) -> Trees {
        Trees { n_words, arcs, roots, projective: true }
    }

    /// All arcs of a sentence, by dependent, then by head.
    pub fn all_arcs(n_words: usize) -> Vec<(u32, u32)> {
        let n = n_words as u32;
        (1..=n)
            .flat_map(|word| (0..=n).filter(move |&head| head != word).map(move |head| (head, word)))
            .collect()
    }

    /// Scores of the arcs; `None` if two must be that cannot, or a word has no head.
    fn scores(&self, log_odds: &[f64]) -> Option<ArcScores> {
        let mut scores = ArcScores::new(self.n_words);
        let mut needed = vec![0u32; self.n_words + 1];
        for (&(head, word), &odds) in self.arcs.iter().zip(log_odds) {
            if is_required(odds) {
                if std::mem::replace(&mut needed[word as usize], head + 1) != 0 {
                    return None;
                }
            } else if !is_absent(odds) {
                scores.set(head as usize, word as usize, odds);
            }
        }
        for (word, &needed) in needed.iter().enumerate().skip(1) {
            if needed != 0 {
                scores.row_mut(word).fill(f64::NEG_INFINITY);
                scores.set(needed as usize - 1, word, 0.0);
            }
            if scores.is_left_out(word) {
                return None;
            }
        }
        Some(scores)
    }
}

impl Structured for Trees {
    fn name(&self) -> &'static str {
        if self.projective { "PROJ-TREE" } else { "DEP-TREE" }
    }

    fn n_literals(&self) -> usize {
        self.arcs.len()
    }

    fn marginals(&self, log_odds: &[f64], p: &mut [f64], ln_complement: &mut [f64]) -> f64 {
        let Some(scores) = self.scores(log_odds) else { return f64::NEG_INFINITY };
        let found = match self.projective {
            true => Projective::default().marginals(&scores, self.roots),
            false => Spanning::default().marginals(&scores, self.roots),
        };
        let Some((ln_total, marginals)) = found else { return f64::NEG_INFINITY };
        let others: Vec<Vec<f64>> =
            (0..=self.n_words).map(|word| without_each(marginals.row(word))).collect();
        for (place, &(head, word)) in self.arcs.iter().enumerate() {
            p[place] = marginals.of(head as usize, word as usize);
            ln_complement[place] = libm::log(others[word as usize][head as usize]);
        }
        ln_total
    }

    fn rounding(&self) -> f64 {
        if self.projective { 0.0 } else { 1e-11 }
    }

    fn best(&self, values: &[f64]) -> Vec<bool> {
        let mut scores = ArcScores::new(self.n_words);
        for (&(head, word), &value) in self.arcs.iter().zip(values) {
            scores.set(head as usize, word as usize, value);
        }
        if (1..=self.n_words).any(|word| scores.is_left_out(word)) {
            return Vec::new();
        }
        self.best_tree(&scores).unwrap_or_default()
    }

    fn most_probable(&self, log_odds: &[f64]) -> Option<Vec<bool>> {
        self.best_tree(&self.scores(log_odds)?)
    }

    fn max_marginals(&self, log_odds: &[f64], with: &mut [f64], without: &mut [f64]) -> f64 {
        let Some(scores) = self.scores(log_odds) else { return f64::NEG_INFINITY };
        if !self.projective || !is_narrow(&scores) {
            return by_each(self, log_odds, with, without);
        }
        let Some((total, best)) = best_with_arcs(&scores, self.roots) else { return f64::NEG_INFINITY };
        let width = self.n_words + 1;
        let others: Vec<Vec<f64>> = best.chunks_exact(width).map(largest_but_each).collect();
        for (place, &(head, word)) in self.arcs.iter().enumerate() {
            with[place] = best[word as usize * width + head as usize];
            without[place] = others[word as usize][head as usize];
        }
        total
    }
}

impl Trees {
    fn best_tree(&self, scores: &ArcScores) -> Option<Vec<bool>> {
        let heads = match self.projective {
            true => Projective::default().best(scores, self.roots),
            false => Spanning::default().best(scores, self.roots),
        }?;
        Some(self.arcs.iter().map(|&(head, word)| heads.head(word as usize) == head as usize).collect())
    }
}

/// Whether scores of each word's heads are so near one another that [`ArcForest`] cuts none of them off.
fn is_narrow(scores: &ArcScores) -> bool {
    (1..=scores.n_words()).all(|word| {
        let present = || scores.row(word).iter().filter(|score| **score > f64::NEG_INFINITY);
        let most = present().copied().fold(f64::NEG_INFINITY, f64::max);
        present().all(|score| most - score < 600.0)
    })
}

/// The score of the best projective tree, and of the best one with each arc, by dependent, then by head.
fn best_with_arcs(scores: &ArcScores, roots: Roots) -> Option<(f64, Vec<f64>)> {
    let width = scores.n_words() + 1;
    let mut with = vec![f64::NEG_INFINITY; width * width];
    let total = scores.of_tree(&Projective::default().best(scores, roots)?);
    let forest = ArcForest::new(scores, roots)?;
    let inside = forest::inside::<Viterbi>(&forest);
    let outside = forest::outside(&forest, &inside);
    // The best tree weighs 1 in the forest.
    for item in forest.items() {
        let sum = inside[item.index()].0 + outside[item.index()].0;
        _ = forest.bundles_into(item, |bundle| {
            if bundle.rule != ArcForest::NO_ARC {
                let (head, word) = (bundle.rule as usize / width, bundle.rule as usize % width);
                with[word * width + head] = total + sum;
            }
            ControlFlow::Continue(())
        });
    }
    Some((total, with))
}

/// The largest of all but one, for each.
pub(super) fn largest_but_each(values: &[f64]) -> Vec<f64> {
    let mut others = vec![f64::NEG_INFINITY; values.len()];
    let mut before = f64::NEG_INFINITY;
    for (other, value) in others.iter_mut().zip(values) {
        *other = before;
        before = before.max(*value);
    }
    let mut after = f64::NEG_INFINITY;
    for (other, value) in others.iter_mut().zip(values).rev() {
        *other = other.max(after);
        after = after.max(*value);
    }
    others
}

/// The sum of all but one, for each, from sums before and after it: nothing cancels.
pub(super) fn without_each(values: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; values.len()];
    let mut before = 0.0;
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum = before;
        before += value;
    }
    let mut after = 0.0;
    for (sum, value) in sums.iter_mut().zip(values).rev() {
        *sum += after;
        after += value;
    }
    sums
}
