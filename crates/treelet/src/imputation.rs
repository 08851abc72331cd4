//! What the commands for partial annotation share: sentences and what was said of them, imputers, rows.

pub(crate) mod annotated;
pub(crate) mod fragments;
pub(crate) mod gathered;
pub(crate) mod identity;
pub(crate) mod imputer;
pub(crate) mod rows;
pub(crate) mod scorer;

pub(crate) use fragments::reading;
