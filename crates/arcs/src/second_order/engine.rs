//! Questions about second-order trees.

use tree::Heads;
use tree::PutInOrder;

use super::chart::RowChart;
use super::live::Live;
use super::outside::Outside;
use super::tables::{Reference, Tables};
use super::{PartMarginals, Parts, Scores, best, forest};
use crate::Roots;
use crate::algebra::{LogSum, MaxPlus, SumProduct};

/// Memory for questions about second-order trees, used again from sentence to sentence.
#[derive(Debug, Clone, Default)]
pub struct SecondOrder {
    live: Live,
    scores: Tables,
    weights: Tables,
    reference: Reference,
    heads: Vec<usize>,
    best: RowChart<MaxPlus>,
    inside: RowChart<SumProduct>,
    outside: Outside<SumProduct>,
}

/// Projective trees of n words number less than 6.75ⁿ, and none weighs more than 1. With every arc divided by the root
/// of that, e^this, the sum lies as far below the largest float as above the smallest.
const GROWTH: f64 = 0.954_771;

/// Relative to the largest scores, a sum whose logarithm is below this, with [`GROWTH`] added for each word, may have
/// lost something to underflow.
const SMALLEST: f64 = -600.0;

/// In sentences with more positions than this it is not even tried.
const SHORT: usize = 150;

impl SecondOrder {
    /// The best tree and its score; `None` if there is no tree, or not one score for each part. Of equally good trees
    /// it is always the same one.
    pub fn best(&mut self, parts: &Parts, scores: &Scores, roots: Roots) -> Option<(f64, Heads)> {
        self.prepare(parts, scores)?;
        let best = self.search(roots)?;
        Some((best, tree(parts, &self.heads)?))
    }

    /// ln Σ exp(score) over all trees, with the probability of every part in `out`; `None` if there is no tree, or
    /// not one score for each part.
    ///
    /// Sums are of plain numbers. Scores are taken relative to the largest ones of each dependent; if no tree is near
    /// these or the sentence is long, to those of the best tree; and if that does not suffice either, since something
    /// incomplete weighs more than floats can hold, everything is done as by
    /// [`log_marginals`](Self::log_marginals).
    pub fn marginals(
        &mut self,
        parts: &Parts,
        scores: &Scores,
        roots: Roots,
        out: &mut PartMarginals,
    ) -> Option<f64> {
        self.prepare(parts, scores)?;
        if self.live.width <= SHORT
            && let Some(ln_total) = self.relative_to_largest(parts, roots, out)
        {
            return Some(ln_total);
        }
        self.search(roots)?;
        let ln_total = self.scaled(parts, roots, f64::NEG_INFINITY, out);
        ln_total.or_else(|| Some(in_logarithms(&self.live, &self.scores, parts, roots, out)))
    }

    fn relative_to_largest(&mut self, parts: &Parts, roots: Roots, out: &mut PartMarginals) -> Option<f64> {
        self.reference.take_largest(&self.live, &self.scores);
        let smallest = SMALLEST + GROWTH * self.live.width as f64;
        self.scaled(parts, roots, smallest, out)
    }

    /// Sums relative to the reference; `None` if there is no tree, if floats do not reach that far, or if the logarithm
    /// of the relative sum is not above `smallest`.
    fn scaled(&mut self, parts: &Parts, roots: Roots, smallest: f64, out: &mut PartMarginals) -> Option<f64> {
        let SecondOrder { live, scores, weights, reference, inside, outside, .. } = self;
        if !weights.exponentiate(live, scores, reference, GROWTH) {
            return None;
        }
        let total = inside.fill(live, weights, roots);
        let ln_total = libm::log(total);
        if !(ln_total.is_finite() && ln_total > smallest) {
            return None;
        }
        outside.fill(live, weights, inside, total, roots);
        let scale = reference.total() + GROWTH * (live.width - 1) as f64;
        outside.marginals(live, parts, out).then_some(ln_total + scale)
    }

    /// The same by sums of logarithms, which no scores are too large for; five to ten times slower.
    pub fn log_marginals(
        &mut self,
        parts: &Parts,
        scores: &Scores,
        roots: Roots,
        out: &mut PartMarginals,
    ) -> Option<f64> {
        self.prepare(parts, scores)?;
        self.search(roots)?;
        Some(in_logarithms(&self.live, &self.scores, parts, roots, out))
    }

    /// The same by the general engine `forest` over the same trees: what the chart is tested and timed against.
    ///
    /// Scores that differ from those of the best tree's parts by more than 700 count as if they differed by 700.
    pub fn forest_marginals(
        &mut self,
        parts: &Parts,
        scores: &Scores,
        roots: Roots,
        out: &mut PartMarginals,
    ) -> Option<f64> {
        self.prepare(parts, scores)?;
        self.search(roots)?;
        let SecondOrder { live, scores, reference, .. } = self;
        let ln_total = forest::marginals((live, scores, reference), parts, roots, out);
        Some(ln_total + reference.total())
    }

    /// The `k` best trees and their scores, best first; fewer if there are fewer.
    ///
    /// Trees that differ by less than rounding may stand in either order, always the same one. Scores of parts that
    /// differ from those of the best tree's by more than 700 count as if they differed by 700 when it is decided
    /// which trees come first.
    pub fn k_best(&mut self, parts: &Parts, scores: &Scores, roots: Roots, k: usize) -> Vec<(f64, Heads)> {
        if self.prepare(parts, scores).and_then(|()| self.search(roots)).is_none() {
            return Vec::new();
        }
        let found = forest::k_best(&self.live, &self.scores, &self.reference, roots, k);
        let trees = found.iter().filter_map(|heads| tree(parts, heads));
        let mut trees: Vec<(f64, Heads)> =
            trees.map(|heads| (scores.of_tree(parts, &heads), heads)).collect();
        trees.order_by(|a, b| b.0.total_cmp(&a.0));
        trees
    }

    /// Takes over a sentence; `None` if a word has no arc, or not every part a score.
    fn prepare(&mut self, parts: &Parts, scores: &Scores) -> Option<()> {
        if !scores.fit(parts) {
            return None;
        }
        self.live.fill(parts, scores)?;
        self.scores.take_scores(&self.live, parts, scores);
        Some(())
    }

    /// Finds the best tree's score, its heads, and the scores of its parts as a reference.
    fn search(&mut self, roots: Roots) -> Option<f64> {
        let best = self.best.fill(&self.live, &self.scores, roots);
        if best == f64::NEG_INFINITY {
            return None;
        }
        best::unfold(&self.live, &self.scores, &self.best, &mut self.heads, &mut self.reference);
        Some(best)
    }
}

fn in_logarithms(live: &Live, scores: &Tables, parts: &Parts, roots: Roots, out: &mut PartMarginals) -> f64 {
    let mut inside = RowChart::<LogSum>::default();
    let total = inside.fill(live, scores, roots);
    let mut outside = Outside::<LogSum>::default();
    outside.fill(live, scores, &inside, total, roots);
    outside.marginals(live, parts, out);
    total
}

/// The tree with these heads, by position.
fn tree(parts: &Parts, heads: &[usize]) -> Option<Heads> {
    let mut all = vec![0; parts.n_words()];
    for position in 1..parts.width() {
        all[parts.word(position) - 1] = parts.word(heads[position]) as u32;
    }
    Heads::new(all).ok()
}
