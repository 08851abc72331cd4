//! Pictures as they should be, and what holds of every picture.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod plots;
mod semantics;
mod snapshots;
