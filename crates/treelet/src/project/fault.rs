//! Why a project cannot do what is asked.

use annotation::Refusal;
use std::path::PathBuf;
use thiserror::Error;

/// Why a project cannot do what is asked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Fault {
    /// What was to be changed has been changed in another window, or by somebody else.
    #[error(
        "this sentence was changed in another window; nothing was saved, and what stands there now is shown"
    )]
    ChangedElsewhere,
    /// A change that makes no sense.
    #[error("{refusal}")]
    Refused {
        /// The number of the event.
        n: u64,
        /// Why.
        refusal: Refusal,
    },
    /// There is no such sentence, annotator, …
    #[error("there is no {0}")]
    Missing(String),
    /// Something in the request makes no sense.
    #[error("{0}")]
    Wrong(String),
    /// Somebody else may, but not this annotator.
    #[error("{0}")]
    NotYours(String),
    /// The disk is full.
    #[error("the disk is full; nothing was saved. Make room, and it goes on by itself")]
    DiskFull,
    /// The file is no project, or one of a newer Treelet.
    #[error("{}: {reason}", path.display())]
    NoProject {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The file cannot be read or written.
    #[error("the project cannot be read or written: {0}")]
    Storage(rusqlite::Error),
    /// Anything else.
    #[error("{0:#}")]
    Other(anyhow::Error),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        // Where there is no room for the index of the log, that is told apart in the extended code only.
        let has_no_index = error.sqlite_extended_error_code() == Some(rusqlite::ffi::SQLITE_IOERR_SHMSIZE);
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => Self::DiskFull,
            _ if has_no_index => Self::DiskFull,
            _ => Self::Storage(error),
        }
    }
}

impl From<anyhow::Error> for Fault {
    fn from(error: anyhow::Error) -> Self {
        Self::Other(error)
    }
}
