//! Dependency parsers that learn from whole and partial trees.
//!
//! A conditional random field over trees: p(tree | words) ∝ exp Σ score of its parts, parts being arcs and, in the second
//! order, pairs of neighbouring siblings and of arcs below one another. What an annotator said leaves a set of trees, whose
//! probability is made large, so that a whole tree, a single arc, a bracket and a forbidden arc are learned
//! from by the same code. Relations are found in a second step, when the tree is known.

mod attributes;
mod candidates;
mod codes;
mod course;
mod example;
mod fingerprint;
mod first_order;
mod labelled;
mod labels;
mod learn;
mod mixture;
mod model;
mod options;
mod parts;
mod pieces;
mod prepare;
mod progress;
mod prune;
mod scorer;
mod second_order;
mod shape;
mod sources;
mod stage;
mod state;
mod table;
mod tagger;
mod temperature;
mod templates;
#[cfg(test)]
mod tests;
mod tried;

pub use attributes::TagColumn;
pub use course::Descent;
pub use example::Annotated;
pub use learn::{FEWEST_TO_HOLD_OUT, Learner};
pub use model::{DependencyModel, KIND, ParseOptions, Parsed, Ranked, VERSION, Workspace};
pub use options::{DependencyOptions, Order};
pub use progress::{Epoch, LearnError, Stage, Used, Watch};
pub use prune::Pruning;
pub use scorer::Decode;
pub use shape::TreeShape;
pub use sources::{BOOK_BYTES, Columns};
pub use state::CHECKPOINT;
pub use tagger::{Tagger, jackknife};
pub use templates::{DEFAULT_TEMPLATES, TemplateError};
