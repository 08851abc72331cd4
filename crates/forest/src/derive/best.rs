//! The best derivation.

use super::{Derivation, Step, sample::step};
use crate::forest::each_bundle;
use crate::semiring::{Semiring, Viterbi};
use crate::{Bundle, Edge, Forest, Item, inside};

/// The derivation of the greatest weight and the logarithm of that weight; `None` if there are none.
///
/// Among equals the first bundle and the first split win. No back pointers are kept: the few items of the
/// best derivation are searched again on the way down.
pub fn best(forest: &impl Forest<Weight = f64>) -> Option<(Derivation, f64)> {
    let chart = inside::inside::<Viterbi>(forest);
    let Viterbi(score) = *chart.get(forest.goal().index())?;
    let derivation = Derivation::unfold(forest.goal(), |item| best_step(forest, &chart, item))?;
    Some((derivation, score))
}

fn best_step(forest: &impl Forest<Weight = f64>, chart: &[Viterbi], item: Item) -> Option<Step> {
    let mut best = None;
    let mut best_score = Viterbi::zero();
    each_bundle(forest, item, |bundle| {
        for_each_edge(&bundle, chart, |split, score| {
            if score > best_score {
                best_score = score;
                best = Some(step(item, &bundle, split));
            }
        });
    });
    best
}

/// The best score of each edge of a bundle.
pub(super) fn for_each_edge(bundle: &Bundle<f64>, chart: &[Viterbi], mut visit: impl FnMut(u32, Viterbi)) {
    let weight = Viterbi::from_weight(bundle.weight);
    for split in 0..bundle.tails.len() {
        let below = match bundle.tails.edge(split) {
            Edge::Leaf => Viterbi::one(),
            Edge::One(tail) => chart[tail.index()],
            Edge::Two(left, right) => chart[left.index()].times(&chart[right.index()]),
        };
        visit(split, weight.times(&below));
    }
}
