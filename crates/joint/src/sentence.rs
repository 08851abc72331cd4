//! Sentences as models see them.

use tree::{Semantics, Text};

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
    /// What each word is to its head, where trees are always known; empty if nobody says.
    pub relations: Vec<Text>,
    /// The lemma of each word; empty if there is none.
    pub lemmas: Vec<Text>,
    /// What is known of its brackets.
    pub brackets: Option<KnownSpans>,
    /// What is known of names, relations and roles.
    pub semantics: Semantics,
}

/// What is known of the brackets of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KnownSpans {
    /// First word and word after the last of spans of two words and more, from 0, none twice.
    pub spans: Vec<(u32, u32)>,
    /// Whether these are all brackets of a binary tree, so that nothing else is one.
    pub is_whole: bool,
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
