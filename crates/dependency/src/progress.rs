//! What can be seen of a training from outside.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::templates::TemplateError;

/// What is learned at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Weights of arcs.
    Arcs,
    /// Weights of siblings and grandparents too.
    Second,
    /// Weights of relations.
    Relations,
}

/// Where training stands, after an epoch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Epoch {
    /// Whether this is the rehearsal.
    pub rehearsal: bool,
    /// What is being learned.
    pub stage: Stage,
    /// Epochs of this stage that are done.
    pub done: usize,
    /// The largest number of epochs of this stage.
    pub total: usize,
    /// The mean loss of a sentence.
    pub loss: f64,
    /// The share of right heads in text that is not learned from, if there is any.
    pub accuracy: Option<f64>,
    /// Epochs of all stages that are done, and how many there will be at most.
    pub overall: (usize, usize),
}

/// Why training cannot begin.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LearnError {
    /// No sentence has a head.
    #[error("no sentence says anything of a tree: give sentences of two words or more with some heads")]
    Nothing,
    /// The templates cannot be read.
    #[error("feature templates, {0}")]
    Templates(#[from] TemplateError),
    /// Second-order trees do not cross.
    #[error("parsers of the second order build projective trees only; use the first order")]
    Crossing,
    /// There cannot be so many weights.
    #[error(
        "a parser has from 2^1 to 2^28 weights of parts and 2^1 to 2^28 rows of relations, 2^31 weights in all rows"
    )]
    Size,
    /// The checkpoint is damaged or of another training.
    #[error("this checkpoint cannot be taken up: {0}")]
    Checkpoint(&'static str),
}

/// Sentences that training left as they are, and those it could not use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Used {
    /// Sentences that are learned from.
    pub sentences: usize,
    /// Of these, sentences some of whose arcs no tree of the wanted shape can have.
    pub relaxed: usize,
    /// Sentences of which nothing can be learned: no head is known, or there is one word only.
    pub unused: usize,
}

/// Someone who watches. The second argument makes a checkpoint.
pub type Watch<'w> = &'w mut dyn FnMut(&Epoch, &dyn Fn() -> Vec<u8>) -> ControlFlow<()>;
