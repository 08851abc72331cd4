//! `treelet joint`: models on factor graphs.

pub mod brackets;
pub(crate) mod columns;
pub mod model;
pub mod run;
pub mod score;
pub(crate) mod semantics;
pub mod train;
