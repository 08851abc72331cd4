//! The Pólya-Gamma distribution of Polson, Scott & Windle (2013), which makes logistic likelihoods conditionally
//! normal.
//!
//! PG(b, z) has the Laplace transform coshᵇ(z/2) / coshᵇ √((z²/2 + t)/2) and the density
//! coshᵇ(z/2) exp(−z²x/2) f(x | b, 0). All work is done for J(b, c) = 4 PG(b, 2c).

mod bent;
mod cumulants;
mod passage;
mod saddle;
mod series;
mod unit;
mod ziggurat;

use crate::streams::Rng;
use bent::Bent;
use cumulants::Cumulants;
use passage::{Passage, first_passage};
use unit::Unit;

/// A draw from PG(b, z) for every b > 0 and every finite z.
///
/// Several methods, each where it is fastest. All are rejection samplers, with proposals of which at least about half
/// are accepted, so that the time is bounded for all parameters:
///
/// | where | proposals |
/// |---|---|
/// | b = 1, \|z\| < 2 | exponential and normal tails (Devroye 2009; Polson, Scott & Windle 2013) |
/// | b ≤ 1, or b e^−\|z\| < ¼ and b ≤ 24, or \|z\| ≥ 80 | first passages of Brownian motion |
/// | 1 < b < 6 otherwise | a sum of draws with b = 1, and one with the fraction |
/// | larger b | a normal variable, bent as Marsaglia & Tsang (2000) bend it for gamma variables |
///
/// There is no normal approximation, however large b is. Up to b = 24 the draws are exact, but for rounding and for one in a
/// million that is more than five standard deviations out. Above, and there, the density by which they are accepted is the saddle-point approximation with its first correction (Windle, Polson & Scott
/// 2014 use it without), whose relative error was measured at b = 24 to be below 3 · 10⁻⁵ within five standard deviations, and
/// which is of the order b⁻². One million draws for each of 198 pairs of b from 0.03 to 1000 and z from 0 to 100 were
/// compared with the law: the largest Kolmogorov distance is 0.0020, and the smallest p of 198 is 0.0005.
///
/// b = 0 gives 0; a negative or infinite b, an infinite z and NaN give NaN. For many draws with the same parameters
/// use [`PolyaGamma`], for many z [`polya_gamma_slice`].
///
/// ```
/// let mut rng = num::Stream::new(7).rng();
/// let omega = num::dist::polya_gamma(&mut rng, 1.0, 0.5);
/// assert!(omega > 0.0);
/// ```
#[inline]
pub fn polya_gamma(rng: &mut Rng, b: f64, z: f64) -> f64 {
    PolyaGamma::new(b, z).draw(rng)
}

/// Draws from PG(b, zᵢ) for each i, the same as [`polya_gamma`] one after the other.
///
/// Stops at the end of the shorter slice.
pub fn polya_gamma_slice(rng: &mut Rng, b: f64, z: &[f64], out: &mut [f64]) {
    for (out, &z) in out.iter_mut().zip(z) {
        *out = polya_gamma(rng, b, z);
    }
}

/// PG(b, z) with what can be computed before drawing.
#[derive(Debug, Clone, Copy)]
pub struct PolyaGamma {
    method: DrawMethod,
}

#[derive(Debug, Clone, Copy)]
enum DrawMethod {
    /// A number that is certain, or none.
    Constant(f64),
    Unit(Unit),
    Passage(Passage),
    /// A first passage that need not be corrected.
    Plain(f64, f64),
    Units(Unit, u32),
    Sum(Unit, u32, Passage),
    Bent(Bent),
}

/// Below this z/2 PG(1, z) is drawn by its own method, above from first passages.
const NEAR: f64 = 1.0;
/// From here on z/2 is so large that e^−z is nothing: less than e⁻⁸⁰ b of the first passages were to be rejected.
const PLAIN: f64 = 40.0;
/// First passages are used if about this share of them, or less, is rejected.
const LOSS: f64 = 0.25;
/// From here on b is large.
const LARGE: f64 = 6.0;

impl PolyaGamma {
    /// Any parameters; see [`polya_gamma`] for those out of range.
    #[inline]
    pub fn new(b: f64, z: f64) -> PolyaGamma {
        let c = 0.5 * z.abs();
        let method =
            if b == 1.0 && c < NEAR { DrawMethod::Unit(Unit::new(c)) } else { PolyaGamma::other(b, c) };
        PolyaGamma { method }
    }

    #[inline]
    fn other(b: f64, c: f64) -> DrawMethod {
        if !(b >= 0.0 && b.is_finite() && c.is_finite()) {
            DrawMethod::Constant(f64::NAN)
        } else if b == 0.0 {
            DrawMethod::Constant(0.0)
        } else if c >= PLAIN {
            DrawMethod::Plain(b, c)
        } else if b <= 1.0 || (b <= bent::SUMMED && Passage::loss(b, c) < LOSS) {
            DrawMethod::Passage(Passage::new(b, c))
        } else if b < LARGE {
            let whole = libm::floor(b);
            if whole == b {
                DrawMethod::Units(Unit::new(c), whole as u32)
            } else {
                DrawMethod::Sum(Unit::new(c), whole as u32, Passage::new(b - whole, c))
            }
        } else {
            DrawMethod::Bent(Bent::new(b, c))
        }
    }

    /// One draw.
    #[inline]
    pub fn draw(&self, rng: &mut Rng) -> f64 {
        0.25 * match &self.method {
            DrawMethod::Constant(x) => *x,
            DrawMethod::Unit(unit) => unit.draw(rng),
            DrawMethod::Passage(passage) => passage.draw(rng),
            DrawMethod::Plain(b, c) => first_passage(rng, *b, *c),
            DrawMethod::Units(unit, n) => (0..*n).map(|_| unit.draw(rng)).sum::<f64>(),
            DrawMethod::Sum(unit, n, rest) => {
                let units: f64 = (0..*n).map(|_| unit.draw(rng)).sum();
                units + rest.draw(rng)
            }
            DrawMethod::Bent(bent) => bent.draw(rng),
        }
    }
}

/// The mean b tanh(z/2) / 2z of PG(b, z), which is b/4 at z = 0.
pub fn polya_gamma_mean(b: f64, z: f64) -> f64 {
    let c = 0.5 * z.abs();
    0.25 * b * if c < PLAIN { cumulants::mean(c * c) } else { 1.0 / c }
}

/// The variance b (sinh z − z) / (4z³ cosh²(z/2)) of PG(b, z), which is b/24 at z = 0.
pub fn polya_gamma_variance(b: f64, z: f64) -> f64 {
    let c = 0.5 * z.abs();
    0.0625 * b * if c < PLAIN { Cumulants::at(c * c).second } else { 1.0 / (c * c * c) }
}
