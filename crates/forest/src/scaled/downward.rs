//! The downward walk of the fast path over a chart of spans.

use super::reach::{Batch, Cell, Reach};
use crate::forest::each_bundle;
use crate::semiring::Prob;
use crate::{Bundle, Forest, Tails};

/// The outside values of all items that are not zero themselves; those of others are not worked out.
pub(super) fn outside<F: Forest<Weight = f64>>(forest: &F, inside: &[Prob], reach: &Reach) -> Vec<Prob> {
    let mut outside = vec![Prob(0.0); inside.len()];
    if let Some(goal) = outside.get_mut(forest.goal().index()) {
        *goal = Prob(1.0);
    }
    let (mut cell, mut batch) = (Cell::NONE, Batch::new());
    for head in forest.items().rev() {
        let above = outside[head.index()].0;
        if above == 0.0 || inside[head.index()].0 == 0.0 {
            continue;
        }
        cell = reach.cell(cell, head);
        each_bundle(
            forest,
            head,
            #[inline(always)]
            |bundle: Bundle<f64>| match bundle.tails {
                Tails::Leaf => {}
                Tails::One(tail) => outside[tail.index()].0 += above * bundle.weight,
                Tails::Two(splits) => {
                    if batch.push(above * bundle.weight, reach.trim(&cell, splits)) {
                        hand_down(&mut batch, inside, &mut outside);
                    }
                }
            },
        );
        hand_down(&mut batch, inside, &mut outside);
    }
    outside
}

/// outside(left) += outside(head) · weight · inside(right), and the same with the sides changed.
#[inline]
fn hand_down(batch: &mut Batch, inside: &[Prob], outside: &mut [Prob]) {
    for (above, splits) in batch.take() {
        for (left, right) in splits.pairs() {
            let (left, right) = (left.index(), right.index());
            outside[left].0 += above * inside[right].0;
            outside[right].0 += above * inside[left].0;
        }
    }
}
