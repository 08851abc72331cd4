//! Why two treebanks cannot be compared.

use std::fmt;
use thiserror::Error;

/// Which of the two treebanks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The gold standard.
    Gold,
    /// The system's output.
    System,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gold => "gold",
            Self::System => "system",
        })
    }
}

/// Why two treebanks cannot be compared. Sentences and words count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// The texts differ.
    #[error(
        "the texts differ in gold sentence {gold_sentence} (system sentence {system_sentence}): gold goes on \
         “{gold_next}”, system “{system_next}”; both must be made from the same text, spaces apart"
    )]
    TextsDiffer {
        /// Sentence of the gold standard in which the first difference lies.
        gold_sentence: usize,
        /// Sentence of the system in which it lies.
        system_sentence: usize,
        /// Up to 20 characters of the gold standard from there on.
        gold_next: String,
        /// Up to 20 characters of the system from there on.
        system_next: String,
    },
    /// A sentence has no words.
    #[error("{side} sentence {sentence} has no words; remove it, or look for a doubled blank line")]
    NoWords {
        /// Where.
        side: Side,
        /// Which sentence.
        sentence: usize,
    },
    /// A form consists of spaces only.
    #[error("{side} sentence {sentence}: token {token} has no form; give it one, or remove the line")]
    EmptyForm {
        /// Where.
        side: Side,
        /// Which sentence.
        sentence: usize,
        /// The id of the token, as written.
        token: String,
    },
    /// Word numbers do not go 1, 2, 3 …
    #[error("{side} sentence {sentence}: word {expected} is numbered {found}; number the words 1, 2, 3 …")]
    WordNumber {
        /// Where.
        side: Side,
        /// Which sentence.
        sentence: usize,
        /// What its number should be.
        expected: usize,
        /// What its number is.
        found: usize,
    },
    /// The words of a multiword token are not all there.
    #[error(
        "{side} sentence {sentence}: the words of token {first}-{last} do not follow it; add them after its line"
    )]
    BrokenRange {
        /// Where.
        side: Side,
        /// Which sentence.
        sentence: usize,
        /// First word of the token.
        first: u32,
        /// Last word of the token.
        last: u32,
    },
    /// A word has no head, or an unreadable one.
    #[error(
        "{side} sentence {sentence}: the head of word {word} is “{head}”; attachment is scored on complete \
         trees, fill in a word number or 0, or leave the sentence out on both sides"
    )]
    NoHead {
        /// Where.
        side: Side,
        /// Which sentence.
        sentence: usize,
        /// Which word.
        word: usize,
        /// The head as written.
        head: String,
    },
    /// A head beyond the last word.
    #[error(
        "{side} sentence {sentence}: word {word} has head {head}, but there are {n_words} words; correct it"
    )]
    HeadOutOfRange {
        /// Where.
        side: Side,
        /// Which sentence.
        sentence: usize,
        /// Which word.
        word: usize,
        /// Its head.
        head: u32,
        /// Words of the sentence.
        n_words: usize,
    },
    /// Words that are their own ancestors.
    #[error("{side} sentence {sentence}: words {} form a cycle; one of them needs another head", list(.words))]
    Cycle {
        /// Where.
        side: Side,
        /// Which sentence.
        sentence: usize,
        /// The words of the cycle, each headed by the next.
        words: Vec<usize>,
    },
    /// No word hangs from the root, or several do.
    #[error("{side} sentence {sentence}: {}; exactly one word must have head 0", roots(.words))]
    Roots {
        /// Where.
        side: Side,
        /// Which sentence.
        sentence: usize,
        /// The words with head 0.
        words: Vec<usize>,
    },
}

fn list(words: &[usize]) -> String {
    words.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

fn roots(words: &[usize]) -> String {
    match words {
        [] => "no word has head 0".into(),
        _ => format!("words {} have head 0", list(words)),
    }
}
