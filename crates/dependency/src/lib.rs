//! Dependency parsers that learn from whole and partial trees.
//!
//! A conditional random field over trees: p(tree | words) ∝ exp Σ score of its parts, parts being arcs and, in the second
//! order, pairs of neighbouring siblings and of arcs below one another. What an annotator said leaves a set of trees, whose
//! probability is made large, so that a whole tree, a single arc, a bracket and a forbidden arc are learned
//! from by the same code. Relations are found in a second step, when the tree is known.
//!
//! ```
//! use chain::Workers;
//! use dependency::{Annotated, DependencyOptions, Learner, Order, ParseOptions, Workspace};
//! use std::ops::ControlFlow;
//! use tree::{Head, PartialTree, Possible, Reading, Sentence};
//! # let words = |forms: [&str; 3]| {
//! #     let mut sentence = Sentence::from_forms(forms);
//! #     sentence.words_mut().zip(["DET", "NOUN", "VERB"]).for_each(|(word, tag)| word.upos = tag.into());
//! #     sentence
//! # };
//!
//! // `words` makes a sentence of a determiner, a noun and a verb. Somebody said of three of them that the determiner depends
//! // on the noun, and no more.
//! let data = [["the", "dog", "barks"], ["a", "cat", "sleeps"], ["the", "bird", "sings"]].map(|forms| {
//!     let mut sentence = words(forms);
//!     sentence.tokens[0].head = Head::Of(2);
//!     let possible = Possible::new(&PartialTree::from_sentence(&sentence), &Reading::default()).unwrap();
//!     Annotated { sentence, possible, weight: 1.0 }
//! });
//! let options = DependencyOptions { order: Order::First, bits: 12, label_bits: 10, ..DependencyOptions::default() };
//! let workers = Workers::serial();
//! let learner = Learner::new(&data, &[], None, &options, &workers)?;
//! let model = learner.run(&workers, &mut |_, _| ControlFlow::Continue(()))?.expect("nobody stopped it");
//! let parsed = model.parse(&words(["a", "dog", "sings"]), None, &ParseOptions::default(), &mut Workspace::default());
//! assert_eq!(parsed.heads.head(1), 2);
//! # Ok::<(), dependency::LearnError>(())
//! ```

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
mod temperature;
mod templates;
#[cfg(test)]
mod tests;
mod tried;

pub use attributes::TagColumn;
pub use course::Descent;
pub use example::Annotated;
pub use learn::{FEWEST_TO_HOLD_OUT, Learner};
pub use model::{DependencyModel, ParseOptions, Parsed, Ranked, Workspace};
pub use options::{DependencyOptions, Order};
pub use progress::{Epoch, LearnError, Stage, Used, Watch};
pub use prune::Pruning;
pub use scorer::Decode;
pub use shape::TreeShape;
pub use sources::{BOOK_BYTES, Columns};
pub use state::CHECKPOINT;
pub use templates::{DEFAULT_TEMPLATES, TemplateError};
