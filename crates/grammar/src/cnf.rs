//! Context-free grammars in Chomsky normal form, for grammars that are to be found.
//!
//! ```text
//! root → A | P      A → B C      P → word
//! ```
//!
//! Every rule over K nonterminals A and preterminals P exists; B and C are either. Preterminals emit words, or there is
//! one for each tag, which is all that is seen of a sentence. [`CnfShape`] numbers the events, so that parameters and counts
//! are flat lists; [`Laid`] puts them over a sentence, and a [`Chart`] sums, draws and finds posteriors in
//! O(n³ K² + n² K³). [`Laid`] is also a [`forest::Forest`]: the engine's slower answer to every question, for
//! sentences that plain numbers cannot hold and for tests.

mod brackets;
mod chart;
mod count;
mod inside;
mod laid;
mod local;
mod shape;
mod tree;

pub use brackets::best_brackets;
pub use chart::Chart;
pub use laid::Laid;
pub use shape::{CnfShape, Emission};
pub use tree::{Node, Tree};
