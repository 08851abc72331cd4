//! Histograms.

use super::boxes::{quantile_of_sorted, sorted};

/// More bins than this are not told apart.
const MOST_BINS: usize = 200;

/// More bins than this are not made even for those who ask.
const MOST_BINS_ASKED: usize = 10_000;

/// Bars side by side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    /// The bars from left to right.
    pub bins: Vec<Bin>,
    /// Values that are in no bin: not finite, or larger than 10³⁰⁰.
    pub n_left_out: usize,
}

/// One bar of a [`Histogram`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// Where the bar begins. A value equal to it is in the bin.
    pub from: f64,
    /// Where the bar ends. A value equal to it is in the next bin, if there is one.
    pub to: f64,
    /// How high the bar is: how many values are in the bin.
    pub height: f64,
}

/// How many values there are in each of some bins of equal width.
///
/// By default the width is 2 · IQR / ∛n after Freedman & Diaconis (1981); where the middle half of the values
/// is all the same, there are 1 + ⌈log₂ n⌉ bins (Sturges, 1926). Whole numbers get bins of a whole width
/// around whole numbers, lest some bins have more of them than others. Values that are all the same are in
/// one bin.
pub fn histogram(values: &[f64], bins: Option<usize>) -> Histogram {
    let sorted = sorted(values);
    let n_left_out = values.len() - sorted.len();
    let edges = edges(&sorted, bins);
    // Both bounds are places in the sorted values, so that each value is in exactly one bin.
    let below = |edge: f64| sorted.partition_point(|&value| value < edge);
    let last = edges.len().saturating_sub(2);
    let bin = |(index, pair): (usize, &[f64])| {
        let end = if index == last { sorted.len() } else { below(pair[1]) };
        let start = if index == 0 { 0 } else { below(pair[0]) };
        Bin { from: pair[0], to: pair[1], height: end.saturating_sub(start) as f64 }
    };
    Histogram { bins: edges.windows(2).enumerate().map(bin).collect(), n_left_out }
}

impl Histogram {
    /// One bar for each number, standing at 1, 2, 3, … with some room between them: the chart of categories,
    /// as on [`super::Axis::categories`].
    pub fn of_categories(heights: &[f64]) -> Self {
        let bin = |(index, &height): (usize, &f64)| {
            let centre = (index + 1) as f64;
            Bin { from: centre - 0.4, to: centre + 0.4, height }
        };
        Self { bins: heights.iter().enumerate().map(bin).collect(), n_left_out: 0 }
    }

    /// The same bars with area 1, so that samples of different sizes can be compared.
    pub fn density(mut self) -> Self {
        let area: f64 = self.bins.iter().map(|bin| bin.height).sum();
        for bin in &mut self.bins {
            let scale = area * (bin.to - bin.from);
            bin.height = if scale > 0.0 { bin.height / scale } else { 0.0 };
        }
        self
    }
}

/// Where the bins begin, and where the last one ends.
fn edges(sorted: &[f64], bins: Option<usize>) -> Vec<f64> {
    let (Some(&lo), Some(&hi)) = (sorted.first(), sorted.last()) else { return Vec::new() };
    if lo == hi {
        let half = if lo == 0.0 { 0.5 } else { lo.abs() / 20.0 };
        return vec![lo - half, lo + half];
    }
    match bins {
        Some(n_bins) => equal_bins(lo, hi, n_bins.clamp(1, MOST_BINS_ASKED)),
        None if sorted.iter().all(|value| value.fract() == 0.0 && value.abs() < 1e15) => {
            whole_bins(lo, hi, width(sorted))
        }
        None => equal_bins(lo, hi, ((hi - lo) / width(sorted)).ceil() as usize),
    }
}

/// The width of the bins: at least 1/200 of the range, at most the range.
fn width(sorted: &[f64]) -> f64 {
    let n_values = sorted.len() as f64;
    let range = sorted[sorted.len() - 1] - sorted[0];
    let between_quartiles = quantile_of_sorted(sorted, 0.75) - quantile_of_sorted(sorted, 0.25);
    let width = 2.0 * between_quartiles / n_values.cbrt();
    let width = if width > 0.0 { width } else { range / (1.0 + n_values.log2().ceil()) };
    width.clamp(range / MOST_BINS as f64, range)
}

