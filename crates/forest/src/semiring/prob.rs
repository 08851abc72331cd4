//! Plain probabilities.

use super::{Mass, Semiring};
use crate::Splits;

/// A probability mass, in plain floating point: fast, and out of range after some dozens of words.
///
/// Long sentences go through [`crate::scaled`], which keeps these numbers near one.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Prob(pub f64);

impl Semiring for Prob {
    fn zero() -> Prob {
        Prob(0.0)
    }

    fn one() -> Prob {
        Prob(1.0)
    }

    #[inline]
    fn from_weight(weight: f64) -> Prob {
        Prob(weight)
    }

    #[inline]
    fn plus(&self, other: &Prob) -> Prob {
        Prob(self.0 + other.0)
    }

    #[inline]
    fn times(&self, other: &Prob) -> Prob {
        Prob(self.0 * other.0)
    }

    #[inline]
    fn is_zero(&self) -> bool {
        self.0 == 0.0
    }

    #[inline]
    fn dot(chart: &[Prob], splits: &Splits) -> Prob {
        let mut left = splits.left.index();
        let mut right = splits.right.index();
        let left_step = splits.left_step as isize;
        let right_step = splits.right_step as isize;
        let mut sum = 0.0;
        for _ in 0..splits.len {
            sum += chart[left].0 * chart[right].0;
            left = left.wrapping_add_signed(left_step);
            right = right.wrapping_add_signed(right_step);
        }
        Prob(sum)
    }
}

impl Mass for Prob {
    #[inline]
    fn over(&self, total: &Prob) -> f64 {
        self.0 / total.0
    }

    fn ln(&self) -> f64 {
        libm::log(self.0)
    }
}
