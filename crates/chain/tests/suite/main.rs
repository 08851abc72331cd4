//! The promises of `chain`, held from outside.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod bits;
mod descending;
mod files;
mod fitting;
mod getting_it_right;
mod killing;
mod resuming;
mod toy;
mod watching;
