//! How the events of the model are numbered, and which states symbols may have.

use serde::{Deserialize, Serialize};

/// Numbers events: those of the start, then for each state what comes next, the end after all states, and what it emits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HmmShape {
    n_states: usize,
    n_symbols: usize,
}

impl HmmShape {
    /// So many states and symbols.
    pub fn new(n_states: usize, n_symbols: usize) -> HmmShape {
        HmmShape { n_states, n_symbols }
    }

    /// The number of states.
    pub fn n_states(&self) -> usize {
        self.n_states
    }

    /// The number of symbols.
    pub fn n_symbols(&self) -> usize {
        self.n_symbols
    }

    /// The number of events.
    pub fn len(&self) -> usize {
        self.block(self.n_states)
    }

    /// Whether there are no events.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first state is this.
    #[inline]
    pub fn start(&self, state: usize) -> usize {
        state
    }

    /// After `state` comes `then`.
    #[inline]
    pub fn next(&self, state: usize, then: usize) -> usize {
        self.block(state) + then
    }

    /// After `state` comes nothing.
    #[inline]
    pub fn end(&self, state: usize) -> usize {
        self.next(state, self.n_states)
    }

    /// A state shows a symbol.
    #[inline]
    pub fn emit(&self, state: usize, symbol: u32) -> usize {
        self.block(state) + self.n_states + 1 + symbol as usize
    }

    /// How many events each distribution is over: the start, then by state what comes next and what is emitted.
    pub fn rows(&self) -> impl Iterator<Item = usize> + use<> {
        let of_states = std::iter::repeat_n([self.n_states + 1, self.n_symbols], self.n_states);
        std::iter::once(self.n_states).chain(of_states.flatten())
    }

    fn block(&self, state: usize) -> usize {
        self.n_states + state * (self.n_states + 1 + self.n_symbols)
    }
}

/// Which states each symbol may have: all, unless something is said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dictionary {
    all: Vec<u32>,
    said: Vec<Option<Vec<u32>>>,
}

impl Dictionary {
    /// Every symbol may have every state.
    pub fn free(shape: &HmmShape) -> Dictionary {
        Dictionary { all: (0..shape.n_states as u32).collect(), said: vec![None; shape.n_symbols] }
    }

    /// A symbol may have these states only. States and symbols that do not exist are left out.
    pub fn restrict(&mut self, symbol: u32, states: impl IntoIterator<Item = u32>) {
        let n_states = self.all.len() as u32;
        let mut states: Vec<u32> = states.into_iter().filter(|&state| state < n_states).collect();
        states.sort_unstable();
        states.dedup();
        if let Some(said) = self.said.get_mut(symbol as usize) {
            *said = Some(states);
        }
    }

    /// The states of a symbol, in rising order.
    #[inline]
    pub fn states(&self, symbol: u32) -> &[u32] {
        match self.said.get(symbol as usize) {
            Some(Some(states)) => states,
            _ => &self.all,
        }
    }
}
