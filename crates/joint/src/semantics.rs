//! Names, relations and roles, with syntax that is known, found together or hidden (Naradowsky 2015, chapters 4 to 6).
//!
//! All three tasks have the same shape. A *structure* variable says whether something is there: a span that is a name, a pair
//! of names that is related, a word that is an argument of a predicate. A *label* variable beside it says what it is called,
//! and has the value *none* if and only if the structure is not there. Syntax has variables of its own, for arcs or for
//! brackets, and a soft NAND draws each structure variable and the piece of syntax that would carry it together, or apart, as
//! its features say.
//!
//! What training knows of syntax is the difference between modes ([`Mode`]). Whatever nobody has said of names, relations,
//! roles or syntax is summed over, in training and in use.
//!
//! | task | structure | label | tie | exact if syntax is hidden |
//! |---|---|---|---|---|
//! | entities | spans without overlap (SEMI-CRF) | type | the same span is a bracket (CKY-TREE) | no: two global factors meet |
//! | relations, brackets | pairs of names | relation | the span from one to the other is a bracket | yes |
//! | relations, arcs | pairs of names | relation | both depend on one word | no |
//! | roles | words around a predicate | role | the word depends on the predicate | yes, without valency |

mod census;
mod collapse;
mod connect;
mod entities;
mod found;
mod gazetteer;
mod laying;
#[cfg(test)]
mod listing;
mod model;
mod options;
mod ranked;
mod relations;
mod roles;
mod senses;
mod syntax;
mod training;
mod views;

pub use found::{Found, Possibility, SemanticPosterior, SpanBelief};
pub use gazetteer::Gazetteer;
pub use model::SemanticModel;
pub use options::{Options, SemanticTask, Sight, Syntax, Valency};
pub use ranked::RankedSemantics;
pub use training::{Judge, Losses, SemanticCheckpoint, SemanticProgress};

pub(crate) use crate::Mode;
