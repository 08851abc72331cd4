//! What the order of tags in a dictionary tells.
//!
//! Who writes `fish NOUN VERB` usually means that it is a noun more often than a verb. But many dictionaries list tags by the
//! alphabet, or as some program found them. Then every two tags stand in the same order wherever they stand together, and the
//! order says nothing of a word.

use std::collections::BTreeMap;

use crate::Dictionary;

/// How the tags of words are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ranking {
    /// No word has several tags.
    Single,
    /// Two tags nearly always stand in the same order: it is one of the tag set, not of words.
    Fixed,
    /// What stands first is meant to be more frequent.
    Preferred,
}

/// How much less each tag counts than the one before it, chosen on dev files of MasakhaPOS with dictionaries of all tags that words
/// had in the training files and of those that were not rare.
const FALL: f64 = 0.12;
/// The share of pairs in the rarer order up to which an order is one of the tag set; lists are put together by hand or merged, so
/// that a few may be out of order.
const OUT_OF_ORDER: f64 = 0.02;

impl Dictionary {
    /// How tags are ordered: whether, of all pairs of tags, more than a few stand in the rarer of their two orders.
    pub fn ranking(&self) -> Ranking {
        let mut orders: BTreeMap<(u32, u32), [usize; 2]> = BTreeMap::new();
        for (_, tags) in self.iter() {
            for (at, &(first, _)) in tags.iter().enumerate() {
                for &(second, _) in &tags[at + 1..] {
                    let pair = (first.min(second), first.max(second));
                    orders.entry(pair).or_default()[usize::from(first > second)] += 1;
                }
            }
        }
        let [n_pairs, n_rarer] =
            orders.values().fold([0, 0], |[n, rarer], [up, down]| [n + up + down, rarer + up.min(down)]);
        match n_pairs {
            0 => Ranking::Single,
            _ if n_rarer as f64 <= OUT_OF_ORDER * n_pairs as f64 => Ranking::Fixed,
            _ => Ranking::Preferred,
        }
    }

    /// The dictionary whose tags count the less the later they stand, if their order tells anything.
    pub fn ranked(mut self) -> (Dictionary, Ranking) {
        let ranking = self.ranking();
        if ranking == Ranking::Preferred {
            self.each_entry(|tags| {
                let mut count = 1.0;
                for (_, known) in tags {
                    *known = count;
                    count *= FALL;
                }
            });
        }
        (self, ranking)
    }

    /// The shares of a word's tags, in their order; `None` if it is not there or all tags count the same.
    pub fn preference(&self, word: &str) -> Option<Vec<(u32, f64)>> {
        let tags = self.get(word)?;
        let total: f64 = tags.iter().map(|(_, count)| count).sum();
        let differs = tags.iter().any(|(_, count)| *count != tags[0].1);
        (differs && total > 0.0).then(|| tags.iter().map(|&(tag, count)| (tag, count / total)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn dictionary(entries: &[&str]) -> Dictionary {
        let pairs = entries.iter().flat_map(|entry| {
            let mut parts = entry.split(' ');
            let word = parts.next().unwrap_or_default();
            parts.map(move |tag| (word, tag))
        });
        Dictionary::from_pairs(pairs)
    }

    #[test]
    fn an_order_that_is_the_same_everywhere_tells_nothing() {
        assert_eq!(dictionary(&["a X", "b Y"]).ranking(), Ranking::Single);
        assert_eq!(dictionary(&["a X Y", "b X Z", "c Y Z", "d X Y Z"]).ranking(), Ranking::Fixed);
        let (ranked, ranking) = dictionary(&["a X Y", "b Y X", "c Y"]).ranked();
        assert_eq!(ranking, Ranking::Preferred);
        assert_eq!(ranked.get("a"), Some(&[(0, 1.0), (1, FALL)][..]));
        assert_eq!(ranked.get("b"), Some(&[(1, 1.0), (0, FALL)][..]));
        let share = 1.0 / (1.0 + FALL);
        assert_eq!(ranked.preference("b"), Some(vec![(1, share), (0, FALL / (1.0 + FALL))]));
        assert_eq!(ranked.preference("c"), None);
        assert_eq!(dictionary(&["a X Y", "b X Y"]).preference("a"), None);
    }

    proptest! {
        /// Sorted by any order of the tags, a dictionary is `Fixed`, whatever the words; one word turned round is still a slip.
        #[test]
        fn lists_sorted_by_any_order_of_tags_are_found_out(
            order in Just(vec!["A", "B", "C", "D", "E"]).prop_shuffle(),
            chosen in prop::collection::vec(prop::sample::subsequence(vec![0usize, 1, 2, 3, 4], 2..4), 60..90),
        ) {
            let entry = |(word, places): (usize, &Vec<usize>)| {
                let tags: Vec<&str> = places.iter().map(|&place| order[place]).collect();
                format!("w{word} {}", tags.join(" "))
            };
            let mut entries: Vec<String> = chosen.iter().enumerate().map(entry).collect();
            let found = |entries: &[String]| {
                dictionary(&entries.iter().map(String::as_str).collect::<Vec<_>>()).ranking()
            };
            prop_assert_eq!(found(&entries), Ranking::Fixed);
            entries.push(format!("x {} {}", order[1], order[0]));
            prop_assert_eq!(found(&entries), Ranking::Fixed);
        }
    }
}
