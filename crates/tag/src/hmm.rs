//! Hidden Markov models whose words have few possible tags.
//!
//! ```text
//! p(x, y) = Π_i next(y_i | y_{i−1}) · emit(x_i | y_i) · next(end | y_n)            first order
//! p(x, y) = Π_i next(y_i | y_{i−2} y_{i−1}) · emit(x_i | y_i) · next(end | …)      second order
//! ```
//!
//! Charts go over the tags that a token may have and no others, which may differ between tokens of one word: some tokens are
//! tagged, and others are not. (Models of all states, with a dictionary by symbol, are in `grammar::hmm`.)

mod em;
mod lattice;
mod lexicon;
mod model;
mod prior;
mod trellis;

pub use em::{Em, Estimate, Estimation, Iteration, em, expect};
pub use lattice::Lattice;
pub use lexicon::Lexicon;
pub use model::{Hmm, TagCounts};
pub use prior::{HmmPrior, Smoothing};
pub use trellis::{Order, Trellis};
