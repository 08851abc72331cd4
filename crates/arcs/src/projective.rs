//! Projective trees.

use tree::Heads;

use super::algebra::{MaxPlus, SumProduct};
use super::chart::{Outside, SpanChart};
use super::kept::Kept;
use super::{ArcScores, Marginals, Roots, forest};

/// Memory for questions about projective trees, used again from sentence to sentence.
///
/// ```
/// use arcs::{ArcScores, Projective, Roots};
///
/// let mut charts = Projective::default();
/// let (ln_total, marginals) = charts.marginals(&ArcScores::zero(3), Roots::One).unwrap();
/// assert!((ln_total - 7f64.ln()).abs() < 1e-12); // Three words have seven projective trees.
/// assert!((marginals.of(0, 2) - 1.0 / 7.0).abs() < 1e-12); // One of them has word 2 at the root.
/// assert_eq!(charts.best(&ArcScores::zero(1), Roots::One).unwrap().as_slice(), [0]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Projective {
    kept: Kept,
    best: SpanChart<MaxPlus>,
    inside: SpanChart<SumProduct>,
    outside: Outside,
    weights: Vec<f64>,
}

/// Projective trees of n words number less than 6.75ⁿ; dividing every weight by it keeps all sums below 1.
const GROWTH: f64 = 6.75;

/// A total below this may have lost something to underflow.
const SMALLEST: f64 = 1e-270;

/// Scales that are tried. Trees of long sentences grow by less than the bound above, and their sums would come to nothing.
const SCALES: usize = 5;

/// If nothing in the chart is larger, what underflows is less than a 1e-200th of the total.
const LARGEST: f64 = 1e100;

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
    /// into every word. They are divided by what sums grow by with each word, which is at most the growth of the number
    /// of trees, and is measured where sums come to nothing. Where that does not suffice, since no tree is near the best
    /// head of every word, the same is asked of the general engine with an exponent for each sum, which is much slower. There, scores that
    /// differ by more than 700 from those of the best tree's arcs are cut off.
    pub fn marginals(&mut self, scores: &ArcScores, roots: Roots) -> Option<(f64, Marginals)> {
        self.kept.fill(scores);
        if self.kept.len() == 0 {
            return Some((0.0, self.kept.marginals(|_, _| 0.0)));
        }
        match self.scaled(GROWTH, roots) {
            Some(found) => Some(found),
            None => forest::wide_marginals(self, scores, roots),
        }
    }

    /// `None` if there is no tree, or floats do not reach that far at any scale.
    fn scaled(&mut self, mut growth: f64, roots: Roots) -> Option<(f64, Marginals)> {
        let width = self.kept.width();
        let largest = self.kept.largest();
        for scale in 0..SCALES {
            self.weigh(&largest, growth);
            let weights = &self.weights;
            let weight = |head: usize, dependent: usize| weights[dependent * width + head];
            let total = self.inside.fill(width, roots, weight);
            if total.is_finite() && total > SMALLEST {
                self.outside.fill(&self.inside, roots, weight);
                // At the first scale nothing is above 1, so that nothing of weight is lost to underflow.
                if scale == 0 || (self.inside.most() < LARGEST && self.outside.most() < LARGEST * total) {
                    let shift = largest.iter().sum::<f64>() + self.kept.len() as f64 * libm::log(growth);
                    return Some((libm::log(total) + shift, self.arc_shares(total)));
                }
            }
            growth *= libm::exp(self.inside.rate()?);
        }
        None
    }

    /// exp(score), relative to the largest of the word and to what trees grow by with each word.
    fn weigh(&mut self, largest: &[f64], growth: f64) {
        self.weights.clear();
        for (dependent, largest) in largest.iter().enumerate() {
            let relative = self.kept.row(dependent).iter().map(|score| score - largest);
            self.weights.extend(relative.map(|score| libm::exp(score) / growth));
        }
    }

    fn arc_shares(&self, total: f64) -> Marginals {
        let Projective { kept, inside, outside, .. } = self;
        let width = kept.width();
        kept.marginals(|head, dependent| {
            let at = head * width + dependent;
            if head < dependent {
                inside.arc_right[at] * outside.arc_right[at] / total
            } else {
                inside.arc_left_by_end[at] * outside.arc_left_by_end[at] / total
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chain::Stream;

    #[test]
    fn the_scale_does_not_show() {
        let n_words = 120;
        let rng = &mut Stream::new(1).rng();
        let mut scores = ArcScores::zero(n_words);
        for word in 1..=n_words {
            for head in 0..=n_words {
                // Some arcs are absent, and with them many spans.
                let absent = head > word && rng.uniform() < 0.5;
                scores.set(head, word, if absent { f64::NEG_INFINITY } else { 8.0 * rng.uniform() });
            }
        }
        for roots in [Roots::One, Roots::Many] {
            let mut engine = Projective::default();
            let (ln_total, expected) = engine.marginals(&scores, roots).unwrap();
            for growth in [1e4, 1e-3] {
                engine.weigh(&engine.kept.largest(), growth);
                let (width, weights) = (engine.kept.width(), engine.weights.clone());
                let total = engine.inside.fill(width, roots, |head, word| weights[word * width + head]);
                assert!(!total.is_normal(), "{total} at the wrong scale");
                let (found, marginals) = engine.scaled(growth, roots).unwrap();
                assert!((found / ln_total - 1.0).abs() < 1e-12, "{found} {ln_total}");
                for word in 1..=n_words {
                    let pairs = marginals.row(word).iter().zip(expected.row(word));
                    assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-9), "word {word} at {growth}");
                }
            }
        }
    }
}
