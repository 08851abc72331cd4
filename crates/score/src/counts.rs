//! Matched, gold and system counts, and the ratios made of them.

use std::iter::Sum;
use std::ops::AddAssign;

/// How many things gold and system have, and how many of them match.
///
/// Ratios are fractions between 0 and 1. An empty denominator gives 0, as the reference programs have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Things in both.
    pub matched: usize,
    /// Things in the gold standard.
    pub gold: usize,
    /// Things the system proposed.
    pub system: usize,
}

impl Counts {
    /// The share of the system's things that are right.
    pub fn precision(self) -> f64 {
        ratio(self.matched, self.system)
    }

    /// The share of the gold things that were found.
    pub fn recall(self) -> f64 {
        ratio(self.matched, self.gold)
    }

    /// Harmonic mean of precision and recall: 2 · matched / (gold + system).
    pub fn f1(self) -> f64 {
        ratio(2 * self.matched, self.gold + self.system)
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.matched += other.matched;
        self.gold += other.gold;
        self.system += other.system;
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), |mut total, one| {
            total += one;
            total
        })
    }
}

/// How many of some things are right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accuracy {
    /// Right ones.
    pub correct: usize,
    /// All of them.
    pub total: usize,
}

impl Accuracy {
    /// Counts one more thing.
    pub fn add(&mut self, correct: bool) {
        self.correct += usize::from(correct);
        self.total += 1;
    }

    /// The share that is right; 0 if there is nothing.
    pub fn value(self) -> f64 {
        ratio(self.correct, self.total)
    }
}

impl AddAssign for Accuracy {
    fn add_assign(&mut self, other: Self) {
        self.correct += other.correct;
        self.total += other.total;
    }
}

/// `part / whole`, or 0 if there is no whole.
pub(crate) fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// `100 · part / whole` in the order of operations of the reference programs, or 0 if there is no whole.
pub(crate) fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_at_all_scores_zero_and_not_nan() {
        let nothing = Counts::default();
        assert_eq!((nothing.precision(), nothing.recall(), nothing.f1()), (0.0, 0.0, 0.0));
        assert_eq!(Accuracy::default().value(), 0.0);
    }

    #[test]
    fn f1_is_the_harmonic_mean() {
        let counts = Counts { matched: 3, gold: 4, system: 6 };
        let (p, r) = (counts.precision(), counts.recall());
        assert!((counts.f1() - 2.0 * p * r / (p + r)).abs() < 1e-15);
    }

    /// The reference programs print with C and Python, which round exact ties to even.
    #[test]
    fn printing_rounds_ties_to_even() {
        assert_eq!(format!("{:.2} {:.2} {:.2}", 3.125, 96.875, 0.625), "3.12 96.88 0.62");
    }
}
