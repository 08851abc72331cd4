//! What annotators do with a sentence, in whatever order and however little sense it makes.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod anything;
mod hands;
mod history;
mod json;
mod structure;
mod text;
mod time;
