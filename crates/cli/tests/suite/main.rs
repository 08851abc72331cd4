//! The program as people run it: in a folder, with files, on the command line.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod annotating;
mod annotation_loop;
mod bad_factors;
mod bad_imputing;
mod bad_input;
mod bad_learning;
mod bad_tagging;
mod calling;
mod choosing;
mod commands;
mod common;
mod dependency;
mod dependency_words;
mod diagnose;
mod diagnose_curves;
mod factors;
mod flood;
mod guesses;
mod imputing;
mod imputing_edges;
mod induction;
mod joint;
mod joint_semantics;
mod killed;
mod learning;
mod options;
mod parity;
mod readme;
mod segmentation;
mod semantics;
mod tagging;
mod transcripts;
mod truth;
