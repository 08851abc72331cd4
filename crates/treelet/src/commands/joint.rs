//! `treelet joint`: models on factor graphs.

pub(crate) mod brackets;
mod columns;
pub(crate) mod model;
pub(crate) mod run;
pub(crate) mod score;
pub(crate) mod train;
