//! The server over a real socket: who is let in, what is kept, what comes out again.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod access;
mod client;
mod coming_in;
mod export;
mod files;
mod hostile;
mod limits;
mod markup;
mod model;
mod pace;
mod people;
mod queue;
mod saving;
mod served;
