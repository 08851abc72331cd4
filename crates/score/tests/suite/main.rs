//! Measures against the reference programs' figures, and their laws.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod attachment;
mod brackets;
mod common;
mod conll18;
mod evalb_parity;
mod gfl_agreement;
mod gfl_counting;
mod gfl_measures;
mod ud_eval_parity;
