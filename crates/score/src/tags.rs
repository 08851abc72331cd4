//! Tags word by word: accuracy of known, unknown and ambiguous words, confusions, dictionary recall.
//!
//! ```
//! use score::tags::{Lexicon, Tagged, compare};
//!
//! let lexicon = Lexicon::new([("dogs", "NOUN"), ("bark", "NOUN"), ("bark", "VERB")]);
//! let words = [("dogs", "NOUN", "NOUN"), ("bark", "VERB", "NOUN"), ("loudly", "ADV", "ADV")];
//! let words = words.map(|(word, gold, system)| Tagged { word, gold, system });
//! let report = compare(words, Some(&lexicon));
//! assert_eq!((report.all.correct, report.all.total), (2, 3));
//! assert_eq!((report.by_lexicon.unknown.correct, report.by_lexicon.ambiguous.correct), (1, 0));
//! ```

mod clusters;

pub use clusters::{Confusion, VMeasure};

use crate::counts::Accuracy;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use tree::Text;

/// A word with its gold tag and the system's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tagged<'a> {
    /// The form.
    pub word: &'a str,
    /// Its tag in the gold standard.
    pub gold: &'a str,
    /// Its tag in the system's output.
    pub system: &'a str,
}

/// A tag dictionary: which tags each word has in the training data.
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    tags: FxHashMap<Text, Vec<Text>>,
}

impl Lexicon {
    /// The dictionary of pairs of word and tag; repeated pairs change nothing.
    pub fn new<W: Into<Text>, T: Into<Text>>(pairs: impl IntoIterator<Item = (W, T)>) -> Self {
        let mut lexicon = Self::default();
        for (word, tag) in pairs {
            lexicon.add(word.into(), tag.into());
        }
        lexicon
    }

    /// Adds a tag to a word.
    pub fn add(&mut self, word: Text, tag: Text) {
        let tags = self.tags.entry(word).or_default();
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }

    /// The tags of a word, or `None` if the word is unknown.
    pub fn tags(&self, word: &str) -> Option<&[Text]> {
        self.tags.get(word).map(Vec::as_slice)
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.tags.len()
    }

    /// Whether it knows no word.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }
}

/// Accuracies of words by what a dictionary says about them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByLexicon {
    /// Words in the dictionary.
    pub known: Accuracy,
    /// Words that are not.
    pub unknown: Accuracy,
    /// Known words with several tags.
    pub ambiguous: Accuracy,
    /// Known words with one tag.
    pub unambiguous: Accuracy,
    /// Tokens whose gold tag the dictionary has for the word, among all tokens.
    pub recall: Accuracy,
    /// The same among the tokens of known words.
    pub recall_of_known: Accuracy,
    /// Pairs of word and gold tag that the dictionary has, each counted once.
    pub recall_of_types: Accuracy,
}

/// Everything about the tags of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagReport {
    /// All tokens.
    pub all: Accuracy,
    /// By what the dictionary says; all 0 without a dictionary.
    pub by_lexicon: ByLexicon,
    /// How often each gold tag was given each tag.
    pub confusion: Confusion,
}

/// Compares tags.
pub fn compare<'a>(words: impl IntoIterator<Item = Tagged<'a>>, lexicon: Option<&Lexicon>) -> TagReport {
    let mut report = TagReport::default();
    let mut types: IndexMap<(&str, &str), bool, FxBuildHasher> = IndexMap::default();
    for word in words {
        report.all.add(word.gold == word.system);
        report.confusion.add(word.gold, word.system);
        if let Some(lexicon) = lexicon {
            let listed = report.by_lexicon.add(word, lexicon);
            types.insert((word.word, word.gold), listed);
        }
    }
    types.values().for_each(|&listed| report.by_lexicon.recall_of_types.add(listed));
    report
}

impl ByLexicon {
    /// Counts a word and says whether the dictionary has its gold tag.
    fn add(&mut self, word: Tagged<'_>, lexicon: &Lexicon) -> bool {
        let correct = word.gold == word.system;
        let tags = lexicon.tags(word.word);
        let listed = tags.is_some_and(|tags| tags.iter().any(|tag| tag == word.gold));
        self.recall.add(listed);
        match tags {
            None => self.unknown.add(correct),
            Some(tags) => {
                self.known.add(correct);
                self.recall_of_known.add(listed);
                if tags.len() > 1 { self.ambiguous.add(correct) } else { self.unambiguous.add(correct) }
            }
        }
        listed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_by_what_the_dictionary_knows() {
        let lexicon = Lexicon::new([("the", "D"), ("run", "N"), ("run", "V"), ("run", "V"), ("dog", "N")]);
        let words =
            [("the", "D", "D"), ("run", "N", "V"), ("run", "V", "V"), ("dog", "V", "N"), ("new", "A", "A")];
        let words = words.map(|(word, gold, system)| Tagged { word, gold, system });
        let report = compare(words, Some(&lexicon));
        let by = report.by_lexicon;
        let of = |accuracy: Accuracy| (accuracy.correct, accuracy.total);
        assert_eq!(of(report.all), (3, 5));
        assert_eq!((of(by.known), of(by.unknown)), ((2, 4), (1, 1)));
        assert_eq!((of(by.ambiguous), of(by.unambiguous)), ((1, 2), (1, 2)));
        assert_eq!((of(by.recall), of(by.recall_of_known), of(by.recall_of_types)), ((3, 5), (3, 4), (3, 5)));
        assert_eq!(report.confusion.count("N", "V"), 1);
    }
}
