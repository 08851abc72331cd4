//! Trees over arcs of both orders and the dependency model with valence, against lists of all trees.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod dmv;
mod first_order;
mod second_order;
