//! What can go wrong.

/// An error of this crate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Cross-validation has nothing to hold out.
    #[error(
        "cross-validation needs 2 sentences with words, there are {found}; add sentences or set the values by hand"
    )]
    TooFewSentences {
        /// Sentences with at least one word.
        found: usize,
    },
    /// There is nothing to choose from.
    #[error("no setting to choose from; give at least one number of clusters and one threshold")]
    NoSettings,
}
