//! The upward walk of the fast path, which finds the powers of two as it goes.

use super::reach::{Batch, Cell, Reach};
use super::stretch_shift;
use crate::forest::each_bundle;
use crate::scale::{Spread, power};
use crate::semiring::{Prob, Semiring};
use crate::{Bundle, Forest, Item, Splits, Stretch, Tails};

/// What the walk found.
pub(super) struct Narrow {
    /// Σ c(t) over t ≥ position.
    pub(super) below: Vec<i32>,
    pub(super) chart: Vec<Prob>,
    pub(super) reach: Option<Reach>,
}

/// The shifts and the chart, or `None` where floats do not suffice.
pub(super) fn narrow<F: Forest<Weight = f64>>(forest: &F) -> Option<Narrow> {
    let whole = forest.stretch(forest.goal());
    let shifting = whole.start < whole.end;
    let mut rows =
        NarrowRows { below: vec![0; whole.end as usize + 1], start: whole.end, row: Vec::new(), shifting };
    let mut chart = vec![Prob(0.0); forest.n_items()];
    let mut reach = forest.spans().map(Reach::new);
    let (mut cell, mut batch) = (Cell::NONE, Batch::new());
    for item in forest.items() {
        let stretch = match &reach {
            Some(reach) => {
                cell = reach.cell(cell, item);
                Stretch { start: cell.start, end: cell.end }
            }
            None => forest.stretch(item),
        };
        if stretch.start != rows.start {
            rows.finish(&mut chart)?;
            rows.begin(stretch.start)?;
        }
        if shifting && (stretch.start >= stretch.end || stretch.end > whole.end) {
            return None;
        }
        let sums = match &reach {
            Some(reach) => sparse_sums(forest, item, &chart, &mut batch, |splits| reach.trim(&cell, splits)),
            None => dense_sums(forest, item, &chart),
        };
        let value = sums.value(forest, item, stretch, &rows.below)?;
        if value > 0.0 {
            chart[item.index()] = Prob(value);
            rows.row.push(item);
            if let Some(reach) = &mut reach {
                reach.include(&cell, item);
            }
        }
    }
    rows.finish(&mut chart)?;
    // Positions before the first row are in no item that matters.
    Some(Narrow { below: if shifting { rows.below } else { Vec::new() }, chart, reach })
}

/// What comes together in an item.
struct ItemSums {
    inner: f64,
    leaves: f64,
    /// The least weight, or 1.
    least: f64,
}

/// Σ over bundles of weight · Σ over splits of inside(left) · inside(right).
#[inline]
fn dense_sums<F: Forest<Weight = f64>>(forest: &F, item: Item, chart: &[Prob]) -> ItemSums {
    let mut sums = ItemSums { inner: 0.0, leaves: 0.0, least: 1.0 };
    each_bundle(forest, item, |bundle| {
        sums.least = if bundle.weight < sums.least { bundle.weight } else { sums.least };
        debug_assert!(stretches_meet(forest, item, &bundle.tails), "tails of {item:?} miss its stretch");
        match bundle.tails {
            Tails::Two(splits) => sums.inner += bundle.weight * Prob::dot(chart, &splits).0,
            Tails::One(tail) => sums.inner += bundle.weight * chart[tail.index()].0,
            Tails::Leaf => sums.leaves += bundle.weight,
        }
    });
    sums
}

/// The same without splits that are known to be zero, added up in the same order.
#[inline]
fn sparse_sums<F: Forest<Weight = f64>>(
    forest: &F,
    item: Item,
    chart: &[Prob],
    batch: &mut Batch,
    trim: impl Fn(Splits) -> Splits,
) -> ItemSums {
    let mut sums = ItemSums { inner: 0.0, leaves: 0.0, least: 1.0 };
    each_bundle(
        forest,
        item,
        #[inline(always)]
        |bundle: Bundle<f64>| {
            sums.least = if bundle.weight < sums.least { bundle.weight } else { sums.least };
            debug_assert!(stretches_meet(forest, item, &bundle.tails), "tails of {item:?} miss its stretch");
            match bundle.tails {
                Tails::Two(splits) => {
                    if batch.push(bundle.weight, trim(splits)) {
                        add_batch(&mut sums.inner, batch, chart);
                    }
                }
                Tails::One(tail) => {
                    add_batch(&mut sums.inner, batch, chart);
                    sums.inner += bundle.weight * chart[tail.index()].0;
                }
                Tails::Leaf => sums.leaves += bundle.weight,
            }
        },
    );
    add_batch(&mut sums.inner, batch, chart);
    sums
}

#[inline]
fn add_batch(sum: &mut f64, batch: &mut Batch, chart: &[Prob]) {
    for (weight, splits) in batch.take() {
        *sum += weight * Prob::dot(chart, splits).0;
    }
}

impl ItemSums {
    /// The item's value, or `None` where floats do not suffice.
    #[inline]
    fn value<F: Forest<Weight = f64>>(
        &self,
        forest: &F,
        item: Item,
        stretch: Stretch,
        below: &[i32],
    ) -> Option<f64> {
        if self.least < power(-Spread::WEIGHT) && has_tiny_weights(forest, item) {
            return None;
        }
        let mut sum = self.inner;
        if self.leaves > 0.0 {
            let shift = stretch_shift(below, stretch);
            sum += if shift.abs() < Spread::WORK { self.leaves * power(-shift) } else { f64::INFINITY };
        }
        Spread::reaches(sum).then_some(sum)
    }
}

/// Whether the first edge keeps the promise of [`Forest::stretch`].
fn stretches_meet<F: Forest>(forest: &F, head: Item, tails: &Tails) -> bool {
    let whole = forest.stretch(head);
    match tails {
        Tails::Two(splits) if splits.len > 0 => {
            let (left, right) = splits.pair(0);
            let (left, right) = (forest.stretch(left), forest.stretch(right));
            left.start == whole.start && left.end == right.start && right.end == whole.end
        }
        Tails::One(tail) => forest.stretch(*tail) == whole,
        _ => true,
    }
}

/// Whether a weight is small but not zero.
///
/// Asked apart from the sum, and only of items with some weight that is either: a second test per bundle
/// would cost the loop above a third of its speed.
#[cold]
fn has_tiny_weights<F: Forest<Weight = f64>>(forest: &F, item: Item) -> bool {
    let mut found = false;
    each_bundle(forest, item, |bundle| found |= Spread::hides(bundle.weight));
    found
}

/// The row at work and the powers of two chosen so far.
struct NarrowRows {
    below: Vec<i32>,
    start: u32,
    row: Vec<Item>,
    shifting: bool,
}

impl NarrowRows {
    /// Starts come falling; those passed over have power 0.
    fn begin(&mut self, start: u32) -> Option<()> {
        if start >= self.start {
            return None;
        }
        let here = self.below[self.start as usize];
        self.below[start as usize..self.start as usize].fill(here);
        self.start = start;
        Some(())
    }

    /// Divides the row by the power of two in the middle of its range.
    fn finish(&mut self, chart: &mut [Prob]) -> Option<()> {
        if self.row.is_empty() {
            return Some(());
        }
        let mut spread = Spread::NONE;
        self.row.iter().for_each(|item| spread.include(chart[item.index()].0));
        let middle = if self.shifting { spread.middle()? } else { 0 };
        if !spread.fits(middle) {
            return None;
        }
        let factor = power(-middle);
        for item in self.row.drain(..) {
            chart[item.index()].0 *= factor;
        }
        self.below[self.start as usize] += middle;
        Some(())
    }
}
