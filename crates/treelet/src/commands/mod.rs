//! One file per command.

pub(crate) mod check;
pub(crate) mod convert;
pub(crate) mod demo;
pub(crate) mod manual;
pub(crate) mod score;
pub(crate) mod stats;
pub(crate) mod view;
