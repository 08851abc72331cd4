//! Blocks of words.

use crate::WordOrBlock;
use std::collections::BTreeSet;
use tree::Text;

/// Words that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordBlock {
    /// What holds them together.
    pub kind: BlockKind,
    /// All words in it, those of blocks inside too, from 1.
    pub words: BTreeSet<u32>,
    /// What it is called, `NP`.
    pub label: Option<Text>,
}

/// What holds the words of a [`WordBlock`] together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// They form a constituent.
    Bracket {
        /// The word or the block in it that heads the rest, if it was said.
        head: Option<WordOrBlock>,
    },
    /// They are one word in several pieces.
    Multiword,
    /// They are coordinated.
    Coordination {
        /// The variable that names it in GFL, `$x`.
        name: String,
        /// What is coordinated.
        conjuncts: Vec<WordOrBlock>,
        /// What coordinates.
        coordinators: Vec<WordOrBlock>,
    },
}

impl WordBlock {
    /// Whether the words of two blocks overlap without one holding the other.
    pub fn crosses(&self, words: &BTreeSet<u32>) -> bool {
        !self.words.is_disjoint(words) && !self.words.is_subset(words) && !self.words.is_superset(words)
    }
}
