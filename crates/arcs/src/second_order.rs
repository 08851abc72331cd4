//! Projective dependency trees whose scores look at two arcs at a time, over few heads for each word.
//!
//! A tree weighs exp(Σ score of its parts). Parts are arcs, pairs of adjacent siblings and pairs of an arc and the
//! arc above it, which is Model 1 of Koo & Collins (2010). [`Parts`] numbers all parts of the trees over a given set
//! of arcs, usually those that a first-order model has left; [`Scores`] has a logarithm for each, and
//! [`SecondOrder`] finds the best tree, the k best, and the probability of every part. With k heads for each word
//! that takes about n² · k², however the arcs lie.
//!
//! Words count from 1 and 0 is the root. A word without any arc into it is left out: the trees are over the others,
//! arcs from it are no parts, and it comes back with head 0. Scores of −∞ take parts away, but leave no word out: if
//! no arc into a word remains, there is no tree.
//!
//! ```
//! use arcs::Roots;
//! use arcs::second_order::{Parts, Scores, SecondOrder};
//!
//! let parts = Parts::new(3, [(2, 1), (0, 2), (2, 3), (1, 3), (3, 1)]);
//! let mut scores = Scores::zero(&parts);
//! for (index, part) in parts.siblings().enumerate() {
//!     // A verb with a dependent on the left likes to have none on the right.
//!     scores.siblings[index] = if part.outer.is_none() && part.inner == Some(1) { 1.0 } else { 0.0 };
//! }
//! let (score, heads) = SecondOrder::default().best(&parts, &scores, Roots::One).unwrap();
//! assert_eq!((score, heads.as_slice()), (1.0, [2, 0, 2].as_slice()));
//! ```

mod best;
mod chart;
mod engine;
mod forest;
mod live;
mod outside;
mod parts;
mod tables;

use tree::Heads;

pub use engine::SecondOrder;
pub use parts::{PartList, Parts};

/// A side of a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Before the head.
    Left,
    /// After the head.
    Right,
}

/// An arc from a head to a dependent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Arc {
    /// The head, 0 for the root.
    pub head: usize,
    /// The dependent.
    pub dependent: usize,
}

/// Two dependents of a head on one side with none between them.
///
/// Without an inner one, the outer one is the nearest to the head; without an outer one, the inner one is the last
/// on its side; and without both, the head has no dependent on this side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sibling {
    /// The head, 0 for the root.
    pub head: usize,
    /// The side of the head.
    pub side: Side,
    /// The dependent nearer to the head.
    pub inner: Option<usize>,
    /// The dependent farther from the head.
    pub outer: Option<usize>,
}

/// An arc and the arc into its head.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Grandparent {
    /// The head of the head, 0 for the root.
    pub grandparent: usize,
    /// The head, always a word.
    pub head: usize,
    /// The dependent.
    pub dependent: usize,
}

/// The logarithm of a weight for every part, in the order of [`Parts`]; −∞ for parts that are absent.
///
/// What is not a number counts as absent.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scores {
    /// Of arcs.
    pub arcs: Vec<f64>,
    /// Of siblings.
    pub siblings: Vec<f64>,
    /// Of grandparents.
    pub grandparents: Vec<f64>,
}

impl Scores {
    /// Every part has score 0.
    pub fn zero(parts: &Parts) -> Scores {
        let mut scores = Scores::default();
        scores.reset(parts);
        scores
    }

    /// Makes the scores those of another sentence, all of them 0, in the same memory.
    pub fn reset(&mut self, parts: &Parts) {
        refill(&mut self.arcs, parts.n_arcs());
        refill(&mut self.siblings, parts.n_siblings());
        refill(&mut self.grandparents, parts.n_grandparents());
    }

    /// Σ score of the parts of a tree; −∞ if it is not one of the trees over these parts.
    pub fn of_tree(&self, parts: &Parts, heads: &Heads) -> f64 {
        match parts.of_tree(heads) {
            Some(list) if self.fit(parts) => list.total(&self.arcs, &self.siblings, &self.grandparents),
            _ => f64::NEG_INFINITY,
        }
    }

    /// Whether there is a score for every part.
    fn fit(&self, parts: &Parts) -> bool {
        self.arcs.len() == parts.n_arcs()
            && self.siblings.len() == parts.n_siblings()
            && self.grandparents.len() == parts.n_grandparents()
    }
}

/// The probability of every part, in the order of [`Parts`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PartMarginals {
    /// Of arcs.
    pub arcs: Vec<f64>,
    /// Of siblings.
    pub siblings: Vec<f64>,
    /// Of grandparents.
    pub grandparents: Vec<f64>,
}

impl PartMarginals {
    fn reset(&mut self, parts: &Parts) {
        refill(&mut self.arcs, parts.n_arcs());
        refill(&mut self.siblings, parts.n_siblings());
        refill(&mut self.grandparents, parts.n_grandparents());
    }
}

fn refill(values: &mut Vec<f64>, len: usize) {
    values.clear();
    values.resize(len, 0.0);
}
