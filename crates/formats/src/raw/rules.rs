//! Options, made ready for looking things up.

use super::kinds::is_small;
use super::options::Options;
use super::table::{HYPHENS, SMALL_VOWELS};
use super::words::is_single_letter;
use std::collections::BTreeSet;
use tree::{PutInOrder, PutTogether};

/// What the options say, in the form in which it is asked for.
#[derive(Debug)]
pub(super) struct TokenRules {
    /// Without the final period.
    abbreviations: BTreeSet<String>,
    /// Those of them with a period inside, the longest first.
    with_period: Vec<String>,
    /// Clitics before a word, and after it, in small letters with plain apostrophes, the longest first.
    before: Vec<String>,
    after: Vec<String>,
    split_hyphens: bool,
    ordinals: bool,
}

impl TokenRules {
    pub(super) fn new(options: &Options) -> Self {
        let trimmed = options.abbreviations.iter().map(|entry| entry.trim().trim_end_matches('.'));
        let abbreviations: BTreeSet<String> =
            trimmed.filter(|entry| !entry.is_empty()).map(String::from).into_set();
        let with_period = abbreviations.iter().filter(|entry| entry.contains('.')).cloned().collect();
        let clitics = options.clitics.iter().filter(|_| options.split_clitics).map(|clitic| plain(clitic));
        let (before, after) =
            clitics.filter(|clitic| !clitic.is_empty()).partition(|clitic| clitic.ends_with('\''));
        Self {
            abbreviations,
            with_period: longest_first(with_period),
            before: longest_first(before),
            after: longest_first(after),
            split_hyphens: options.split_hyphens,
            ordinals: options.ordinals,
        }
    }

    /// The length of an abbreviation with periods inside that stands at the beginning of `rest`, final period
    /// included.
    pub(super) fn listed_with_period(&self, rest: &str) -> Option<usize> {
        let fits = |entry: &&String| {
            let after = rest.strip_prefix(entry.as_str());
            after.is_some_and(|after| after.starts_with('.') && !after.starts_with(".."))
        };
        self.with_period.iter().find(fits).map(|entry| entry.len() + 1)
    }

    /// Whether the period after a word is part of it, if `next` is the first character after the period that
    /// is no space.
    pub(super) fn keeps_period(&self, word: &str, next: Option<char>) -> bool {
        if let Some(next) = next.filter(|_| is_ordinal(word)) {
            return is_small(next) || (self.ordinals && next.is_alphabetic());
        }
        if is_single_letter(word) {
            return next.is_some_and(|next| is_initial(word, next));
        }
        let is_acronym = word.contains('.') && word.split('.').all(is_single_letter);
        is_acronym || self.is_listed(word)
    }

    fn is_listed(&self, word: &str) -> bool {
        self.abbreviations.contains(word) || self.abbreviations.contains(&word.to_lowercase())
    }

    /// Where a word is to be split, in ascending order; nothing is empty after it.
    pub(super) fn cuts(&self, word: &str) -> Vec<usize> {
        let mut cuts = Vec::new();
        let (start, end) = self.without_clitics(word);
        if start > 0 {
            cuts.push(start);
        }
        if self.split_hyphens {
            cuts.extend(hyphens(word, start, end));
        }
        if end < word.len() {
            cuts.push(end);
        }
        cuts.dedup();
        cuts
    }

    /// What is left of a word without one clitic on either side. A clitic without its word is a word.
    fn without_clitics(&self, word: &str) -> (usize, usize) {
        let is_clitic = || self.before.contains(&plain(word)) || self.after.contains(&plain(word));
        if (self.before.is_empty() && self.after.is_empty()) || is_clitic() {
            return (0, word.len());
        }
        let mut start = 0;
        for clitic in &self.before {
            let length = chars_length(word.chars(), clitic);
            if length < word.len() && plain(&word[..length]) == *clitic {
                start = length;
                break;
            }
        }
        for clitic in &self.after {
            let length = chars_length(word.chars().rev(), clitic);
            if start + length < word.len() && plain(&word[word.len() - length..]) == *clitic {
                return (start, word.len() - length);
            }
        }
        (start, word.len())
    }
}

/// Whether a word of one letter is an abbreviation, and not the last word of a sentence, which only small
/// vowels are taken for.
fn is_initial(letter: &str, next: char) -> bool {
    !(letter.starts_with(|first| SMALL_VOWELS.contains(first)) && next.is_uppercase())
}

/// One or two digits: 1. is often the first, 1995. rarely anything but the end of a sentence.
fn is_ordinal(word: &str) -> bool {
    word.chars().count() <= 2 && word.chars().all(char::is_numeric)
}

/// Before and after every hyphen between two characters of `word[start..end]`.
fn hyphens(word: &str, start: usize, end: usize) -> Vec<usize> {
    let inner = &word[start..end];
    let found = inner.char_indices().filter(|&(_, char)| HYPHENS.contains(char));
    let inside = found.filter(|&(at, char)| at > 0 && at + char.len_utf8() < inner.len());
    inside.flat_map(|(at, char)| [start + at, start + at + char.len_utf8()]).collect()
}

/// The bytes of as many characters of a word as a clitic has.
fn chars_length(chars: impl Iterator<Item = char>, clitic: &str) -> usize {
    chars.take(clitic.chars().count()).map(char::len_utf8).sum()
}

fn plain(text: &str) -> String {
    text.trim().to_lowercase().replace(['’', '＇'], "'")
}

fn longest_first(mut entries: Vec<String>) -> Vec<String> {
    entries.order_by_key(|entry| std::cmp::Reverse(entry.len()));
    entries
}
