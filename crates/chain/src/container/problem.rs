//! What can be wrong with a file, and what to do about it.

/// Why a file was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The first bytes are not ours.
    #[error("not a Treelet file; check the file name")]
    Foreign,
    /// The end is missing.
    #[error("cut short: {got} of at least {expected} bytes; copy it again, or make it again")]
    CutShort {
        /// How many bytes there should be.
        expected: u64,
        /// How many there are.
        got: u64,
    },
    /// Something was appended.
    #[error("{got} bytes where {expected} were written; copy it again, or make it again")]
    TooLong {
        /// How many bytes there should be.
        expected: u64,
        /// How many there are.
        got: u64,
    },
    /// A checksum is wrong.
    #[error("damaged: the checksum of the {part} is wrong; copy it again, or make it again")]
    Damaged {
        /// The damaged part.
        part: &'static str,
    },
    /// The container itself is of a format this program does not know.
    #[error("written in file format {found}, and this program reads format {supported}; use a newer Treelet")]
    OtherFormat {
        /// The format of the file.
        found: u32,
        /// The format this program reads.
        supported: u32,
    },
    /// The file is whole but something else than was asked for.
    #[error("a file of kind `{found}` where `{wanted}` was expected; give the right file")]
    OtherKind {
        /// What the file is.
        found: String,
        /// What was asked for.
        wanted: String,
    },
    /// The payload is of a later version than this program knows.
    #[error("a `{kind}` of version {found}, and this program knows version {supported}; use a newer Treelet")]
    Newer {
        /// What the file is.
        kind: String,
        /// Its version.
        found: u32,
        /// The version this program reads.
        supported: u32,
    },
    /// The payload is of an earlier version.
    #[error(
        "a `{kind}` of version {found}, and this program reads version {supported}; make it again, or use the Treelet that made it"
    )]
    Older {
        /// What the file is.
        kind: String,
        /// Its version.
        found: u32,
        /// The version this program reads.
        supported: u32,
    },
    /// The checksum is right but the payload does not make sense.
    #[error(
        "the `{kind}` in it cannot be read ({reason}); it was written by another build of Treelet: make it again"
    )]
    Unreadable {
        /// What was to be read.
        kind: String,
        /// The decoder's reason.
        reason: String,
    },
}
