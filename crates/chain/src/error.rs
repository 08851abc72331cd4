//! What can go wrong outside of a kernel.

use std::io;
use std::path::PathBuf;

use crate::container::Problem;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A schedule or option with which nothing would happen.
    #[error("{field} is {value}; {advice}")]
    Schedule {
        /// The offending field.
        field: &'static str,
        /// Its value.
        value: u64,
        /// What to do.
        advice: &'static str,
    },
    /// The operating system gave no threads.
    #[error("cannot start {wanted} threads ({reason}); ask for fewer")]
    Threads {
        /// How many were asked for; 0 stands for all cores.
        wanted: usize,
        /// The system's reason.
        reason: String,
    },
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A file was read but is not what it should be.
    #[error("{}: {problem}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: Problem,
    },
    /// A checkpoint does not belong to the run that wants to continue it.
    #[error(
        "the checkpoint was made with {what} {found}, this run has {wanted}; use the same settings and data, or start afresh"
    )]
    OtherRun {
        /// What differs.
        what: &'static str,
        /// Its value in the checkpoint.
        found: u64,
        /// Its value now.
        wanted: u64,
    },
    /// A value could not be written in the checkpoint format.
    #[error("cannot encode {what}: {reason}")]
    Encode {
        /// What was to be written.
        what: String,
        /// The encoder's reason.
        reason: String,
    },
}

/// Why a run ended without a result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError<E: std::error::Error + 'static> {
    /// The kernel gave up. The last checkpoint on disk is still good.
    #[error("chain {chain}, sweep {sweep}: {source}")]
    Kernel {
        /// The chain, from 0.
        chain: u32,
        /// The sweep, from 1; 0 is the start.
        sweep: u64,
        /// The kernel's reason.
        source: E,
    },
    /// An observer could not do its work, for instance because the disk is full.
    #[error("sweep {sweep}: {source}")]
    Observer {
        /// The sweep after which it happened.
        sweep: u64,
        /// The observer's reason.
        source: io::Error,
    },
    /// The run could not begin.
    #[error(transparent)]
    Setup(#[from] Error),
}
