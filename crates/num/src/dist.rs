//! Distributions: draws and log densities, the same bits on every system.
//!
//! Everything takes an [`Rng`](crate::Rng) of an addressed stream. How many uniform numbers a draw uses up is not
//! fixed, which does no harm as long as each item and purpose has its own stream. Parameters outside of
//! their range give NaN or `None`, as in `libm`; nothing panics or loops forever.

mod categorical;
mod counts;
pub mod density;
mod dirichlet;
mod gamma;
mod normal;
mod polya_gamma;
mod slice;
mod tables;
mod truncated;

pub use categorical::{Alias, categorical, log_categorical};
pub use counts::{binomial, multinomial};
pub use dirichlet::{dirichlet, log_dirichlet, log_dirichlet_into};
pub use gamma::{Gammas, beta, exponential, gamma, inverse_gamma, log_beta, log_gamma};
pub use normal::{normal, normal_with_precision};
pub use polya_gamma::{PolyaGamma, polya_gamma, polya_gamma_mean, polya_gamma_slice, polya_gamma_variance};
pub use slice::{Slice, slice};
pub use tables::crt;
pub use truncated::truncated_normal;

#[cfg(test)]
mod tests;
