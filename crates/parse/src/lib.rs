//! Parsers: PCFGs with latent annotations, and imputers of dependency trees.

pub mod constituency;
pub mod imputation;
