//! Trees over scores of arcs, against lists of all trees.

mod laws;
mod listing;
mod long;
