//! The ways in which an analysis can change.

use crate::analysis::On;
use crate::{WordOrBlock, WrittenHead};
use serde::{Deserialize, Serialize};
use tree::Text;

/// One change of an [`Analysis`](crate::Analysis).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// A unit belongs to another, to nothing, or its head is open again.
    Head(Attach),
    /// A unit has this relation to its head.
    Relation {
        /// The unit.
        of: WordOrBlock,
        /// The relation; open if there is none.
        is: Option<Text>,
    },
    /// A word has this tag.
    Tag {
        /// The word.
        of: u32,
        /// The tag; that of the file if there is none.
        is: Option<Text>,
    },
    /// The arc of a unit to another is turned round.
    Flip {
        /// The dependent that becomes the head.
        of: WordOrBlock,
    },
    /// A word is a main word, or not.
    Main {
        /// The word.
        of: u32,
        /// Whether it is.
        is: bool,
    },
    /// She is not sure of a word.
    Unsure {
        /// The word.
        of: u32,
        /// Whether she is not.
        is: bool,
    },
    /// Words form a block; one of that number is changed.
    Bracket {
        /// Its number.
        id: u32,
        /// Whether it is a multiword or, by default, a bracket.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kind: Option<Shape>,
        /// Its words.
        words: Vec<u32>,
        /// The word or block in it that heads the rest.
        #[serde(default)]
        head: Option<WordOrBlock>,
        /// What it is called.
        #[serde(default)]
        label: Option<Text>,
    },
    /// A block is taken apart.
    Unbracket {
        /// Its number.
        id: u32,
    },
    /// A word does not belong to another, or may again.
    Forbid {
        /// The word.
        of: u32,
        /// What it does not belong to; 0 is the root.
        to: u32,
        /// Whether that is so.
        is: bool,
    },
    /// A remark on the sentence, a word or its arc; without text it is taken away.
    Comment {
        /// Its number.
        n: u32,
        /// What it is on.
        #[serde(default)]
        on: On,
        /// What it says.
        text: Option<String>,
    },
    /// Heads and blocks are what this text in GFL says, if it can be read.
    Gfl {
        /// The text.
        text: String,
    },
    /// Suggestions are taken over as they were shown.
    Accept {
        /// What was shown.
        heads: Vec<Suggested>,
    },
}

/// What belongs to what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attach {
    /// The dependent.
    pub of: WordOrBlock,
    /// The head; open if there is none.
    pub to: Option<WrittenHead>,
    /// The relation, if it is said with the head.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relation: Option<Text>,
}

/// A suggestion as it was shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suggested {
    /// The dependent.
    pub of: u32,
    /// The head; 0 is the root.
    pub to: u32,
    /// The relation, if one was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relation: Option<Text>,
    /// How probable it was.
    pub p: f64,
}

/// The shape of a block that is made by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// A constituent.
    Bracket,
    /// A word in several pieces.
    Multiword,
}
