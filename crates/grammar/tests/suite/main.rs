//! Grammars against lists of all trees, and round trips over real treebanks.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod anchoring;
mod cnf;
mod constraining;
mod lexicon;
mod pruning;
mod round_trip;
mod toy;
