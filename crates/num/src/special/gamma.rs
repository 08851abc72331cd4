//! The gamma function and its derivatives, in logarithms.

/// ln |Γ(x)|.
pub fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// ln B(a, b) = ln Γ(a) + ln Γ(b) − ln Γ(a + b).
pub fn ln_beta(a: f64, b: f64) -> f64 {
    ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b)
}

/// ψ(x) = d ln Γ(x) / dx; NaN at the poles 0, −1, −2, …
pub fn digamma(x: f64) -> f64 {
    if x <= 0.0 {
        // ψ(x) = ψ(1 − x) − π / tan(πx); the tangent is taken of the fraction alone, to keep its digits.
        let fraction = x - libm::floor(x);
        return if fraction == 0.0 { f64::NAN } else { digamma(1.0 - x) - PI / libm::tan(PI * fraction) };
    }
    // ψ(x) = ψ(x + 1) − 1/x lifts x to where the asymptotic series is good to the last digit.
    let (mut x, mut lifted) = (x, 0.0);
    while x < SERIES_FROM {
        lifted -= 1.0 / x;
        x += 1.0;
    }
    // ψ(x) ~ ln x − 1/(2x) − Σ B₂ₖ / (2k x²ᵏ)
    let terms = series(1.0 / (x * x), &DIGAMMA);
    lifted + libm::log(x) - 0.5 / x - terms
}

/// ψ′(x) for x > 0; NaN elsewhere.
pub fn trigamma(x: f64) -> f64 {
    if x.is_nan() || x <= 0.0 {
        return f64::NAN;
    }
    let (mut x, mut lifted) = (x, 0.0);
    while x < SERIES_FROM {
        lifted += 1.0 / (x * x);
        x += 1.0;
    }
    // ψ′(x) ~ 1/x + 1/(2x²) + Σ B₂ₖ / x²ᵏ⁺¹
    let terms = series(1.0 / (x * x), &BERNOULLI);
    lifted + (1.0 + terms) / x + 0.5 / (x * x)
}

const PI: f64 = std::f64::consts::PI;
const SERIES_FROM: f64 = 10.0;

/// B₂, B₄, …, B₁₆.
const BERNOULLI: [f64; 8] = [
    1.0 / 6.0,
    -1.0 / 30.0,
    1.0 / 42.0,
    -1.0 / 30.0,
    5.0 / 66.0,
    -691.0 / 2730.0,
    7.0 / 6.0,
    -3617.0 / 510.0,
];

/// B₂ₖ / 2k.
const DIGAMMA: [f64; 8] = {
    let mut terms = BERNOULLI;
    let mut k = 0;
    while k < terms.len() {
        terms[k] /= 2.0 * (k + 1) as f64;
        k += 1;
    }
    terms
};

/// c₁ y + c₂ y² + …, by Horner's rule.
fn series(y: f64, coefficients: &[f64]) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| (sum + c) * y)
}
