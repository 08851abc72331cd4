//! Posteriors without sums over ends.
//!
//! Going backwards, what is known of a position tells about the one before: the probability of a cell is handed to the
//! cells before it in the proportions of their terms in its sum,
//!
//! ```text
//! P(a at i − 1, b at i | x) = P(b at i | x) · forward(i − 1, a) t(a, b) / Σ_a′ forward(i − 1, a′) t(a′, b)
//! ```
//!
//! so that only probabilities are multiplied, which cannot leave the range of plain numbers, whatever rows are made of.

use super::{Chain, States, Steps};
use crate::scale::Rows;

impl<R: Rows> Chain<R> {
    /// Finds posteriors after [`Chain::fill`] with a sum that is not 0, and shows each step, by its place among the
    /// weights, with its probability; some more than once.
    pub fn smooth(&mut self, states: &States, steps: &impl Steps, mut step: impl FnMut(usize, f64)) {
        let Some(last) = self.places.last() else { return };
        self.behind.clear();
        self.behind.resize(self.cells.len(), 0.0);
        R::of_last(&self.cells[last.cells()], &mut self.parts);
        self.behind[last.cells()].copy_from_slice(&self.parts);
        for at in (1..self.places.len()).rev() {
            let place = self.places[at];
            for context in 0..place.n_contexts {
                self.link(states, steps, at, context);
                let first = place.start + context * place.n_states;
                for (cell, &state) in (first..).zip(states.of(at)) {
                    self.hand_back(steps, cell, state as usize, &mut step);
                }
            }
        }
        self.sum_contexts(|_, belief| belief);
    }

    /// Hands the probability of a cell to those that lead to it.
    fn hand_back(
        &mut self,
        steps: &impl Steps,
        cell: usize,
        state: usize,
        step: &mut impl FnMut(usize, f64),
    ) {
        let p = self.behind[cell];
        if p > 0.0 {
            self.list_terms(steps, state);
            R::split(p, &self.terms, &mut self.parts);
            for (link, part) in self.links.iter().zip(&self.parts) {
                self.behind[link.cell] += part;
                step(link.first + state, *part);
            }
        }
    }

    /// The probability of each state of each position, as they are listed, after [`Chain::smooth`] or
    /// [`Chain::backward`].
    pub fn posteriors(&self) -> &[f64] {
        &self.posteriors
    }

    /// Adds up what is known of cells over contexts.
    pub(super) fn sum_contexts(&mut self, posterior: impl Fn(R::Cell, f64) -> f64) {
        self.posteriors.clear();
        for place in &self.places {
            let known = self.cells[place.cells()].iter().zip(&self.behind[place.cells()]);
            let mut known = known.map(|(cell, behind)| posterior(*cell, *behind));
            let first = self.posteriors.len();
            self.posteriors.extend(known.by_ref().take(place.n_states));
            for _ in 1..place.n_contexts {
                self.posteriors[first..].iter_mut().zip(known.by_ref()).for_each(|(sum, p)| *sum += p);
            }
        }
    }
}
