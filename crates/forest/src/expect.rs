//! How probable each part of a derivation is: inside · outside / total.

use crate::forest::each_bundle;
use crate::inside::{bundle_inside, total};
use crate::semiring::{Entropy, Mass};
use crate::{Bundle, Edge, Forest, Item};

/// The posterior of every item; all zero if there are no derivations.
pub fn items<S: Mass>(forest: &impl Forest<Weight = f64>, inside: &[S], outside: &[S]) -> Vec<f64> {
    let mut posteriors = vec![0.0; inside.len()];
    let Some(total) = mass_of_goal(forest.goal(), inside) else { return posteriors };
    for item in forest.items() {
        posteriors[item.index()] = inside[item.index()].times(&outside[item.index()]).over(total);
    }
    posteriors
}

/// Shows each bundle of non-zero posterior, with its head and its posterior summed over splits.
pub fn bundles<S: Mass>(
    forest: &impl Forest<Weight = f64>,
    inside: &[S],
    outside: &[S],
    mut visit: impl FnMut(Item, &Bundle<f64>, f64),
) {
    let Some(total) = mass_of_goal(forest.goal(), inside) else { return };
    for head in forest.items() {
        let above = &outside[head.index()];
        if above.is_zero() || inside[head.index()].is_zero() {
            continue;
        }
        each_bundle(forest, head, |bundle| {
            let posterior = above.times(&bundle_inside(&bundle, inside)).over(total);
            if posterior > 0.0 {
                visit(head, &bundle, posterior);
            }
        });
    }
}

/// The posterior of each edge of `bundle`, in split order; replaces what `posteriors` held.
pub fn edges<S: Mass>(
    goal: Item,
    inside: &[S],
    outside: &[S],
    head: Item,
    bundle: &Bundle<f64>,
    posteriors: &mut Vec<f64>,
) {
    posteriors.clear();
    let n_edges = bundle.tails.len();
    let Some(total) = mass_of_goal(goal, inside) else {
        posteriors.resize(n_edges as usize, 0.0);
        return;
    };
    let above = outside[head.index()].times(&S::from_weight(bundle.weight));
    posteriors.extend((0..n_edges).map(|split| {
        let below = match bundle.tails.edge(split) {
            Edge::Leaf => S::one(),
            Edge::One(tail) => inside[tail.index()].clone(),
            Edge::Two(left, right) => inside[left.index()].times(&inside[right.index()]),
        };
        above.times(&below).over(total)
    }));
}

/// The entropy of the derivations in nats, in one upward walk.
///
/// In plain floating point; [`crate::Scaled::entropy`] has no such limit.
pub fn entropy(forest: &impl Forest<Weight = f64>) -> f64 {
    total::<Entropy>(forest).nats()
}

fn mass_of_goal<S: Mass>(goal: Item, inside: &[S]) -> Option<&S> {
    inside.get(goal.index()).filter(|total| !total.is_zero())
}
