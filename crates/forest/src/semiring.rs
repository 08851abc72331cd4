//! What is asked of a forest: the sum, the best, the number of derivations, their entropy.
//!
//! `inside` is one function; the answer is the choice of a type that knows how to add alternatives and
//! multiply parts. After Goodman (1999), *Semiring parsing*.
//!
//! ```
//! use forest::Semiring;
//! use forest::semiring::{Count, LogProb, Viterbi};
//!
//! /// Two ways, of two rules and of one.
//! fn two_ways<S: Semiring>() -> S {
//!     S::from_weight(0.5).times(&S::from_weight(0.4)).plus(&S::from_weight(0.1))
//! }
//! assert_eq!(two_ways::<Count>(), Count(2));
//! assert!((two_ways::<LogProb>().0 - 0.3f64.ln()).abs() < 1e-12);
//! assert!((two_ways::<Viterbi>().0 - 0.2f64.ln()).abs() < 1e-12);
//! ```

mod discrete;
mod entropy;
mod log;
mod prob;
mod wide;

pub use discrete::{Boolean, Count};
pub use entropy::Entropy;
pub use log::{LogProb, Viterbi};
pub use prob::Prob;
pub use wide::Wide;

use crate::Splits;

/// A commutative semiring.
///
/// `plus` and `times` are associative and commutative, `times` distributes over `plus`, `zero` is neutral
/// for `plus` and absorbs in `times`, `one` is neutral for `times`.
pub trait Semiring: Clone + std::fmt::Debug {
    /// No derivation at all.
    fn zero() -> Self;

    /// The empty derivation.
    fn one() -> Self;

    /// A rule that weighs `weight`, which is not negative.
    fn from_weight(weight: f64) -> Self;

    /// Alternatives.
    fn plus(&self, other: &Self) -> Self;

    /// Parts of a whole.
    fn times(&self, other: &Self) -> Self;

    /// Several alternatives.
    #[inline]
    fn sum(terms: impl IntoIterator<Item = Self>) -> Self {
        terms.into_iter().fold(Self::zero(), |sum, term| sum.plus(&term))
    }

    /// Whether nothing is derived.
    fn is_zero(&self) -> bool;

    /// Σ over splits of left · right.
    #[inline]
    fn dot(chart: &[Self], splits: &Splits) -> Self {
        splits.pairs().fold(Self::zero(), |sum, (left, right)| {
            sum.plus(&chart[left.index()].times(&chart[right.index()]))
        })
    }
}

/// Semirings whose values are masses: their quotients are probabilities.
pub trait Mass: Semiring {
    /// `self / total`; `total` is not zero.
    fn over(&self, total: &Self) -> f64;

    /// The natural logarithm.
    fn ln(&self) -> f64;
}
