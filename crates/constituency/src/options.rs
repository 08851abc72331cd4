//! How a grammar is trained, and what makes no sense.

use super::bank::BankOptions;
use super::concentrate::HyperPrior;
use super::estimate::Smoothing;
use super::prior::Concentrations;

/// How a grammar is trained.
#[derive(Debug, Clone)]
pub struct TrainOptions {
    /// How trees and words are prepared.
    pub bank: BankOptions,
    /// K: the greatest number of annotations of a label.
    pub annotations: u32,
    /// A label gets x annotations, up to K, if it occurs this times x² times; 0 gives K to all.
    pub occurrences_per_annotation: f64,
    /// Sweeps of each stage of the hierarchical start, 1 → 2 → 4 → … → K; 0 starts with K at once.
    pub stage_sweeps: u32,
    /// Sweeps at K that are thrown away.
    pub burn_in: u32,
    /// Sweeps that are averaged.
    pub samples: u32,
    /// Every so manieth sweep is kept.
    pub thin: u32,
    /// Independent chains, which parse together.
    pub chains: u32,
    /// The seed of all randomness.
    pub seed: u64,
    /// Prior concentrations.
    pub concentrations: Concentrations,
    /// If given, concentrations are drawn along with everything else.
    pub hyper: Option<HyperPrior>,
    /// Whether the prior mean of θ is even over the rules of a head, as in the papers, and not the coarse grammar.
    pub even_prior: bool,
    /// How mean counts become parameters.
    pub smoothing: Smoothing,
    /// A long run on a part of the treebank first.
    pub jump_start: Option<JumpStart>,
    /// Partly bracketed sentences: items of a smaller posterior under the coarse grammar are not built; 0 for all.
    pub threshold: f64,
}

/// A long run on a part, from which the run on the whole takes its first annotations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JumpStart {
    /// The share of the trees, from the first on.
    pub fraction: f64,
    /// Sweeps at K on them.
    pub sweeps: u32,
}

impl Default for TrainOptions {
    /// The settings that parse best.
    fn default() -> Self {
        TrainOptions {
            bank: BankOptions::default(),
            annotations: 8,
            occurrences_per_annotation: 4.0,
            stage_sweeps: 10,
            burn_in: 20,
            samples: 20,
            thin: 1,
            chains: 8,
            seed: 0,
            concentrations: Concentrations::default(),
            hyper: None,
            even_prior: false,
            smoothing: Smoothing::default(),
            jump_start: None,
            threshold: 1e-5,
        }
    }
}

impl TrainOptions {
    /// The settings of Sun, Mielens & Baldridge (2014): K = 16 for every label from the first sweep on, one chain of
    /// 100 sweeps and 100 samples, an even prior, chains of unary rules dropped, rare words emitted through clusters, which cross-validation chooses.
    pub fn paper() -> Self {
        let mut options = TrainOptions {
            annotations: 16,
            occurrences_per_annotation: 0.0,
            stage_sweeps: 0,
            burn_in: 100,
            samples: 100,
            chains: 1,
            even_prior: true,
            ..TrainOptions::default()
        };
        options.bank.codec.unaries = grammar::Unaries::Drop;
        options.bank.lexicon.rare_words = features::RareWords::ClusterOnly;
        options.bank.lexicon.rare = None;
        options.bank.lexicon.n_clusters = None;
        options
    }
}

/// Why there is nothing to train.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TrainError {
    /// No tree can be used.
    #[error("there is no tree to learn from; training needs at least one whole tree with words")]
    NoTrees,
    /// A number that makes no sense.
    #[error("{name} is {value}, but must be {must}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// What it was.
        value: f64,
        /// What is possible.
        must: &'static str,
    },
}

/// Annotations are kept in a byte, and K³ numbers per rule must fit in memory.
const MOST_ANNOTATIONS: u32 = 64;

/// Refuses numbers that make no sense.
pub(super) fn check(options: &TrainOptions) -> Result<(), TrainError> {
    let wrong = |name, value, must| Err(TrainError::Setting { name, value, must });
    if !(1..=MOST_ANNOTATIONS).contains(&options.annotations) {
        return wrong("the number of annotations", f64::from(options.annotations), "from 1 to 64");
    }
    let c = &options.concentrations;
    for (name, value) in [
        ("the concentration of rules", c.rules),
        ("the concentration of words", c.words),
        ("the concentration of annotations", c.annotations),
    ] {
        if !(value.is_finite() && value > 0.0) {
            return wrong(name, value, "a positive number");
        }
    }
    if let Some(jump) = &options.jump_start
        && !(jump.fraction > 0.0 && jump.fraction <= 1.0)
    {
        return wrong("the fraction of the jump-start", jump.fraction, "above 0 and at most 1");
    }
    Ok(())
}
