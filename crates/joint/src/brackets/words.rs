//! Words and tags as numbers.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use tree::{Symbols, Text, Tree};

/// A word with its tag.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Word {
    /// The form.
    pub form: Text,
    /// The tag, if there is one.
    pub tag: Option<Text>,
}

/// The words of a tree.
pub fn words_of(tree: &Tree<Text>) -> Vec<Word> {
    let words = tree.tagged_words().into_iter();
    words.map(|(tag, form)| Word { form: form.clone(), tag: tag.cloned() }).collect()
}

/// What is known of words and tags.
///
/// Words that are rare in training are known by their shape and their last letters, so that a word never seen looks like
/// some that were.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Vocabulary {
    forms: Symbols,
    tags: Symbols,
}

/// Numbers of what is not in the table: unknown, before the sentence, after it.
const UNKNOWN: u32 = 0;
const BEFORE: u32 = 1;
const AFTER: u32 = 2;
const FIRST: u32 = 3;

/// Before the name of a class of rare words; no form begins so.
const CLASS: char = '\u{1}';

impl Vocabulary {
    /// Words that occur `least` times and more, classes of the others, and all tags.
    pub(crate) fn new<'a>(sentences: impl Iterator<Item = &'a [Word]> + Clone, least: usize) -> Vocabulary {
        let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
        for word in sentences.clone().flatten() {
            *counts.entry(&word.form).or_default() += 1;
        }
        let mut vocabulary = Vocabulary::default();
        for word in sentences.flatten() {
            if counts.get(&*word.form).is_some_and(|&count| count >= least) {
                vocabulary.forms.insert(&word.form);
            } else {
                classes(&word.form).iter().for_each(|class| _ = vocabulary.forms.insert(class));
            }
            vocabulary.tags.insert(&tag_of(word));
        }
        vocabulary
    }

    fn form(&self, form: &str) -> u32 {
        let class = || classes(form).iter().find_map(|class| self.forms.number(class));
        self.forms.number(form).or_else(class).map_or(UNKNOWN, |number| number + FIRST)
    }

    /// The numbers of a sentence.
    pub(crate) fn read(&self, words: &[Word]) -> NumberedSentence {
        let pad = |number: u32| std::iter::repeat_n(number, PAD);
        let framed = |middle: Vec<u32>| pad(BEFORE).chain(middle).chain(pad(AFTER)).collect();
        let tag = |word: &Word| self.tags.number(&tag_of(word)).map_or(UNKNOWN, |number| number + FIRST);
        let is_capital = |word: &Word| word.form.chars().next().is_some_and(char::is_uppercase);
        NumberedSentence {
            forms: framed(words.iter().map(|word| self.form(&word.form)).collect()),
            tags: framed(words.iter().map(tag).collect()),
            capitals: framed(words.iter().map(|word| u32::from(is_capital(word))).collect()),
        }
    }
}

/// A word without a tag has the empty one.
fn tag_of(word: &Word) -> Text {
    word.tag.clone().unwrap_or_default()
}

/// The class of a rare word, and the wider one if that is unknown too.
fn classes(form: &str) -> [Text; 2] {
    let first = form.chars().next();
    let shape = match first {
        _ if form.chars().any(|c| c.is_ascii_digit()) => "0",
        Some(c) if c.is_uppercase() && form.chars().all(|c| !c.is_lowercase()) => "AA",
        Some(c) if c.is_uppercase() => "A",
        Some(c) if !c.is_alphanumeric() => ".",
        _ if form.contains('-') => "a-a",
        _ => "a",
    };
    let n_letters = form.chars().count();
    let end: String = form.chars().skip(n_letters.saturating_sub(3)).flat_map(char::to_lowercase).collect();
    [format!("{CLASS}{shape} {end}").into(), format!("{CLASS}{shape}").into()]
}

/// How far features look beyond a sentence.
const PAD: usize = 3;

/// A sentence as numbers, with what stands for the void on both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NumberedSentence {
    forms: Vec<u32>,
    tags: Vec<u32>,
    capitals: Vec<u32>,
}

impl NumberedSentence {
    pub(crate) fn n_words(&self) -> usize {
        self.forms.len() - 2 * PAD
    }

    /// The form at a place, which may be up to three beyond the sentence.
    pub(super) fn form(&self, at: isize) -> u32 {
        self.forms[at.wrapping_add_unsigned(PAD) as usize]
    }

    pub(super) fn tag(&self, at: isize) -> u32 {
        self.tags[at.wrapping_add_unsigned(PAD) as usize]
    }

    /// The tags of all words.
    pub(super) fn all_tags(&self) -> &[u32] {
        &self.tags[PAD..self.tags.len() - PAD]
    }

    pub(super) fn capital(&self, at: isize) -> u32 {
        self.capitals[at.wrapping_add_unsigned(PAD) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(form: &str, tag: Option<&str>) -> Word {
        Word { form: form.into(), tag: tag.map(Text::from) }
    }

    #[test]
    fn words_never_seen_look_like_rare_ones_and_the_void_like_nothing_else() {
        let text = [
            word("the", Some("D")),
            word("the", Some("D")),
            word("walking", Some("V")),
            word("Rome", Some("N")),
            word("odd", None),
        ];
        let vocabulary = Vocabulary::new(std::iter::once(&text[..]), 2);
        let read = vocabulary.read(&[
            word("talking", Some("V")),
            word("sees", Some("X")),
            word("the", None),
            word("!", None),
        ]);
        let known = vocabulary.read(&text);
        assert_eq!((read.form(0), read.form(2)), (known.form(2), known.form(0)));
        assert_eq!((read.form(3), read.tag(1)), (UNKNOWN, UNKNOWN));
        assert_eq!((read.tag(0), read.tag(2)), (known.tag(2), known.tag(4)));
        assert_ne!(read.form(1), read.form(0));
        assert_eq!(known.capital(3), 1);
        assert_eq!((read.form(-3), read.form(6), read.n_words()), (BEFORE, AFTER, 4));
        assert_eq!(vocabulary.read(&[]).n_words(), 0);
    }
}
