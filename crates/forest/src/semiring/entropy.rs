//! The expectation semiring, set up for entropy.

use super::Semiring;

/// A mass together with Σ weight · ln weight over the derivations that make it up.
///
/// The pairs multiply by the product rule, so the second part of the whole is Z times the expected log
/// weight, and the entropy follows. After Li & Eisner (2009).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entropy {
    /// Σ weight.
    pub mass: f64,
    /// Σ weight · ln weight.
    pub mass_ln: f64,
}

impl Entropy {
    /// The entropy in nats of the distribution over derivations; zero if there are none.
    pub fn nats(&self) -> f64 {
        if self.mass == 0.0 {
            return 0.0;
        }
        // H = ln Z − (1/Z) Σ w ln w, which rounding may push below zero when one derivation has it all.
        (libm::log(self.mass) - self.mass_ln / self.mass).max(0.0)
    }
}

impl Semiring for Entropy {
    fn zero() -> Entropy {
        Entropy { mass: 0.0, mass_ln: 0.0 }
    }

    fn one() -> Entropy {
        Entropy { mass: 1.0, mass_ln: 0.0 }
    }

    fn from_weight(weight: f64) -> Entropy {
        let mass_ln = if weight > 0.0 { weight * libm::log(weight) } else { 0.0 };
        Entropy { mass: weight, mass_ln }
    }

    fn plus(&self, other: &Entropy) -> Entropy {
        Entropy { mass: self.mass + other.mass, mass_ln: self.mass_ln + other.mass_ln }
    }

    fn times(&self, other: &Entropy) -> Entropy {
        Entropy {
            mass: self.mass * other.mass,
            mass_ln: self.mass * other.mass_ln + other.mass * self.mass_ln,
        }
    }

    fn is_zero(&self) -> bool {
        self.mass == 0.0
    }
}
