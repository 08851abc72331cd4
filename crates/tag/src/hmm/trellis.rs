//! Sums over all sequences of tags of a lattice, or the best of them, for first and second order.
//!
//! ```text
//! forward(i, b) = emit(b) · Σ_a forward(i − 1, a) · next(a, b)                       first order
//! forward(i, ab) = emit(b) · Σ_z forward(i − 1, za) · next(za, b)                    second order
//! ```
//!
//! Each row is scaled to sum to 1. Going backwards, the probability of a cell is handed to the cells before it in the
//! proportions of their terms in this sum, so that no sums over ends are needed.

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

/// The cells of one position: for each context, one for each tag.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    /// The first cell.
    start: usize,
    n_contexts: usize,
    /// Where its tags stand in the list of tags.
    tags: (usize, usize),
}

impl Place {
    fn n_tags(&self) -> usize {
        self.tags.1 - self.tags.0
    }

    fn n_cells(&self) -> usize {
        self.n_contexts * self.n_tags()
    }
}

/// Memory for charts, used again for each sentence.
#[derive(Debug, Clone)]
pub struct Trellis {
    order: Order,
    /// One more than the number of tags; the last stands for the edge of the sentence.
    base: usize,
    places: Vec<Place>,
    tags: Vec<u32>,
    emit: Vec<f64>,
    cells: Vec<f64>,
    shares: Vec<f64>,
    beliefs: Vec<f64>,
    posteriors: Vec<f64>,
}

impl Trellis {
    /// For models of this order over so many tags.
    pub fn new(order: Order, n_tags: usize) -> Trellis {
        Trellis {
            order,
            base: n_tags + 1,
            places: Vec::new(),
            tags: Vec::new(),
            emit: Vec::new(),
            cells: Vec::new(),
            shares: Vec::new(),
            beliefs: Vec::new(),
            posteriors: Vec::new(),
        }
    }

    /// Sums over all sequences and returns the logarithm; `None` if every one weighs 0.
    ///
    /// `next` has a weight for each transition, the tag that is gone to last.
    pub fn fill(&mut self, lattice: &Lattice, next: &[f64]) -> Option<f64> {
        self.walk(lattice, next, |sum, term| sum + term)
    }

    /// The best sequence, and the logarithm of its weight; `None` if every one weighs 0.
    pub fn best(&mut self, lattice: &Lattice, next: &[f64], tags: &mut Vec<u32>) -> Option<f64> {
        let value = self.walk(lattice, next, f64::max)?;
        tags.clear();
        let ends = &self.cells[self.places[self.places.len() - 1].start..];
        let mut cell = largest(ends);
        let value = value + libm::log(ends[cell]);
        for at in (self.order.n_before()..self.places.len()).rev() {
            let place = self.places[at];
            tags.push(self.tags[place.tags.0 + cell % place.n_tags()]);
            let (first, stride) = self.share(at, cell, next);
            cell = first + largest(&self.shares) * stride;
        }
        tags.reverse();
        // The end of the sentence is not one of its tags.
        tags.pop();
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
        self.smooth(next, |index, p| transitions[index] += weight * p);
        for (&slot, p) in lattice.slots().iter().zip(&self.posteriors).filter(|(slot, _)| **slot != NO_SLOT) {
            emissions[slot as usize] += weight * p;
        }
        &self.posteriors
    }

    /// The probability of each tag of each position, after [`Trellis::fill`] with the same arguments.
    pub fn posteriors(&mut self, next: &[f64]) -> &[f64] {
        self.smooth(next, |_, _| {});
        &self.posteriors
    }

    /// Sets up cells; edges of the sentence are positions with one tag.
    fn lay(&mut self, lattice: &Lattice) {
        let edge = (self.base - 1) as u32;
        self.places.clear();
        self.tags.clear();
        self.emit.clear();
        for _ in 0..self.order.n_before() {
            self.place(&[edge], &[1.0]);
        }
        for at in 0..lattice.len() {
            self.place(lattice.tags(at), lattice.weights(at));
        }
        self.place(&[edge], &[1.0]);
        let n_cells = self.places.last().map_or(0, |last| last.start + last.n_cells());
        self.cells.clear();
        self.cells.resize(n_cells, 0.0);
    }

    fn place(&mut self, tags: &[u32], weights: &[f64]) {
        let last = self.places.last().copied().unwrap_or(Place { n_contexts: 1, ..Place::default() });
        let n_contexts = match self.order {
            Order::First => 1,
            Order::Second => last.n_tags().max(1),
        };
        let (start, from) = (last.start + last.n_cells(), self.tags.len());
        self.tags.extend_from_slice(tags);
        self.emit.extend_from_slice(weights);
        self.places.push(Place { start, n_contexts, tags: (from, self.tags.len()) });
    }

