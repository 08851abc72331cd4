//! What can be wrong with supervision.

/// Why no tagger can be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There are no tags to choose from.
    #[error("no word has a tag: give a tag dictionary with at least one entry, or tagged sentences")]
    NoTags,
    /// The last tagger cannot be trained.
    #[error(transparent)]
    Last(#[from] crate::crf::CrfError),
    /// There is no text to learn from.
    #[error("there is no text: give raw text, tagged sentences, or both")]
    NoText,
    /// A tag has a number that the tag set does not have.
    #[error("sentence {sentence}, word {word}: tag number {tag}, but there are only {n_tags} tags")]
    NoSuchTag {
        /// Counted from 1, tagged sentences only.
        sentence: usize,
        /// Counted from 1.
        word: usize,
        /// The number.
        tag: u32,
        /// The size of the tag set.
        n_tags: usize,
    },
    /// A sentence says something about more or fewer words than it has.
    #[error("sentence {sentence} has {n_words} words and says something about the tags of {n_choices}")]
    Lengths {
        /// Counted from 1, tagged sentences only.
        sentence: usize,
        /// How many words there are.
        n_words: usize,
        /// How many choices there are.
        n_choices: usize,
    },
    /// A word without any possible tag.
    #[error(
        "sentence {sentence}, word {word}: the list of possible tags is empty; leave the word open instead"
    )]
    NoChoice {
        /// Counted from 1, tagged sentences only.
        sentence: usize,
        /// Counted from 1.
        word: usize,
    },
}
