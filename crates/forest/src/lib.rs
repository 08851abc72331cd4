//! Packed forests: one walk that answers every question about a set of derivations.
//!
//! A grammar shows its derivations of a sentence as a [`Forest`]; this crate sums them ([`inside()`]),
//! finds where they go through ([`outside()`], [`expect`]), draws and ranks them ([`mod@derive`]) and decodes
//! ([`mbr`]). Which question is asked is a choice of [`semiring`]. [`scaled`] is the fast path in plain
//! floating point that long sentences cannot underflow; [`substates`] does the same with a vector of latent
//! annotations per item. [`lattice`] does it for sequences, where no span is ever split in
//! two, and [`scale`] is what keeps all of them
//! within the range of floats. Nothing here knows of words, labels, grammars or constraints, and randomness is a
//! function the caller hands in.

pub mod derive;
pub mod expect;
pub mod forest;
pub mod inside;
pub mod lanes;
pub mod lattice;
pub mod mbr;
pub mod outside;
pub mod scale;
pub mod scaled;
pub mod semiring;
pub mod spans;
pub mod substates;

pub use derive::{Derivation, Step};
pub use forest::{Bundle, Edge, Forest, Item, Splits, Stretch, Tails, Visit};
pub use inside::inside;
pub use outside::outside;
pub use scaled::Scaled;
pub use semiring::Semiring;
pub use spans::Spans;

/// Runs the README's example as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
