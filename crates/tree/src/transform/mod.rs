//! Changes of trees, and the way back.
//!
//! | from | to | back |
//! |---|---|---|
//! | a treebank's tree | [`normalise`](normalise::normalise) | no: it throws away on purpose |
//! | unary chains | [`unary::collapse`] | [`unary::expand`] |
//! | any number of children | [`binarise`](binarise::binarise) | [`debinarise`] |
//! | constituents | [`to_dependencies`] by [head rules](head_rules) | no: heads say less |
//! | projective heads | [`to_constituents`] | [`from_constituents`] |
//!
//! Every way back is exact for any labels whatever: characters with a meaning are escaped with `\`.
//! Nothing here recurses, so that the depth of a tree is limited by memory only.

pub mod binarise;
pub mod constituents;
pub mod conventions;
pub mod dependencies;
mod escape;
pub mod head_learning;
pub mod head_rules;
pub mod normalise;
pub mod unary;
mod walk;

pub use binarise::{Binarisation, Scheme, binarise, debinarise};
pub use constituents::{ConstituentsError, LexicalTree, NotLexical, from_constituents, to_constituents};
pub use conventions::Conventions;
pub use dependencies::{Dependencies, to_dependencies};
pub use head_learning::HeadStatistics;
pub use head_rules::{HeadRules, HeadRulesError};
pub use normalise::{Normalisation, normalise};
pub use unary::{Chains, Keep};
