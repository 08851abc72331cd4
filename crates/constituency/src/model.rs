//! What training leaves and parsing takes, and the file it is kept in.

use std::collections::BTreeMap;
use std::path::Path;

use chain::container::{self, Header};
use grammar::{Codec, Inventory, Lexicon, Sizes, Tensors};
use serde::{Deserialize, Serialize};

use super::estimate::{Smoothing, estimate};

/// The kind of model files.
pub const KIND: &str = "model/constituency";
/// The layout of model files; raised when it changes.
pub const VERSION: u32 = 1;

/// A trained grammar: mean counts of each chain, from which parameters are worked out when it is read.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Model {
    /// Labels and rules.
    pub codec: Codec,
    /// Words.
    pub lexicon: Lexicon,
    /// The coarse grammar m: a probability per rule, lexical ones included.
    pub means: Vec<f64>,
    /// What each chain counted.
    pub chains: Vec<ChainCounts>,
    /// How counts become parameters.
    pub smoothing: Smoothing,
    /// Command, seed, checksums and whatever else is worth knowing.
    pub notes: BTreeMap<String, String>,
}

/// The counts of one chain, summed over its samples; only those that are not zero.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainCounts {
    /// Numbers of annotations.
    pub sizes: Sizes,
    /// How many samples were summed.
    pub n_samples: u64,
    /// How far each count is from the one before.
    gaps: Vec<u32>,
    sums: Vec<u32>,
}

impl ChainCounts {
    /// Packs mean counts over `n_samples` samples, which are whole numbers divided by it.
    pub fn pack(sizes: Sizes, n_samples: u64, means: &[f64]) -> ChainCounts {
        let mut packed = ChainCounts { sizes, n_samples, gaps: Vec::new(), sums: Vec::new() };
        let mut last = 0;
        for (at, mean) in means.iter().enumerate() {
            let sum = (mean * n_samples as f64).round() as u32;
            if sum > 0 {
                packed.gaps.push((at - last) as u32);
                packed.sums.push(sum);
                last = at;
            }
        }
        packed
    }

    /// The mean counts; numbers that fall outside the tensors are left out.
    pub fn unpack(&self, inventory: &Inventory) -> Tensors {
        let mut counts = inventory.zero(&self.sizes);
        let values = counts.values_mut();
        let mut at = 0;
        for (gap, sum) in self.gaps.iter().zip(&self.sums) {
            at += *gap as usize;
            if let Some(value) = values.get_mut(at) {
                *value = f64::from(*sum) / self.n_samples.max(1) as f64;
            }
        }
        counts
    }
}

/// The parameters of one chain, ready to parse with.
#[derive(Debug, Clone)]
pub struct Refinement {
    /// Numbers of annotations.
    pub sizes: Sizes,
    /// θ · β.
    pub tensors: Tensors,
}

impl Model {
    /// All rules.
    pub fn inventory(&self) -> Inventory {
        Inventory::new(self.codec.rules().clone(), self.lexicon.rule_tags())
    }

    /// The smoothed parameters of a chain.
    pub fn refinement(&self, inventory: &Inventory, chain: &ChainCounts) -> Refinement {
        let counts = chain.unpack(inventory);
        let tensors = estimate(inventory, &self.means, &chain.sizes, &counts, &self.smoothing);
        Refinement { sizes: chain.sizes.clone(), tensors }
    }

    /// Writes the model in one step: the file is there as a whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), chain::Error> {
        let header = Header { kind: KIND.to_owned(), version: VERSION, notes: self.notes.clone() };
        container::write(path, &header, self)
    }

    /// Reads a model; damaged files and other versions are refused with advice.
    pub fn read(path: &Path) -> Result<Model, chain::Error> {
        container::read(path, KIND, VERSION).map(|(_, model)| model)
    }
}
