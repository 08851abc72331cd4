//! Second-order trees, against lists of all trees.

mod laws;
mod listing;
mod long;
