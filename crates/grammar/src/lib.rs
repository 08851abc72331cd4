//! Grammars: text and numbers, rules with latent annotations, lexicon.
//!
//! A treebank goes in through [`codec::Codec`], which gives numbers to labels and rules and turns each tree
//! into nodes. A [`Sizes`] says how many latent annotations each category has, a [`Tensors`] holds a number
//! for each annotated rule, and [`anchor`] lays a grammar over a sentence, where constraints become absent
//! edges.

pub mod anchor;
pub mod cnf;
pub mod codec;
pub mod hmm;
pub mod inventory;
pub mod lexicon;
pub mod rules;
pub mod shape;
pub mod tensors;

pub use codec::{Codec, CodecError, CodecOptions, Unaries};
pub use inventory::Inventory;
pub use lexicon::{Lexicon, LexiconOptions, Reading};
pub use rules::{Binary, Category, Level, Rules, Unary};
pub use tensors::{Sizes, Tensors};

/// Runs the README's example as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
