//! The density of J(h) for large h, by the saddle-point approximation.

use super::cumulants::{Cumulants, END, ln_cosh, mean};

/// ln f(x | h) + ½ ln 2πh, from a guess of the saddle point s.
///
/// f(x | h) ≈ exp(h (K(t) − ty)) / √(2πh K″(t)) · (1 + (λ₄/8 − 5λ₃²/24)/h) with K′(t) = y = x/h and λₖ the cumulants
/// divided by powers of K″. The approximation is exact for the inverse Gaussian and, up to a constant, for the gamma
/// distribution, which J(h) resembles at its left and its right end; so its error is small: see the tests.
pub(super) fn ln_density(h: f64, x: f64, guess: f64) -> f64 {
    let y = x / h;
    let s = saddle(y, guess);
    let k = Cumulants::at(s);
    let square = k.second * k.second;
    let correction = k.fourth / (8.0 * square) - 5.0 * k.third * k.third / (24.0 * square * k.second);
    h * (0.5 * s * y - ln_cosh(s)) - 0.5 * libm::log(k.second) + libm::log1p(correction / h)
}

/// The s with K′(t) = y.
///
/// Newton's method on 1/y, which is √s coth √s, rising and concave, so that all steps after the first go up.
fn saddle(y: f64, guess: f64) -> f64 {
    let mut s = guess;
    for _ in 0..50 {
        let k = Cumulants::at(s);
        // d(1/K′)/ds = K″ / 2K′²
        let step = (1.0 / y - 1.0 / k.first) * 2.0 * k.first * k.first / k.second;
        let next = if s + step > END { s + step } else { 0.5 * (s + END) };
        let close = (next - s).abs() <= 1e-13 * (1.0 + s.abs());
        s = next;
        if close {
            break;
        }
    }
    // The exponent is flat at the saddle point, so that the last digits of s do not matter.
    debug_assert!((mean(s) - y).abs() <= 1e-6 * y, "{s} {y}");
    s
}
