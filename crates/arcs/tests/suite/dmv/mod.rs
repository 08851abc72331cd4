//! Dependency grammars against lists of all trees.

mod annotations;
mod model;
mod possible;
