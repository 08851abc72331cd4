//! Means, variances, quantiles, autocorrelations.

pub(super) fn mean(xs: &[f64]) -> f64 {
    xs.iter().sum::<f64>() / xs.len() as f64
}

/// The sample variance, with n − 1 below.
pub(super) fn variance(xs: &[f64]) -> f64 {
    let centre = mean(xs);
    xs.iter().map(|x| (x - centre) * (x - centre)).sum::<f64>() / (xs.len() as f64 - 1.0)
}

/// Σ (xᵢ − mean)(xᵢ₊ₗ − mean) / n: divided by n at every lag, which keeps the sequence positive definite.
pub(super) fn autocovariance(centred: &[f64], lag: usize) -> f64 {
    let later = centred.get(lag..).unwrap_or(&[]);
    centred.iter().zip(later).map(|(x, y)| x * y).sum::<f64>() / centred.len() as f64
}

pub(super) fn centred(xs: &[f64]) -> Vec<f64> {
    let centre = mean(xs);
    xs.iter().map(|x| x - centre).collect()
}

/// The autocorrelation function of one chain at lags 0, …, `max_lag`; O(n · `max_lag`).
///
/// `None` for a constant, empty or not finite series.
pub fn autocorrelation(series: &[f64], max_lag: usize) -> Option<Vec<f64>> {
    let centred = centred(series);
    let at_zero = autocovariance(&centred, 0);
    let lags = 0..=max_lag.min(series.len().saturating_sub(1));
    (at_zero > 0.0 && at_zero.is_finite())
        .then(|| lags.map(|lag| autocovariance(&centred, lag) / at_zero).collect())
}

/// The p-quantile of some numbers, interpolated linearly between order statistics; NaN of none.
pub fn quantile(xs: &[f64], p: f64) -> f64 {
    let mut sorted = xs.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = p.clamp(0.0, 1.0) * last as f64;
    let (below, above) = (sorted[place as usize], sorted[(place as usize + 1).min(last)]);
    below + (above - below) * (place - libm::floor(place))
}
