//! The dependency model with valence (Klein & Manning 2004), with heads split and indexed by position.
//!
//! The root takes a dependent; every word takes dependents to its left and to its right, from the inside out.
//! Before each it decides whether to stop, knowing whether it has one on that side yet (*valence*), and what
//! to take:
//!
//! ```text
//! P(side of h with dependents d₁ … dₖ) = Π_j go(h, side, j > 1) · choice(h, side, j > 1, d_j) · stop(h, side, k > 0)
//! ```
//!
//! [`DmvShape`] numbers the events, so that parameters and counts are flat lists. [`DmvWeights`] lays parameters over
//! a sentence, [`Laid`] puts a mask over that, and a [`DmvChart`] sums, draws and finds posteriors in O(n³). [`Laid`] is
//! also a [`forest::Forest`]: the engine's slower answer to every question, for sentences that plain numbers
//! cannot hold and for tests.

mod chart;
mod count;
mod events;
mod laid;
mod outside;
mod shape;
mod weights;

pub use chart::DmvChart;
pub use count::Counter;
pub use laid::{Laid, Mask};
pub use shape::{DmvSentence, DmvShape};
pub use weights::{DmvWeights, RootWeights};
