//! The walk forwards: sums over beginnings of sequences, or the best of them.

use super::States;
use super::states::Targets;
use crate::scale::Rows;
use crate::semiring::Semiring;

/// What steps weigh, in rows by the state that is gone to.
pub trait Steps {
    /// All rows.
    fn weights(&self) -> &[f64];

    /// Where the row begins of what comes after a state; in chains of order two, after the two states `before` and
    /// `last`.
    fn first(&self, before: usize, last: usize) -> usize;

    /// Whether a step depends on two states. Then the first position must be an edge, and before it is the same edge.
    fn is_of_order_two(&self) -> bool {
        false
    }
}

/// Sums over all sequences of states; it holds memory that is used again.
///
/// Methods that read a filled chain must be given the states and steps that it was filled with.
#[derive(Debug, Clone)]
pub struct Chain<R: Rows> {
    pub(super) rows: R,
    pub(super) places: Vec<PositionCells>,
    pub(super) cells: Vec<R::Cell>,
    pub(super) links: Vec<ContextLink>,
    /// The terms of a sum.
    pub(super) terms: Vec<R::Cell>,
    pub(super) parts: Vec<f64>,
    /// What is known of cells from behind: probabilities, or sums over ends.
    pub(super) behind: Vec<f64>,
    pub(super) posteriors: Vec<f64>,
}

/// The cells of a position: for each context, one for each state. Chains of order one have one context.
#[derive(Debug, Clone, Copy)]
pub(super) struct PositionCells {
    pub(super) start: usize,
    pub(super) n_contexts: usize,
    pub(super) n_states: usize,
}

impl PositionCells {
    pub(super) fn cells(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.n_contexts * self.n_states
    }
}

/// One of the ways to the cells of a context.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContextLink {
    /// The cell before.
    pub(super) cell: usize,
    /// Where its row of steps begins.
    pub(super) first: usize,
}

impl<R: Rows + Default> Default for Chain<R> {
    fn default() -> Chain<R> {
        Chain::new(R::default())
    }
}

impl<R: Rows> Chain<R> {
    /// An empty chain whose rows are scaled in this way.
    pub fn new(rows: R) -> Chain<R> {
        Chain {
            rows,
            places: Vec::new(),
            cells: Vec::new(),
            links: Vec::new(),
            terms: Vec::new(),
            parts: Vec::new(),
            behind: Vec::new(),
            posteriors: Vec::new(),
        }
    }

    /// Sums over all sequences and returns the logarithm: −∞ if every one weighs 0, `None` if there are no positions or
    /// the numbers do not suffice.
    pub fn fill(&mut self, states: &States, steps: &impl Steps) -> Option<f64> {
        self.walk(states, steps, |sum, term| sum.plus(&term))
    }

    /// The same, with any way to pool what leads to a state.
    pub(super) fn walk(
        &mut self,
        states: &States,
        steps: &impl Steps,
        pool: impl Fn(R::Cell, R::Cell) -> R::Cell + Copy,
    ) -> Option<f64> {
        self.lay(states, steps.is_of_order_two());
        self.rows.begin();
        let last = states.len().checked_sub(1)?;
        for at in 0..last {
            self.fill_place(states, steps, at, pool);
            self.rows.settle(&mut self.cells[self.places[at].cells()])?;
        }
        self.fill_place(states, steps, last, pool);
        self.rows.finish(&mut self.cells[self.places[last].cells()])
    }

    fn lay(&mut self, states: &States, is_of_order_two: bool) {
        self.places.clear();
        let (mut start, mut n_before) = (0, 1);
        for at in 0..states.len() {
            let n_states = states.range(at).len();
            let n_contexts = if is_of_order_two { n_before } else { 1 };
            self.places.push(PositionCells { start, n_contexts, n_states });
            (start, n_before) = (start + n_contexts * n_states, n_states);
        }
        // All of them are written before they are read.
        self.cells.resize(start, R::Cell::zero());
    }

