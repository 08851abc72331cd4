//! The gamma distribution and those made from it.

use super::normal::normal;
use crate::special::{exp_slice, ln_slice};
use crate::streams::Rng;

/// A draw from the exponential distribution with mean 1.
pub fn exponential(rng: &mut Rng) -> f64 {
    -libm::log(rng.uniform_open())
}

/// A draw from Gamma(shape, scale), whose mean is shape · scale. May underflow to 0 for tiny shapes:
/// see [`log_gamma`].
pub fn gamma(rng: &mut Rng, shape: f64, scale: f64) -> f64 {
    if shape >= 1.0 { standard(rng, shape) * scale } else { libm::exp(log_gamma(rng, shape)) * scale }
}

/// Draws many gamma variables at once, in memory that is used again.
#[derive(Debug, Clone, Default)]
pub struct Gammas {
    powers: Vec<f64>,
    inverses: Vec<f64>,
}

impl Gammas {
    /// Appends a draw from Gamma(shape, 1) for each shape: what [`gamma`] gives, but for the last bits, and sooner.
    pub fn draw_into(&mut self, rng: &mut Rng, shapes: impl Iterator<Item = f64>, draws: &mut Vec<f64>) {
        let start = draws.len();
        self.powers.clear();
        self.inverses.clear();
        for shape in shapes {
            // If G ~ Gamma(a + 1) and U is uniform, then G · U^(1/a) ~ Gamma(a).
            let small = shape > 0.0 && shape < 1.0;
            draws.push(match shape {
                _ if small => standard(rng, shape + 1.0),
                _ if shape >= 1.0 => standard(rng, shape),
                _ if shape == 0.0 => 0.0,
                _ => f64::NAN,
            });
            self.powers.push(if small { rng.uniform_open() } else { 1.0 });
            self.inverses.push(if small { 1.0 / shape } else { 1.0 });
        }
        ln_slice(&mut self.powers);
        self.powers.iter_mut().zip(&self.inverses).for_each(|(power, inverse)| *power *= inverse);
        exp_slice(&mut self.powers);
        draws[start..].iter_mut().zip(&self.powers).for_each(|(draw, power)| *draw *= power);
    }
}

/// The logarithm of a draw from Gamma(shape, 1): finite where the draw itself would underflow.
///
/// Shape 0 gives −∞ (all mass at 0), a negative shape NaN.
pub fn log_gamma(rng: &mut Rng, shape: f64) -> f64 {
    if shape >= 1.0 {
        libm::log(standard(rng, shape))
    } else if shape > 0.0 {
        // If G ~ Gamma(a + 1) and U is uniform, then G · U^(1/a) ~ Gamma(a).
        libm::log(standard(rng, shape + 1.0)) - exponential(rng) / shape
    } else if shape == 0.0 {
        f64::NEG_INFINITY
    } else {
        f64::NAN
    }
}

/// A draw from the inverse gamma distribution, whose density falls like x^(−shape−1) exp(−scale/x).
pub fn inverse_gamma(rng: &mut Rng, shape: f64, scale: f64) -> f64 {
    libm::exp(libm::log(scale) - log_gamma(rng, shape))
}

/// A draw from Beta(a, b).
pub fn beta(rng: &mut Rng, a: f64, b: f64) -> f64 {
    libm::exp(log_beta(rng, a, b).0)
}

/// (ln X, ln(1 − X)) for a draw X from Beta(a, b): both exact where X is next to 0 or 1.
pub fn log_beta(rng: &mut Rng, a: f64, b: f64) -> (f64, f64) {
    let (x, y) = (log_gamma(rng, a), log_gamma(rng, b));
    let total = crate::special::log_add_exp(x, y);
    if total == f64::NEG_INFINITY && a + b > 0.0 {
        // Both logarithms overflowed; in the limit of tiny parameters X is 1 or 0, in proportion a : b.
        let one = rng.uniform() * (a + b) < a;
        return if one { (0.0, f64::NEG_INFINITY) } else { (f64::NEG_INFINITY, 0.0) };
    }
    (x - total, y - total)
}

/// Gamma(a, 1) for a ≥ 1 (Marsaglia & Tsang 2000): d·(1 + cX)³ with X normal, after a rejection step.
fn standard(rng: &mut Rng, shape: f64) -> f64 {
    if shape.is_infinite() {
        return shape;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / libm::sqrt(9.0 * d);
    loop {
        let x = normal(rng);
        let root = 1.0 + c * x;
        if root <= 0.0 {
            continue;
        }
        let v = root * root * root;
        // The squeeze 1 − 0.0331 X⁴ lies below the bound and saves most logarithms.
        let u = rng.uniform_open();
        let square = x * x;
        if u < 1.0 - 0.0331 * square * square || libm::log(u) < 0.5 * square + d * (1.0 - v + libm::log(v)) {
            return d * v;
        }
    }
}
