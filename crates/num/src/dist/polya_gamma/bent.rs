//! PG(b, z) for larger b, from a bent normal variable.

use super::cumulants::Cumulants;
use super::saddle;
use super::series;
use crate::dist::normal::normal;
use crate::special::exp;
use crate::streams::Rng;

/// Draws J(h, c) as x₁ exp(η(Z)), where Z is normal and η an increasing cubic, by rejection.
///
/// Marsaglia & Tsang (2000) draw gamma variables as cubes d(1 + aZ)³ because the cube root of a gamma variable is
/// nearly normal; the logarithm of an inverse Gaussian variable is so, too. J(h, c) lies between the two, and its
/// p-th root is nearly normal for p from 5 (at c = 0) to ∞. With e = σZ/p, p ln(1 + e) is cut after the third term:
/// η = σZ (1 − e/2 + e²/3), which is increasing, needs no logarithm, and agrees where it matters.
///
/// Everything follows from the cumulants κ of J(1, c) near its mode: in ln x, the logarithm of the density has the
/// second derivative −a = −h κ₁²/κ₂ and the third −a (3 − q) with q = κ₁κ₃/κ₂². A p-th root that takes the third
/// away has 3/p = 3 − q.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bent {
    h: f64,
    half_square: f64,
    /// The saddle point of the centre, and the centre.
    s: f64,
    centre: f64,
    sigma: f64,
    /// σ/p
    bend: f64,
    /// 1/a
    spread: f64,
}

/// Taken from a, so that the normal density is wide enough to lie above: what the factors of the density that do
/// not grow with h take away from the second derivative.
const WIDER: f64 = 0.6;
/// With t(Z) the logarithm of the density of Z over the normal density, and 0 at 0, the tests find
/// t ≤ ABOVE/a for all Z and t ≥ −(BELOW + SECOND Z² + FOURTH Z⁴)/a for |Z| < NEAR.
const ABOVE: f64 = 0.1;
const BELOW: f64 = 0.02;
const SECOND: f64 = 0.15;
const FOURTH: f64 = 0.12;
const NEAR: f64 = 3.0;
/// Up to this h the density is summed exactly; above, the approximation is right to 3 · 10⁻⁵ and better.
pub(super) const SUMMED: f64 = 24.0;
/// One draw in a million is farther out, where the sum loses its digits and the approximation is used for every h.
const FAR: f64 = 5.0;

impl Bent {
    #[inline]
    pub(super) fn new(h: f64, c: f64) -> Bent {
        let square = c * c;
        // The mode of ln x, by one step from the tilt itself: there h κ₁ (s − c²)/2 + 1 − 1/p − q/2 = 0.
        let k = Cumulants::at(square);
        let s = square + (k.first * k.third / (k.second * k.second) / 3.0) / (h * k.first);
        let k = Cumulants::at(s);
        let q = k.first * k.third / (k.second * k.second);
        let a = h * k.first * k.first / k.second;
        let sigma = 1.0 / (a - WIDER).sqrt();
        let bend = sigma * (1.0 - q / 3.0);
        Bent { h, half_square: 0.5 * square, s, centre: h * k.first, sigma, bend, spread: 1.0 / a }
    }

    #[inline]
    pub(super) fn draw(&self, rng: &mut Rng) -> f64 {
        loop {
            let z = normal(rng);
            let e = self.bend * z;
            let eta = self.sigma * z * (1.0 - e * (0.5 - e * (1.0 / 3.0)));
            let x = self.centre * exp(eta);
            let u = rng.uniform_open();
            let square = z * z;
            let squeeze = (ABOVE + BELOW + square * (SECOND + FOURTH * square)) * self.spread;
            if (u < 1.0 - squeeze && z.abs() < NEAR) || libm::log(u) < self.excess(z) - ABOVE * self.spread {
                return x;
            }
        }
    }

    /// t(Z), see `ABOVE`.
    #[cold]
    fn excess(&self, z: f64) -> f64 {
        let e = self.bend * z;
        let eta = self.sigma * z * (1.0 - e * (0.5 - e * (1.0 / 3.0)));
        let x = self.centre * libm::exp(eta);
        // ln of x · dη/dZ, but for a constant
        let jacobian = eta + libm::log1p(e * (e - 1.0));
        let summed = self.h <= SUMMED && z.abs() < FAR;
        let density = if summed { self.summed(x, eta) } else { self.approximate(x) };
        density - self.half_square * (x - self.centre) + jacobian + 0.5 * z * z
    }

    /// ln f(x)/f(x₁) with η = ln x/x₁.
    fn summed(&self, x: f64, eta: f64) -> f64 {
        let sums = series::ratio(self.h, x) / series::ratio(self.h, self.centre);
        libm::log(sums) - 1.5 * eta - 0.5 * self.h * self.h * (1.0 / x - 1.0 / self.centre)
    }

    /// The same for large h.
    fn approximate(&self, x: f64) -> f64 {
        saddle::ln_density(self.h, x, self.s) - saddle::ln_density(self.h, self.centre, self.s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const H: [f64; 14] = [6.0, 6.5, 8.0, 10.0, 14.0, 20.0, 24.0, 24.5, 30.0, 60.0, 200.0, 1e3, 1e4, 1e5];
    const C: [f64; 14] = [0.0, 0.1, 0.3, 0.36, 0.5, 0.8, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 40.0];

    fn every(mut check: impl FnMut(&Bent, f64, f64)) {
        for h in H {
            for c in C {
                let bent = Bent::new(h, c);
                for i in -80..=80 {
                    let z = f64::from(i) * 0.1;
                    let excess = bent.excess(z) / bent.spread;
                    check(&bent, z, excess);
                }
            }
        }
    }

    #[test]
    fn the_proposals_lie_above_the_density() {
        every(|bent, z, excess| assert!(excess <= ABOVE, "{bent:?} {z}: {excess}"));
    }

    #[test]
    fn the_squeeze_lies_below_the_density() {
        every(|bent, z, excess| {
            let bound = -BELOW - z * z * (SECOND + FOURTH * z * z);
            assert!(z.abs() > NEAR || excess >= bound, "{bent:?} {z}: {excess} {bound}");
        });
    }

    /// Where the exact sum gives way to the approximation, both give the same density, but for a constant.
    #[test]
    fn the_saddle_point_approximation_agrees_with_the_sum() {
        let exact = |h: f64, x: f64| {
            libm::log(series::ratio(h, x)) - 1.5 * libm::log(x) - 0.5 * h * h / x
                + libm::log(h)
                + h * std::f64::consts::LN_2
                + 0.5 * libm::log(h)
        };
        for y in [0.1, 0.3, 0.6, 0.8, 1.0, 1.2, 1.5, 1.8] {
            let error = saddle::ln_density(SUMMED, SUMMED * y, 0.3) - exact(SUMMED, SUMMED * y);
            assert!(error.abs() < 3e-5, "{y}: {error}");
        }
    }
}
