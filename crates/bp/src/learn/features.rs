//! What scores are made of.

use chain::descent::Weights;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::Scores;

/// The features of blocks of scores. A feature of a block of n scores is a row of n weights, one for each score, and a score
/// is the sum of its features' weights: score(k) = Σ_feature w(row + k).
#[derive(Debug, Clone, Default)]
pub struct Features {
    blocks: Vec<Block>,
    rows: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Block {
    start: u32,
    len: u32,
    /// Its rows are those before this one, from the end of the block before.
    end: u32,
}

impl Features {
    /// Nothing has features yet.
    pub fn new() -> Features {
        Features::default()
    }

    /// Forgets all blocks, for another graph.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.rows.clear();
    }

    /// The features of a block, as the starts of their rows.
    pub fn push(&mut self, scores: Scores, rows: impl IntoIterator<Item = u32>) {
        self.rows.extend(rows);
        self.blocks.push(Block { start: scores.start, len: scores.len, end: self.rows.len() as u32 });
    }

    fn walk(&self, mut visit: impl FnMut(std::ops::Range<usize>, &[u32])) {
        let mut first = 0;
        for block in &self.blocks {
            let scores = block.start as usize..(block.start + block.len) as usize;
            visit(scores, &self.rows[first..block.end as usize]);
            first = block.end as usize;
        }
    }

    /// Writes the scores of all blocks; those that belong to no block stay as they are.
    pub fn score(&self, weights: &Weights, scores: &mut [f64]) {
        self.walk(|range, rows| weights.add_rows(rows, &mut scores[range]));
    }

    /// The gradient of the loss in weights, each as often as it counts, from the slopes of the likelihood in scores. Slopes
    /// that are next to nothing are left out: a graph has many scores, of which few matter.
    pub fn descend(&self, slopes: &[f64], entries: &mut Vec<(u32, f32)>) {
        self.walk(|range, rows| {
            for (k, &slope) in
                slopes[range].iter().enumerate().filter(|(_, slope)| slope.abs() > NEXT_TO_NOTHING)
            {
                entries.extend(rows.iter().map(|&row| (row + k as u32, -slope as f32)));
            }
        });
    }
}

const NEXT_TO_NOTHING: f64 = 1e-6;

/// Where the weights of features are: every feature that was ever seen has a row of its own, or features share as many
/// weights as there are.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Index {
    /// Keys in the order of their rows.
    keys: Vec<u64>,
    starts: Vec<u32>,
    n_weights: u32,
    is_hashed: bool,
    #[serde(skip)]
    places: FxHashMap<u64, u32>,
}

impl Index {
    /// Rows are made as features come.
    pub fn growing() -> Index {
        Index {
            keys: Vec::new(),
            starts: Vec::new(),
            n_weights: 0,
            is_hashed: false,
            places: FxHashMap::default(),
        }
    }

    /// Features share so many weights, as their keys fall.
    pub fn hashed(n_weights: u32) -> Index {
        Index { n_weights, is_hashed: true, ..Index::growing() }
    }

    /// How many weights there are.
    pub fn n_weights(&self) -> usize {
        self.n_weights as usize
    }

    /// How many features have rows of their own.
    pub fn n_features(&self) -> usize {
        self.keys.len()
    }

    /// The row of a feature, which is made if there is none; `None` if there is no room for it.
    pub fn insert(&mut self, key: u64, len: usize) -> Option<u32> {
        if self.is_hashed || self.places.contains_key(&key) {
            return self.get(key, len);
        }
        let start = self.n_weights;
        self.n_weights = start.checked_add(len as u32)?;
        self.keys.push(key);
        self.starts.push(start);
        self.places.insert(key, start);
        Some(start)
    }

    /// The row of a feature, `None` if it was never seen.
    #[inline]
    pub fn get(&self, key: u64, len: usize) -> Option<u32> {
        if !self.is_hashed {
            return self.places.get(&key).copied();
        }
        let room = u64::from(self.n_weights).checked_sub(len as u64)? + 1;
        // The upper half of the product: as even as what is multiplied, without a division.
        Some(((u128::from(spread(key)) * u128::from(room)) >> 64) as u32)
    }

    /// Makes the index as it was before it was stored.
    pub fn restore(&mut self) {
        self.places = self.keys.iter().copied().zip(self.starts.iter().copied()).collect();
    }
}

/// Lets every bit of a key change all others.
fn spread(key: u64) -> u64 {
    let key = (key ^ (key >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let key = (key ^ (key >> 29)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    key ^ (key >> 32)
}
