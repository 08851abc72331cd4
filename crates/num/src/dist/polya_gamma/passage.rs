//! PG(b, z) for small b or large z, from first passages.

use super::series::accepts;
use crate::dist::normal::normal;
use crate::streams::Rng;

/// Draws a first passage until it is accepted as J(h, c); see [`super::series`].
///
/// A proposal is accepted with probability (1 + e^−2c)^−h: at least ½ for h ≤ 1, and almost always for large c.
#[derive(Debug, Clone, Copy)]
pub(super) struct Passage {
    h: f64,
    c: f64,
}

impl Passage {
    pub(super) fn new(h: f64, c: f64) -> Passage {
        Passage { h, c }
    }

    /// How many proposals are lost, about: h ln(1 + e^−2c), or a bit more.
    #[inline]
    pub(super) fn loss(h: f64, c: f64) -> f64 {
        h * libm::exp(-2.0 * c)
    }

    #[inline]
    pub(super) fn draw(&self, rng: &mut Rng) -> f64 {
        loop {
            let x = first_passage(rng, self.h, self.c);
            if accepts(rng.uniform(), self.h, x) {
                return x;
            }
        }
    }
}

/// When Brownian motion with drift c ≥ 0 first reaches h: inverse Gaussian with mean h/c and shape h².
///
/// After Michael, Schucany & Haas (1976). Of the two roots with the same c²(x − h/c)²/x = Z², the smaller is
/// h / (c + k + √(k(k + 2c))) with k = Z²/2h, which stays exact for c → 0, where it is Lévy's h²/Z².
#[inline]
pub(super) fn first_passage(rng: &mut Rng, h: f64, c: f64) -> f64 {
    let z = normal(rng);
    let k = 0.5 * z * z / h;
    let root = h / (c + k + (k * (k + 2.0 * c)).sqrt());
    if rng.uniform() * (h + root * c) <= h {
        root
    } else {
        let mean = h / c;
        mean * (mean / root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special::normal_cdf;
    use crate::streams::Stream;

    /// P(X ≤ x) = Φ((cx − h)/√x) + e^(2ch) Φ(−(cx + h)/√x), at the quartiles of Lévy's law and the mean.
    #[test]
    fn first_passages_have_the_inverse_gaussian_law() {
        for (h, c) in [(1.0, 0.0), (0.3, 0.5), (2.0, 3.0), (0.05, 20.0)] {
            let mut rng = Stream::new(5).purpose("passage").rng();
            let n = 200_000;
            let draws: Vec<f64> = (0..n).map(|_| first_passage(&mut rng, h, c)).collect();
            for x in [0.1 * h * h, h * h, h / (c + 0.3), 4.0 * h / (c + 0.3)] {
                let (a, b) = ((c * x - h) / libm::sqrt(x), -(c * x + h) / libm::sqrt(x));
                let known = normal_cdf(a) + libm::exp(2.0 * c * h) * normal_cdf(b);
                let found = draws.iter().filter(|&&draw| draw <= x).count() as f64 / n as f64;
                let error = (known * (1.0 - known) / n as f64).sqrt().max(1e-5);
                assert!((found - known).abs() < 4.5 * error, "{h} {c} {x}: {found} {known}");
            }
        }
    }
}
