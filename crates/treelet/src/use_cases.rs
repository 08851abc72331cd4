//! One file or folder per use case.

pub mod agree;
pub mod annotate;
pub mod check;
pub mod convert;
pub mod demo;
pub mod diagnose;
pub mod divide;
pub mod factors;
pub mod impute;
pub mod induce;
pub mod joint;
pub mod model;
pub mod model_show;
pub mod parse;
pub mod plan;
pub mod sample;
pub mod score;
pub mod segment;
pub mod select;
pub mod simulate;
pub mod stats;
pub mod tag;
pub mod train;
pub mod view;
