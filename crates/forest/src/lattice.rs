//! Sequences of states, and sequences of segments: sums, the best, posteriors and draws over all of them.
//!
//! A [`Chain`] goes from state to state. Which states a position may have, and what they weigh there, are its
//! [`States`]; what going on weighs is told by [`Steps`], after one state or after two. With w the weight of a state and
//! t that of a step,
//!
//! ```text
//! forward(i, b)  = w(i, b) · Σ_a forward(i − 1, a) · t(a, b)                    order one
//! forward(i, ab) = w(i, b) · Σ_z forward(i − 1, za) · t(za, b)                  order two
//! ```
//!
//! Edges of a sentence are positions with one state, for whoever wants to weigh how sequences begin and end. How rows
//! are kept within the range of floats is a choice of [`Rows`](crate::scale::Rows).
//!
//! [`segments`] cuts a stretch of positions into pieces: a chain whose steps are of any length.

mod backward;
mod chain;
mod choose;
pub mod segments;
mod smooth;
mod states;

pub use chain::{Chain, Steps};
pub use states::States;
