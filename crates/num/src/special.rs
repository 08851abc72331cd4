//! Special functions on `libm`, so that they give the same bits on every system.

mod gamma;
mod incomplete;
mod normal;
mod slices;

pub use gamma::{digamma, ln_beta, ln_gamma, trigamma};
pub use incomplete::{beta_cdf, chi_square_tail, gamma_cdf, kolmogorov_tail, student_quantile};
pub use normal::{ln_normal_cdf, normal_cdf, normal_quantile};
pub(crate) use slices::exp;
pub use slices::{exp_slice, ln_slice};

/// ln Σ exp(x), without overflow or underflow; −∞ for nothing.
pub fn log_sum_exp(xs: &[f64]) -> f64 {
    // Unlike `f64::max`, this comparison lets a NaN through.
    let max = xs.iter().copied().fold(f64::NEG_INFINITY, |max, x| if x <= max { max } else { x });
    if max.is_infinite() {
        return max;
    }
    max + libm::log(xs.iter().map(|&x| libm::exp(x - max)).sum())
}

/// ln(exp(a) + exp(b)).
pub fn log_add_exp(a: f64, b: f64) -> f64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    if high.is_infinite() { high } else { high + libm::log1p(libm::exp(low - high)) }
}

#[cfg(test)]
mod tests;
