//! Logarithms of probabilities, summed or maximised.

use super::{Mass, Semiring};

/// The logarithm of a mass. Slow and safe: the oracle of the scaled path.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct LogProb(pub f64);

impl Semiring for LogProb {
    fn zero() -> LogProb {
        LogProb(f64::NEG_INFINITY)
    }

    fn one() -> LogProb {
        LogProb(0.0)
    }

    fn from_weight(weight: f64) -> LogProb {
        LogProb(libm::log(weight))
    }

    #[inline]
    fn plus(&self, other: &LogProb) -> LogProb {
        let (high, low) = if self.0 >= other.0 { (self.0, other.0) } else { (other.0, self.0) };
        if low == f64::NEG_INFINITY {
            return LogProb(high);
        }
        LogProb(high + libm::log1p(libm::exp(low - high)))
    }

    /// Relative to the largest, at one logarithm for all.
    fn sum(terms: impl IntoIterator<Item = LogProb>) -> LogProb {
        let terms: Vec<f64> = terms.into_iter().map(|term| term.0).collect();
        // Unlike `f64::max`, this comparison lets a NaN through.
        let most = terms.iter().copied().fold(f64::NEG_INFINITY, |most, x| if x <= most { most } else { x });
        if most.is_infinite() {
            return LogProb(most);
        }
        LogProb(most + libm::log(terms.iter().map(|term| libm::exp(term - most)).sum()))
    }

    #[inline]
    fn times(&self, other: &LogProb) -> LogProb {
        LogProb(self.0 + other.0)
    }

    #[inline]
    fn is_zero(&self) -> bool {
        self.0 == f64::NEG_INFINITY
    }
}

impl Mass for LogProb {
    fn over(&self, total: &LogProb) -> f64 {
        libm::exp(self.0 - total.0)
    }

    fn ln(&self) -> f64 {
        self.0
    }
}

/// The logarithm of the best derivation's weight.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Viterbi(pub f64);

impl Semiring for Viterbi {
    fn zero() -> Viterbi {
        Viterbi(f64::NEG_INFINITY)
    }

    fn one() -> Viterbi {
        Viterbi(0.0)
    }

    fn from_weight(weight: f64) -> Viterbi {
        Viterbi(libm::log(weight))
    }

    #[inline]
    fn plus(&self, other: &Viterbi) -> Viterbi {
        if self.0 >= other.0 { *self } else { *other }
    }

    #[inline]
    fn times(&self, other: &Viterbi) -> Viterbi {
        Viterbi(self.0 + other.0)
    }

    #[inline]
    fn is_zero(&self) -> bool {
        self.0 == f64::NEG_INFINITY
    }
}
