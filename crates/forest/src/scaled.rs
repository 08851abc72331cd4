//! Inside and outside in plain floating point, for sentences of any length.
//!
//! Each leaf position t gets a power of two, c(t), and the chart holds inside(item) · 2^−Σc over the item's
//! stretch. The stretches of two tails make up the head's, so all splits of a bundle carry the same power
//! and the inner loop knows nothing of it: only leaves are touched. The powers are found on the way. All
//! items of one start lie together and each contains that position once, so when a row is done, dividing it
//! by one power of two *is* a choice of c(start). Powers of two cost no accuracy.
//!
//! Should a row spread over more orders of magnitude than a float has, the forest is done again with an
//! exponent per item ([`Wide`]). So the answer is right in any case, and fast in all but strange ones.

mod downward;
mod narrow;
mod reach;

use std::ops::ControlFlow;

use crate::derive::{Derivation, sample};
use crate::scale::power;
use crate::semiring::{Entropy, Mass, Prob, Semiring, Wide};
use crate::{Bundle, Forest, Item, Spans, Stretch, Tails, Visit, expect, inside, outside};
use narrow::Narrow;
use reach::Reach;

/// The inside chart of a forest, and what can be read off it.
#[derive(Debug)]
pub struct Scaled<'f, F> {
    forest: Shifted<'f, F>,
    chart: ScaledValues,
    reach: Option<Reach>,
}

#[derive(Debug)]
enum ScaledValues {
    /// Mantissas; the exponents are in the shifted forest.
    Narrow(Vec<Prob>),
    /// Mantissas and exponents, of a forest that is not shifted.
    Wide(Vec<Wide>),
}

