//! What the dispersions of all counts have in common: h ~ Gamma(a, rate a/m).
//!
//! Mean and shape are nearly independent given the h, so that drawing them in turn is quick to forget.

use chain::Rng;
use libm::{exp, log};
use num::dist::{Slice, inverse_gamma, normal, slice};
use num::special::ln_gamma;

use crate::state::{ColumnState, Pooled, Shape};

/// m ~ IG(1, 1): most dispersions of real counts are between 0.1 and 10.
const MEAN: (f64, f64) = (1.0, 1.0);

/// A draw from the prior. h/m has the standard deviation 1/√a, which is half-normal: it may be as small as it likes, so that
/// columns with the same dispersion lend one another all they know, and is rarely above 2.
pub(crate) fn prior(rng: &mut Rng) -> Pooled {
    let deviation = normal(rng);
    Pooled { mean: inverse_gamma(rng, MEAN.0, MEAN.1), shape: 1.0 / (deviation * deviation) }
}

/// m ~ IG(1 + pa, 1 + a Σh), and a by a slice of its density, which is proportional to
/// Π (a/m)^a h^(a−1) e^(−ah/m) / Γ(a) times its prior, which for ln a is a^(−1/2) e^(−1/2a).
pub(crate) fn draw(pooled: &mut Pooled, columns: &[ColumnState], rng: &mut Rng) {
    let dispersion = |column: &ColumnState| match column.shape {
        Shape::Dispersion { h, .. } => Some(h),
        _ => None,
    };
    let (mut n, mut sum, mut logs) = (0.0, 0.0, 0.0);
    for h in columns.iter().filter_map(dispersion) {
        n += 1.0;
        sum += h;
        logs += log(h);
    }
    pooled.mean = inverse_gamma(rng, MEAN.0 + n * pooled.shape, MEAN.1 + pooled.shape * sum);
    let log_density = |ln_a: f64| {
        let a = exp(ln_a);
        let rate = a / pooled.mean;
        n * (a * log(rate) - ln_gamma(a)) + (a - 1.0) * logs - rate * sum - 0.5 / a - 0.5 * ln_a
    };
    // With h of 0 or without bounds there is no density; the shape stays as it was.
    let (most, width) = (25.0, 1.0);
    let options = Slice { width, lower: -most, upper: most, ..Slice::default() };
    pooled.shape = exp(slice(rng, log(pooled.shape), &options, log_density));
}
