//! Questions without weights: how many, and whether any.

use super::Semiring;

/// The number of derivations of non-zero weight, which stays at `u128::MAX` once it is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Count(pub u128);

impl Semiring for Count {
    fn zero() -> Count {
        Count(0)
    }

    fn one() -> Count {
        Count(1)
    }

    fn from_weight(weight: f64) -> Count {
        Count(u128::from(weight > 0.0))
    }

    fn plus(&self, other: &Count) -> Count {
        Count(self.0.saturating_add(other.0))
    }

    fn times(&self, other: &Count) -> Count {
        Count(self.0.saturating_mul(other.0))
    }

    fn is_zero(&self) -> bool {
        self.0 == 0
    }
}

/// Whether there is a derivation of non-zero weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Boolean(pub bool);

impl Semiring for Boolean {
    fn zero() -> Boolean {
        Boolean(false)
    }

    fn one() -> Boolean {
        Boolean(true)
    }

    fn from_weight(weight: f64) -> Boolean {
        Boolean(weight > 0.0)
    }

    fn plus(&self, other: &Boolean) -> Boolean {
        Boolean(self.0 || other.0)
    }

    fn times(&self, other: &Boolean) -> Boolean {
        Boolean(self.0 && other.0)
    }

    fn is_zero(&self) -> bool {
        !self.0
    }

    fn dot(chart: &[Boolean], splits: &crate::Splits) -> Boolean {
        Boolean(splits.pairs().any(|(left, right)| chart[left.index()].0 && chart[right.index()].0))
    }
}
