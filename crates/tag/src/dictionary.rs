//! Which tags words may have: a tag dictionary.

use indexmap::IndexMap;
use tree::Text;

use crate::{Choice, TagSet, Tagged};

/// Words with their tags, from annotated types (each counts once) or from tagged tokens (counts add up).
///
/// Words and tags keep the order in which they came.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Dictionary {
    tags: TagSet,
    words: IndexMap<Text, Vec<(u32, f64)>>,
}

impl Dictionary {
    /// No words, and these tags, whose numbers stay as they are.
    pub fn new(tags: TagSet) -> Dictionary {
        Dictionary { tags, words: IndexMap::new() }
    }

    /// The dictionary of pairs of word and tag.
    pub fn from_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Dictionary {
        let mut dictionary = Dictionary::default();
        for (word, tag) in pairs {
            dictionary.insert(word, tag);
        }
        dictionary
    }

    /// Adds a tag to a word; what was there already stays.
    pub fn insert(&mut self, word: &str, tag: &str) {
        let tag = self.tags.insert(tag);
        if !self.get(word).is_some_and(|tags| tags.iter().any(|&(known, _)| known == tag)) {
            self.count(word, tag, 1.0);
        }
    }

    /// Adds to the count of a word with a tag of the tag set.
    pub fn count(&mut self, word: &str, tag: u32, count: f64) {
        let tags = match self.words.get_mut(word) {
            Some(tags) => tags,
            None => self.words.entry(Text::from(word)).or_default(),
        };
        match tags.iter_mut().find(|(known, _)| *known == tag) {
            Some((_, known)) => *known += count,
            None => tags.push((tag, count)),
        }
    }

    /// Counts the known tags of sentences, whose tags must be numbered by this tag set.
    pub fn count_tokens(&mut self, sentences: &[Tagged]) {
        for sentence in sentences {
            for (word, choice) in sentence.words.iter().zip(&sentence.choices) {
                if let Choice::Known(tag) = choice {
                    self.count(word, *tag, 1.0);
                }
            }
        }
    }

    /// The tags of a word with their counts; `None` if the word is not there.
    pub fn get(&self, word: &str) -> Option<&[(u32, f64)]> {
        self.words.get(word).map(Vec::as_slice)
    }

    /// All words with their tags.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Text, &[(u32, f64)])> {
        self.words.iter().map(|(word, tags)| (word, tags.as_slice()))
    }

    /// Changes the counts of all entries.
    pub(crate) fn each_entry(&mut self, change: impl FnMut(&mut Vec<(u32, f64)>)) {
        self.words.values_mut().for_each(change);
    }

    /// The tag set.
    pub fn tags(&self) -> &TagSet {
        &self.tags
    }

    /// The tag set, to add tags to.
    pub fn tags_mut(&mut self) -> &mut TagSet {
        &mut self.tags
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// How many pairs of word and tag there are.
    pub fn n_entries(&self) -> usize {
        self.words.values().map(Vec::len).sum()
    }
}
