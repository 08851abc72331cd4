//! Sentences of which something is known about the tags.

use tree::Text;

/// What is known about the tag of a word.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Choice {
    /// Nothing: every tag is possible.
    #[default]
    Any,
    /// It is one of these, in rising order and not empty.
    Among(Box<[u32]>),
    /// The tag.
    Known(u32),
}

/// A sentence with what is known about its tags.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tagged {
    /// The words as written.
    pub words: Vec<Text>,
    /// As many as words.
    pub choices: Vec<Choice>,
    /// How much the sentence counts, usually 1.
    pub weight: f64,
}
