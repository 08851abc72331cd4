//! The density of J(h) below that of a first passage.
//!
//! J(h), with Laplace transform cosh^−h(√2s), is 4 PG(h, 0). Since
//! cosh^−h(w) = 2ʰ e^−hw (1 + e^−2w)^−h, its density is an alternating sum of densities of first passages of
//! Brownian motion through h, h + 2, h + 4, …:
//!
//! f(x | h) = 2ʰ Σ (−1)ⁿ Γ(n+h) / (Γ(h) n!) · (2n + h) / √(2πx³) · exp(−(2n + h)² / 2x).
//!
//! The first term alone is above the density everywhere, for every h > 0: the logarithm of the Laplace
//! transform of J(h) is that of a subordinator whose jumps have the density
//! ν(x) (1 − 2e^(−2/x) + 2e^(−8/x) − …) ≤ ν(x), where ν = (2πx³)^(−½) is that of the first passage through 1. So
//! the first passage is J(h) plus independent jumps of the rest, which has the mass ln 2; none of these
//! happens with probability 2^−h, and what is drawn then is J(h). The same holds under the tilt exp(−c²x/2) with
//! (1 + e^−2c)^−h for the probability.

/// Beyond this nothing is accepted: for h ≤ 1 the density has less than 2⁻⁵³ of its first term there, and larger h are
/// used with a drift that makes such an x impossible (less than e⁻¹⁹ of the proposals, and less than e⁻⁴⁰ of the law).
const FAR: f64 = 40.0;

/// Whether u < [`ratio`]`(h, x)`, mostly without a sum.
#[inline]
pub(super) fn accepts(u: f64, h: f64, x: f64) -> bool {
    // A sum that alternates and falls lies above 1 − (its second term). That is (h + 2) exp(−v) with
    // v = 2(1 + h)/x, and exp(−v) ≤ (1 + v/16)⁻¹⁶. The terms fall if the bound is below 1, because the quotient of
    // neighbours is less than it.
    let fourth = (x / (x + 0.125 * (1.0 + h))).powi(4);
    let second = (h + 2.0) * (fourth * fourth) * (fourth * fourth);
    u < 1.0 - second || (x < FAR && u < ratio(h, x))
}

/// The density of J(h) divided by its first term: Σ (−1)ⁿ (h + 2n) dₙ exp(−2n(n + h)/x) with
/// dₙ = (h+1) ⋯ (h+n−1) / n!, and 1 for n = 0.
pub(super) fn ratio(h: f64, x: f64) -> f64 {
    let mut sum = 1.0;
    let mut factor = -libm::exp(-2.0 * (1.0 + h) / x);
    let mut quotient = libm::exp(-2.0 * (3.0 + h) / x);
    let step = libm::exp(-4.0 / x);
    for n in 1..MOST {
        let n = n as f64;
        let term = (h + 2.0 * n) * factor;
        sum += term;
        if term.abs() < SMALL {
            break;
        }
        factor *= -quotient * (h + n) / (n + 1.0);
        quotient *= step;
    }
    sum.max(0.0)
}

/// Terms rise to one peak and then fall; below this they change nothing.
const SMALL: f64 = 1e-19;
const MOST: usize = 1_000;

#[cfg(test)]
mod tests {
    use super::*;

    /// ∫ f(x | h) e^(−sx) dx, on an even grid of ln x.
    fn transform(h: f64, s: f64) -> f64 {
        let step = 0.01;
        let height = |i: i32| {
            let x = libm::exp(f64::from(i) * step);
            let first = libm::exp2(h) * h / libm::sqrt(2.0 * std::f64::consts::PI * x)
                * libm::exp(-h * h / (2.0 * x));
            first * ratio(h, x) * libm::exp(-s * x)
        };
        (-1500..400).map(|i| height(i) * step).sum()
    }

    #[test]
    fn the_sum_has_the_laplace_transform_of_a_power_of_sech() {
        for h in [0.1, 0.5, 1.0, 1.7, 3.0, 6.5, 10.0] {
            for s in [0.0, 0.5, 4.0] {
                let known = libm::pow(libm::cosh(libm::sqrt(2.0 * s)), -h);
                let found = transform(h, s);
                assert!((found - known).abs() < 1e-7 * known.max(1e-3), "{h} {s}: {found} {known}");
            }
        }
    }

    #[test]
    fn bounds_decide_as_the_sum_does() {
        for h in [1e-9, 0.1, 0.5, 1.0, 4.0, 24.0] {
            for i in 1..280 {
                let x = libm::pow(1.05, f64::from(i - 205));
                for j in 0..200 {
                    let u = (f64::from(j) + 0.5) / 200.0;
                    assert_eq!(accepts(u, h, x), u < ratio(h, x), "{u} {h} {x}");
                }
            }
        }
    }
}
