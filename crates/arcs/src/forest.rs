//! Projective trees as a forest of the general engine.

use std::ops::ControlFlow;
use tree::PutInOrder;

use forest::derive::KBest;
use forest::{Bundle, Derivation, Forest, Item, Scaled, Splits, Tails, Visit};
use tree::Heads;

use super::kept::Kept;
use super::projective::Projective;
use super::{ArcScores, Marginals, Roots};

/// Eisner's chart as a packed forest: derivations are projective trees, one each.
///
/// Rules name arcs, `head · (n + 1) + dependent` in positions without the words that are left out; steps that add
/// no arc have [`ArcForest::NO_ARC`]. The weight of an arc is exp(score − score of the best tree's arc into the same
/// word), so that the best tree weighs 1; arcs more than e⁷⁰⁰ away are cut off there.
#[derive(Debug, Clone)]
pub struct ArcForest {
    kept: Kept,
    roots: Roots,
    weights: Vec<f64>,
    /// Σ score of the best tree.
    best: f64,
}

/// Kinds of items, in the order in which those of one span are built.
const ARC_LEFT: u32 = 0;
const ARC_RIGHT: u32 = 1;
const LEFT: u32 = 2;
const RIGHT: u32 = 3;

impl ArcForest {
    /// The rule of steps that add no arc.
    pub const NO_ARC: u32 = u32::MAX;

    /// The forest of a sentence; `None` if there is no tree.
    pub fn new(scores: &ArcScores, roots: Roots) -> Option<ArcForest> {
        ArcForest::around(&mut Projective::default(), scores, roots)
    }

    fn around(scratch: &mut Projective, scores: &ArcScores, roots: Roots) -> Option<ArcForest> {
        let best = scratch.best(scores, roots)?;
        let mut kept = Kept::default();
        kept.fill(scores);
        let mut sum = 0.0;
        let mut weights = vec![0.0; kept.width()];
        for dependent in 1..kept.width() {
            let reference = kept.best_score(&best, dependent);
            sum += reference;
            let relative = kept.row(dependent).iter().map(|score| score - reference);
            weights.extend(relative.map(|score| libm::exp(score.min(700.0))));
        }
        Some(ArcForest { kept, roots, weights, best: sum })
    }

    /// ln Σ exp(score) over all trees, and the probability of each arc, from sums of the engine over this forest.
    ///
    /// [`Projective::marginals`] has the same answer in less time; this one is what it is tested and timed against.
    pub fn marginals(&self, inside: &Scaled<'_, ArcForest>) -> (f64, Marginals) {
        let width = self.kept.width();
        let mut arcs = vec![0.0; width * width];
        inside.outside().add_counts(&mut arcs);
        let marginals = self.kept.marginals(|head, dependent| arcs[head * width + dependent]);
        (inside.ln_total() + self.best, marginals)
    }

    /// The tree of a derivation.
    pub fn tree(&self, derivation: &Derivation) -> Option<Heads> {
        let width = self.kept.width();
        let mut heads = vec![0; width];
        for step in derivation.steps.iter().filter(|step| step.rule != Self::NO_ARC) {
            heads[step.rule as usize % width] = step.rule as usize / width;
        }
        self.kept.tree(&heads)
    }

    /// Items by falling start, then by rising end, so that what a span is made of has smaller numbers.
    fn item(&self, kind: u32, start: usize, end: usize) -> Item {
        let width = self.kept.width();
        Item((((width - 1 - start) * width + end) * 4) as u32 + kind)
    }

    fn weight(&self, head: usize, dependent: usize) -> f64 {
        self.weights[dependent * self.kept.width() + head]
    }

    /// Pairs (a, b), (a + 4, b − 4 · width), …: the end of the left item grows with the start of the right one.
    fn splits(&self, left: Item, right: Item, len: usize) -> Tails {
        let right_step = -4 * self.kept.width() as i32;
        Tails::Two(Splits { left, left_step: 4, right, right_step, len: len as u32 })
    }

    fn arc(&self, start: usize, end: usize, head: usize, dependent: usize) -> Option<Bundle<f64>> {
        let weight = self.weight(head, dependent);
        let len = if start == 0 && self.roots == Roots::One { 1 } else { end - start };
        (weight > 0.0).then(|| Bundle {
            rule: (head * self.kept.width() + dependent) as u32,
            weight,
            tails: self.splits(self.item(RIGHT, start, start), self.item(LEFT, start + 1, end), len),
        })
    }

    fn bundle(&self, kind: u32, start: usize, end: usize) -> Option<Bundle<f64>> {
        let no_arc = |tails| Some(Bundle { rule: Self::NO_ARC, weight: 1.0, tails });
        match kind {
            LEFT | RIGHT if start == end => no_arc(Tails::Leaf),
            ARC_RIGHT if start < end => self.arc(start, end, start, end),
            RIGHT => {
                let (arc, rest) = (self.item(ARC_RIGHT, start, start + 1), self.item(RIGHT, start + 1, end));
                no_arc(self.splits(arc, rest, end - start))
            }
            ARC_LEFT if 0 < start && start < end => self.arc(start, end, end, start),
            LEFT if start > 0 => {
                let (rest, arc) = (self.item(LEFT, start, start), self.item(ARC_LEFT, start, end));
                no_arc(self.splits(rest, arc, end - start))
            }
            _ => None,
        }
    }
}

impl Forest for ArcForest {
    type Weight = f64;

    fn n_items(&self) -> usize {
        4 * self.kept.width() * self.kept.width()
    }

    fn goal(&self) -> Item {
        self.item(RIGHT, 0, self.kept.width() - 1)
    }

    fn bundles_into(&self, head: Item, mut visit: impl Visit<f64>) -> ControlFlow<()> {
        let (kind, cell, width) = (head.0 % 4, head.index() / 4, self.kept.width());
        let (start, end) = (width - 1 - cell / width, cell % width);
        let bundle = if start <= end { self.bundle(kind, start, end) } else { None };
        bundle.map_or(ControlFlow::Continue(()), &mut visit)
    }
}

/// The `k` best projective trees and their scores, best first; fewer if there are fewer.
///
/// Trees that differ by less than rounding may stand in either order, always the same one.
pub fn k_best_projective(scores: &ArcScores, roots: Roots, k: usize) -> Vec<(Heads, f64)> {
    let Some(forest) = ArcForest::new(scores, roots) else { return Vec::new() };
    let trees = KBest::new(&forest).take(k).filter_map(|(derivation, _)| forest.tree(&derivation));
    let mut trees: Vec<(Heads, f64)> =
        trees.map(|heads| (scores.of_tree(&heads), heads)).map(|(s, h)| (h, s)).collect();
    trees.order_by(|a, b| b.1.total_cmp(&a.1));
    trees
}

/// Marginals by the general engine with an exponent for each sum.
pub(super) fn wide_marginals(
    scratch: &mut Projective,
    scores: &ArcScores,
    roots: Roots,
) -> Option<(f64, Marginals)> {
    let forest = ArcForest::around(scratch, scores, roots)?;
    Some(forest.marginals(&Scaled::wide(&forest)))
}
