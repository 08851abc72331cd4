//! Dependency grammars against lists of all trees.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod annotations;
mod model;
mod possible;
