//! Agreement on labels, corrected for chance: Krippendorff's α for any number of annotators, Cohen's κ for two.

use std::collections::BTreeMap;
use std::hash::Hash;
use tree::PutInOrder;

/// Labels that several annotators gave to units; who gave none to a unit is left out of it.
///
/// With o(c, k) = Σ over units of the ordered pairs of labels c and k from two annotators, each unit of m labels
/// counted 1/(m − 1) times, n(c) = Σ_k o(c, k) and n = Σ n(c),
///
/// α = 1 − (n − 1) Σ_{c≠k} o(c, k) / Σ_{c≠k} n(c) n(k)   (Krippendorff 2011).
#[derive(Clone, Debug, Default)]
pub struct Alpha<L: Ord> {
    /// n(c).
    totals: BTreeMap<L, f64>,
    /// Σ_{c≠k} o(c, k).
    disagreeing: f64,
    n_units: usize,
}

impl<L: Ord + Clone> Alpha<L> {
    /// Adds a unit; one with fewer than two labels says nothing.
    pub fn add(&mut self, labels: &[L]) {
        let m = labels.len();
        if m < 2 {
            return;
        }
        self.n_units += 1;
        let mut counts: BTreeMap<&L, usize> = BTreeMap::new();
        labels.iter().for_each(|label| *counts.entry(label).or_default() += 1);
        // Of the m(m − 1) ordered pairs, those of a label with itself agree.
        let alike: usize = counts.values().map(|&count| count * (count - 1)).sum();
        self.disagreeing += (m * (m - 1) - alike) as f64 / (m - 1) as f64;
        for (label, count) in counts {
            *self.totals.entry(label.clone()).or_default() += count as f64;
        }
    }

    /// Units with at least two labels.
    pub fn n_units(&self) -> usize {
        self.n_units
    }

    /// α; `None` if there is nothing to compare, or only one label, which leaves chance nothing to get wrong.
    pub fn value(&self) -> Option<f64> {
        let n: f64 = self.totals.values().sum();
        let alike: f64 = self.totals.values().map(|total| total * total).sum();
        let expected = n * n - alike;
        (expected > 0.0).then(|| 1.0 - (n - 1.0) * self.disagreeing / expected)
    }
}

/// The labels of two annotators for the same units.
///
/// κ = (p − e) / (1 − e), where p is the share of units on which they agree, and e = Σ_c p₁(c) p₂(c) the share on which
/// two who draw labels as often as they do would (Cohen 1960).
#[derive(Clone, Debug, Default)]
pub struct Kappa<L: Ord + Hash> {
    counts: BTreeMap<(L, L), u64>,
}

impl<L: Ord + Clone + Hash> Kappa<L> {
    /// Adds units with the same two labels.
    pub fn add(&mut self, one: L, other: L, n_units: u64) {
        *self.counts.entry((one, other)).or_default() += n_units;
    }

    /// The number of units.
    pub fn n_units(&self) -> u64 {
        self.counts.values().sum()
    }

    /// The share of units on which they agree; `None` if there are none.
    pub fn observed(&self) -> Option<f64> {
        let alike: u64 = self.counts.iter().filter(|((one, other), _)| one == other).map(|(_, n)| n).sum();
        let n = self.n_units();
        (n > 0).then(|| alike as f64 / n as f64)
    }

    /// κ; `None` if there is nothing to compare, or if both give one and the same label throughout.
    pub fn value(&self) -> Option<f64> {
        let n = self.n_units() as f64;
        let mut marginals: BTreeMap<&L, [f64; 2]> = BTreeMap::new();
        for ((one, other), &count) in &self.counts {
            marginals.entry(one).or_default()[0] += count as f64 / n;
            marginals.entry(other).or_default()[1] += count as f64 / n;
        }
        let expected: f64 = marginals.values().map(|[one, other]| one * other).sum();
        let observed = self.observed()?;
        (expected < 1.0).then(|| (observed - expected) / (1.0 - expected))
    }

    /// Pairs of labels and how often they were given, the most frequent disagreements first.
    pub fn confusions(&self) -> Vec<(&L, &L, u64)> {
        let unlike = self.counts.iter().filter(|((one, other), _)| one != other);
        let mut all: Vec<_> = unlike.map(|((one, other), &count)| (one, other, count)).collect();
        all.order_by_key(|&(one, other, count)| (std::cmp::Reverse(count), one, other));
        all
    }

