//! The tags that each word of a corpus may have, numbered through.

use serde::{Deserialize, Serialize};

/// Possible tags of words in one list, so that a pair of word and tag has a number: its slot.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Lexicon {
    ends: Vec<usize>,
    tags: Vec<u32>,
}

impl Lexicon {
    /// The lexicon of words 0, 1, … with their tags.
    pub fn new<T: IntoIterator<Item = u32>>(words: impl IntoIterator<Item = T>) -> Lexicon {
        let mut lexicon = Lexicon::default();
        for tags in words {
            let start = lexicon.tags.len();
            lexicon.tags.extend(tags);
            lexicon.tags[start..].sort_unstable();
            lexicon.ends.push(lexicon.tags.len());
        }
        lexicon
    }

    /// The slots of a word.
    pub fn slots(&self, word: u32) -> std::ops::Range<usize> {
        let word = word as usize;
        let start = if word == 0 { 0 } else { self.ends[word - 1] };
        start..self.ends[word]
    }

    /// The tag of each slot.
    pub fn tags(&self) -> &[u32] {
        &self.tags
    }

    /// The slot of a word with a tag.
    pub fn slot(&self, word: u32, tag: u32) -> Option<usize> {
        let slots = self.slots(word);
        self.tags[slots.clone()].binary_search(&tag).ok().map(|at| slots.start + at)
    }

    /// Whether every word has its slots and every slot one of so many tags.
    pub(crate) fn is_whole(&self, n_tags: usize) -> bool {
        self.ends.is_sorted()
            && self.ends.last().copied().unwrap_or(0) == self.tags.len()
            && self.tags.iter().all(|&tag| (tag as usize) < n_tags)
    }

    /// The number of words.
    pub fn n_words(&self) -> usize {
        self.ends.len()
    }

    /// The number of slots.
    pub fn len(&self) -> usize {
        self.tags.len()
    }

    /// Whether there are no slots.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }
}
