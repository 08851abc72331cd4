//! What can be wrong with what a parser is to learn from.

/// Why there is no parser.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No sentence has two words or more.
    #[error("no sentence has two words and a bracket; give trees to learn from")]
    NothingToLearn,
    /// A parser with labels from brackets without.
    #[error("no bracket has a label; give labelled trees, or learn brackets without labels")]
    NoLabels,
    /// A bracket over words that are not there, or over fewer than two.
    #[error("sentence {sentence}: the bracket from word {start} to {end} is not within its {n_words} words")]
    Outside {
        /// The sentence, from 1.
        sentence: usize,
        /// The first word, from 1.
        start: usize,
        /// The last word, from 1.
        end: usize,
        /// How many words there are.
        n_words: usize,
    },
    /// Two brackets of a partial annotation that cross.
    #[error(
        "sentence {sentence}: the bracket from word {} to {} crosses the one from word {} to {}; leave one of them out",
        .first.0, .first.1, .second.0, .second.1
    )]
    Crossing {
        /// The sentence, from 1.
        sentence: usize,
        /// First and last word, from 1.
        first: (usize, usize),
        /// First and last word, from 1.
        second: (usize, usize),
    },
    /// A checkpoint of other data or other settings.
    #[error("the checkpoint is of other data or other settings; train with those, or from the beginning")]
    OtherCheckpoint,
    /// More features than numbers.
    #[error("there are more weights than can be counted; leave features that are rare out")]
    TooManyFeatures,
}
