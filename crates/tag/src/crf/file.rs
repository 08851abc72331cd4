//! A tagger as a file has it.

use features::Index;
use num::packed::{Packed, shorten};
use serde::{Deserialize, Serialize};

use super::Crf;
use crate::TagSet;

/// The parts of a tagger.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredCrf {
    tags: TagSet,
    keys: Vec<u64>,
    weights: Packed,
}

/// Weights nearer to zero than this are zero.
const LEAST: f32 = 1e-2;

impl Crf {
    /// The tagger with eight bits of each weight, without weights next to zero and without features that have no others.
    pub(super) fn condensed(mut self) -> Crf {
        let k = self.tags.len();
        for weight in &mut self.weights {
            *weight = if weight.abs() < LEAST { 0.0 } else { shorten(*weight) };
        }
        let (transitions, rows) = self.weights.split_at(k * k);
        let mut weights = transitions.to_vec();
        let mut keys = Vec::new();
        for (row, &key) in rows.chunks_exact(k).zip(self.index.keys()) {
            if row.iter().any(|&weight| weight != 0.0) {
                keys.push(key);
                weights.extend_from_slice(row);
            }
        }
        Crf { index: Index::of(keys).unwrap_or_default(), weights, tags: self.tags }
    }
}

impl From<Crf> for StoredCrf {
    fn from(crf: Crf) -> StoredCrf {
        StoredCrf { weights: Packed::new(&crf.weights), keys: crf.index.keys().to_vec(), tags: crf.tags }
    }
}

impl TryFrom<StoredCrf> for Crf {
    type Error = &'static str;

    fn try_from(stored: StoredCrf) -> Result<Crf, Self::Error> {
        let StoredCrf { tags, keys, weights } = stored;
        let len = tags.len().checked_add(keys.len()).and_then(|rows| rows.checked_mul(tags.len()));
        let len = len.filter(|&len| len > 0).ok_or("a tagger knows no tags")?;
        let weights = weights.unpack(len).ok_or("the weights of a tagger are damaged")?;
        if !weights.iter().all(|weight| weight.is_finite()) {
            return Err("the weights of a tagger are damaged");
        }
        let index = Index::of(keys).ok_or("the features of a tagger are damaged")?;
        Ok(Crf { tags, index, weights })
    }
}
