//! Projective trees.

use tree::Heads;

use super::chart::{Chart, MaxPlus, Outside, SumProduct};
use super::kept::Kept;
use super::{ArcScores, Marginals, Roots, forest};

/// Memory for questions about projective trees, used again from sentence to sentence.
#[derive(Debug, Clone, Default)]
pub struct Projective {
    kept: Kept,
    best: Chart<MaxPlus>,
    inside: Chart<SumProduct>,
    outside: Outside,
    weights: Vec<f64>,
}

/// Projective trees of n words number less than 6.75ⁿ; dividing every weight by it keeps all sums below 1.
const GROWTH: f64 = 6.75;

/// A total below this may have lost something to underflow.
const SMALLEST: f64 = 1e-270;

impl Projective {
    /// As [`best_projective`](super::best_projective). After Eisner (1996).
    pub fn best(&mut self, scores: &ArcScores, roots: Roots) -> Option<Heads> {
        self.kept.fill(scores);
        if self.kept.len() == 0 {
            return self.kept.tree(&[0]);
        }
        let kept = &self.kept;
        let best = self.best.fill(kept.width(), roots, |head, dependent| kept.score(head, dependent));
        if best == f64::NEG_INFINITY {
            return None;
        }
        self.kept.tree(&self.best.best(roots))
    }

    /// As [`projective_marginals`](super::projective_marginals).
    ///
    /// Sums are of plain numbers: each word's scores are taken relative to its largest, and a tree has one arc
    /// into every word. Where that does not suffice, since no tree is near the best head of every word, the
    /// same is asked of the general engine with an exponent for each sum, which is much slower. There, scores that
    /// differ by more than 700 from those of the best tree's arcs are cut off.
    pub fn marginals(&mut self, scores: &ArcScores, roots: Roots) -> Option<(f64, Marginals)> {
        self.kept.fill(scores);
        if self.kept.len() == 0 {
            return Some((0.0, self.kept.marginals(|_, _| 0.0)));
        }
        match self.scaled(roots) {
            Some(found) => Some(found),
            None => forest::wide_marginals(self, scores, roots),
        }
    }

    /// `None` if there is no tree, or floats do not reach that far.
    fn scaled(&mut self, roots: Roots) -> Option<(f64, Marginals)> {
        let Projective { kept, inside, outside, weights, .. } = self;
        let (width, largest) = (kept.width(), kept.largest());
        weights.clear();
        for (dependent, largest) in largest.iter().enumerate() {
            let relative = kept.row(dependent).iter().map(|score| score - largest);
            weights.extend(relative.map(|score| libm::exp(score) / GROWTH));
        }
        let weight = |head: usize, dependent: usize| weights[dependent * width + head];
        let total = inside.fill(width, roots, weight);
        if !(total.is_finite() && total > SMALLEST) {
            return None;
        }
        outside.fill(inside, roots, weight);
        let marginals = kept.marginals(|head, dependent| {
            let (by_start, by_end) = (head * width + dependent, head * width + dependent);
            if head < dependent {
                inside.arc_right[by_start] * outside.arc_right[by_start] / total
            } else {
                inside.arc_left_by_end[by_end] * outside.arc_left_by_end[by_end] / total
            }
        });
        let scale = largest.iter().sum::<f64>() + kept.len() as f64 * libm::log(GROWTH);
        Some((libm::log(total) + scale, marginals))
    }
}
