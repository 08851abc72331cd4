//! The standard normal distribution, by the ziggurat method.

use std::sync::LazyLock;

use crate::linear::Cholesky;
use crate::streams::Rng;

/// A draw from N(0, 1) (Marsaglia & Tsang 2000, with the fuller use of bits of Doornik 2005).
pub fn normal(rng: &mut Rng) -> f64 {
    let ziggurat = &*ZIGGURAT;
    loop {
        // The lowest 8 bits choose the layer and the highest 53 the place in it: they do not overlap.
        let bits = rng.bits();
        let layer = (bits & 0xFF) as usize;
        let x = ((bits >> 11) as f64 * SCALE - 1.0) * ziggurat.x[layer];
        if x.abs() < ziggurat.x[layer + 1] {
            return x;
        }
        if layer == 0 {
            return tail(rng).copysign(x);
        }
        let (low, high) = (ziggurat.f[layer], ziggurat.f[layer + 1]);
        if low + rng.uniform() * (high - low) < bell(x) {
            return x;
        }
    }
}

/// A draw from N(A⁻¹r, A⁻¹), given the factor of the precision A and the right-hand side r; O(n²).
///
/// That is how coefficients with a normal prior are drawn given normal data: A = Σ ω x xᵀ + prior precision,
/// r = Σ ω x y. The slices have as many numbers as A has rows; otherwise `out` is filled with NaN.
pub fn normal_with_precision(rng: &mut Rng, precision: &Cholesky, rhs: &[f64], out: &mut [f64]) {
    if rhs.len() != precision.n() || out.len() != precision.n() {
        out.fill(f64::NAN);
        return;
    }
    // L⁻ᵀ (L⁻¹ r + Z) has the mean L⁻ᵀ L⁻¹ r and the covariance L⁻ᵀ L⁻¹.
    out.copy_from_slice(rhs);
    precision.solve_lower(out);
    out.iter_mut().for_each(|x| *x += normal(rng));
    precision.solve_upper(out);
}

const LAYERS: usize = 256;
/// Where the tail begins, and the common area of the layers, for 256 layers.
const TAIL: f64 = 3.654_152_885_361_009;
const AREA: f64 = 0.004_928_673_233_974_655;
/// 2⁻⁵², which takes 53 bits to [0, 2).
const SCALE: f64 = 2.0 / (1u64 << 53) as f64;

struct Ziggurat {
    x: [f64; LAYERS + 1],
    f: [f64; LAYERS + 1],
}

static ZIGGURAT: LazyLock<Ziggurat> = LazyLock::new(|| {
    // Layer 0 is the rectangle under the tail together with the tail itself; its x is a width that makes
    // a rectangle of the same area. Layer i > 0 reaches from f(xᵢ) to f(xᵢ₊₁) = f(xᵢ) + AREA / xᵢ.
    let mut x = [0.0; LAYERS + 1];
    x[0] = AREA / bell(TAIL);
    x[1] = TAIL;
    for i in 2..LAYERS {
        x[i] = libm::sqrt(-2.0 * libm::log(AREA / x[i - 1] + bell(x[i - 1])));
    }
    Ziggurat { x, f: x.map(bell) }
});

/// The density without its constant.
fn bell(x: f64) -> f64 {
    libm::exp(-0.5 * x * x)
}

/// |X| given that it exceeds `TAIL` (Marsaglia 1964).
fn tail(rng: &mut Rng) -> f64 {
    loop {
        let beyond = -libm::log(rng.uniform_open()) / TAIL;
        if -2.0 * libm::log(rng.uniform_open()) > beyond * beyond {
            return TAIL + beyond;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If the constants were off, the topmost layer would not end at the peak of the bell.
    #[test]
    fn all_layers_have_the_same_area() {
        let ziggurat = &*ZIGGURAT;
        let top = ziggurat.x[LAYERS - 1] * (1.0 - ziggurat.f[LAYERS - 1]);
        assert!((top - AREA).abs() < 1e-10, "{top}");
        let beyond =
            libm::sqrt(std::f64::consts::PI / 2.0) * libm::erfc(TAIL * std::f64::consts::FRAC_1_SQRT_2);
        assert!((TAIL * bell(TAIL) + beyond - AREA).abs() < 1e-14);
    }
}
