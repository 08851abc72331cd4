//! Single sequences: the best, or one that is drawn.

use super::{Chain, States, Steps};
use crate::derive::draw;
use crate::scale::Rows;
use crate::semiring::Semiring;

impl<R: Rows> Chain<R> {
    /// The best sequence and the logarithm of its weight: −∞, and no sequence, if every one weighs 0; `None` if the
    /// numbers do not suffice. The chain holds no sums after it.
    ///
    /// Among equals, states that are listed first win, those at the end before others.
    pub fn best(&mut self, states: &States, steps: &impl Steps, path: &mut Vec<u32>) -> Option<f64> {
        path.clear();
        self.walk(states, steps, |best, term| if term > best { term } else { best })?;
        let last = &self.cells[self.places[states.len() - 1].cells()];
        let best = last[largest(last)];
        if !best.is_zero() {
            self.unfold(states, steps, path, |_, terms, _| largest(terms));
        }
        Some(self.rows.ln(best))
    }

    /// Draws a sequence in proportion to its weight, after [`Chain::fill`] with a sum that is not 0.
    ///
    /// `uniform` gives numbers in [0, 1), and is asked once for each position but the edges at both ends.
    pub fn sample(
        &mut self,
        states: &States,
        steps: &impl Steps,
        mut uniform: impl FnMut() -> f64,
        path: &mut Vec<u32>,
    ) {
        path.clear();
        self.unfold(states, steps, path, |is_edge, terms, shares| {
            if is_edge && terms.len() == 1 {
                return 0;
            }
            R::shares(terms, shares);
            let mut rest = uniform() * shares.iter().sum::<f64>();
            draw(shares.iter().copied(), &mut rest)
        });
    }

    /// Chooses states from the last to the first, each given those after it.
    fn unfold(
        &mut self,
        states: &States,
        steps: &impl Steps,
        path: &mut Vec<u32>,
        mut choose: impl FnMut(bool, &[R::Cell], &mut Vec<f64>) -> usize,
    ) {
        let n_before = if steps.is_of_order_two() { 2 } else { 1 };
        let Some(last) = self.places.last() else { return };
        // In chains of order two the last cell also says which state stands before it.
        let is_edge = !steps.is_of_order_two() || self.places.len() <= n_before;
        let mut cell = choose(is_edge, &self.cells[last.cells()], &mut self.parts);
        for at in (0..self.places.len()).rev() {
            let n_states = self.places[at].n_states;
            let state = states.of(at)[cell % n_states];
            path.push(state);
            if at > 0 {
                self.link(states, steps, at, cell / n_states);
                self.list_terms(steps, state as usize);
                let chosen = choose(at <= n_before, &self.terms, &mut self.parts);
                cell = self.links[chosen].cell - self.places[at - 1].start;
            }
        }
        path.reverse();
    }
}

/// The first of the largest.
fn largest<C: PartialOrd>(row: &[C]) -> usize {
    (1..row.len()).fold(0, |best, at| if row[at] > row[best] { at } else { best })
}
