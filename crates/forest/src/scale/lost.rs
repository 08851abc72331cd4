//! Rows whose largest number is in [1, 2), and an account of what is dropped beside it.
//!
//! A number within 2^−ROW of the largest of its row, times another, times a shift of at least 2^−SHIFT, times a weight
//! of at least 2^−WEIGHT, is above the least normal number 2^−1022. So 0 means 0. What lies farther out is dropped and
//! [`Lost`] keeps account of it: whoever cannot show that it does not matter turns to numbers with exponents of their
//! own.

use super::{exponent, power};

/// Finished rows stay within 2^−ROW of their largest number.
pub const ROW: i32 = 280;
/// Rows that are summed are shifted by at most this against each other.
pub const SHIFT: i64 = 120;
/// Weights are 0 or within 2^±WEIGHT.
pub const WEIGHT: i32 = 300;
/// A row that is at work has its largest number within 2^±WORK.
const WORK: i32 = 400;

/// The most that was dropped at once: it is less than 2 to this power, if there was anything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lost(pub Option<i64>);

impl Lost {
    /// Something less than 2^exponent is dropped.
    pub fn drop(&mut self, exponent: i64) {
        self.0 = self.0.max(Some(exponent));
    }

    /// A weight, or 0 where it is too small; `None` where it is too large.
    #[inline]
    pub fn weight(&mut self, weight: f64) -> Option<f64> {
        if holds(weight) {
            return Some(weight);
        }
        self.drop(i64::from(-WEIGHT));
        (weight < 1.0).then_some(0.0)
    }

    /// Divides a row by a power of two, so that the largest number is in [1, 2), and drops what is too small against it.
    /// Returns the exponent that the numbers have now if it was `base` before, or none for a row of zeros. `None` if
    /// there are numbers that are too large.
    pub fn settle(&mut self, row: &mut [f64], base: i64) -> Option<Option<i64>> {
        let high = row.iter().copied().fold(0.0, f64::max);
        if high == 0.0 {
            return Some(None);
        }
        if high < power(-WORK) {
            self.drop(base - i64::from(WORK));
            row.fill(0.0);
            return Some(None);
        }
        let top = exponent(high);
        (top < WORK).then_some(())?;
        for value in row.iter_mut().filter(|value| **value > 0.0) {
            *value *= power(-top);
            if *value < power(-ROW) {
                *value = 0.0;
                self.drop(base + i64::from(top - ROW));
            }
        }
        Some(Some(base + i64::from(top)))
    }
}

/// Whether a weight is 0 or neither too small nor too large.
#[inline]
pub fn holds(weight: f64) -> bool {
    weight == 0.0 || (weight > power(-WEIGHT) && weight < power(WEIGHT))
}
