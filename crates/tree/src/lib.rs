//! Values that cannot be wrong: symbols, spans, trees, sentences, partial annotations, constraints.
//!
//! This crate does no input or output, draws no random numbers and computes no probabilities. Everything
//! else in Treelet stands on it, and it stands on nothing of Treelet.
//!
//! Partial annotation passes through two of its rooms: what an annotator *said* is a [`PartialTree`],
//! what a parser is *allowed* to build is a [`Constraints`].

pub mod constraints;
pub mod heads;
pub mod mseg;
mod order;
pub mod partial;
pub mod place;
pub mod possible;
pub mod provenance;
mod range_max;
pub mod semantics;
pub mod sentence;
pub mod span;
pub mod symbols;
pub mod transducer;
pub mod transform;

/// Runs the README's example as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
#[allow(clippy::module_inception, reason = "the crate is named after its central value")]
pub mod tree;

pub use constraints::{
    BracketReading, Conflict, Constraints, CoordinationHead, MultiwordHead, Reading, RequiredBracket, Side,
};
pub use heads::{Dependents, Heads, HeadsError};
pub use order::{PutInOrder, PutTogether};
pub use partial::{Arc, FromTreeError, Group, GroupKind, MAX_BRACKETED_WORDS, Node, PartialTree};
pub use place::Place;
pub use possible::Possible;
pub use semantics::Semantics;
pub use sentence::{Head, Sentence, Token, TokenId};
pub use span::Span;
pub use symbols::Symbols;
pub use transducer::{Flag, FlagOperation, Symbol, Transducer, TransducerArc};
pub use tree::{Tree, TreeBuilder};

/// A piece of text: a form, a label, a column. Up to 23 bytes live in place, longer ones are shared.
pub type Text = smol_str::SmolStr;
