//! Why a change cannot be made.

use thiserror::Error;

/// A change that makes no sense; nothing was changed.
///
/// Contradictions between things that make sense each by itself are no refusals: they are shown, and stay until somebody decides.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// A word that the sentence does not have.
    #[error("the sentence has no word {word}; it has {n_words}")]
    NoWord {
        /// The word.
        word: u32,
        /// How many there are.
        n_words: usize,
    },
    /// A block that there is not.
    #[error("there is no block {0}; it may have been taken back")]
    NoBlock(u32),
    /// Something would belong to itself, directly or through others.
    #[error("{} would belong to itself by way of {}; turn the arc round, or open it first", quoted(.0), quoted(.1))]
    Circle(String, String),
    /// A block holds what it would belong to.
    #[error("a block cannot belong to a part of itself; say the head of the block instead")]
    PartOfItself,
    /// A word belongs to the block it is in.
    #[error("a word cannot belong to the block that it is in; say which word heads the block instead")]
    OwnBlock,
    /// Two blocks overlap without one holding the other.
    #[error("this block would cut the block {} in two; blocks lie inside each other or apart", quoted(.0))]
    Crossing(String),
    /// A block of fewer than two words.
    #[error("a block needs at least two words")]
    TooSmall,
    /// The same words twice.
    #[error("there is a block of these words already")]
    Twice,
    /// A number that no block may have.
    #[error("no block has the number {0}; take the next one that is free")]
    NoNumber(u32),
    /// The head of a block lies outside of it.
    #[error("the head of a block must be one of its words or blocks")]
    HeadOutside,
    /// An arc was to be turned round that is not there.
    #[error("{} belongs to no word yet, so that there is nothing to turn round", quoted(.0))]
    NothingToFlip(String),
    /// A name that would break the file it is written to.
    #[error("{} cannot be used here: it is empty or has tabs, line ends or spaces in it", quoted(.0))]
    BadName(String),
    /// Too long a text.
    #[error("the text is longer than {0} characters")]
    TooLong(usize),
    /// A stage that there is not.
    #[error("there are stages 1 to 4")]
    NoStage(u8),
}

fn quoted(text: &str) -> String {
    format!("“{text}”")
}
