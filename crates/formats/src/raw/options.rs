//! What can be chosen.

use super::table;

/// How running text is cut into sentences and tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// What the end of a line means.
    pub lines: Lines,
    /// Words that keep a period after them, which then ends no sentence; with or without that period. In the
    /// beginning a short list of common ones.
    pub abbreviations: Vec<String>,
    /// Whether [`clitics`](Self::clitics) are split from their words; otherwise no word is split at an
    /// apostrophe.
    pub split_clitics: bool,
    /// Clitics: those that end in an apostrophe (`l'`) stand before their word, the others (`'s`, `n't`) after
    /// it. Case does not matter, and `’` is the same as `'`.
    pub clitics: Vec<String>,
    /// Whether words are split at hyphens, which become tokens.
    pub split_hyphens: bool,
    /// Whether one or two digits with a period are an ordinal number before any letter, as in German or
    /// Finnish; otherwise they are one before a small letter only.
    pub ordinals: bool,
    /// A paragraph of more bytes is worked on in parts, which end at the end of a sentence; a sentence of more
    /// than half of it is cut, and a problem says so. This limits the memory needed. Less than 4096 is taken as 4096.
    pub longest: usize,
}

impl Default for Options {
    fn default() -> Self {
        let owned = |list: &[&str]| list.iter().map(|&entry| entry.into()).collect();
        Self {
            lines: Lines::Paragraphs,
            abbreviations: owned(table::ABBREVIATIONS),
            split_clitics: false,
            clitics: owned(table::CLITICS),
            split_hyphens: false,
            ordinals: false,
            longest: 1 << 16,
        }
    }
}

/// What the end of a line means. An empty line ends a paragraph in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lines {
    /// No more than a space: sentences are found by their punctuation.
    #[default]
    Paragraphs,
    /// The end of a sentence, and sentences end nowhere else.
    Sentences,
}
