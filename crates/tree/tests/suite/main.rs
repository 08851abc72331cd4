//! Values: what holds of every tree, span and constraint.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod common;
mod constraints;
mod dependencies;
mod eisner;
mod head_learning;
mod normalise;
mod provenance;
mod round_trip;
