//! What the form and the neighbours of a word tell: features, a log-linear model of tags, clusters.
//!
//! ```
//! use features::{Observation, TagModel, TagModelOptions};
//!
//! // Two tags: 0 for nouns, 1 for adverbs.
//! let seen = [("house", 0), ("garden", 0), ("table", 0), ("quickly", 1), ("slowly", 1), ("gladly", 1)];
//! let seen = seen.map(|(form, tag)| Observation { form, first: false, tag, count: 1.0 });
//! let model = TagModel::fit(&seen, 2, &TagModelOptions::default());
//! let mut posterior = Vec::new();
//! model.posterior("warmly", false, &mut posterior);
//! assert!(posterior[1] > 0.5);
//! ```
//!
//! Nothing here knows trees or grammars. A word is a string of any script, together with whether it stands
//! first in its sentence; a tag is a number below `n_tags`.

mod bisect;
mod brown;
mod codebook;
mod emission;
mod error;
mod hash;
mod index;
mod log_linear;
mod word_vectors;

pub mod choose;
pub mod clusters;
pub mod form;
pub mod kmeans;
pub mod tag_model;

pub use bisect::{BisectOptions, bisect};
pub use brown::{Brown, BrownOptions};
pub use choose::{Choice, ChooseOptions, RareWords, Setting, choose};
pub use clusters::{ClusterOptions, Clusters};
pub use codebook::{Codebook, plain};
pub use error::Error;
pub use form::{Group, features, shape_of};
pub use hash::{GOLDEN, Hash, Key, pair, spread};
pub use index::Index;
pub use kmeans::{KMeans, KMeansOptions, SparseVector, k_means};
pub use tag_model::{Observation, TagModel, TagModelOptions};

/// Runs the README's example as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
