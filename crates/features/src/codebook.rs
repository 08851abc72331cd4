//! What each word is called by somebody who sorted words: the bits of a hierarchy of clusters, or any other name.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// The code of every word that has one.
///
/// A word is looked for as it is written, then in lower case, then with all digits alike ([`plain`]); a word that is not
/// found has no code. Books are small enough to be part of a model: see [`Codebook::new`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(into = "StoredCodebook", try_from = "StoredCodebook")]
pub struct Codebook {
    codes: Vec<String>,
    /// Numbers of codes; looked up, never walked through.
    words: FxHashMap<String, u32>,
}

/// Bytes of a file that a word takes besides its letters.
const BYTES_PER_WORD: usize = 4;

impl Codebook {
    /// The book of these words and their codes, the most important word first.
    ///
    /// Words that would make it larger than `most_bytes` are left out, beginning with the first that does not fit. Of a
    /// word that comes twice the first code counts; words and codes without a letter do not count.
    pub fn new<W, C>(entries: impl IntoIterator<Item = (W, C)>, most_bytes: usize) -> Codebook
    where
        W: Into<String>,
        C: AsRef<str>,
    {
        let mut book = Codebook::default();
        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        let mut n_bytes = 0;
        for (word, code) in entries {
            let (word, code) = (word.into(), code.as_ref());
            if word.is_empty() || code.is_empty() || book.words.contains_key(&word) {
                continue;
            }
            let known = numbers.get(code).copied();
            n_bytes += word.len() + BYTES_PER_WORD + if known.is_some() { 0 } else { code.len() + 1 };
            if n_bytes > most_bytes {
                break;
            }
            let number = known.unwrap_or_else(|| {
                book.codes.push(code.to_owned());
                let number = book.codes.len() as u32 - 1;
                numbers.insert(code.to_owned(), number);
                number
            });
            book.words.insert(word, number);
        }
        book
    }

    /// The code of a word.
    pub fn code(&self, form: &str) -> Option<&str> {
        let exact = self.words.get(form);
        let found = exact.or_else(|| {
            let lower = lower(form);
            self.words.get(&lower).or_else(|| self.words.get(&plain(form)))
        });
        found.and_then(|&number| self.codes.get(number as usize)).map(String::as_str)
    }

    /// The number of words.
    pub fn n_words(&self) -> usize {
        self.words.len()
    }

    /// The number of different codes.
    pub fn n_codes(&self) -> usize {
        self.codes.len()
    }
}

/// A word in lower case, with 0 for every digit.
pub fn plain(form: &str) -> String {
    form.chars().flat_map(char::to_lowercase).map(|c| if c.is_numeric() { '0' } else { c }).collect()
}

fn lower(form: &str) -> String {
    form.chars().flat_map(char::to_lowercase).collect()
}

/// Words in alphabetical order, so that equal books have equal bytes.
#[derive(Serialize, Deserialize)]
struct StoredCodebook {
    codes: Vec<String>,
    words: BTreeMap<String, u32>,
}

impl From<Codebook> for StoredCodebook {
    fn from(book: Codebook) -> StoredCodebook {
        StoredCodebook { codes: book.codes, words: book.words.into_iter().collect() }
    }
}

impl TryFrom<StoredCodebook> for Codebook {
    type Error = &'static str;

    fn try_from(stored: StoredCodebook) -> Result<Codebook, Self::Error> {
        if stored.words.values().any(|&number| number as usize >= stored.codes.len()) {
            return Err("a word has a code that does not exist");
        }
        Ok(Codebook { codes: stored.codes, words: stored.words.into_iter().collect() })
    }
}
