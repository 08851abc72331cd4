//! Parsers: PCFGs with latent annotations, trained and run by Gibbs sampling.

pub mod constituency;
