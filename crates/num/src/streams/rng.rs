//! Uniform numbers from one stream.

use super::pcg::Pcg64;

/// A generator of uniform numbers, obtained from [`super::Stream::rng`].
///
/// Deliberately not serialisable: a run stores addresses, never generators.
#[derive(Clone, Debug)]
pub struct Rng {
    pcg: Pcg64,
}

impl Rng {
    pub(super) fn from_state(state: u128, stream: u128) -> Rng {
        Rng { pcg: Pcg64::new(state, stream) }
    }

    /// Sixty-four random bits.
    pub fn bits(&mut self) -> u64 {
        self.pcg.next()
    }

    /// Uniform on [0, 1) with 53 random bits.
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * EPSILON
    }

    /// Uniform on the open interval (0, 1), so that its logarithm is finite and not zero.
    pub fn uniform_open(&mut self) -> f64 {
        ((self.bits() >> 12) as f64 + 0.5) * (2.0 * EPSILON)
    }

    /// Uniform on 0, …, n − 1 without bias (Lemire 2019); 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        let n = n as u64;
        let threshold = if n == 0 { 0 } else { n.wrapping_neg() % n };
        loop {
            // The high word of bits · n is the answer; a low word under 2⁶⁴ mod n would favour it.
            let product = u128::from(self.bits()) * u128::from(n);
            if product as u64 >= threshold {
                return (product >> 64) as usize;
            }
        }
    }

    /// True with probability `p`; never for p ≤ 0, always for p ≥ 1.
    pub fn bernoulli(&mut self, p: f64) -> bool {
        self.uniform() < p
    }

    /// A uniformly random permutation of the slice (Fisher–Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// 2⁻⁵³, the distance of neighbouring draws of [`Rng::uniform`].
const EPSILON: f64 = 1.0 / (1u64 << 53) as f64;
