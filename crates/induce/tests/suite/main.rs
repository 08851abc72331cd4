//! Induced grammars against lists of all trees, and laws of their objectives.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod enumerated;
mod getting_it_right;
mod hmm;
mod laws;
mod pcfg;
mod per_item;
mod reference;
mod rules;
