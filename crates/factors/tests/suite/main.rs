//! The factor model against simulation.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod as_numbers;
mod cells;
mod exact;
mod getting_it_right;
mod promises;
mod recovery;
mod summaries;
