//! Numbers: random streams, distributions, special functions, small matrices, and corrected confidences.
//!
//! Nothing here knows of threads, files or language. Transcendental functions come from `libm`, not from the
//! platform, so the bits agree between operating systems.
//!
//! ```
//! use num::{Stream, dist};
//!
//! // A stream is an address, not a state: the same address gives the same numbers, whoever asks and whenever.
//! let stream = Stream::new(7).sweep(3);
//! let draw = dist::gamma(&mut stream.item(12).rng(), 2.0, 1.0);
//! assert_eq!(draw.to_bits(), dist::gamma(&mut stream.item(12).rng(), 2.0, 1.0).to_bits());
//! ```

pub mod confidence;
pub mod dist;
pub mod golden_section;
pub mod linear;
pub mod packed;
pub mod special;
pub mod streams;

pub use streams::{Rng, Stream};

/// Runs the README's example as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
