//! Drawing a derivation from the top down.

use std::ops::ControlFlow;

use super::{Derivation, Step};
use crate::inside::bundle_inside;
use crate::semiring::Mass;
use crate::{Bundle, Forest, Item, Tails};

/// Draws a derivation in proportion to its weight; `None` if there are none.
///
/// `inside` must come from this forest. `uniform` gives numbers in [0, 1), and is asked once per step, in
/// preorder. Cost: a scan over the bundles of each item on the way that stops at the one drawn.
pub fn sample<S: Mass>(
    forest: &impl Forest<Weight = f64>,
    inside: &[S],
    mut uniform: impl FnMut() -> f64,
) -> Option<Derivation> {
    Derivation::unfold(forest.goal(), |item| sample_step(forest, inside, item, uniform()))
}

/// The edge in which the point at `fraction` of the item's mass falls.
fn sample_step<S: Mass>(
    forest: &impl Forest<Weight = f64>,
    inside: &[S],
    item: Item,
    fraction: f64,
) -> Option<Step> {
    let total = inside.get(item.index()).filter(|total| !total.is_zero())?;
    let mut rest = fraction;
    let mut chosen = None;
    // Rounding may leave an epsilon of mass beyond the last edge; it goes to the last bundle that has any.
    let mut last = None;
    let _ = forest.bundles_into(item, |bundle| {
        let share = bundle_inside(&bundle, inside).over(total);
        if share > 0.0 && rest < share {
            chosen = Some((bundle, rest));
            return ControlFlow::Break(());
        }
        if share > 0.0 {
            last = Some((bundle, share));
        }
        rest -= share;
        ControlFlow::Continue(())
    });
    let (bundle, rest) = chosen.or(last)?;
    Some(step(item, &bundle, sample_split(&bundle, inside, total, rest)))
}

pub(super) fn step<W>(item: Item, bundle: &Bundle<W>, split: u32) -> Step {
    Step { item, rule: bundle.rule, split, edge: bundle.tails.edge(split) }
}

fn sample_split<S: Mass>(bundle: &Bundle<f64>, inside: &[S], total: &S, mut rest: f64) -> u32 {
    let Tails::Two(splits) = bundle.tails else { return 0 };
    let weight = S::from_weight(bundle.weight);
    let mut last = 0;
    for (split, (left, right)) in (0..).zip(splits.pairs()) {
        let share = weight.times(&inside[left.index()].times(&inside[right.index()])).over(total);
        if share > 0.0 {
            last = split;
            if rest < share {
                break;
            }
        }
        rest -= share;
    }
    last
}
