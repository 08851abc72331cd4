//! The one answer to underflow: plain numbers in rows that are divided by powers of two.
//!
//! Products of many probabilities leave the range of floats after some dozens of words. Dividing a finished row of a
//! chart by a power of two is exact, so that it costs no accuracy and, once for each row, hardly any time. What is
//! left to decide is by which power, and what becomes of a row that spreads farther than floats do:
//!
//! * [`Spread`] puts a row in the middle of the range and refuses one that does not fit;
//! * [`Lost`] puts the largest number of a row in [1, 2), drops what is too small against it and keeps account of
//!   what that was, so that somebody can show that it does not matter;
//! * [`normaliser`] does the latter for vectors in which what is 2^−1022 times smaller than the largest number may
//!   count as zero;
//! * [`Sums`] divides rows of [lattices](crate::lattice) by their sums, where every number is wanted as a share.
//!
//! Whoever is refused turns to numbers with exponents of their own ([`Wide`](crate::semiring::Wide)).

mod lost;
mod rows;
mod spread;
mod sums;

pub use lost::{Lost, ROW, SHIFT, WEIGHT, holds};
pub use rows::{Exponents, Powers, Rows};
pub use spread::Spread;
pub use sums::Sums;

/// 2^exponent, or zero or infinity where that is out of range.
#[inline]
pub fn power(exponent: i32) -> f64 {
    if (-1022..=1023).contains(&exponent) {
        return f64::from_bits(((exponent + 1023) as u64) << 52);
    }
    libm::scalbn(1.0, exponent)
}

/// The exponent e of a normal number in [2^e, 2^(e + 1)).
#[inline]
pub fn exponent(value: f64) -> i32 {
    ((value.to_bits() >> 52) & 0x7ff) as i32 - 1023
}

/// The power of two that brings a number into [1, 2), and its opposite exponent.
#[inline]
pub fn normaliser(greatest: f64) -> (f64, i32) {
    // A subnormal's exponent field says −1023, whose opposite is still a finite power of two.
    let exponent = exponent(greatest).clamp(-1022, 1022);
    (power(-exponent), exponent)
}
