//! Hidden Markov models as a family of multinomials: tags from text.

pub mod model;

use grammar::hmm::{Dictionary, HmmChart, HmmShape, Laid};

use crate::family::{Family, Rows};

/// The model over so many states and symbols, with what is known of which states symbols may have.
#[derive(Debug, Clone, PartialEq)]
pub struct Hmm {
    shape: HmmShape,
    dictionary: Dictionary,
    rows: Rows,
}

/// A sentence.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HmmSentence {
    /// The words as numbers.
    pub symbols: Vec<u32>,
}

/// Charts.
#[derive(Debug, Default)]
pub struct HmmMemory {
    chart: HmmChart,
    states: Vec<u32>,
}

impl Hmm {
    /// Every symbol may have every state.
    pub fn new(n_states: usize, n_symbols: usize) -> Hmm {
        let shape = HmmShape::new(n_states, n_symbols);
        Hmm { rows: Rows::new(shape.rows()), dictionary: Dictionary::free(&shape), shape }
    }

    /// Symbols may have those states only that a dictionary of the same shape allows.
    pub fn with_dictionary(self, dictionary: Dictionary) -> Hmm {
        Hmm { dictionary, ..self }
    }

    /// How events are numbered.
    pub fn shape(&self) -> &HmmShape {
        &self.shape
    }

    /// The model over a sentence.
    pub fn laid<'a>(&'a self, item: &'a HmmSentence, weights: &'a [f64]) -> Laid<'a> {
        Laid { shape: &self.shape, weights, dictionary: &self.dictionary, symbols: &item.symbols }
    }

    /// The best sequence of states; `None` where every one has weight 0.
    pub fn viterbi(
        &self,
        item: &HmmSentence,
        weights: &[f64],
        memory: &mut HmmMemory,
    ) -> Option<(Vec<u32>, f64)> {
        let value = memory.chart.best(&self.laid(item, weights), &mut memory.states);
        (value > f64::NEG_INFINITY).then(|| (memory.states.clone(), value))
    }

    /// The most probable state of each word; `None` where every sequence has weight 0.
    pub fn mbr(&self, item: &HmmSentence, weights: &[f64], memory: &mut HmmMemory) -> Option<Vec<u32>> {
        let laid = self.laid(item, weights);
        memory.chart.fill(&laid);
        memory.chart.decode(&laid, &mut memory.states).then(|| memory.states.clone())
    }
}

impl Family for Hmm {
    type Item = HmmSentence;
    type Memory = HmmMemory;

    fn rows(&self) -> &Rows {
        &self.rows
    }

    fn rows_of(&self, item: &HmmSentence) -> Vec<usize> {
        let states = item.symbols.iter().flat_map(|&symbol| self.dictionary.states(symbol));
        let mut states: Vec<usize> = states.map(|&state| state as usize).collect();
        states.sort_unstable();
        states.dedup();
        let start = (!states.is_empty()).then_some(0);
        start.into_iter().chain(states.into_iter().flat_map(|state| [1 + 2 * state, 2 + 2 * state])).collect()
    }

    fn expect(&self, item: &HmmSentence, weights: &[f64], memory: &mut HmmMemory, counts: &mut [f64]) -> f64 {
        let laid = self.laid(item, weights);
        let ln_total = memory.chart.fill(&laid);
        memory.chart.add_events(&laid, 1.0, counts);
        ln_total
    }

    fn best(&self, item: &HmmSentence, weights: &[f64], memory: &mut HmmMemory, counts: &mut [f64]) -> f64 {
        let laid = self.laid(item, weights);
        let value = memory.chart.best(&laid, &mut memory.states);
        laid.events(&memory.states, |event| counts[event] += 1.0);
        value
    }
}
