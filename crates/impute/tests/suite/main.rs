//! Completing partial trees.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod admitted;
mod calibrating;
mod completing;
mod confidence;
mod convex;
mod drawn;
mod getting_it_right;
mod grammar;
mod mean_parameters;
mod ten_thousand;
mod training;