fn equal_bins(lo: f64, hi: f64, n_bins: usize) -> Vec<f64> {
    let n_bins = n_bins.max(1);
    let edge = |index: usize| lo + (hi - lo) * (index as f64 / n_bins as f64);
    (0..n_bins).map(edge).chain([hi]).collect()
}

fn whole_bins(lo: f64, hi: f64, width: f64) -> Vec<f64> {
    let width = width.round().max(1.0);
    let n_bins = ((hi - lo + 1.0) / width).ceil() as usize;
    (0..=n_bins).map(|index| lo - 0.5 + width * index as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn heights(histogram: &Histogram) -> Vec<f64> {
        histogram.bins.iter().map(|bin| bin.height).collect()
    }

    #[test]
    fn bins_hold_their_lower_bound_and_the_last_holds_both() {
        let histogram = histogram(&[0.0, 0.5, 1.0, 1.5, 2.0], Some(2));
        assert_eq!(heights(&histogram), [2.0, 3.0]);
        assert_eq!((histogram.bins[0].to, histogram.bins[1].to), (1.0, 2.0));
    }

    #[test]
    fn the_default_width_is_that_of_freedman_and_diaconis() {
        // Eight values, quartiles 0.175 and 0.525: 2 · 0.35 / 2 = 0.35, and 0.7 / 0.35 = 2 bins.
        let values: Vec<f64> = (0..8).map(|i| f64::from(i) / 10.0).collect();
        assert_eq!(heights(&histogram(&values, None)), [4.0, 4.0]);
    }

    #[test]
    fn constant_values_are_in_one_bin_around_them() {
        for value in [0.0, 0.3, -7.0, 1e299] {
            let histogram = histogram(&[value; 9], None);
            assert_eq!(heights(&histogram), [9.0]);
            assert!(histogram.bins[0].from < value && value < histogram.bins[0].to);
        }
    }

    #[test]
    fn mostly_constant_values_still_have_bins() {
        let mut values = vec![1.0; 30];
        values.extend([1.25, 4.5]);
        assert_eq!(heights(&histogram(&values, None)), [31.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn whole_numbers_stand_in_the_middle_of_bins() {
        let histogram = histogram(&[1.0, 2.0, 2.0, 3.0, 3.0, 3.0], None);
        assert_eq!((histogram.bins[0].from, heights(&histogram)), (0.5, vec![1.0, 2.0, 3.0]));
    }

    #[test]
    fn no_values_have_no_bins_and_bad_ones_are_counted() {
        assert_eq!(histogram(&[], None), Histogram::default());
        let bad = histogram(&[f64::NAN, f64::NEG_INFINITY, 1e301, 2.0], Some(0));
        assert_eq!((bad.n_left_out, heights(&bad)), (3, vec![1.0]));
    }

    #[test]
    fn densities_have_area_one() {
        let density = histogram(&[0.0, 0.1, 0.7, 2.5, 2.5, 3.0], Some(4)).density();
        let area: f64 = density.bins.iter().map(|bin| bin.height * (bin.to - bin.from)).sum();
        assert!((area - 1.0).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn counts_sum_to_the_number_of_values(
            values in prop::collection::vec(any::<f64>(), 0..60), bins in prop::option::of(0usize..40),
        ) {
            let histogram = histogram(&values, bins);
            let counted: f64 = heights(&histogram).iter().sum();
            prop_assert_eq!(counted as usize + histogram.n_left_out, values.len());
        }

        #[test]
        fn each_bin_counts_the_values_between_its_bounds(
            values in prop::collection::vec(-5.0..5.0f64, 1..60), bins in prop::option::of(1usize..20),
            are_whole in any::<bool>(),
        ) {
            let values: Vec<f64> = values.iter().map(|v| if are_whole { v.round() } else { *v }).collect();
            let bins = histogram(&values, bins).bins;
            prop_assert!(bins.len() <= MOST_BINS + 1);
            for (index, bin) in bins.iter().enumerate() {
                let is_last = index + 1 == bins.len();
                let holds = |v: f64| bin.from <= v && (v < bin.to || (is_last && v == bin.to));
                prop_assert_eq!(values.iter().filter(|&&v| holds(v)).count() as f64, bin.height);
            }
            prop_assert!(bins.windows(2).all(|pair| pair[0].to == pair[1].from));
        }
    }
}
