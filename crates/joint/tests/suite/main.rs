//! Joint models on small languages, and on broken input.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod dependency;
mod semantics;
mod tagging;
