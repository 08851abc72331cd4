//! What can be asked of all state sequences of a sentence.
//!
//! Sums are those of a [`Chain`] from edge to edge, in plain numbers; where they do not suffice, in numbers with exponents
//! of their own.

use forest::lattice::{Chain, States, Steps};
use forest::scale::{self, Exponents, Powers};

use super::Laid;

/// Sums over all state sequences of a sentence; it holds memory that is used again.
///
/// Methods that take a sentence must be given the one that the chart was filled with.
#[derive(Debug, Clone)]
pub struct HmmChart {
    states: States,
    narrow: Chain<Powers>,
    wide: Chain<Exponents>,
    /// Whether plain numbers sufficed.
    is_narrow: bool,
    ln_total: f64,
    /// By position, then by state.
    posteriors: Vec<f64>,
}

impl Default for HmmChart {
    fn default() -> HmmChart {
        HmmChart {
            states: States::default(),
            narrow: Chain::default(),
            wide: Chain::default(),
            is_narrow: true,
            ln_total: f64::NEG_INFINITY,
            posteriors: Vec::new(),
        }
    }
}

/// The edge of a sentence is the state after all others. Weights lie as a lattice wants them, and steps are events.
impl Steps for Laid<'_> {
    fn weights(&self) -> &[f64] {
        self.weights
    }

    #[inline]
    fn first(&self, _: usize, last: usize) -> usize {
        if last == self.shape.n_states() { self.shape.start(0) } else { self.shape.next(last, 0) }
    }
}

impl HmmChart {
    /// Sums over all sequences and returns the logarithm; −∞ if every one weighs 0, or the sentence is empty.
    pub fn fill(&mut self, laid: &Laid<'_>) -> f64 {
        self.ln_total = f64::NEG_INFINITY;
        if self.lay(laid) {
            let narrow = if holds(laid, &self.states) { self.narrow.fill(&self.states, laid) } else { None };
            self.is_narrow = narrow.is_some();
            // Numbers with exponents of their own hold everything.
            let found = narrow.or_else(|| self.wide.fill(&self.states, laid));
            self.ln_total = found.unwrap_or(f64::NEG_INFINITY);
        }
        self.ln_total
    }

    /// Whether plain numbers sufficed.
    pub fn is_narrow(&self) -> bool {
        self.is_narrow
    }

    /// The probability of each state at each position, by position and then by state; zeros if there is no sequence.
    pub fn posteriors(&mut self, laid: &Laid<'_>) -> &[f64] {
        self.smooth(laid, |_, _| {});
        &self.posteriors
    }

    /// The most probable state at each position; false if there is no sequence.
    pub fn decode(&mut self, laid: &Laid<'_>, states: &mut Vec<u32>) -> bool {
        states.clear();
        if self.ln_total == f64::NEG_INFINITY {
            return false;
        }
        let k = laid.shape.n_states();
        states.extend(self.posteriors(laid).chunks(k).map(|row| largest(row) as u32));
        true
    }

    /// Adds `share` times the expected number of each event.
    pub fn add_events(&mut self, laid: &Laid<'_>, share: f64, counts: &mut [f64]) {
        if self.ln_total == f64::NEG_INFINITY {
            return;
        }
        let (shape, k) = (laid.shape, laid.shape.n_states());
        self.smooth(laid, |event, p| counts[event] += share * p);
        for (row, &symbol) in self.posteriors.chunks(k).zip(laid.symbols) {
            row.iter().enumerate().for_each(|(state, p)| counts[shape.emit(state, symbol)] += share * p);
        }
    }

    /// Draws a sequence in proportion to its weight; false if there is none. `uniform` is asked once for each symbol.
    pub fn sample(&mut self, laid: &Laid<'_>, uniform: impl FnMut() -> f64, states: &mut Vec<u32>) -> bool {
        states.clear();
        if self.ln_total == f64::NEG_INFINITY {
            return false;
        }
        match self.is_narrow {
            true => self.narrow.sample(&self.states, laid, uniform, states),
            false => self.wide.sample(&self.states, laid, uniform, states),
        }
        drop_edges(states);
        true
    }

    /// The best sequence and the logarithm of its weight; −∞ if every one weighs 0. The chart holds no sums after it.
    ///
    /// Among equals states with smaller numbers win, those at the end first.
    pub fn best(&mut self, laid: &Laid<'_>, states: &mut Vec<u32>) -> f64 {
        states.clear();
        self.ln_total = f64::NEG_INFINITY;
        if !self.lay(laid) {
            return f64::NEG_INFINITY;
        }
        let holds = holds(laid, &self.states);
        let narrow = if holds { self.narrow.best(&self.states, laid, states) } else { None };
        self.is_narrow = narrow.is_some();
        let value = narrow.or_else(|| self.wide.best(&self.states, laid, states));
        drop_edges(states);
        value.unwrap_or(f64::NEG_INFINITY)
    }

    /// Lists the states of each symbol; false if there is nothing to list.
    fn lay(&mut self, laid: &Laid<'_>) -> bool {
        let edge = laid.shape.n_states() as u32;
        self.states.clear();
        self.states.push_edge(edge);
        for at in 0..laid.symbols.len() {
            let states = laid.states(at).iter();
            self.states.push(states.map(|&state| (state, laid.emission(at, state as usize))));
        }
        self.states.push_edge(edge);
        !laid.symbols.is_empty() && edge > 0
    }

    /// Finds posteriors, and shows events of steps with their probabilities.
    fn smooth(&mut self, laid: &Laid<'_>, event: impl FnMut(usize, f64)) {
        let k = laid.shape.n_states();
        self.posteriors.clear();
        self.posteriors.resize(laid.symbols.len() * k, 0.0);
        if self.ln_total == f64::NEG_INFINITY {
            return;
        }
        match self.is_narrow {
            true => self.narrow.smooth(&self.states, laid, event),
            false => self.wide.smooth(&self.states, laid, event),
        }
        let listed = if self.is_narrow { self.narrow.posteriors() } else { self.wide.posteriors() };
        for (at, row) in self.posteriors.chunks_mut(k).enumerate() {
            self.states.scatter(at + 1, &listed[self.states.range(at + 1)], row);
        }
    }
}

/// Whether plain numbers can hold all weights that a sentence needs.
fn holds(laid: &Laid<'_>, states: &States) -> bool {
    let (shape, k) = (laid.shape, laid.shape.n_states());
    let all = |weights: &[f64]| weights.iter().all(|&weight| scale::holds(weight));
    let starts = states.of(1).iter().map(|&state| laid.weights[shape.start(state as usize)]);
    starts.into_iter().all(scale::holds)
        && (1..states.len()).all(|at| all(states.weights(at)))
        && (0..k).all(|state| all(&laid.weights[shape.next(state, 0)..=shape.end(state)]))
}

/// Edges are states of the lattice, but not of the sentence.
fn drop_edges(states: &mut Vec<u32>) {
    states.pop();
    states.drain(..states.len().min(1));
}

/// The first of the largest numbers.
fn largest(row: &[f64]) -> usize {
    let mut best = 0;
    for (at, value) in row.iter().enumerate() {
        if *value > row[best] {
            best = at;
        }
    }
    best
}
