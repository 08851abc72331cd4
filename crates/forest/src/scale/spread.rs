//! Rows in the middle of the range of floats.

use super::{exponent, power};

/// How far the numbers of a row spread.
///
/// Finished rows stay within 2^±ROW and the row at work within 2^±WORK. Then a product of two values and a weight of at
/// least 2^−WEIGHT is neither subnormal nor infinite, so that nothing is lost unseen.
#[derive(Debug, Clone, Copy)]
pub struct Spread {
    low: f64,
    high: f64,
}

impl Spread {
    /// See above.
    pub const ROW: i32 = 256;
    /// See above.
    pub const WORK: i32 = 512;
    /// See above.
    pub const WEIGHT: i32 = 200;

    /// That of a row without numbers.
    pub const NONE: Spread = Spread { low: f64::INFINITY, high: 0.0 };

    /// Whether a value of the row at work is 0 or within reach.
    #[inline]
    pub fn reaches(value: f64) -> bool {
        value == 0.0 || (value > power(-Spread::WORK) && value < power(Spread::WORK))
    }

    /// Whether a weight is so small that it may hide a product, but is not 0.
    #[inline]
    pub fn hides(weight: f64) -> bool {
        weight > 0.0 && weight < power(-Spread::WEIGHT)
    }

    /// Takes in a value, 0 or within reach.
    #[inline]
    pub fn include(&mut self, value: f64) {
        if value > 0.0 {
            self.low = if value < self.low { value } else { self.low };
            self.high = if value > self.high { value } else { self.high };
        }
    }

    /// Takes in a value that came about with some weight; `None` if it is out of reach, or the weight may hide one.
    #[inline]
    pub fn see(&mut self, value: f64, weight: f64) -> Option<()> {
        if Spread::hides(weight) || !Spread::reaches(value) {
            return None;
        }
        self.include(value);
        Some(())
    }

    /// The exponent in the middle, by which the row is to be divided; `None` if the row spreads too far.
    pub fn middle(&self) -> Option<i32> {
        let middle = (exponent(self.low) + exponent(self.high)) / 2;
        self.fits(middle).then_some(middle)
    }

    /// Whether the row divided by 2^`shift` is one that may be multiplied with others.
    pub fn fits(&self, shift: i32) -> bool {
        exponent(self.low) - shift >= -Spread::ROW && exponent(self.high) - shift < Spread::ROW
    }
}
