//! Constituency parsers that are factor graphs (Naradowsky 2015, chapter 3).
//!
//! A sentence has a Boolean for each span of two words and more, and CKY-TREE says which sets of them are binary trees. In
//! *CCM* and *BM* that is all, with two features and with many; in *LBM* every span also has a label, or none if it is not a
//! bracket. *Rules* tie the labels of a bracket and its parts together. Trees are binary inside, with `@X` for what holds
//! some children of an X; chains of nodes over single words are predicted apart.
//!
//! ```
//! use chain::Workers;
//! use joint::brackets::{Decode, TrainOptions, train, words_of};
//! use tree::{Text, Tree};
//!
//! let tag = |tag: &str, form: &str| Tree::constituent(Text::from(tag), [Tree::word(Text::from(form))]);
//! let np = || Tree::constituent("NP".into(), [tag("D", "the"), tag("N", "dog")]);
//! let vp = || Tree::constituent("VP".into(), [tag("V", "saw"), np()]);
//! let tree: Tree<Text> = Tree::constituent("S".into(), [np(), vp(), tag(".", ".")]);
//! let model = train(&[tree.clone().into()], TrainOptions::default(), &Workers::serial())?;
//! assert_eq!(model.parse(&words_of(&tree), Decode::Sum).tree, tree);
//! # Ok::<(), joint::brackets::Error>(())
//! ```

mod binary;
mod decode;
mod error;
mod exact;
mod keys;
mod labels;
mod leaves;
mod material;
mod model;
mod net;
mod options;
mod prepare;
mod rows;
mod rules;
pub(crate) mod span_keys;
mod spans;
mod training;
mod words;

#[cfg(test)]
mod tests;

pub use binary::{Binary, Bracket, Label, binarise, debinarise};
pub use decode::Decode;
pub use error::Error;
pub use material::{Annotated, Known};
pub use model::{KIND, LONGEST, Model, Parsed, Prepared, VERSION};
pub use net::Net;
pub use options::{Kind, RuleOptions, RuleStep, TrainOptions};
pub use training::{Epoch, SavedTraining, Stage, Training, train};
pub use words::{Word, words_of};
