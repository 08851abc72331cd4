//! Summaries of samples for box plots.

use super::ticks::drawable;

/// What a box plot shows of a sample.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxSummary {
    /// How many values the sample has, without those left out.
    pub n_values: usize,
    /// Values that are not finite or larger than 10³⁰⁰.
    pub n_left_out: usize,
    /// The mean.
    pub mean: f64,
    /// The quartiles: a quarter, half and three quarters of the values lie below.
    pub quartiles: [f64; 3],
    /// The ends of the whiskers: the outermost values within 1.5 interquartile ranges of the box.
    pub whiskers: [f64; 2],
    /// The values beyond the whiskers, in ascending order.
    pub outliers: Vec<f64>,
}

/// Median, quartiles, whiskers and outliers of some values, after Tukey (1977). If there are none, every
/// number is NaN and the box is not drawn.
pub fn box_summary(values: &[f64]) -> BoxSummary {
    let sorted = sorted(values);
    let quartiles = [0.25, 0.5, 0.75].map(|p| quantile_of_sorted(&sorted, p));
    let reach = 1.5 * (quartiles[2] - quartiles[0]);
    let is_outlier = |value: f64| value < quartiles[0] - reach || value > quartiles[2] + reach;
    let inside = || sorted.iter().copied().filter(|&value| !is_outlier(value));
    // An interpolated quartile may lie beyond all values that are not outliers; whiskers never point inwards.
    let low = inside().next().unwrap_or(f64::NAN).min(quartiles[0]);
    let high = inside().next_back().unwrap_or(f64::NAN).max(quartiles[2]);
    BoxSummary {
        n_values: sorted.len(),
        n_left_out: values.len() - sorted.len(),
        mean: mean(&sorted),
        quartiles,
        whiskers: [low, high],
        outliers: sorted.iter().copied().filter(|&value| is_outlier(value)).collect(),
    }
}

/// The p-quantile, interpolated linearly between the order statistics around 1 + (n − 1) p (type 7 of
/// Hyndman & Fan, 1996). Values that are not finite are left out; NaN if none remain.
pub fn quantile(values: &[f64], p: f64) -> f64 {
    quantile_of_sorted(&sorted(values), p)
}

pub(super) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|&value| drawable(value)).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

pub(super) fn quantile_of_sorted(sorted: &[f64], p: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = p.clamp(0.0, 1.0) * last as f64;
    let (index, part) = (place as usize, place.fract());
    let (below, above) = (sorted[index.min(last)], sorted[(index + 1).min(last)]);
    below + (above - below) * part
}

/// Σ xᵢ / n, divided before it is summed, since the sum of large values may overflow.
fn mean(values: &[f64]) -> f64 {
    if values.is_empty() {
        return f64::NAN;
    }
    let n_values = values.len() as f64;
    let scale = values.iter().fold(0.0f64, |scale, value| scale.max(value.abs()));
    if scale < 1e200 {
        values.iter().sum::<f64>() / n_values
    } else {
        values.iter().map(|x| x / n_values).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_interpolate_between_order_statistics() {
        // 1 + (n − 1) p is 2.25, 3.5, 4.75 for six values.
        let summary = box_summary(&[15.0, 7.0, 39.0, 36.0, 40.0, 41.0]);
        assert_eq!(summary.quartiles, [20.25, 37.5, 39.75]);
        assert_eq!(summary.whiskers, [7.0, 41.0]);
        assert_eq!((summary.outliers, summary.n_values), (vec![], 6));
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0], 0.5), 2.5);
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.25), 2.0);
        assert_eq!(quantile(&[1.0, 2.0], 7.0), 2.0);
    }

    #[test]
    fn whiskers_end_at_values_within_one_and_a_half_interquartile_ranges() {
        // Quartiles 3 and 7: whiskers may reach from −3 to 13.
        let summary = box_summary(&[-3.1, -3.0, 3.0, 3.0, 5.0, 7.0, 7.0, 13.0, 13.5]);
        assert_eq!(summary.quartiles, [3.0, 5.0, 7.0]);
        assert_eq!(summary.whiskers, [-3.0, 13.0]);
        assert_eq!(summary.outliers, [-3.1, 13.5]);
    }

    #[test]
    fn identical_values_make_a_flat_box_and_none_make_no_box() {
        let flat = box_summary(&[2.0; 5]);
        assert_eq!((flat.quartiles, flat.whiskers, flat.mean), ([2.0; 3], [2.0; 2], 2.0));
        let none = box_summary(&[f64::NAN, f64::INFINITY]);
        assert_eq!((none.n_values, none.n_left_out), (0, 2));
        assert!(none.mean.is_nan() && none.quartiles[1].is_nan() && none.whiskers[0].is_nan());
    }

    #[test]
    fn huge_values_do_not_overflow() {
        let huge = box_summary(&[-1e300, 1e300, 1e300]);
        assert!(huge.mean.is_finite() && huge.quartiles.iter().all(|q| q.is_finite()));
    }
}
