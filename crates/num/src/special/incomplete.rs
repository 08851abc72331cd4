//! Distribution functions of the gamma, beta, chi-square and Kolmogorov distributions.

use super::gamma::{ln_beta, ln_gamma};

/// P(X ≤ x) for X ~ Gamma(shape) with scale 1.
pub fn gamma_cdf(x: f64, shape: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x < shape + 1.0 { lower_series(x, shape) } else { 1.0 - upper_fraction(x, shape) }
}

/// P(X > x) for a chi-square variable.
pub fn chi_square_tail(x: f64, degrees: f64) -> f64 {
    let (x, shape) = (x / 2.0, degrees / 2.0);
    if x <= 0.0 {
        return 1.0;
    }
    if x < shape + 1.0 { 1.0 - lower_series(x, shape) } else { upper_fraction(x, shape) }
}

/// P(X ≤ x) for X ~ Beta(a, b).
pub fn beta_cdf(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    // The fraction converges fast below the mean; above it the mirrored one does.
    let front = libm::exp(a * libm::log(x) + b * libm::log1p(-x) - ln_beta(a, b));
    if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(x, a, b) / a
    } else {
        1.0 - front * beta_fraction(1.0 - x, b, a) / b
    }
}

/// The x with P(T ≤ x) = p for Student's T; NaN unless 0 < p < 1 and there are degrees of freedom.
///
/// P(|T| > x) = I(d / (d + x²); d/2, 1/2), which is halved until nothing changes.
pub fn student_quantile(p: f64, degrees: f64) -> f64 {
    if !(p > 0.0 && p < 1.0 && degrees > 0.0) {
        return f64::NAN;
    }
    if p == 0.5 {
        return 0.0;
    }
    let both_tails = 2.0 * p.min(1.0 - p);
    // Of y = d / (d + x²), which lies between 0 and 1.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if beta_cdf(middle, degrees / 2.0, 0.5) < both_tails { low = middle } else { high = middle }
    }
    let y = (low + high) / 2.0;
    let x = libm::sqrt(degrees * (1.0 - y) / y);
    if p < 0.5 { -x } else { x }
}

/// P(√n · D > x) for large n, where D is the Kolmogorov–Smirnov distance of n draws from their law.
pub fn kolmogorov_tail(x: f64) -> f64 {
    // 2 Σ (−1)ᵏ⁻¹ exp(−2k²x²) converges slowly near 0, where the tail is 1 to all digits.
    if x < 0.2 {
        return 1.0;
    }
    let term = |k: i32| (if k % 2 == 1 { 2.0 } else { -2.0 }) * libm::exp(-2.0 * f64::from(k * k) * x * x);
    (1..=100).map(term).sum::<f64>().clamp(0.0, 1.0)
}

const ENOUGH: usize = 10_000;

/// xᵃ e⁻ˣ / Γ(a) · Σ xⁿ / (a (a+1) … (a+n))
fn lower_series(x: f64, a: f64) -> f64 {
    let mut term = 1.0 / a;
    let mut sum = term;
    for n in 1..ENOUGH {
        term *= x / (a + n as f64);
        sum += term;
        if term < sum * f64::EPSILON {
            break;
        }
    }
    sum * libm::exp(a * libm::log(x) - x - ln_gamma(a))
}

/// xᵃ e⁻ˣ / Γ(a) · 1/(x+1−a − 1(1−a)/(x+3−a − 2(2−a)/(x+5−a − …)))
fn upper_fraction(x: f64, a: f64) -> f64 {
    let partial = |n: usize| (-(n as f64) * (n as f64 - a), x + 2.0 * n as f64 + 1.0 - a);
    libm::exp(a * libm::log(x) - x - ln_gamma(a)) / lentz(x + 1.0 - a, partial)
}

/// 1/(1 + d₁/(1 + d₂/(1 + …))) with the coefficients of the incomplete beta function.
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    let partial = |n: usize| {
        let m = (n / 2) as f64;
        let d = if n.is_multiple_of(2) {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        } else {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        };
        (d, 1.0)
    };
    1.0 / lentz(1.0, partial)
}

/// b₀ + a₁/(b₁ + a₂/(b₂ + …)) from front to back (Lentz 1976); `partial` gives (aₙ, bₙ).
fn lentz(b0: f64, partial: impl Fn(usize) -> (f64, f64)) -> f64 {
    let away_from_zero = |x: f64| if x.abs() < 1e-300 { 1e-300 } else { x };
    let mut value = away_from_zero(b0);
    let (mut c, mut d) = (value, 0.0);
    for n in 1..ENOUGH {
        let (a, b) = partial(n);
        d = 1.0 / away_from_zero(b + a * d);
        c = away_from_zero(b + a / c);
        value *= c * d;
        if (c * d - 1.0).abs() < 2.0 * f64::EPSILON {
            break;
        }
    }
    value
}
