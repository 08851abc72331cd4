//! The labels of a parser, and which of them a bracket of some width can have.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use tree::PutInOrder;

use super::binary::Label;

/// Labels in the order of the widest bracket that had them in training, the widest first: those that a width allows are
/// the first ones.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Labels {
    list: Vec<Label>,
    widest: Vec<u32>,
}

impl Labels {
    /// From labels with the widths of their brackets; without pruning every width allows all.
    pub(super) fn new(seen: impl Iterator<Item = (Label, u32)>, prunes: bool) -> Labels {
        let mut numbers: FxHashMap<Label, usize> = FxHashMap::default();
        let mut found: Vec<(Label, u32)> = Vec::new();
        for (label, width) in seen {
            let width = if prunes { width } else { u32::MAX };
            let number = *numbers.entry(label.clone()).or_insert(found.len());
            match found.get_mut(number) {
                Some((_, widest)) => *widest = width.max(*widest),
                None => found.push((label, width)),
            }
        }
        found.order_by_key(|(_, widest)| std::cmp::Reverse(*widest));
        let (list, widest) = found.into_iter().unzip();
        Labels { list, widest }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn get(&self, number: usize) -> Option<&Label> {
        self.list.get(number)
    }

    pub(super) fn numbers(&self) -> FxHashMap<Label, u32> {
        self.list.iter().cloned().zip(0..).collect()
    }

    /// How many labels a bracket of a width can have; one that is wider than all has those of the widest.
    pub(super) fn n_at(&self, width: usize) -> usize {
        let width = (width as u64).min(self.widest.first().map_or(0, |&widest| u64::from(widest)));
        self.widest.partition_point(|&widest| u64::from(widest) >= width)
    }

    pub(super) fn is_stand_in(&self, number: usize) -> bool {
        self.list.get(number).is_some_and(|label| label.is_stand_in)
    }

    /// Whether every label has a width.
    pub(super) fn is_whole(&self) -> bool {
        self.list.len() == self.widest.len() && self.widest.is_sorted_by(|a, b| a >= b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_width_allows_the_labels_that_were_as_wide() {
        let label = |name: &str| Label { is_stand_in: false, chain: vec![name.into()] };
        let seen = || [("NP", 2), ("S", 9), ("VP", 5), ("NP", 4)].map(|(name, width)| (label(name), width));
        let labels = Labels::new(seen().into_iter(), true);
        assert_eq!((2..=12).map(|w| labels.n_at(w)).collect::<Vec<_>>(), [3, 3, 3, 2, 1, 1, 1, 1, 1, 1, 1]);
        assert_eq!(labels.get(0), Some(&label("S")));
        assert_eq!(Labels::new(seen().into_iter(), false).n_at(12), 3);
        assert_eq!(Labels::default().n_at(3), 0);
    }
}
