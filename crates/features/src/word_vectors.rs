//! Words as vectors: what the form looks like, which words stand left, which stand right.
//!
//! Each of the three is a block of its own. Entries are √count · idf, where idf = log((1 + N) / n) for a
//! feature that n of N words have, and each block is brought to the length that the options give it. A block
//! about which nothing is known stays empty.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::form::{Group, features};
use crate::hash::Hash;
use crate::kmeans::SparseVector;

/// The number of blocks.
pub(crate) const N_BLOCKS: usize = 3;
pub(crate) const FORM: usize = 0;
pub(crate) const LEFT: usize = 1;
pub(crate) const RIGHT: usize = 2;

/// Counts of the features of one word, block by block.
pub(crate) type Counts = [BTreeMap<u64, f64>; N_BLOCKS];

/// The space in which words are points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct WordSpace {
    axes: BTreeMap<u64, Axis>,
    /// The lengths of the blocks.
    lengths: [f64; N_BLOCKS],
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Axis {
    dimension: u32,
    block: u8,
    idf: f64,
}

impl WordSpace {
    /// The space of these words; features of form that fewer than `min_words` have are left out.
    pub(crate) fn new(
        words: &BTreeMap<&str, Counts>,
        min_words: usize,
        lengths: [f64; N_BLOCKS],
    ) -> WordSpace {
        let mut n_words: BTreeMap<u64, (usize, u8)> = BTreeMap::new();
        for (block, counts) in words.values().flat_map(|counts| (0..).zip(counts)) {
            counts.keys().for_each(|&feature| n_words.entry(feature).or_insert((0, block)).0 += 1);
        }
        n_words.retain(|_, &mut (n, block)| n >= min_words || usize::from(block) != FORM);
        let idf = |n: usize| libm::log((1.0 + words.len() as f64) / n as f64);
        let axes = (0..).zip(n_words);
        let axes =
            axes.map(|(dimension, (feature, (n, block)))| (feature, Axis { dimension, block, idf: idf(n) }));
        WordSpace { axes: axes.collect(), lengths }
    }

    pub(crate) fn n_dimensions(&self) -> usize {
        self.axes.len()
    }

    /// The block of every dimension.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = usize> {
        self.axes.values().map(|axis| usize::from(axis.block))
    }

    /// The blocks of a word's vector.
    pub(crate) fn blocks_of(&self, counts: &Counts) -> [SparseVector; N_BLOCKS] {
        std::array::from_fn(|block| self.block(&counts[block], self.lengths[block]))
    }

    /// The whole vector of a word.
    pub(crate) fn vector(&self, counts: &Counts) -> SparseVector {
        let mut vector = self.blocks_of(counts).concat();
        vector.sort_unstable_by_key(|&(dimension, _)| dimension);
        vector
    }

    fn block(&self, counts: &BTreeMap<u64, f64>, length: f64) -> SparseVector {
        let axes = counts.iter().filter_map(|(feature, count)| Some((self.axes.get(feature)?, count)));
        let mut block: SparseVector =
            axes.map(|(axis, &count)| (axis.dimension, libm::sqrt(count) * axis.idf)).collect();
        let norm = libm::sqrt(block.iter().map(|(_, value)| value * value).sum());
        block.iter_mut().for_each(|(_, value)| *value *= length / f64::max(norm, f64::MIN_POSITIVE));
        block.retain(|&(_, value)| value != 0.0);
        block
    }

    /// The features of one occurrence of a word that need not be known.
    pub(crate) fn occurrence(
        &self,
        form: &str,
        first: bool,
        left: Option<&str>,
        right: Option<&str>,
    ) -> Counts {
        let mut counts = Counts::default();
        add_form(form, first, &mut counts[FORM]);
        let known =
            |block, word| Some(neighbour(block, word)).filter(|feature| self.axes.contains_key(feature));
        if first {
            counts[LEFT].insert(boundary(), 1.0);
        } else if let Some(word) = left {
            counts[LEFT].insert(known(LEFT, word).unwrap_or(other(LEFT)), 1.0);
        }
        if let Some(word) = right {
            counts[RIGHT].insert(known(RIGHT, word).unwrap_or(other(RIGHT)), 1.0);
        }
        counts
    }
}

/// The features of all words of a text.
///
/// Nothing stands right of the last word of a sentence; left of the first stands its beginning.
pub(crate) fn count_features<'a>(sentences: &[Vec<&'a str>], n_context: usize) -> BTreeMap<&'a str, Counts> {
    let frequent = frequent_words(sentences, n_context);
    let feature = |block: usize, word: &str| match frequent.contains_key(&lower(word)) {
        true => neighbour(block, word),
        false => other(block),
    };
    let mut words: BTreeMap<&str, (bool, Counts)> = BTreeMap::new();
    for sentence in sentences {
        for (i, &form) in sentence.iter().enumerate() {
            let (always_first, counts) = words.entry(form).or_insert_with(|| (true, Counts::default()));
            *always_first &= i == 0;
            let left = if i == 0 { boundary() } else { feature(LEFT, sentence[i - 1]) };
            *counts[LEFT].entry(left).or_default() += 1.0;
            if let Some(right) = sentence.get(i + 1) {
                *counts[RIGHT].entry(feature(RIGHT, right)).or_default() += 1.0;
            }
        }
    }
    // A capital letter means little only if the word never stands anywhere but at the beginning.
    words
        .iter_mut()
        .for_each(|(form, (always_first, counts))| add_form(form, *always_first, &mut counts[FORM]));
    words.into_iter().map(|(form, (_, counts))| (form, counts)).collect()
}

/// The most frequent words in lower case; of equally frequent ones those that come first in the alphabet.
fn frequent_words(sentences: &[Vec<&str>], n: usize) -> FxHashMap<String, u64> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for word in sentences.iter().flatten() {
        *counts.entry(lower(word)).or_default() += 1;
    }
    let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    counts.truncate(n);
    counts.into_iter().collect()
}

fn lower(word: &str) -> String {
    word.chars().flat_map(char::to_lowercase).collect()
}

fn add_form(form: &str, first: bool, counts: &mut BTreeMap<u64, f64>) {
    features(form, first, |group, feature| {
        if group != Group::Identity {
            counts.insert(Hash::new(FORM as u8).u64(feature).finish(), 1.0);
        }
    });
}

fn neighbour(block: usize, word: &str) -> u64 {
    Hash::new(block as u8).chars(word.chars().flat_map(char::to_lowercase)).finish()
}

/// A neighbour that is not among the frequent words.
fn other(block: usize) -> u64 {
    Hash::new(0x10 + block as u8).finish()
}

/// The beginning of a sentence.
fn boundary() -> u64 {
    Hash::new(0x20).finish()
}
