//! Annotators: how they leave things out, what they cost, how they differ, what they should do next.
//!
//! Everything here works on heads and tags and needs no parser. A *list of heads* has one entry per word:
//! `Some(head)` with 0 for the root, `None` where the annotator left it open; `score::agreement::definite_heads`
//! makes one from a partial annotation.
//!
//! After Mielens (2016), chapters 4 to 6. Agreement measures are in `score::agreement`.

pub mod combine;
pub mod cost;
pub mod divide;
mod error;
pub mod forecast;
pub mod select;
pub mod simulate;
pub mod statistics;
pub mod timing;
pub mod working_time;

pub use error::Error;

use tree::{Arc, Node, PartialTree, Place};

/// A list of heads as an annotation of arcs and roots.
pub fn said(heads: &[Option<usize>]) -> PartialTree {
    let place = Place::default();
    let mut said = PartialTree::new(heads.len());
    for (word, head) in (1..).zip(heads) {
        match *head {
            Some(0) => said.roots.push((Node::Word(word), place)),
            Some(head) => said.arcs.push(Arc { head: Node::Word(head), dependent: Node::Word(word), place }),
            None => {}
        }
    }
    said
}
