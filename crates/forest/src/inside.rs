//! Inside: what each item weighs, over all its derivations.

use crate::forest::each_bundle;
use crate::{Bundle, Forest, Item, Semiring, Tails};

/// The inside value of every item, in the semiring `S`; absent items are zero.
///
/// Visits each bundle once. The goal's value is the answer for the whole forest.
///
/// ```
/// # use std::ops::ControlFlow;
/// use forest::semiring::{Count, Prob};
/// use forest::{Bundle, Forest, Item, Spans, Stretch, Tails, Visit, inside};
/// # struct Brackets(Spans);
/// # impl Forest for Brackets {
/// #     type Weight = f64;
/// #     fn n_items(&self) -> usize { self.0.n_items() }
/// #     fn goal(&self) -> Item { self.0.item(0, 0, self.0.n_words()) }
/// #     fn items(&self) -> impl DoubleEndedIterator<Item = Item> { self.0.items() }
/// #     fn stretch(&self, item: Item) -> Stretch { self.0.stretch(item) }
/// #     fn bundles_into(&self, head: Item, mut visit: impl Visit<f64>) -> ControlFlow<()> {
/// #         let (_, start, end) = self.0.locate(head);
/// #         if end - start == 1 { return visit(Bundle { rule: 0, weight: 1.0, tails: Tails::Leaf }); }
/// #         visit(Bundle { rule: 1, weight: 0.5, tails: Tails::Two(self.0.splits(0, 0, start, end)) })
/// #     }
/// # }
///
/// // `Brackets`, as in the README: every way to bracket four words, each bracket with the weight 0.5.
/// let forest = Brackets(Spans::new(4, 1).unwrap());
/// let goal = forest.goal().index();
/// assert_eq!(inside::<Count>(&forest)[goal], Count(5));
/// assert_eq!(inside::<Prob>(&forest)[goal], Prob(5.0 * 0.125));
/// ```
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
