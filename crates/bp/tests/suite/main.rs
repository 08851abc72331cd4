//! Factors and graphs against lists of all their states.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod decoding;
mod factors;
mod graphs;
mod learning;
mod options;
mod oracle;
