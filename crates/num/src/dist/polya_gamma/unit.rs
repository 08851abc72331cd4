//! PG(1, z) near z = 0, after Devroye (2009) and Polson, Scott & Windle (2013).

use std::f64::consts::PI;
use std::sync::LazyLock;

use super::ziggurat::{FROM, Ziggurats};
use crate::streams::Rng;

/// Draws J(1, c) = 4 PG(1, 2c), whose density is cosh(c) exp(−c²x/2) f(x) with
///
/// f(x) = √(2/πx³) e^(−1/2x) · θ(e^(−4/x)) = π/2 · e^(−π²x/8) · θ(e^(−π²x)), θ(q) = 1 − 3q + 5q³ − 7q⁶ + …
///
/// The first form is used below [`CUT`], the second above it; there q < 0.002, and θ is nearly 1. Above, the tilt
/// only makes the exponential steeper. Below, x = 1/Y² with Y normal and beyond 1/√CUT, and the tilt is a further
/// reason for rejection, which saves the distribution function of the inverse Gaussian and is no loss while c < 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit {
    half_square: f64,
    /// Bounds of the probability to be above the cut.
    right: (f64, f64),
    tables: &'static Tables,
}

/// Where the two forms meet: FROM⁻².
const CUT: f64 = 1.0 / (FROM * FROM);
/// The integral of the first form without θ below `CUT`: 4 Φ(−FROM).
const LEFT: f64 = 0.422_599_094_667_421;
/// A bound of 3q on both sides: 3 exp(−4/CUT) = 0.00579 and 3 exp(−π²·CUT) = 0.00542.
const THREE_Q: f64 = 0.0058;

impl Unit {
    /// For c below [`CELLS`] / [`PER_ONE`].
    #[inline]
    pub(super) fn new(c: f64) -> Unit {
        let tables = &*TABLES;
        let cell = ((c * PER_ONE) as usize).min(CELLS - 1);
        Unit { half_square: 0.5 * c * c, right: (tables.right[cell + 1], tables.right[cell]), tables }
    }

    #[inline]
    pub(super) fn draw(&self, rng: &mut Rng) -> f64 {
        loop {
            if self.is_right(rng.uniform()) {
                let x = CUT + self.tables.ziggurats.exponential(rng) / (PI * PI / 8.0 + self.half_square);
                let u = rng.uniform();
                if u < 1.0 - THREE_Q || u < theta(libm::exp(-PI * PI * x)) {
                    return x;
                }
            } else {
                let y = self.tables.ziggurats.beyond(rng);
                let x = 1.0 / (y * y);
                if self.left_accepts(rng.uniform(), x) {
                    return x;
                }
            }
        }
    }

    /// Bounds decide in all but one case of hundreds.
    #[inline]
    fn is_right(&self, u: f64) -> bool {
        u < self.right.0 || (u < self.right.1 && u < right(self.half_square))
    }

    /// u < e^−v θ(e^(−4/x)) with v = c²x/2.
    #[inline]
    fn left_accepts(&self, u: f64, x: f64) -> bool {
        // 1 − v + v²/2 is above e^−v, and a further − v³/6 makes it lie below.
        let v = self.half_square * x;
        let above = 1.0 - v * (1.0 - 0.5 * v);
        if u < (above - v * v * v * (1.0 / 6.0)) * (1.0 - THREE_Q) {
            return true;
        }
        u < above && u < libm::exp(-v) * theta(libm::exp(-4.0 / x))
    }
}

/// The share of what lies above the cut in the integral of the proposals; it falls as c grows.
#[cold]
fn right(half_square: f64) -> f64 {
    // ∫ π/2 · exp(−rate · x) dx above the cut
    let rate = PI * PI / 8.0 + half_square;
    let above = 0.5 * PI / rate * libm::exp(-CUT * rate);
    above / (above + LEFT)
}

#[derive(Debug)]
struct Tables {
    ziggurats: Ziggurats,
    /// [`right`] for c = i / `PER_ONE`.
    right: [f64; CELLS + 1],
}

const PER_ONE: f64 = 256.0;
const CELLS: usize = 512;

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let at = |i: usize| i as f64 / PER_ONE;
    let right = std::array::from_fn(|i| right(0.5 * at(i) * at(i)));
    Tables { ziggurats: Ziggurats::new(), right }
});

/// 1 − 3q + 5q³ − 7q⁶ + …; for q < 0.002 the next term is below 10⁻²⁵.
#[cold]
fn theta(q: f64) -> f64 {
    let cube = q * q * q;
    1.0 - 3.0 * q + cube * (5.0 - 7.0 * cube)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::polya_gamma::series;

    /// Both forms are the density that [`series`] sums, which converges everywhere.
    #[test]
    fn both_forms_are_one_density() {
        for i in 1..60 {
            let x = 0.05 * f64::from(i);
            let first = libm::sqrt(2.0 / (PI * x * x * x)) * libm::exp(-0.5 / x);
            let density = first * series::ratio(1.0, x);
            let above = 0.5 * PI * libm::exp(-PI * PI / 8.0 * x) * theta(libm::exp(-PI * PI * x));
            let below = first * theta(libm::exp(-4.0 / x));
            assert!(x > 1.0 || (below / density - 1.0).abs() < 1e-9, "{x}: {below} {density}");
            assert!(x < 0.5 || (above / density - 1.0).abs() < 1e-9, "{x}: {above} {density}");
        }
    }

    #[test]
    fn bounds_decide_as_the_tilted_density_does() {
        for (c, x) in (0..15).flat_map(|i| (1..=64).map(move |j| (0.1 * f64::from(i), 0.01 * f64::from(j)))) {
            let unit = Unit::new(c);
            let known = libm::exp(-0.5 * c * c * x) * series::ratio(1.0, x);
            for u in (0..1_000).map(|k| 0.001 * f64::from(k)) {
                assert_eq!(unit.left_accepts(u, x), u < known, "{c} {x} {u}");
                assert_eq!(unit.is_right(u), u < right(0.5 * c * c), "{c} {u}");
            }
        }
    }

    /// The integral of the proposals below the cut.
    #[test]
    fn the_part_below_the_cut_has_its_weight() {
        assert!((LEFT - 4.0 * crate::special::normal_cdf(-FROM)).abs() < 1e-15);
        assert!(3.0 * libm::exp(-4.0 / CUT) < THREE_Q && 3.0 * libm::exp(-PI * PI * CUT) < THREE_Q);
    }
}
