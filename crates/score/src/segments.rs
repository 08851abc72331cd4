//! Boundaries between morphs: precision, recall and F1.
//!
//! Micro figures sum boundaries over words. Macro figures average the ratios of words, where a word
//! without boundaries in the denominator counts 1 (Virpioja et al. 2011, “Empirical comparison of evaluation
//! methods for unsupervised learning of morphology”).

use crate::counts::{Counts, ratio};

/// Sums over words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoundaryReport {
    /// Boundaries of all words.
    pub micro: Counts,
    /// Boundaries of each word.
    pub words: Vec<Counts>,
    /// Words with exactly the gold boundaries.
    pub exact: usize,
}

impl BoundaryReport {
    /// Adds a word. Boundaries are positions inside the word, ascending, each once.
    pub fn add(&mut self, gold: &[usize], system: &[usize]) {
        let matched = system.iter().filter(|boundary| gold.binary_search(boundary).is_ok()).count();
        let counts = Counts { matched, gold: gold.len(), system: system.len() };
        self.micro += counts;
        self.exact += usize::from(gold == system);
        self.words.push(counts);
    }

    /// Adds a word with several gold analyses, of which the one with the fewest wrong and missing boundaries counts.
    pub fn add_nearest(&mut self, alternatives: impl IntoIterator<Item = Vec<usize>>, system: &[usize]) {
        let errors = |gold: &Vec<usize>| {
            let matched = system.iter().filter(|boundary| gold.binary_search(boundary).is_ok()).count();
            gold.len() + system.len() - 2 * matched
        };
        let nearest = alternatives.into_iter().min_by_key(errors).unwrap_or_default();
        self.add(&nearest, system);
    }

    /// Mean precision of words.
    pub fn macro_precision(&self) -> f64 {
        self.mean(|counts| (counts.matched, counts.system))
    }

    /// Mean recall of words.
    pub fn macro_recall(&self) -> f64 {
        self.mean(|counts| (counts.matched, counts.gold))
    }

    /// Harmonic mean of macro precision and macro recall.
    pub fn macro_f1(&self) -> f64 {
        let (precision, recall) = (self.macro_precision(), self.macro_recall());
        if precision + recall == 0.0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) }
    }

    /// Share of words with exactly the gold boundaries.
    pub fn exact_match(&self) -> f64 {
        ratio(self.exact, self.words.len())
    }

    fn mean(&self, part_and_whole: impl Fn(&Counts) -> (usize, usize)) -> f64 {
        let share = |counts| match part_and_whole(counts) {
            (_, 0) => 1.0,
            (part, whole) => ratio(part, whole),
        };
        if self.words.is_empty() {
            return 0.0;
        }
        self.words.iter().map(share).sum::<f64>() / self.words.len() as f64
    }
}

/// The boundaries inside a word made of `morphs`, in characters. Empty morphs make no boundary.
pub fn boundaries<M: AsRef<str>>(morphs: &[M]) -> Vec<usize> {
    let lengths = morphs.iter().map(|morph| morph.as_ref().chars().count()).filter(|&length| length > 0);
    let mut ends: Vec<_> = lengths
        .scan(0, |end, length| {
            *end += length;
            Some(*end)
        })
        .collect();
    ends.pop();
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn boundaries_are_counted_in_characters() {
        assert_eq!(boundaries(&["koi", "ra", "", "n"]), [3, 5]);
        assert_eq!(boundaries(&["čaj", "ů"]), [3]);
        assert_eq!(boundaries::<&str>(&[]), [0usize; 0]);
    }

    #[test]
    fn micro_and_macro_differ_as_computed_by_hand() {
        let mut report = BoundaryReport::default();
        report.add(&[3, 5], &[3, 4]); // precision 1/2, recall 1/2
        report.add(&[2], &[]); // precision 1 (nothing proposed), recall 0
        report.add(&[], &[1]); // precision 0, recall 1 (nothing to find)
        assert_eq!(report.micro, Counts { matched: 1, gold: 3, system: 3 });
        assert!((report.macro_precision() - 0.5).abs() < 1e-12);
        assert!((report.macro_recall() - 0.5).abs() < 1e-12);
        assert_eq!(report.exact, 0);
    }

    #[test]
    fn of_several_analyses_the_nearest_counts() {
        let mut report = BoundaryReport::default();
        report.add_nearest([vec![1, 2, 3], vec![3], vec![]], &[3, 5]);
        assert_eq!(report.micro, Counts { matched: 1, gold: 1, system: 2 });
    }

    proptest! {
        #[test]
        fn gold_against_itself_is_perfect(words in prop::collection::vec(prop::collection::btree_set(1usize..9, 0..4), 1..9)) {
            let mut report = BoundaryReport::default();
            for word in &words {
                let word: Vec<_> = word.iter().copied().collect();
                report.add(&word, &word);
            }
            prop_assert_eq!((report.macro_precision(), report.macro_recall(), report.exact_match()), (1.0, 1.0, 1.0));
        }
    }
}