impl<'f, F: Forest<Weight = f64>> Scaled<'f, F> {
    /// Walks the forest once.
    pub fn inside(forest: &'f F) -> Scaled<'f, F> {
        match narrow::narrow(forest) {
            Some(Narrow { below, chart, reach }) => {
                Scaled { forest: Shifted { forest, below }, chart: ScaledValues::Narrow(chart), reach }
            }
            None => Scaled::wide(forest),
        }
    }

    /// The same with an exponent per item: what `inside` falls back to.
    pub fn wide(forest: &'f F) -> Scaled<'f, F> {
        let chart = ScaledValues::Wide(inside::inside(forest));
        Scaled { forest: Shifted { forest, below: Vec::new() }, chart, reach: None }
    }

    /// Whether the fast path sufficed.
    pub fn is_narrow(&self) -> bool {
        matches!(self.chart, ScaledValues::Narrow(_))
    }

    /// The inside value of an item.
    pub fn value(&self, item: Item) -> Wide {
        match &self.chart {
            ScaledValues::Narrow(chart) => {
                let mantissa = chart.get(item.index()).map_or(0.0, |value| value.0);
                Wide::new(mantissa, i64::from(self.forest.shift(item)))
            }
            ScaledValues::Wide(chart) => chart.get(item.index()).cloned().unwrap_or_else(Wide::zero),
        }
    }

    /// The sum over all derivations, as a logarithm; −∞ if there are none.
    pub fn ln_total(&self) -> f64 {
        self.value(self.forest.goal()).ln()
    }

    /// Draws a derivation in proportion to its weight; `None` if there are none.
    pub fn sample(&self, uniform: impl FnMut() -> f64) -> Option<Derivation> {
        match &self.chart {
            ScaledValues::Narrow(chart) => sample(&self.forest, chart, uniform),
            ScaledValues::Wide(chart) => sample(&self.forest, chart, uniform),
        }
    }

    /// Walks the forest once more, downwards.
    pub fn outside(&self) -> Posteriors<'_, 'f, F> {
        let outside = match &self.chart {
            ScaledValues::Narrow(chart) => ScaledValues::Narrow(match &self.reach {
                // Leaves have nothing below them, so it does not matter how they are shifted.
                Some(reach) => downward::outside(self.forest.forest, chart, reach),
                None => outside::outside(&self.forest, chart),
            }),
            ScaledValues::Wide(chart) => ScaledValues::Wide(outside::outside(&self.forest, chart)),
        };
        Posteriors { inside: self, outside }
    }

    /// The entropy of the derivations, in nats.
    ///
    /// Shifting multiplies all derivations of the goal alike, which leaves their distribution as it is. A
    /// forest out of the range of floats is asked through its posteriors, at a walk more.
    pub fn entropy(&self) -> f64 {
        match &self.chart {
            ScaledValues::Narrow(_) => inside::total::<Entropy>(&self.forest).nats(),
            ScaledValues::Wide(_) => self.outside().entropy(),
        }
    }
}

/// Inside and outside together: how probable each part of a derivation is.
#[derive(Debug)]
pub struct Posteriors<'s, 'f, F> {
    inside: &'s Scaled<'f, F>,
    outside: ScaledValues,
}

impl<F: Forest<Weight = f64>> Posteriors<'_, '_, F> {
    /// The probability that a derivation goes through each item.
    pub fn items(&self) -> Vec<f64> {
        let forest = &self.inside.forest;
        match (&self.inside.chart, &self.outside) {
            (ScaledValues::Narrow(inside), ScaledValues::Narrow(outside)) => {
                expect::items(forest, inside, outside)
            }
            (ScaledValues::Wide(inside), ScaledValues::Wide(outside)) => {
                expect::items(forest, inside, outside)
            }
            _ => Vec::new(),
        }
    }

    /// Shows each bundle with the probability that a derivation uses it.
    pub fn bundles(&self, visit: impl FnMut(Item, &Bundle<f64>, f64)) {
        let forest = &self.inside.forest;
        match (&self.inside.chart, &self.outside) {
            (ScaledValues::Narrow(inside), ScaledValues::Narrow(outside)) => {
                expect::bundles(forest, inside, outside, visit);
            }
            (ScaledValues::Wide(inside), ScaledValues::Wide(outside)) => {
                expect::bundles(forest, inside, outside, visit)
            }
            _ => {}
        }
    }

    /// Adds the expected number of uses of each rule to `counts`; rules beyond its end are left out.
    pub fn add_counts(&self, counts: &mut [f64]) {
        self.bundles(|_, bundle, posterior| {
            if let Some(count) = counts.get_mut(bundle.rule as usize) {
                *count += posterior;
            }
        });
    }

    /// The posterior of each edge of a bundle into `head`, for [`crate::mbr`].
    ///
    /// A leaf's `bundle.weight` must be the forest's own.
    pub fn edges(&self, head: Item, bundle: &Bundle<f64>, posteriors: &mut Vec<f64>) {
        let bundle = &self.inside.forest.shifted(head, *bundle);
        let goal = self.inside.forest.goal();
        match (&self.inside.chart, &self.outside) {
            (ScaledValues::Narrow(inside), ScaledValues::Narrow(outside)) => {
                expect::edges(goal, inside, outside, head, bundle, posteriors);
            }
            (ScaledValues::Wide(inside), ScaledValues::Wide(outside)) => {
                expect::edges(goal, inside, outside, head, bundle, posteriors);
            }
            _ => {}
        }
    }

    /// The entropy of the derivations, in nats: ln Z − Σ posterior(bundle) · ln weight(bundle).
    pub fn entropy(&self) -> f64 {
        let mut expected_ln = 0.0;
        self.bundles(|_, bundle, posterior| {
            if posterior > 0.0 {
                expected_ln += posterior * libm::log(bundle.weight);
            }
        });
        // The bundles come from the shifted forest, so Z must be its Z.
        let goal = self.inside.forest.goal();
        let shift = f64::from(self.inside.forest.shift(goal)) * std::f64::consts::LN_2;
        (self.inside.ln_total() - shift - expected_ln).max(0.0)
    }
}

/// A forest whose leaves are divided by the powers of two of their positions.
#[derive(Debug)]
struct Shifted<'f, F> {
    forest: &'f F,
    /// Σ c(t) over t ≥ position; empty if nothing is shifted.
    below: Vec<i32>,
}

impl<F: Forest<Weight = f64>> Shifted<'_, F> {
    /// Σ c(t) over the stretch of an item.
    fn shift(&self, item: Item) -> i32 {
        if self.below.is_empty() {
            return 0;
        }
        stretch_shift(&self.below, self.forest.stretch(item))
    }

    #[inline]
    fn shifted(&self, head: Item, mut bundle: Bundle<f64>) -> Bundle<f64> {
        if matches!(bundle.tails, Tails::Leaf) {
            bundle.weight = self.shifted_leaf(head, bundle.weight);
        }
        bundle
    }

    #[inline(never)]
    fn shifted_leaf(&self, head: Item, weight: f64) -> f64 {
        weight * power(-self.shift(head))
    }
}

impl<F: Forest<Weight = f64>> Forest for Shifted<'_, F> {
    type Weight = f64;

    fn n_items(&self) -> usize {
        self.forest.n_items()
    }

    fn goal(&self) -> Item {
        self.forest.goal()
    }

    #[inline]
    fn bundles_into(&self, head: Item, mut visit: impl Visit<f64>) -> ControlFlow<()> {
        self.forest.bundles_into(head, |bundle| visit(self.shifted(head, bundle)))
    }

    fn items(&self) -> impl DoubleEndedIterator<Item = Item> {
        self.forest.items()
    }

    fn stretch(&self, item: Item) -> Stretch {
        self.forest.stretch(item)
    }

    fn spans(&self) -> Option<Spans> {
        self.forest.spans()
    }
}

fn stretch_shift(below: &[i32], stretch: Stretch) -> i32 {
    let at = |position: u32| below.get(position as usize).copied().unwrap_or(0);
    at(stretch.start).wrapping_sub(at(stretch.end))
}
