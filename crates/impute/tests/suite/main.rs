//! Completing partial trees.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod calibrating;
mod completing;
mod confidence;
mod convex;
mod getting_it_right;
mod mean_parameters;
mod ten_thousand;
mod training;
