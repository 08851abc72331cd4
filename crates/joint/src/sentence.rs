//! Sentences as models see them.

use tree::Text;

/// Words, what is seen of them, and what is known of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sentence {
    /// The words.
    pub forms: Vec<Text>,
    /// A class of each word that is always seen, such as its part of speech; empty if there is none.
    pub classes: Vec<Text>,
    /// The tag of each word, where it is known; empty if none is.
    pub tags: Vec<Option<Text>>,
    /// The head of each word (0 for the root), where it is known; empty if none is.
    pub heads: Vec<Option<u32>>,
}

impl Sentence {
    /// The number of words.
    pub fn len(&self) -> usize {
        self.forms.len()
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// The head of a word, from 1, if it is known and can be.
    pub(crate) fn head(&self, word: usize) -> Option<usize> {
        let head = self.heads.get(word - 1).copied().flatten()? as usize;
        (head <= self.len() && head != word).then_some(head)
    }
}
