//! Parsers: PCFGs with latent annotations, dependency parsers that learn from whole and partial trees, and imputers of
//! dependency trees.

pub mod constituency;
pub mod dependency;
pub mod imputation;
