//! The upward walk of the fast path, which finds the powers of two as it goes.

use super::stretch_shift;
use crate::forest::each_bundle;
use crate::semiring::{Prob, Semiring, exponent_of, wide_power};
use crate::{Forest, Item, Stretch, Tails};

/// Finished rows stay within 2^±ROW and the row at work within 2^±WORK. Then a product of two values and a
/// weight of at least 2^−WEIGHT is neither subnormal nor infinite, so nothing is lost unseen.
const ROW: i32 = 256;
const WORK: i32 = 512;
const WEIGHT: i32 = 200;

/// The shifts and the chart, or `None` where floats do not suffice.
pub(super) fn narrow<F: Forest<Weight = f64>>(forest: &F) -> Option<(Vec<i32>, Vec<Prob>)> {
    let whole = forest.stretch(forest.goal());
    let shifting = whole.start < whole.end;
    let mut rows =
        Rows { below: vec![0; whole.end as usize + 1], start: whole.end, row: Vec::new(), shifting };
    let mut chart = vec![Prob(0.0); forest.n_items()];
    for item in forest.items() {
        let stretch = forest.stretch(item);
        if stretch.start != rows.start {
            rows.finish(&mut chart)?;
            rows.begin(stretch.start)?;
        }
        if shifting && (stretch.start >= stretch.end || stretch.end > whole.end) {
            return None;
        }
        let value = item_inside(forest, item, stretch, &rows.below, &chart)?;
        if value > 0.0 {
            chart[item.index()] = Prob(value);
            rows.row.push(item);
        }
    }
    rows.finish(&mut chart)?;
    // Positions before the first row are in no item that matters.
    Some((if shifting { rows.below } else { Vec::new() }, chart))
}

/// Σ over bundles of weight · Σ over splits of inside(left) · inside(right).
#[inline]
fn item_inside<F: Forest<Weight = f64>>(
    forest: &F,
    item: Item,
    stretch: Stretch,
    below: &[i32],
    chart: &[Prob],
) -> Option<f64> {
    let mut sum = 0.0;
    let mut leaves = 0.0;
    let mut least = 1.0;
    each_bundle(forest, item, |bundle| {
        least = if bundle.weight < least { bundle.weight } else { least };
        debug_assert!(
            stretches_meet(forest, stretch, &bundle.tails),
            "tails of {item:?} do not make its stretch"
        );
        match bundle.tails {
            Tails::Two(splits) => sum += bundle.weight * Prob::dot(chart, &splits).0,
            Tails::One(tail) => sum += bundle.weight * chart[tail.index()].0,
            Tails::Leaf => leaves += bundle.weight,
        }
    });
    if least < wide_power(-WEIGHT) && has_tiny_weights(forest, item) {
        return None;
    }
    if leaves > 0.0 {
        let shift = stretch_shift(below, stretch);
        sum += if shift.abs() < WORK { leaves * wide_power(-shift) } else { f64::INFINITY };
    }
    let in_range = sum == 0.0 || (sum > wide_power(-WORK) && sum < wide_power(WORK));
    in_range.then_some(sum)
}

/// Whether the first edge keeps the promise of [`Forest::stretch`].
fn stretches_meet<F: Forest>(forest: &F, whole: Stretch, tails: &Tails) -> bool {
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
    each_bundle(forest, item, |bundle| found |= bundle.weight > 0.0 && bundle.weight < wide_power(-WEIGHT));
    found
}

/// The row at work and the powers of two chosen so far.
struct Rows {
    below: Vec<i32>,
    start: u32,
    row: Vec<Item>,
    shifting: bool,
}

impl Rows {
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
        let exponents = self.row.iter().map(|item| exponent_of(chart[item.index()].0));
        let (low, high) = exponents.fold((i32::MAX, i32::MIN), |(low, high), e| (low.min(e), high.max(e)));
        if self.row.is_empty() {
            return Some(());
        }
        let middle = if self.shifting { (low + high) / 2 } else { 0 };
        if low - middle < -ROW || high - middle >= ROW {
            return None;
        }
        let factor = wide_power(-middle);
        for item in self.row.drain(..) {
            chart[item.index()].0 *= factor;
        }
        self.below[self.start as usize] += middle;
        Some(())
    }
}
