//! Treelet as a library: one function per use case.
//!
//! Options go in, a [`Watch`] hears of progress, notes and problems, results come out. Nothing here prints, reads
//! arguments or opens sockets; that is for doors such as the program `treelet`.

mod batches;
mod committed;
mod imputation;
mod models;
#[allow(missing_docs, reason = "fields that are options have a sentence of help; the others only group them")]
pub mod options;
pub mod outcome;
pub mod problems;
mod sentences;
pub mod source;
mod statistics;
mod survey;
pub mod table;
mod tree_marks;
pub mod use_cases;
pub mod watch;

pub use outcome::{Done, Outcome, Stopped, Usage};
pub use use_cases::check::{Checked, check};
pub use use_cases::demo::demo;
pub use use_cases::stats::{Counted, CountedFile, cell, stats};
pub use use_cases::view::{Drawing, view};
pub use watch::Watch;
