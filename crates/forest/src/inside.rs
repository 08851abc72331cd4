//! Inside: what each item weighs, over all its derivations.

use crate::forest::each_bundle;
use crate::{Bundle, Forest, Item, Semiring, Tails};

/// The inside value of every item, in the semiring `S`; absent items are zero.
///
/// Visits each bundle once. The goal's value is the answer for the whole forest.
pub fn inside<S: Semiring>(forest: &impl Forest<Weight = f64>) -> Vec<S> {
    let mut chart = vec![S::zero(); forest.n_items()];
    for item in forest.items() {
        chart[item.index()] = item_inside(forest, item, &chart);
    }
    chart
}

/// The inside value of the goal alone.
pub fn total<S: Semiring>(forest: &impl Forest<Weight = f64>) -> S {
    let chart = inside::<S>(forest);
    chart.get(forest.goal().index()).cloned().unwrap_or_else(S::zero)
}

#[inline]
fn item_inside<S: Semiring>(forest: &impl Forest<Weight = f64>, item: Item, chart: &[S]) -> S {
    let mut sum = S::zero();
    each_bundle(forest, item, |bundle| sum = sum.plus(&bundle_inside(&bundle, chart)));
    sum
}

/// weight · Σ over splits of inside(left) · inside(right); the weight is applied once per bundle.
#[inline]
pub(crate) fn bundle_inside<S: Semiring>(bundle: &Bundle<f64>, chart: &[S]) -> S {
    let weight = S::from_weight(bundle.weight);
    match &bundle.tails {
        Tails::Leaf => weight,
        Tails::One(tail) => weight.times(&chart[tail.index()]),
        Tails::Two(splits) => weight.times(&S::dot(chart, splits)),
    }
}
