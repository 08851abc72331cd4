//! Taggers against lists of all tag sequences, and on small languages.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod analyses;
mod certainty;
mod hmm;
mod minimise;
mod pipeline;
mod propagate;
