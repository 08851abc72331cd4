//! What can belong to something, and what it can belong to.

use serde::{Deserialize, Serialize};

/// A word, or a block of words that moves as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum WordOrBlock {
    /// A word, from 1.
    Word(u32),
    /// A block, by its number.
    Block {
        /// Its number.
        bracket: u32,
    },
}

/// What a unit belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Attached {
    /// To nothing: it is a root.
    Root,
    /// To a word or a block.
    To(WordOrBlock),
}

impl From<WordOrBlock> for Attached {
    fn from(unit: WordOrBlock) -> Self {
        Self::To(unit)
    }
}

/// What a unit is told to belong to, as it is written: 0 is the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "WordOrBlock", into = "WordOrBlock")]
pub struct WrittenHead(pub Attached);

impl From<WordOrBlock> for WrittenHead {
    fn from(unit: WordOrBlock) -> Self {
        Self(if unit == WordOrBlock::Word(0) { Attached::Root } else { Attached::To(unit) })
    }
}

impl From<WrittenHead> for WordOrBlock {
    fn from(target: WrittenHead) -> Self {
        match target.0 {
            Attached::Root => Self::Word(0),
            Attached::To(unit) => unit,
        }
    }
}
