//! Probabilities with an exponent of their own.

use super::{Mass, Semiring};

/// A mass as mantissa · 2^exponent, which no product of any length can push out of range.
///
/// The mantissa is in [1, 2), or both parts are zero. About four times slower than plain floating point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wide {
    mantissa: f64,
    exponent: i64,
}

/// Beyond this distance the smaller of two summands is below half a unit in the last place.
const NEGLIGIBLE: i64 = 64;

impl Wide {
    /// `mantissa · 2^exponent`, brought into normal form.
    #[inline]
    pub fn new(mantissa: f64, exponent: i64) -> Wide {
        if mantissa == 0.0 {
            return Wide { mantissa: 0.0, exponent: 0 };
        }
        if !mantissa.is_normal() {
            let (mantissa, shift) = libm::frexp(mantissa);
            return Wide { mantissa: mantissa * 2.0, exponent: exponent + i64::from(shift) - 1 };
        }
        let shift = exponent_of(mantissa);
        Wide { mantissa: mantissa * power(-shift), exponent: exponent + i64::from(shift) }
    }

    /// The two parts.
    pub fn parts(&self) -> (f64, i64) {
        (self.mantissa, self.exponent)
    }
}

/// The exponent e of a normal number in [2^e, 2^(e + 1)).
#[inline]
pub(crate) fn exponent_of(x: f64) -> i32 {
    ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023
}

/// 2^exponent, or zero or infinity where that is out of range.
#[inline]
pub(crate) fn power(exponent: i32) -> f64 {
    if (-1022..=1023).contains(&exponent) {
        return f64::from_bits(((exponent + 1023) as u64) << 52);
    }
    libm::scalbn(1.0, exponent)
}

impl Semiring for Wide {
    fn zero() -> Wide {
        Wide { mantissa: 0.0, exponent: 0 }
    }

    fn one() -> Wide {
        Wide { mantissa: 1.0, exponent: 0 }
    }

    fn from_weight(weight: f64) -> Wide {
        Wide::new(weight, 0)
    }

    #[inline]
    fn plus(&self, other: &Wide) -> Wide {
        if self.mantissa == 0.0 {
            return *other;
        }
        if other.mantissa == 0.0 {
            return *self;
        }
        let (high, low) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let distance = high.exponent - low.exponent;
        if distance > NEGLIGIBLE {
            return *high;
        }
        Wide::new(high.mantissa + low.mantissa * power(-distance as i32), high.exponent)
    }

    #[inline]
    fn times(&self, other: &Wide) -> Wide {
        Wide::new(self.mantissa * other.mantissa, self.exponent + other.exponent)
    }

    #[inline]
    fn is_zero(&self) -> bool {
        self.mantissa == 0.0
    }
}

impl Mass for Wide {
    fn over(&self, total: &Wide) -> f64 {
        let distance = (self.exponent - total.exponent).clamp(-2000, 2000) as i32;
        self.mantissa / total.mantissa * power(distance)
    }

    fn ln(&self) -> f64 {
        libm::log(self.mantissa) + self.exponent as f64 * std::f64::consts::LN_2
    }
}
