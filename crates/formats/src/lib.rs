//! Readers and writers: text becomes values here and nowhere else.
//!
//! A reader never fails on unfinished or broken input. It returns what it could read and a list of
//! [`Problem`]s with line, column and advice; only the stream itself can fail ([`std::io::Error`]).
//! A writer gives back what was read.

pub mod alike;
pub mod att;
pub mod bio;
pub mod brackets;
pub mod conll04;
pub mod conll09;
pub mod conllu;
pub mod conllx;
pub mod convert;
pub mod detect;
pub mod everything;
#[cfg(feature = "foma")]
pub mod foma_sources;
pub mod fudg_json;
pub mod gfl;
pub mod input;
pub mod joint;
pub mod lines;
pub mod nfc;
pub mod output;
pub mod problem;
pub mod raw;
pub mod records;
mod roles;
pub mod rows;
pub mod segmentations;
pub mod semantics;
pub mod semeval;
pub mod structure;
pub mod tables;
pub mod tag_dictionary;
pub mod text;
pub mod word_clusters;
pub mod word_list;
mod word_rows;
pub mod word_vectors;

pub use problem::{Problem, Severity};

/// Something read from a file, with what was wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read<T> {
    /// What could be read.
    pub value: T,
    /// The line where it starts, from 1; 0 if nothing but problems is left at the end of a file.
    pub line: u32,
    /// What was wrong.
    pub problems: Vec<Problem>,
}