    fn fill_place(
        &mut self,
        states: &States,
        steps: &impl Steps,
        at: usize,
        pool: impl Fn(R::Cell, R::Cell) -> R::Cell + Copy,
    ) {
        let place = self.places[at];
        for context in 0..place.n_contexts {
            self.terms.clear();
            if at == 0 {
                self.terms.resize(place.n_states, R::Cell::one());
            } else {
                self.link(states, steps, at, context);
                self.terms.resize(place.n_states, R::Cell::zero());
                let Chain { links, terms, cells, .. } = &mut *self;
                match states.targets(at) {
                    Targets::Run(run) => pool_rows(terms, cells, links, steps.weights(), run.start, pool),
                    Targets::Scattered(to) => pool_places(terms, cells, links, steps.weights(), to, pool),
                }
            }
            let cells = &mut self.cells[place.start + context * place.n_states..];
            for ((cell, sum), weight) in cells.iter_mut().zip(&self.terms).zip(states.weights(at)) {
                *cell = sum.times(&R::Cell::from_weight(*weight));
            }
        }
    }

    /// Lists what leads to a context of a position that is not the first: cells at equal distances, each after another
    /// state.
    #[inline]
    pub(super) fn link(&mut self, states: &States, steps: &impl Steps, at: usize, context: usize) {
        let place = self.places[at - 1];
        self.links.clear();
        if steps.is_of_order_two() {
            let last = states.of(at - 1)[context] as usize;
            let varying = states.of(at.saturating_sub(2)).iter().enumerate();
            self.links.extend(varying.map(|(k, &before)| ContextLink {
                cell: place.start + context + k * place.n_states,
                first: steps.first(before as usize, last),
            }));
        } else {
            let varying = states.of(at - 1).iter().enumerate();
            self.links.extend(varying.map(|(k, &last)| ContextLink {
                cell: place.start + k,
                first: steps.first(last as usize, last as usize),
            }));
        }
    }

    /// Σ's terms of a state of the context that was linked last: forward(before) · t(before, state).
    #[inline]
    pub(super) fn list_terms(&mut self, steps: &impl Steps, state: usize) {
        let (cells, weights) = (&self.cells, steps.weights());
        self.terms.clear();
        self.terms.extend(
            self.links
                .iter()
                .map(|link| cells[link.cell].times(&R::Cell::from_weight(weights[link.first + state]))),
        );
    }
}

/// `sums[b]` += before · `row[b]` over states b that lie side by side from `start`, for all that leads to them.
///
/// Each sum takes in its terms in the order of the links, as if it were worked out by itself; but the processor does several
/// sums at once, and they are read and written once for four terms.
#[inline]
fn pool_rows<C: Semiring + Copy>(
    sums: &mut [C],
    cells: &[C],
    links: &[ContextLink],
    weights: &[f64],
    start: usize,
    pool: impl Fn(C, C) -> C,
) {
    let n = sums.len();
    let row = |link: &ContextLink| &weights[link.first + start..][..n];
    let term = |before: C, weight: f64| before.times(&C::from_weight(weight));
    let (fours, rest) = links.as_chunks::<4>();
    for four in fours {
        let [a, b, c, d] = four.each_ref().map(|link| cells[link.cell]);
        let rows = four.each_ref().map(row);
        let rows = rows[0].iter().zip(rows[1]).zip(rows[2].iter().zip(rows[3]));
        for (sum, ((&wa, &wb), (&wc, &wd))) in sums.iter_mut().zip(rows) {
            *sum = pool(pool(pool(pool(*sum, term(a, wa)), term(b, wb)), term(c, wc)), term(d, wd));
        }
    }
    for link in rest {
        let before = cells[link.cell];
        sums.iter_mut().zip(row(link)).for_each(|(sum, &weight)| *sum = pool(*sum, term(before, weight)));
    }
}

/// The same for states anywhere.
#[inline]
fn pool_places<C: Semiring + Copy>(
    sums: &mut [C],
    cells: &[C],
    links: &[ContextLink],
    weights: &[f64],
    states: &[u32],
    pool: impl Fn(C, C) -> C,
) {
    for link in links {
        let (before, row) = (cells[link.cell], &weights[link.first..]);
        for (sum, &state) in sums.iter_mut().zip(states) {
            *sum = pool(*sum, before.times(&C::from_weight(row[state as usize])));
        }
    }
}
