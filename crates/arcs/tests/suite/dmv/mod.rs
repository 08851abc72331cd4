//! Dependency grammars against lists of all trees.

mod model;
mod possible;
