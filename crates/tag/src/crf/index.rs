//! Which features are seen often enough to have weights.

use features::Index;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// How often features were seen, in the order in which they were first seen.
#[derive(Debug, Default)]
pub(super) struct FeatureCounts {
    singles: IndexMap<u64, u32, FxBuildHasher>,
    pairs: IndexMap<u64, u32, FxBuildHasher>,
}

impl FeatureCounts {
    /// Counts a feature of one word.
    pub(super) fn single(&mut self, key: u64) {
        *self.singles.entry(key).or_default() += 1;
    }

    /// Counts a feature of two words.
    pub(super) fn pair(&mut self, key: u64) {
        *self.pairs.entry(key).or_default() += 1;
    }

    /// The features that were seen often enough. If there are more than `most`, more is demanded of all of them.
    pub(super) fn index(&self, [single, pair]: [u32; 2], most: usize) -> Index {
        let kept = |least: u32| {
            let often = |counts: &IndexMap<u64, u32, FxBuildHasher>, least: u32| -> Vec<u64> {
                counts.iter().filter(|&(_, &count)| count >= least).map(|(&key, _)| key).collect()
            };
            let mut keys = often(&self.singles, single.max(least));
            keys.extend(
                often(&self.pairs, pair.max(least)).iter().filter(|key| !self.singles.contains_key(*key)),
            );
            keys
        };
        let mut least = 1u32;
        let mut keys = kept(least);
        while keys.len() > most && least < 1 << 30 {
            least *= 2;
            keys = kept(least);
        }
        Index::of(keys).unwrap_or_default()
    }
}
