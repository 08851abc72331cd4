//! Constraints against brute force: the meaning of an annotation written down a second time, from GFL's
//! definition, and compared over all trees of up to five words.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod annotations;
#[path = "../common/mod.rs"]
mod common;
mod conflicts;
mod derivations;
mod laws;
mod meaning;
mod saying;
