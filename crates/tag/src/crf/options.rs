//! How a tagger is trained.

use chain::descent::Descent;
use serde::{Deserialize, Serialize};

/// How a tagger is trained.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CrfOptions {
    /// The walk through the sentences.
    pub descent: Descent,
    /// How often a feature of one word must be seen to get weights.
    pub least_single: u32,
    /// How often a feature of two words must be seen to get weights.
    pub least_pair: u32,
    /// The most weights; if there were more, features must be seen more often.
    pub most_weights: usize,
    /// The seed of the order of sentences.
    pub seed: u64,
}

impl Default for CrfOptions {
    fn default() -> CrfOptions {
        CrfOptions {
            descent: Descent { epochs: 12, batch: 4, rate: 0.1, l2: 1e-2, l1: 0.0 },
            least_single: 1,
            least_pair: 2,
            most_weights: 1 << 27,
            seed: 1,
        }
    }
}
