//! Labels that spread over a graph: Modified Adsorption, after Talukdar & Crammer (2009).
//!
//! Some nodes are seeds with labels. Each node v has probabilities of injecting its seed, of continuing to its neighbours, and
//! of giving up, which depend on how many neighbours it has: with the entropy H of the weights of its edges W,
//!
//! ```text
//! c(v) = ln β / ln(β + exp H(v)),   d(v) = (1 − c(v)) √H(v) for seeds, 0 for others,   z = max(c + d, 1)
//! continue(v) = c/z,   inject(v) = d/z,   abandon(v) = 1 − continue(v) − inject(v)
//! ```
//!
//! The labels Y solve, with a dummy label ⊥ that nodes take which give up,
//!
//! ```text
//! K(v, u)     = (continue(v) + continue(u)) W(v, u)
//! M(v) Y(v)   = μ₁ inject(v) Seed(v) + μ₂ Σ_u K(v, u) Y(u) + μ₃ abandon(v) ⊥
//! M(v)        = μ₁ inject(v) + μ₂ Σ_u K(v, u) + μ₃
//! ```
//!
//! which is done by Jacobi's iterations; each node's row is a function of the rows of the iteration before, so that the
//! number of threads does not matter.

mod adsorption;
mod graph;
mod words;

pub use adsorption::{Adsorption, Seed, adsorb};
pub use graph::{Edge, Graph};
pub use words::{EdgeWeights, GraphOptions, Propagated, propagate};
