//! The parser against lists of all trees.

mod ensemble;
mod features;
mod listing;
mod pruning;
mod relations;
mod slopes;
mod toys;
