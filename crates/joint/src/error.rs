//! What can be wrong with data or a model.

use tree::Text;

use crate::Sentence;

/// Why there is no model, or no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// Nothing to learn from.
    #[error("no sentence has anything to learn from: {wanted}")]
    NothingToLearn {
        /// What a sentence needs.
        wanted: &'static str,
    },
    /// One tag leaves nothing to choose.
    #[error("all words have the same tag ({tag}); a tagger needs two at least")]
    OneTag {
        /// The tag.
        tag: String,
    },
    /// A mode that knows trees was asked about a sentence without one.
    #[error("the model was trained with known trees (--mode oracle): word {word} has no head")]
    NoTree {
        /// The first word without a head, from 1.
        word: usize,
    },
    /// A mode that knows brackets was asked about a sentence whose brackets are not all known.
    #[error("the model was trained with known brackets (--mode oracle): the sentence has no whole tree")]
    NoBrackets,
    /// Too many arcs.
    #[error("the sentence has {words} words; models with syntax take at most {most}, so split it")]
    TooLong {
        /// How many words there are.
        words: usize,
        /// How many there may be.
        most: usize,
    },
    /// A tree that the model's structure does not allow.
    #[error("{reason}")]
    Impossible {
        /// What contradicts what.
        reason: String,
    },
    /// More features than can be numbered.
    #[error("there are more than four billion weights; take shorter sentences or less text")]
    TooManyFeatures,
    /// A checkpoint of another run.
    #[error("the checkpoint is of another run: {reason}")]
    OtherRun {
        /// What differs.
        reason: &'static str,
    },
    /// A graph that cannot be; its weights are damaged.
    #[error(transparent)]
    Graph(#[from] bp::Error),
}

/// The error of a sentence, named by its words: examples have no numbers that people know.
pub(crate) fn impossible_in(sentence: &Sentence, error: bp::Error) -> Error {
    let bp::Error::Contradiction(contradiction) = error else { return Error::Graph(error) };
    let words: Vec<&str> = sentence.forms.iter().take(6).map(Text::as_str).collect();
    Error::Impossible { reason: format!("“{} …”: {contradiction}", words.join(" ")) }
}

/// Whether the arcs of a sentence are not too many.
pub(crate) fn check_length(sentence: &Sentence) -> Result<(), Error> {
    let (words, most) = (sentence.len(), crate::LONGEST);
    if words > most { Err(Error::TooLong { words, most }) } else { Ok(()) }
}
