//! Where the weights of features are.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::hash::spread;

/// Where the weights of features are: every feature that was ever seen has a row of its own, or features share as many
/// weights as there are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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

    /// Every key has a row of one, in the order of the list; `None` if a key stands there twice.
    pub fn of(keys: Vec<u64>) -> Option<Index> {
        let n_weights = u32::try_from(keys.len()).ok()?;
        let mut index = Index { starts: (0..n_weights).collect(), keys, n_weights, ..Index::growing() };
        index.restore();
        (index.places.len() == index.keys.len()).then_some(index)
    }

    /// The features that have rows of their own, in the order of these.
    pub fn keys(&self) -> &[u64] {
        &self.keys
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

impl Default for Index {
    fn default() -> Index {
        Index::growing()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_made_as_features_come() {
        let mut index = Index::growing();
        let rows = [index.insert(7, 3).unwrap(), index.insert(9, 1).unwrap(), index.insert(8, 3).unwrap()];
        assert_eq!((rows, index.insert(7, 3), index.n_weights()), ([0, 3, 4], Some(0), 7));
        assert_eq!((index.get(8, 3), index.get(5, 1), index.keys()), (Some(4), None, &[7, 9, 8][..]));
    }

    #[test]
    fn lists_of_keys_are_rows_of_one_and_no_key_stands_twice() {
        let index = Index::of(vec![30, 10, 20]).unwrap();
        assert_eq!([30, 10, 20, 40].map(|key| index.get(key, 1)), [Some(0), Some(1), Some(2), None]);
        assert_eq!(Index::of(vec![30, 10, 30]), None);
    }

    #[test]
    fn hashed_features_stay_within_the_weights() {
        let mut index = Index::hashed(1000);
        let rows: Vec<u32> =
            (0..500u64).map(|key| index.insert(key.wrapping_mul(0x1234_5678_9ABC), 10).unwrap()).collect();
        assert!(rows.iter().all(|&row| row <= 990));
        let distinct: std::collections::BTreeSet<u32> = rows.iter().copied().collect();
        assert!(distinct.len() > 300, "{}", distinct.len());
        assert_eq!(Index::hashed(4).get(3, 10), None);
    }
}
