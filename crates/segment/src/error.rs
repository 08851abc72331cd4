//! What can go wrong.

/// Why a model cannot be trained, read or used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is nothing to learn from.
    #[error("there is no word to learn from; check the list, and the least count of words")]
    NoWords,
    /// The list is too large for 32 bits, or its counts for exact sums.
    #[error("{what} add up to more than {most}; use fewer words, or --dampening")]
    TooMuch {
        /// What there is too much of.
        what: &'static str,
        /// How much would do.
        most: u64,
    },
    /// A setting out of its range.
    #[error("{what} must be {range}, not {value}")]
    Setting {
        /// Its name.
        what: &'static str,
        /// What it may be.
        range: &'static str,
        /// What it was.
        value: f64,
    },
    /// A pattern of characters that are not torn apart cannot be understood.
    #[error(
        "'{pattern}' is not a pattern of two characters; write them, or sets such as [0-9] and [^a-z], with | between patterns"
    )]
    Pattern {
        /// The pattern.
        pattern: String,
    },
    /// What was saved is of a training with other words.
    #[error("what was saved is of a training with other words; give the same ones, or start again")]
    OtherRun,
    /// Training was asked to stop.
    #[error("training was interrupted")]
    Interrupted,
}
