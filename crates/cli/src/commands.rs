//! One file per command: it calls its use case and shows what comes back.

pub(crate) mod agree;
pub(crate) mod annotate;
pub(crate) mod check;
pub(crate) mod convert;
pub(crate) mod demo;
pub(crate) mod diagnose;
pub(crate) mod divide;
pub(crate) mod factors;
pub(crate) mod induce;
pub(crate) mod joint;
pub(crate) mod model;
pub(crate) mod plan;
pub(crate) mod score;
pub(crate) mod segment;
pub(crate) mod select;
pub(crate) mod simulate;
pub(crate) mod stats;
pub(crate) mod tag;
pub(crate) mod train;
pub(crate) mod view;
