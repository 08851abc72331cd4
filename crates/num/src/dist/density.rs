//! Logarithms of densities, with all constants.

use crate::special::{ln_beta, ln_gamma, log_add_exp};

/// ln of the density of N(mean, sd²) at x.
pub fn normal(x: f64, mean: f64, sd: f64) -> f64 {
    let z = (x - mean) / sd;
    -0.5 * z * z - libm::log(sd) - LN_SQRT_2PI
}

/// ln of the density of Gamma(shape, scale) at x > 0.
pub fn gamma(x: f64, shape: f64, scale: f64) -> f64 {
    (shape - 1.0) * libm::log(x) - x / scale - ln_gamma(shape) - shape * libm::log(scale)
}

/// ln of the density of the inverse gamma distribution at x > 0.
pub fn inverse_gamma(x: f64, shape: f64, scale: f64) -> f64 {
    shape * libm::log(scale) - ln_gamma(shape) - (shape + 1.0) * libm::log(x) - scale / x
}

/// ln of the density of Beta(a, b) at 0 < x < 1.
pub fn beta(x: f64, a: f64, b: f64) -> f64 {
    (a - 1.0) * libm::log(x) + (b - 1.0) * libm::log1p(-x) - ln_beta(a, b)
}

/// ln of the density of Dirichlet(α), given the logarithms of the components.
pub fn dirichlet(logs: &[f64], alpha: &[f64]) -> f64 {
    let constant = ln_gamma(alpha.iter().sum()) - alpha.iter().map(|&a| ln_gamma(a)).sum::<f64>();
    // A component with α = 1 contributes nothing, even where its logarithm is −∞.
    let terms = logs.iter().zip(alpha).filter(|&(_, &a)| a != 1.0).map(|(log, a)| (a - 1.0) * log);
    constant + terms.sum::<f64>()
}

/// ln of the probability of a *sequence* with these counts when its distribution is Dirichlet(α).
///
/// Γ(A) / Γ(A + N) · Π Γ(αᵢ + nᵢ) / Γ(αᵢ). For the counts themselves add [`ln_multinomial`].
pub fn dirichlet_multinomial(counts: &[f64], alpha: &[f64]) -> f64 {
    let (n, a): (f64, f64) = (counts.iter().sum(), alpha.iter().sum());
    let seen = counts.iter().zip(alpha).filter(|&(&n, _)| n != 0.0);
    let terms = seen.map(|(&n, &a)| ln_gamma(a + n) - ln_gamma(a));
    ln_gamma(a) - ln_gamma(a + n) + terms.sum::<f64>()
}

/// ln of the number of sequences with these counts, N! / Π nᵢ!.
pub fn ln_multinomial(counts: &[f64]) -> f64 {
    ln_gamma(counts.iter().sum::<f64>() + 1.0) - counts.iter().map(|&n| ln_gamma(n + 1.0)).sum::<f64>()
}

/// ln P(k tables | n customers, concentration) for k = 0, …, n; O(n²).
///
/// P(k) = |s(n, k)| αᵏ Γ(α) / Γ(α + n), with Stirling numbers of the first kind. The recurrence seats one
/// customer after the other: at a new table with probability α / (α + i), else at one of the old.
pub fn crt(n: usize, concentration: f64) -> Vec<f64> {
    let mut logs = vec![f64::NEG_INFINITY; n + 1];
    logs[0] = 0.0;
    for i in 0..n {
        let total = libm::log(concentration + i as f64);
        let (new, old) = (libm::log(concentration) - total, libm::log(i as f64) - total);
        for k in (0..=i + 1).rev() {
            let opened = if k > 0 { logs[k - 1] + new } else { f64::NEG_INFINITY };
            logs[k] = log_add_exp(opened, logs[k] + old);
        }
    }
    logs
}

const LN_SQRT_2PI: f64 = 0.918_938_533_204_672_8;
