//! Scores: every metric of Treelet, digit for digit as its reference program has it.
//!
//! This crate compares values and reads no files. Each score reports counts, not only ratios, so that
//! sentences can be summed, tested for significance ([`significance`]) and laid out in tables by the caller.

pub mod agreement;
pub mod attachment;
pub mod brackets;
pub mod commitment;
pub mod conll18;
pub mod counts;
pub mod entities;
pub mod nominal;
pub mod random;
pub mod relations;
pub mod roles;
pub mod segments;
pub mod significance;
pub mod tags;

pub use counts::{Accuracy, Counts};
