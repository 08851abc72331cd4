//! Power laws.

use serde::{Deserialize, Serialize};

/// score(x) = a − b · (x / scale)^(−c)
///
/// The scale is the largest amount that was measured. It keeps b of the size of a score, whatever the unit of x: b is what
/// is missing there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// What endless annotation would reach.
    pub a: f64,
    /// What is missing at x = scale.
    pub b: f64,
    /// How fast it is made up for.
    pub c: f64,
    /// The unit of x.
    pub scale: f64,
}

impl Curve {
    /// The score at x; for x = 0 it is −∞, or a if b is 0.
    pub fn at(&self, x: f64) -> f64 {
        if self.b == 0.0 { self.a } else { self.a - self.b * self.missing(x) }
    }

    /// u(x) = (x / scale)^(−c), in which the curve is a line.
    pub fn missing(&self, x: f64) -> f64 {
        libm::pow(x / self.scale, -self.c)
    }
}
