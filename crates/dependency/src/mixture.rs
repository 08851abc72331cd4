//! Cases that exclude one another, put together.

/// ln Σ exp of logarithms, and the share of each; `None` if there is nothing.
pub(super) fn shares(totals: &[f64]) -> Option<(f64, Vec<f64>)> {
    let largest = totals.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return None;
    }
    let exps: Vec<f64> = totals.iter().map(|total| libm::exp(total - largest)).collect();
    let sum: f64 = exps.iter().sum();
    Some((largest + libm::log(sum), exps.into_iter().map(|exp| exp / sum).collect()))
}

/// Σ share · values.
pub(super) fn mixed<'a>(parts: impl IntoIterator<Item = (f64, &'a [f64])>) -> Vec<f64> {
    let mut sums = Vec::new();
    for (share, values) in parts {
        sums.resize(values.len(), 0.0);
        sums.iter_mut().zip(values).for_each(|(sum, p)| *sum += share * p);
    }
    sums
}
