//! The Dirichlet distribution, in log space.

use super::categorical::categorical;
use super::gamma::log_gamma;
use crate::special::log_sum_exp;
use crate::streams::Rng;

/// The logarithms of a draw from Dirichlet(α).
///
/// In log space tiny parameters do no harm: with α = 10⁻³ most components are around e⁻¹⁰⁰⁰, which is not
/// a `f64`, but its logarithm is. A component with α = 0 is −∞; if all are 0, the result is NaN.
pub fn log_dirichlet(rng: &mut Rng, alpha: &[f64]) -> Vec<f64> {
    let mut logs = Vec::with_capacity(alpha.len());
    log_dirichlet_into(rng, alpha.iter().copied(), &mut logs);
    logs
}

/// Like [`log_dirichlet`], for parameters that are computed on the way and memory that is used again.
pub fn log_dirichlet_into(
    rng: &mut Rng,
    alpha: impl IntoIterator<Item = f64, IntoIter: Clone>,
    logs: &mut Vec<f64>,
) {
    let alpha = alpha.into_iter();
    logs.clear();
    logs.extend(alpha.clone().map(|a| log_gamma(rng, a)));
    let total = log_sum_exp(logs);
    if total.is_finite() {
        logs.iter_mut().for_each(|log| *log -= total);
    } else {
        limit(rng, &alpha.collect::<Vec<f64>>(), logs);
    }
}

/// A draw from Dirichlet(α); components below about e⁻⁷⁴⁵ are rounded to 0.
pub fn dirichlet(rng: &mut Rng, alpha: &[f64]) -> Vec<f64> {
    let mut draw = log_dirichlet(rng, alpha);
    draw.iter_mut().for_each(|x| *x = libm::exp(*x));
    draw
}

/// As all parameters go to 0, one component gets everything, with probability in proportion to α.
fn limit(rng: &mut Rng, alpha: &[f64], logs: &mut [f64]) {
    match categorical(rng, alpha) {
        Some(chosen) => {
            logs.fill(f64::NEG_INFINITY);
            logs[chosen] = 0.0;
        }
        None => logs.fill(f64::NAN),
    }
}
