//! Annotators and their annotations, on real data.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod tweebank;
