//! Distributions: draws and log densities, the same bits on every system.
//!
//! Everything takes an [`Rng`](crate::Rng) of an addressed stream. How many uniform numbers a draw uses up is not
//! fixed, which does no harm as long as each item and purpose has its own stream. Parameters outside of
//! their range give NaN or `None`, as in `libm`; nothing panics or loops forever.
//!
//! ```
//! use num::{Stream, dist};
//!
//! let mut rng = Stream::new(1).rng();
//! let weights = dist::dirichlet(&mut rng, &[0.5, 0.5, 2.0]);
//! assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
//! assert!(dist::categorical(&mut rng, &weights).unwrap() < 3);
//! assert_eq!(dist::categorical(&mut rng, &[0.0, 0.0]), None);
//! // ln N(0 | mean 0, sd 1) = −½ ln 2π
//! assert!((dist::density::normal(0.0, 0.0, 1.0) + 0.918_938_533).abs() < 1e-9);
//! ```

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
