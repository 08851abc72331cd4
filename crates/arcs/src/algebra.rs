//! Ways to add and to multiply, for charts of first and second order.
//!
//! Charts hold floats and run over slices of them, so that this is not a [`forest::Semiring`] of values but one of
//! stretches of values. Sums over long stretches are taken in `LANES` interleaved parts, which the processor adds at
//! once; their number is part of the order of additions, and so of the answer's last bits.

use forest::Semiring;
use forest::lanes::fold;
use forest::semiring::LogProb;

/// How weights are added and multiplied.
pub(crate) trait Algebra {
    const ZERO: f64;
    const ONE: f64;
    fn plus(a: f64, b: f64) -> f64;
    fn times(a: f64, b: f64) -> f64;
    /// Σ a\[i\] · b\[i\].
    fn join<const LANES: usize>(a: &[f64], b: &[f64]) -> f64;
    /// The same for a handful of values.
    #[inline(always)]
    fn join_few(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).fold(Self::ZERO, |sum, (&a, &b)| Self::plus(sum, Self::times(a, b)))
    }

    /// sums\[i\] += factor · values\[i\].
    fn spread(sums: &mut [f64], factor: f64, values: &[f64]);
}

/// Sums and products with an inverse.
pub(crate) trait Mass: Algebra {
    fn inverse(value: f64) -> f64;
    /// As a plain number.
    fn plain(value: f64) -> f64;
}

/// Scores: + is max, · is +.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MaxPlus;

/// Plain numbers.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SumProduct;

/// Logarithms: as slow as they are safe.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LogSum;

#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

impl Algebra for MaxPlus {
    const ZERO: f64 = f64::NEG_INFINITY;
    const ONE: f64 = 0.0;

    #[inline(always)]
    fn plus(a: f64, b: f64) -> f64 {
        larger(a, b)
    }

    #[inline(always)]
    fn times(a: f64, b: f64) -> f64 {
        a + b
    }

    #[inline(always)]
    fn join<const LANES: usize>(a: &[f64], b: &[f64]) -> f64 {
        fold::<LANES>(a, b, Self::ZERO, |best, a, b| larger(best, a + b), larger)
    }

    #[inline(always)]
    fn spread(sums: &mut [f64], factor: f64, values: &[f64]) {
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum = larger(*sum, factor + value));
    }
}

impl Algebra for SumProduct {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;

    #[inline(always)]
    fn plus(a: f64, b: f64) -> f64 {
        a + b
    }

    #[inline(always)]
    fn times(a: f64, b: f64) -> f64 {
        a * b
    }

    #[inline(always)]
    fn join<const LANES: usize>(a: &[f64], b: &[f64]) -> f64 {
        fold::<LANES>(a, b, Self::ZERO, |sum, a, b| sum + a * b, |a, b| a + b)
    }

    #[inline(always)]
    fn spread(sums: &mut [f64], factor: f64, values: &[f64]) {
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += factor * value);
    }
}

impl Mass for SumProduct {
    fn inverse(value: f64) -> f64 {
        1.0 / value
    }

    fn plain(value: f64) -> f64 {
        value
    }
}

impl Algebra for LogSum {
    const ZERO: f64 = f64::NEG_INFINITY;
    const ONE: f64 = 0.0;

    fn plus(a: f64, b: f64) -> f64 {
        LogProb(a).plus(&LogProb(b)).0
    }

    #[inline(always)]
    fn times(a: f64, b: f64) -> f64 {
        a + b
    }

    fn join<const LANES: usize>(a: &[f64], b: &[f64]) -> f64 {
        let best = MaxPlus::join::<LANES>(a, b);
        if best == f64::NEG_INFINITY {
            return best;
        }
        let sum: f64 = a.iter().zip(b).map(|(a, b)| libm::exp(a + b - best)).sum();
        best + libm::log(sum)
    }

    fn spread(sums: &mut [f64], factor: f64, values: &[f64]) {
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum = Self::plus(*sum, factor + value));
    }
}

impl Mass for LogSum {
    fn inverse(value: f64) -> f64 {
        -value
    }

    fn plain(value: f64) -> f64 {
        libm::exp(value)
    }
}

/// The first place of the largest value.
pub(crate) fn first_best(values: impl Iterator<Item = f64>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (at, value) in values.enumerate() {
        if value > best.1 {
            best = (at, value);
        }
    }
    best.0
}
