//! Training and parsing against lists of all trees, and samplers against their own priors.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod brackets;
mod concentrations;
mod drawing;
mod estimating;
mod every_sentence;
mod generating;
mod getting_it_right;
mod parsing;
mod sampled_answers;
mod toy;
mod training;
