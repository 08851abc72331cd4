//! The table of gold against system tags, and the scores of unsupervised tagging made of it.

use crate::counts::Accuracy;
use indexmap::IndexMap;
use tree::PutInOrder;
use tree::Text;

/// How often each gold tag met each system tag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confusion {
    gold: IndexMap<Text, usize>,
    system: IndexMap<Text, usize>,
    cells: IndexMap<(usize, usize), usize>,
}

/// Homogeneity, completeness and their harmonic mean (Rosenberg & Hirschberg 2007).
///
/// With C the gold tags and K the system's: homogeneity = 1 − H(C|K) / H(C), completeness = 1 − H(K|C) / H(K),
/// each 1 where the denominator is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VMeasure {
    /// 1 if each system tag holds words of one gold tag only.
    pub homogeneity: f64,
    /// 1 if the words of each gold tag have one system tag only.
    pub completeness: f64,
    /// Harmonic mean of the two.
    pub v: f64,
}

impl Confusion {
    /// Counts one word.
    pub fn add(&mut self, gold: &str, system: &str) {
        let cell = (count(&mut self.gold, gold), count(&mut self.system, system));
        *self.cells.entry(cell).or_default() += 1;
    }

    /// Gold tags with their frequencies, in order of first appearance.
    pub fn gold_tags(&self) -> impl Iterator<Item = (&Text, usize)> {
        self.gold.iter().map(|(tag, &n)| (tag, n))
    }

    /// System tags with their frequencies, in order of first appearance.
    pub fn system_tags(&self) -> impl Iterator<Item = (&Text, usize)> {
        self.system.iter().map(|(tag, &n)| (tag, n))
    }

    /// How often `gold` was tagged `system`.
    pub fn count(&self, gold: &str, system: &str) -> usize {
        let cell = self.gold.get_index_of(gold).zip(self.system.get_index_of(system));
        cell.and_then(|cell| self.cells.get(&cell)).copied().unwrap_or(0)
    }

    /// Gold tag, system tag and frequency of the errors, the most frequent first.
    pub fn errors(&self) -> Vec<(&Text, &Text, usize)> {
        let cells = self.cells.iter().map(|(&(gold, system), &n)| {
            let ((gold, _), (system, _)) = (self.gold.get_index(gold)?, self.system.get_index(system)?);
            Some((gold, system, n)).filter(|_| gold != system)
        });
        let mut errors: Vec<_> = cells.flatten().collect();
        errors.order_by_key(|&(_, _, n)| std::cmp::Reverse(n));
        errors
    }

    /// Accuracy after giving each system tag the gold tag it meets most often:
    /// Σ over k of max over c of n(c, k). Never lower with more system tags.
    pub fn many_to_one(&self) -> Accuracy {
        let mut best = vec![0; self.system.len()];
        for (&(_, system), &n) in &self.cells {
            best[system] = n.max(best[system]);
        }
        Accuracy { correct: best.iter().sum(), total: self.total() }
    }

    /// V-measure of the system's tags as clusters.
    pub fn v_measure(&self) -> VMeasure {
        let total = self.total() as f64;
        let entropy = |counts: &IndexMap<Text, usize>| -> f64 {
            let shares = counts.values().map(|&n| n as f64 / total);
            -shares.map(|p| p * p.ln()).sum::<f64>()
        };
        let (gold, system) = (entropy(&self.gold), entropy(&self.system));
        let joint: f64 = -self.cells.values().map(|&n| n as f64 / total).map(|p| p * p.ln()).sum::<f64>();
        // H(C|K) = H(C, K) − H(K). Rounding may make it a hair less than 0.
        let share = |of: f64, given: f64| if of <= 0.0 { 1.0 } else { 1.0 - (joint - given).max(0.0) / of };
        let (homogeneity, completeness) = (share(gold, system), share(system, gold));
        let sum = homogeneity + completeness;
        let v = if sum == 0.0 { 0.0 } else { 2.0 * homogeneity * completeness / sum };
        VMeasure { homogeneity, completeness, v }
    }

    fn total(&self) -> usize {
        self.gold.values().sum()
    }
}

fn count(table: &mut IndexMap<Text, usize>, tag: &str) -> usize {
    let index = table.get_index_of(tag).unwrap_or_else(|| table.insert_full(tag.into(), 0).0);
    table[index] += 1;
    index
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn confusion(pairs: &[(u8, u8)]) -> Confusion {
        let mut confusion = Confusion::default();
        pairs.iter().for_each(|(gold, system)| confusion.add(&gold.to_string(), &system.to_string()));
        confusion
    }

    #[test]
    fn hand_computed_clusters() {
        // Cluster 7 holds A A B, cluster 8 holds B; so many-to-one is 3 of 4.
        let confusion = confusion(&[(0, 7), (0, 7), (1, 7), (1, 8)]);
        assert_eq!(confusion.many_to_one(), Accuracy { correct: 3, total: 4 });
        let v = confusion.v_measure();
        // H(C) = ln 2; H(C|K) = 3/4 · H(1/3); H(K) = H(1/4); H(K|C) = 1/2 · ln 2.
        let h = |p: f64| -p * p.ln() - (1.0 - p) * (1.0 - p).ln();
        assert!((v.homogeneity - (1.0 - 0.75 * h(1.0 / 3.0) / 2f64.ln())).abs() < 1e-12);
        assert!((v.completeness - (1.0 - 0.5 * 2f64.ln() / h(0.25))).abs() < 1e-12);
    }

    #[test]
    fn errors_come_most_frequent_first() {
        let confusion = confusion(&[(0, 1), (2, 1), (2, 1), (3, 3)]);
        let errors: Vec<_> = confusion.errors().iter().map(|(g, s, n)| format!("{g}{s}{n}")).collect();
        assert_eq!(errors, ["212", "011"]);
    }

    proptest! {
        #[test]
        fn renaming_tags_changes_no_cluster_score(pairs in prop::collection::vec((0u8..4, 0u8..4), 1..60)) {
            let renamed: Vec<_> = pairs.iter().map(|&(gold, system)| (gold, 9 - system)).collect();
            let (a, b) = (confusion(&pairs), confusion(&renamed));
            prop_assert_eq!(a.many_to_one(), b.many_to_one());
            prop_assert!((a.v_measure().v - b.v_measure().v).abs() < 1e-12);
        }

        #[test]
        fn perfect_tags_are_perfect_clusters(tags in prop::collection::vec(0u8..4, 1..60)) {
            let pairs: Vec<_> = tags.iter().map(|&tag| (tag, tag + 5)).collect();
            let confusion = confusion(&pairs);
            prop_assert_eq!(confusion.many_to_one().value(), 1.0);
            prop_assert!((confusion.v_measure().v - 1.0).abs() < 1e-12);
        }

        #[test]
        fn v_measure_is_symmetric(pairs in prop::collection::vec((0u8..4, 0u8..4), 1..60)) {
            let swapped: Vec<_> = pairs.iter().map(|&(gold, system)| (system, gold)).collect();
            let (a, b) = (confusion(&pairs).v_measure(), confusion(&swapped).v_measure());
            prop_assert!((a.v - b.v).abs() < 1e-12 && (a.homogeneity - b.completeness).abs() < 1e-12);
        }
    }
}
