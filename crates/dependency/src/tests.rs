//! The parser against lists of all trees.

mod ensemble;
mod features;
mod gradients;
mod listing;
mod pruning;
mod relations;
mod toys;
