//! Morphs: laws of the cost, and what is learned from small lists.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod golden;
mod laws;
