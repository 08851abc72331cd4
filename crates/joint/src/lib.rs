//! Models of a task beside syntax, on factor graphs.
//!
//! [`tagging`] has one variable for the tag of each word and, where syntax takes part, one for each arc; [`dependency`]
//! has the arcs alone, of first and second order; [`brackets`] are constituents. What training knows of syntax makes the difference between modes
//! ([`Mode`]): the graph is the same.

mod arcs;
pub mod brackets;
mod codes;
pub mod dependency;
mod error;
mod links;
#[cfg(test)]
mod listing;
pub mod semantics;
mod sentence;
pub mod tagging;
pub mod training;

pub use error::Error;
pub use links::{TreeShape, Within};
pub use sentence::{KnownSpans, Sentence};

use serde::{Deserialize, Serialize};

/// Sentences of more words teach a model with arcs nothing and get no answer from it: their arcs grow with the square of the
/// words.
pub const LONGEST: usize = 300;

/// What is known of syntax.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The task alone, no syntax.
    #[default]
    Supervised,
    /// Trees are known in training, and found together with the task.
    Joint,
    /// Trees are known in training and when the model is used.
    Oracle,
    /// Trees are never known: what helps the task becomes the tree.
    Hidden,
}

impl Mode {
    /// Whether the graph has arcs.
    pub fn has_syntax(self) -> bool {
        self != Mode::Supervised
    }
}

/// An index that grows, or one of so many weights (2 to the power of `bits`, at most 28) that features share.
pub(crate) fn index(bits: Option<u8>) -> features::Index {
    bits.map_or_else(features::Index::growing, |bits| features::Index::hashed(1 << bits.min(28)))
}
