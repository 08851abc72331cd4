//! Trees over scores of arcs, against lists of all trees.

mod engine;
mod laws;
mod listing;
mod long;
