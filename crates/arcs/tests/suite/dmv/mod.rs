//! Dependency grammars against lists of all trees.

mod engine;
mod model;
mod possible;
