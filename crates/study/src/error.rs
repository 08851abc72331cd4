//! What can be wrong with what a study is given.

use thiserror::Error;

/// An error of this crate.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Error {
    /// Two lists that must go together do not.
    #[error("{what} has {found} entries for a sentence of {n_words} words; give one for each word")]
    Length {
        /// The list.
        what: &'static str,
        /// Its length.
        found: usize,
        /// Words of the sentence.
        n_words: usize,
    },
    /// A head that cannot be.
    #[error(
        "annotator {annotator} gives word {word} the head {head}, but the sentence has {n_words} words; heads are 0 for the root or another word"
    )]
    Head {
        /// The annotator, from 0.
        annotator: usize,
        /// The word, from 1.
        word: usize,
        /// Its head.
        head: usize,
        /// Words of the sentence.
        n_words: usize,
    },
    /// A number outside of its range.
    #[error("{what} is {value}, but must be {range}")]
    Range {
        /// The number's name.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What is allowed.
        range: &'static str,
    },
    /// There is nothing to work on.
    #[error("there are no {what}; give at least one")]
    Nothing {
        /// What is missing.
        what: &'static str,
    },
    /// One weight per annotator is needed.
    #[error("there are {weights} weights for {annotators} annotators; give one for each")]
    Weights {
        /// Weights given.
        weights: usize,
        /// Annotators.
        annotators: usize,
    },
    /// An annotator who was not announced.
    #[error("annotation by annotator {annotator}, but there are {annotators}, counted from 0")]
    Annotator {
        /// The annotator, from 0.
        annotator: usize,
        /// How many there are.
        annotators: usize,
    },
    /// A curve of three parameters needs three places.
    #[error(
        "a learning curve has three unknowns and needs scores at {needed} different sizes or more, but there are {found}; train on more subsets"
    )]
    TooFewPoints {
        /// Different sizes given.
        found: usize,
        /// How many are needed.
        needed: usize,
    },
    /// Every candidate has traits.
    #[error("there are traits of {found} candidates, but {needed} candidates; give one for each")]
    Traits {
        /// Traits given.
        found: usize,
        /// Candidates.
        needed: usize,
    },
    /// A checkpoint of another run, or one that could not be written.
    #[error("{reason}")]
    Run {
        /// What happened.
        reason: String,
    },
    /// Nothing can be held out.
    #[error("{found} annotated sentences are too few to hold some out; annotate {needed} or more")]
    TooFewSentences {
        /// Annotated sentences.
        found: usize,
        /// How many are needed.
        needed: usize,
    },
}

/// `value` if `allowed` holds for it, which is false for numbers that are none.
pub(crate) fn in_range(
    what: &'static str,
    value: f64,
    range: &'static str,
    allowed: bool,
) -> Result<f64, Error> {
    if allowed { Ok(value) } else { Err(Error::Range { what, value, range }) }
}

/// A probability, or an error with its name.
pub(crate) fn share(what: &'static str, value: f64) -> Result<f64, Error> {
    in_range(what, value, "between 0 and 1", (0.0..=1.0).contains(&value))
}
