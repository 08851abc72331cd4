//! Sums over all sequences of tags of a lattice, or the best of them, for first and second order.
//!
//! The work is that of a [`Chain`] from edge to edge, whose rows sum to 1.

use forest::lattice::{Chain, States, Steps};
use forest::scale::Sums;
use serde::{Deserialize, Serialize};

use super::lattice::{Lattice, NO_SLOT};

/// How many tags before it a tag depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Order {
    /// One.
    #[default]
    First,
    /// Two.
    Second,
}

impl Order {
    /// How many tags before it a tag depends on.
    pub fn n_before(self) -> usize {
        match self {
            Order::First => 1,
            Order::Second => 2,
        }
    }

    /// How many transitions there are between so many tags and the edge of the sentence.
    pub fn n_transitions(self, n_tags: usize) -> usize {
        (n_tags + 1).pow(self.n_before() as u32 + 1)
    }
}

/// Memory for charts, used again for each sentence.
#[derive(Debug, Clone)]
pub struct Trellis {
    order: Order,
    /// One more than the number of tags; the last stands for the edge of the sentence.
    base: usize,
    states: States,
    chain: Chain<Sums>,
}

/// The weights of transitions, the tag that is gone to last.
#[derive(Debug, Clone, Copy)]
struct Next<'a> {
    order: Order,
    base: usize,
    weights: &'a [f64],
}

impl Steps for Next<'_> {
    fn weights(&self) -> &[f64] {
        self.weights
    }

    #[inline]
    fn first(&self, before: usize, last: usize) -> usize {
        match self.order {
            Order::First => last * self.base,
            Order::Second => (before * self.base + last) * self.base,
        }
    }

    #[inline]
    fn is_of_order_two(&self) -> bool {
        self.order == Order::Second
    }
}

impl Trellis {
    /// For models of this order over so many tags.
    pub fn new(order: Order, n_tags: usize) -> Trellis {
        let chain = Chain::new(Sums::by_inverse());
        Trellis { order, base: n_tags + 1, states: States::default(), chain }
    }

    /// Sums over all sequences and returns the logarithm; `None` if every one weighs 0.
    ///
    /// `next` has a weight for each transition, the tag that is gone to last.
    pub fn fill(&mut self, lattice: &Lattice, next: &[f64]) -> Option<f64> {
        self.lay(lattice);
        self.chain.fill(&self.states, &self.steps(next))
    }

    /// The best sequence, and the logarithm of its weight; `None` if every one weighs 0.
    pub fn best(&mut self, lattice: &Lattice, next: &[f64], tags: &mut Vec<u32>) -> Option<f64> {
        self.lay(lattice);
        let steps = self.steps(next);
        let value = self.chain.best(&self.states, &steps, tags)?;
        // The edges of the sentence are not among its tags.
        tags.pop();
        tags.drain(..1);
        Some(value)
    }

    /// The probability of each tag of each position, after [`Trellis::fill`] with the same arguments; expected
    /// transitions are added to `transitions`, and those of tags to their slots in `emissions`.
    pub fn count(
        &mut self,
        lattice: &Lattice,
        next: &[f64],
        weight: f64,
        transitions: &mut [f64],
        emissions: &mut [f64],
    ) -> &[f64] {
        let posteriors = self.smooth(next, |index, p| transitions[index] += weight * p);
        for (&slot, p) in lattice.slots().iter().zip(posteriors).filter(|(slot, _)| **slot != NO_SLOT) {
            emissions[slot as usize] += weight * p;
        }
        posteriors
    }

    /// The probability of each tag of each position, after [`Trellis::fill`] with the same arguments.
    pub fn posteriors(&mut self, next: &[f64]) -> &[f64] {
        self.smooth(next, |_, _| {})
    }

    fn steps<'a>(&self, weights: &'a [f64]) -> Next<'a> {
        Next { order: self.order, base: self.base, weights }
    }

    fn lay(&mut self, lattice: &Lattice) {
        let edge = (self.base - 1) as u32;
        self.states.clear();
        self.states.push_edge(edge);
        self.states.extend(lattice.states());
        self.states.push_edge(edge);
    }

    /// Finds posteriors, and shows transitions with their probabilities.
    fn smooth(&mut self, next: &[f64], transition: impl FnMut(usize, f64)) -> &[f64] {
        let steps = self.steps(next);
        self.chain.smooth(&self.states, &steps, transition);
        let with_edges = self.chain.posteriors();
        with_edges.get(1..with_edges.len().max(1) - 1).unwrap_or(&[])
    }
}
