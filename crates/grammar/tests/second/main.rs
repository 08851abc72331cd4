//! Second-order trees, against lists of all trees.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod laws;
mod listing;
mod long;