    /// For each label how often the first gave it, the second, and both.
    pub fn by_label(&self) -> BTreeMap<&L, [u64; 3]> {
        let mut table: BTreeMap<&L, [u64; 3]> = BTreeMap::new();
        for ((one, other), &count) in &self.counts {
            table.entry(one).or_default()[0] += count;
            table.entry(other).or_default()[1] += count;
            if one == other {
                table.entry(one).or_default()[2] += count;
            }
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The example of Krippendorff (2011), section C: four observers, twelve units, values missing; α = 0.743.
    #[test]
    fn alpha_of_the_worked_example() {
        let units: [&[u8]; 12] = [
            &[1, 1, 1],
            &[2, 2, 3, 2],
            &[3, 3, 3, 3],
            &[3, 3, 3, 3],
            &[2, 2, 2, 2],
            &[1, 2, 3, 4],
            &[4, 4, 4, 4],
            &[1, 1, 2, 1],
            &[2, 2, 2, 2],
            &[5, 5, 5],
            &[1, 1],
            &[3],
        ];
        let mut alpha = Alpha::default();
        units.iter().for_each(|unit| alpha.add(unit));
        assert_eq!(alpha.n_units(), 11);
        assert!((alpha.value().unwrap() - 0.743).abs() < 5e-4, "{:?}", alpha.value());
    }

    /// Two raters, 50 units, 20 and 15 agreed on: p = 0.7, e = 0.5, κ = 0.4.
    #[test]
    fn kappa_of_a_table_of_two_by_two() {
        let mut kappa = Kappa::default();
        for (one, other, n) in [("y", "y", 20), ("y", "n", 5), ("n", "y", 10), ("n", "n", 15)] {
            kappa.add(one, other, n);
        }
        assert!((kappa.value().unwrap() - 0.4).abs() < 1e-12);
        assert_eq!(kappa.confusions(), [(&"n", &"y", 10), (&"y", &"n", 5)]);
        assert_eq!(kappa.by_label()[&"y"], [25, 30, 20]);
    }

    #[test]
    fn one_label_throughout_cannot_be_corrected_for_chance() {
        let mut kappa = Kappa::default();
        kappa.add("x", "x", 7);
        assert_eq!((kappa.observed(), kappa.value()), (Some(1.0), None));
        let mut alpha = Alpha::default();
        alpha.add(&["x", "x"]);
        assert_eq!(alpha.value(), None);
        assert_eq!(Kappa::<u8>::default().value(), None);
    }

    /// α by its definition: observed and expected disagreement as means over all pairs of values.
    fn by_definition(units: &[Vec<u8>]) -> Option<f64> {
        let paired: Vec<&Vec<u8>> = units.iter().filter(|unit| unit.len() > 1).collect();
        let n: f64 = paired.iter().map(|unit| unit.len() as f64).sum();
        let mut observed = 0.0;
        for unit in &paired {
            for (at, one) in unit.iter().enumerate() {
                for (other_at, other) in unit.iter().enumerate() {
                    observed += f64::from(u8::from(at != other_at && one != other)) / (unit.len() - 1) as f64;
                }
            }
        }
        let all: Vec<u8> = paired.iter().flat_map(|unit| unit.iter().copied()).collect();
        let mut expected = 0.0;
        for (at, one) in all.iter().enumerate() {
            for (other_at, other) in all.iter().enumerate() {
                expected += f64::from(u8::from(at != other_at && one != other)) / (n - 1.0);
            }
        }
        (expected > 0.0).then(|| 1.0 - observed / expected)
    }

    proptest! {
        #[test]
        fn alpha_is_what_its_definition_says(units in prop::collection::vec(prop::collection::vec(0u8..4, 0..5), 0..9)) {
            let mut alpha = Alpha::default();
            units.iter().for_each(|unit| alpha.add(unit));
            match (alpha.value(), by_definition(&units)) {
                (Some(one), Some(other)) => prop_assert!((one - other).abs() < 1e-9, "{} {}", one, other),
                (one, other) => prop_assert_eq!(one.is_some(), other.is_some()),
            }
        }
    }
}
