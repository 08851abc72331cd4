//! Chains of nodes over single words, each predicted from the word and its neighbours alone.
//!
//! A word has one of the chains seen in training (`S+VP` is one of two nodes) or none. Brackets know nothing of them.

use chain::descent::{Gradient, Weights};
use features::{Index, Key};
use serde::{Deserialize, Serialize};
use tree::Text;

use super::words::NumberedSentence;

/// The chains that words can have; none of them is number 0.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Chains {
    list: Vec<Vec<Text>>,
}

impl Chains {
    pub(super) fn new<'a>(seen: impl Iterator<Item = &'a Vec<Text>>) -> Chains {
        let mut list: Vec<Vec<Text>> = seen.filter(|chain| !chain.is_empty()).cloned().collect();
        list.sort_unstable();
        list.dedup();
        Chains { list }
    }

    /// How many values a word has, none counted.
    pub(super) fn n_values(&self) -> usize {
        self.list.len() + 1
    }

    pub(super) fn number(&self, chain: &Vec<Text>) -> u32 {
        self.list.binary_search(chain).map_or(0, |at| at as u32 + 1)
    }

    pub(super) fn get(&self, number: usize) -> &[Text] {
        number.checked_sub(1).and_then(|at| self.list.get(at)).map_or(&[], Vec::as_slice)
    }
}

/// What is seen at a word: n-grams of words and of tags among three words.
pub(super) fn visit_keys(sentence: &NumberedSentence, at: usize, mut emit: impl FnMut(u64)) {
    let at = at as isize;
    let [a, b, c] = [-1, 0, 1].map(|offset| (sentence.form(at + offset), sentence.tag(at + offset)));
    let grams: [(u32, &[u32]); 16] = [
        (0, &[]),
        (1, &[b.0]),
        (2, &[b.1]),
        (3, &[b.0, b.1]),
        (4, &[a.0]),
        (5, &[a.1]),
        (6, &[c.0]),
        (7, &[c.1]),
        (8, &[a.0, b.0]),
        (9, &[a.1, b.1]),
        (10, &[b.0, c.0]),
        (11, &[b.1, c.1]),
        (12, &[a.1, b.1, c.1]),
        (13, &[a.0, b.0, c.0]),
        (14, &[a.1, c.1]),
        (15, &[sentence.capital(at), b.1]),
    ];
    grams.iter().for_each(|(template, parts)| emit(Key::of(*template, parts)));
}

/// The rows of a sentence's words.
#[derive(Debug, Clone, Default)]
pub(super) struct LeafRows {
    rows: Vec<Vec<u32>>,
}

impl LeafRows {
    pub(super) fn new(sentence: &NumberedSentence, index: &Index, n_values: usize) -> LeafRows {
        let rows = (0..sentence.n_words()).map(|at| {
            let mut rows = Vec::new();
            visit_keys(sentence, at, |key| rows.extend(index.get(key, n_values)));
            rows
        });
        LeafRows { rows: rows.collect() }
    }

    /// How probable each chain of each word is.
    pub(super) fn beliefs(&self, weights: &Weights, n_values: usize) -> Vec<f64> {
        let mut beliefs = vec![0.0; self.rows.len() * n_values];
        for (rows, beliefs) in self.rows.iter().zip(beliefs.chunks_exact_mut(n_values)) {
            weights.add_rows(rows, beliefs);
            let top = beliefs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            beliefs.iter_mut().for_each(|score| *score -= top);
            num::special::exp_slice(beliefs);
            let sum: f64 = beliefs.iter().sum();
            beliefs.iter_mut().for_each(|belief| *belief /= sum);
        }
        beliefs
    }

    /// The loss of a sentence whose chains are known, and its gradient.
    pub(super) fn gradient(&self, weights: &Weights, n_values: usize, gold: &[u32]) -> Gradient {
        let beliefs = self.beliefs(weights, n_values);
        let mut gradient = Gradient::default();
        for ((rows, beliefs), &gold) in self.rows.iter().zip(beliefs.chunks_exact(n_values)).zip(gold) {
            gradient.loss -= libm::log(beliefs[gold as usize].max(f64::MIN_POSITIVE));
            for (value, belief) in beliefs.iter().enumerate() {
                let surplus = belief - f64::from(u8::from(value == gold as usize));
                if surplus.abs() > 1e-4 {
                    gradient.entries.extend(rows.iter().map(|&row| (row + value as u32, surplus as f32)));
                }
            }
        }
        gradient
    }

    /// The chain of each word: the most probable one, if it is more probable than not that there is one.
    pub(super) fn best(&self, weights: &Weights, n_values: usize) -> Vec<usize> {
        let best = |beliefs: &[f64]| {
            let chains = beliefs.iter().enumerate().skip(1);
            let best = chains.fold((0, 0.0), |best, (at, &p)| if p > best.1 { (at, p) } else { best });
            if beliefs[0] < 0.5 { best.0 } else { 0 }
        };
        self.beliefs(weights, n_values).chunks_exact(n_values).map(best).collect()
    }
}
