//! Probabilities with an exponent of their own.

use std::cmp::Ordering;

use super::{Mass, Semiring};
use crate::scale::{exponent as exponent_of, power};

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

impl PartialOrd for Wide {
    #[inline]
    fn partial_cmp(&self, other: &Wide) -> Option<Ordering> {
        match (self.mantissa == 0.0, other.mantissa == 0.0) {
            (false, false) if self.exponent != other.exponent => self.exponent.partial_cmp(&other.exponent),
            // Zeros have a mantissa of 0, which is less than all others.
            _ => self.mantissa.partial_cmp(&other.mantissa),
        }
    }
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
