//! Outside: what the rest of the derivation weighs, around each item.

use crate::forest::each_bundle;
use crate::{Forest, Semiring, Tails};

/// The outside value of every item: the derivative of the goal's inside value by the item's.
///
/// `inside` must come from the same forest and semiring. Items that no derivation of the goal goes through
/// are zero.
pub fn outside<S: Semiring>(forest: &impl Forest<Weight = f64>, inside: &[S]) -> Vec<S> {
    let mut outside = vec![S::zero(); inside.len()];
    if let Some(goal) = outside.get_mut(forest.goal().index()) {
        *goal = S::one();
    }
    for head in forest.items().rev() {
        let above = outside[head.index()].clone();
        if above.is_zero() || inside[head.index()].is_zero() {
            continue;
        }
        each_bundle(forest, head, |bundle| {
            let above = above.times(&S::from_weight(bundle.weight));
            hand_down(&bundle.tails, &above, inside, &mut outside);
        });
    }
    outside
}

/// outside(left) += outside(head) · weight · inside(right), and the same with the sides changed.
#[inline]
fn hand_down<S: Semiring>(tails: &Tails, above: &S, inside: &[S], outside: &mut [S]) {
    match tails {
        Tails::Leaf => {}
        Tails::One(tail) => outside[tail.index()] = outside[tail.index()].plus(above),
        Tails::Two(splits) => {
            for (left, right) in splits.pairs() {
                let (left, right) = (left.index(), right.index());
                outside[left] = outside[left].plus(&above.times(&inside[right]));
                outside[right] = outside[right].plus(&above.times(&inside[left]));
            }
        }
    }
}
