//! Hidden Markov models over strings of one symbol or more.
//!
//! ```text
//! p(x, y) = start(y₁) · Π_i emit(y_i, x_i) · Π_{i < n} next(y_i, y_{i+1}) · end(y_n)
//! ```
//!
//! A state goes on to another or ends, so that the probabilities of all strings sum to 1. [`HmmShape`] numbers the
//! events, so that parameters and counts are flat lists; a [`Dictionary`] says which states a symbol may have. [`Laid`]
//! puts both over a sentence, and a [`HmmChart`] sums, draws and finds posteriors and the best sequence in O(n K²).

mod chart;
mod shape;

pub use chart::HmmChart;
pub use shape::{Dictionary, HmmShape};

/// A model over a sentence. Weights need not sum to 1.
#[derive(Debug, Clone, Copy)]
pub struct Laid<'a> {
    /// How events are numbered.
    pub shape: &'a HmmShape,
    /// What events weigh.
    pub weights: &'a [f64],
    /// Which states symbols may have.
    pub dictionary: &'a Dictionary,
    /// The sentence.
    pub symbols: &'a [u32],
}

impl Laid<'_> {
    /// The states that the symbol at a position may have, in rising order.
    #[inline]
    pub(crate) fn states(&self, position: usize) -> &[u32] {
        self.dictionary.states(self.symbols[position])
    }

    /// The weight of the symbol at a position in a state.
    #[inline]
    pub(crate) fn emission(&self, position: usize, state: usize) -> f64 {
        self.weights[self.shape.emit(state, self.symbols[position])]
    }

    /// Shows the events of a sequence of states, which is as long as the sentence.
    pub fn events(&self, states: &[u32], mut event: impl FnMut(usize)) {
        for (at, (&state, &symbol)) in states.iter().zip(self.symbols).enumerate() {
            let state = state as usize;
            event(match at.checked_sub(1) {
                None => self.shape.start(state),
                Some(before) => self.shape.next(states[before] as usize, state),
            });
            event(self.shape.emit(state, symbol));
        }
        if let Some(&last) = states.last() {
            event(self.shape.end(last as usize));
        }
    }
}
