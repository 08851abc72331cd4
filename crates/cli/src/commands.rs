//! One file per command: it calls its use case and shows what comes back.

pub(crate) mod check;
pub(crate) mod demo;
pub(crate) mod stats;
pub(crate) mod view;