    fn walk(&mut self, lattice: &Lattice, next: &[f64], pool: impl Fn(f64, f64) -> f64) -> Option<f64> {
        self.lay(lattice);
        let n_before = self.order.n_before();
        self.cells[..n_before].fill(1.0);
        let mut ln_total = 0.0;
        for at in n_before..self.places.len() {
            let place = self.places[at];
            let mut sum = 0.0;
            for cell in 0..place.n_cells() {
                let emit = self.emit[place.tags.0 + cell % place.n_tags()];
                let (before, first, stride, steps) = self.steps_into(at, cell);
                let terms = steps.map(|(k, index)| self.cells[before + first + k * stride] * next[index]);
                let value = emit * terms.fold(0.0, &pool);
                self.cells[place.start + cell] = value;
                sum += value;
            }
            if !(sum > 0.0 && sum.is_finite()) {
                return None;
            }
            ln_total += libm::log(sum);
            let scale = 1.0 / sum;
            self.cells[place.start..][..place.n_cells()].iter_mut().for_each(|cell| *cell *= scale);
        }
        Some(ln_total)
    }

    /// What leads to a cell: the start of the cells before, the first of them that does, their distance, and for each its
    /// number and the transition.
    #[inline]
    fn steps_into(
        &self,
        at: usize,
        cell: usize,
    ) -> (usize, usize, usize, impl Iterator<Item = (usize, usize)> + '_) {
        let (place, before) = (self.places[at], self.places[at - 1]);
        let (context, tag) =
            (cell / place.n_tags(), self.tags[place.tags.0 + cell % place.n_tags()] as usize);
        let (varying, last, first, stride) = match self.order {
            Order::First => (before, 0, 0, 1),
            Order::Second => {
                let last = self.tags[before.tags.0 + context] as usize;
                (self.places[at - 2], last, context, before.n_tags())
            }
        };
        let base = self.base;
        let index = move |varied: u32| match self.order {
            Order::First => varied as usize * base + tag,
            Order::Second => (varied as usize * base + last) * base + tag,
        };
        let steps = self.tags[varying.tags.0..varying.tags.1].iter().map(move |&varied| index(varied));
        (before.start, first, stride, steps.enumerate())
    }

    /// Puts the terms of a cell's sum into the memory for them; returns the first cell before and the distance.
    fn share(&mut self, at: usize, cell: usize, next: &[f64]) -> (usize, usize) {
        let mut shares = std::mem::take(&mut self.shares);
        shares.clear();
        let (before, first, stride, steps) = self.steps_into(at, cell);
        shares.extend(steps.map(|(k, index)| self.cells[before + first + k * stride] * next[index]));
        self.shares = shares;
        (first, stride)
    }

    /// Finds posteriors, and shows transitions with their probabilities.
    fn smooth(&mut self, next: &[f64], mut transition: impl FnMut(usize, f64)) {
        let n_before = self.order.n_before();
        self.beliefs.clear();
        self.beliefs.resize(self.cells.len(), 0.0);
        // The last row sums to 1: its cells are their own probabilities.
        let end = self.places.last().map_or(0, |last| last.start);
        self.beliefs[end..].copy_from_slice(&self.cells[end..]);
        for at in (n_before..self.places.len()).rev() {
            for cell in 0..self.places[at].n_cells() {
                let p = self.beliefs[self.places[at].start + cell];
                if p > 0.0 {
                    self.share(at, cell, next);
                    let scale = p / self.shares.iter().sum::<f64>();
                    let mut beliefs = std::mem::take(&mut self.beliefs);
                    let (before, first, stride, steps) = self.steps_into(at, cell);
                    for (k, index) in steps {
                        let p = self.shares[k] * scale;
                        beliefs[before + first + k * stride] += p;
                        transition(index, p);
                    }
                    self.beliefs = beliefs;
                }
            }
        }
        self.sum_contexts();
    }

    fn sum_contexts(&mut self) {
        let edges = self.places[0].tags.0 + self.order.n_before();
        self.posteriors.clear();
        self.posteriors.resize(self.tags.len().saturating_sub(edges + 1), 0.0);
        let inner = self.order.n_before()..self.places.len().saturating_sub(1);
        for place in &self.places[inner] {
            for cell in 0..place.n_cells() {
                let at = place.tags.0 + cell % place.n_tags() - edges;
                self.posteriors[at] += self.beliefs[place.start + cell];
            }
        }
    }
}

/// The first of the largest numbers.
fn largest(row: &[f64]) -> usize {
    (1..row.len()).fold(0, |best, at| if row[at] > row[best] { at } else { best })
}
