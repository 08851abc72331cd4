//! Ziggurats for densities that fall from 0 on.
//!
//! The exponential distribution by table, which costs a third of a logarithm, and the part of the normal
//! distribution beyond 5/4, which the left half of PG(1, z) is made of.

use crate::streams::Rng;

/// The tables of both.
#[derive(Debug)]
pub(super) struct Ziggurats {
    exponential: Layers,
    tail: Layers,
}

impl Ziggurats {
    pub(super) fn new() -> Ziggurats {
        let tail = |y| libm::sqrt(FROM * FROM - 2.0 * libm::log(y)) - FROM;
        Ziggurats {
            exponential: Layers::new(EXPONENTIAL_END, EXPONENTIAL_AREA, fall, |y| -libm::log(y)),
            tail: Layers::new(TAIL_END, TAIL_AREA, slope, tail),
        }
    }

    /// A draw from the exponential distribution with mean 1.
    #[inline]
    pub(super) fn exponential(&self, rng: &mut Rng) -> f64 {
        self.exponential.draw(rng, fall, |rng| EXPONENTIAL_END - libm::log(rng.uniform_open()))
    }

    /// A draw from N(0, 1) given that it exceeds [`FROM`].
    #[inline]
    pub(super) fn beyond(&self, rng: &mut Rng) -> f64 {
        FROM + self.tail.draw(rng, slope, far)
    }
}

/// Where the tail of the normal distribution begins.
pub(super) const FROM: f64 = 1.25;

const LAYERS: usize = 256;
/// Where the last layer gives way to the tail, and the common area of the layers.
const EXPONENTIAL_END: f64 = 7.697_117_470_131_05;
const EXPONENTIAL_AREA: f64 = 0.003_949_659_822_581_557;
const TAIL_END: f64 = 2.738_640_265_342_859_6;
const TAIL_AREA: f64 = 0.002_281_712_884_890_901_6;

fn fall(x: f64) -> f64 {
    libm::exp(-x)
}

/// φ(FROM + x) / φ(FROM)
fn slope(x: f64) -> f64 {
    libm::exp(-x * (FROM + 0.5 * x))
}

/// What a normal variable exceeds `FROM` by, given that this is more than `TAIL_END` (Marsaglia 1964).
#[cold]
fn far(rng: &mut Rng) -> f64 {
    loop {
        let beyond = -libm::log(rng.uniform_open()) / (FROM + TAIL_END);
        if -2.0 * libm::log(rng.uniform_open()) > beyond * beyond {
            return TAIL_END + beyond;
        }
    }
}

/// Layers of the same area; layer i reaches from 0 to xᵢ and from f(xᵢ) up to f(xᵢ₊₁).
#[derive(Debug)]
struct Layers {
    x: [f64; LAYERS + 1],
    f: [f64; LAYERS + 1],
}

impl Layers {
    /// Layer 0 is a rectangle up to `end` together with the tail; x₀ is the width of a rectangle of that area.
    fn new(end: f64, area: f64, density: fn(f64) -> f64, inverse: fn(f64) -> f64) -> Layers {
        let mut x = [0.0; LAYERS + 1];
        x[0] = area / density(end);
        x[1] = end;
        for i in 2..LAYERS {
            x[i] = inverse(density(x[i - 1]) + area / x[i - 1]);
        }
        Layers { x, f: x.map(density) }
    }

    #[inline]
    fn draw(&self, rng: &mut Rng, density: fn(f64) -> f64, tail: fn(&mut Rng) -> f64) -> f64 {
        loop {
            // The lowest 8 bits choose the layer and the highest 53 the place in it.
            let bits = rng.bits();
            let layer = (bits & 0xFF) as usize;
            let x = (bits >> 11) as f64 * (self.x[layer] * SCALE);
            if x < self.x[layer + 1] {
                return x;
            }
            if layer == 0 {
                return tail(rng);
            }
            let (low, high) = (self.f[layer], self.f[layer + 1]);
            if low + rng.uniform() * (high - low) < density(x) {
                return x;
            }
        }
    }
}

/// 2⁻⁵³, which takes 53 bits to [0, 1).
const SCALE: f64 = 1.0 / (1u64 << 53) as f64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special::normal_cdf;
    use crate::streams::Stream;

    /// Wedges and tails take part in few draws, which show in so many.
    fn check(draw: impl Fn(&Ziggurats, &mut Rng) -> f64, beyond: impl Fn(f64) -> f64, places: &[f64]) {
        let (ziggurats, mut rng) = (Ziggurats::new(), Stream::new(3).purpose("ziggurat").rng());
        let n = 2_000_000;
        let draws: Vec<f64> = (0..n).map(|_| draw(&ziggurats, &mut rng)).collect();
        for &x in places {
            let known = beyond(x);
            let found = draws.iter().filter(|&&draw| draw > x).count() as f64 / n as f64;
            let error = (known * (1.0 - known) / n as f64).sqrt();
            assert!((found - known).abs() < 4.5 * error, "{x}: {found} {known}");
        }
    }

    #[test]
    fn exponential_draws_have_their_law_and_tail() {
        let places = [0.001, 0.01, 0.1, 0.3, 1.0, 2.0, 4.0, 6.0, 7.6, 7.8, 9.0];
        check(Ziggurats::exponential, |x| libm::exp(-x), &places);
    }

    #[test]
    fn draws_from_the_normal_tail_have_their_law_and_tail() {
        let places = [1.251, 1.26, 1.3, 1.5, 2.0, 2.5, 3.0, 3.5, 3.98, 4.05, 4.3];
        check(Ziggurats::beyond, |x| normal_cdf(-x) / normal_cdf(-FROM), &places);
    }

    /// If the constants were off, the topmost layer would not end at the peak.
    #[test]
    fn all_layers_have_the_same_area() {
        let ziggurats = Ziggurats::new();
        for (layers, area) in [(&ziggurats.exponential, EXPONENTIAL_AREA), (&ziggurats.tail, TAIL_AREA)] {
            let top = layers.x[LAYERS - 1] * (1.0 - layers.f[LAYERS - 1]);
            assert!((top - area).abs() < 1e-12, "{top}");
        }
        assert!(((EXPONENTIAL_END + 1.0) * fall(EXPONENTIAL_END) - EXPONENTIAL_AREA).abs() < 1e-16);
        let root = std::f64::consts::FRAC_1_SQRT_2;
        let beyond = libm::sqrt(std::f64::consts::PI / 2.0)
            * libm::erfc((FROM + TAIL_END) * root)
            * libm::exp(0.5 * FROM * FROM);
        assert!((TAIL_END * slope(TAIL_END) + beyond - TAIL_AREA).abs() < 1e-16);
    }
}
