//! The dependency parser from outside.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod any_input;
mod books;
mod calibrating;
mod files;
mod resuming;
mod toy_language;
mod transferring;
