//! Which states each position may have.

use std::ops::Range;

/// States by position, with what they weigh there; they need not be in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct States {
    ends: Vec<usize>,
    states: Vec<u32>,
    weights: Vec<f64>,
    /// Whether the states of a position follow one another without gaps, so that rows of steps are read as they lie.
    runs: Vec<bool>,
}

impl States {
    /// Forgets everything but the memory.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.states.clear();
        self.weights.clear();
        self.runs.clear();
    }

    /// Adds a position: states and their weights.
    pub fn push(&mut self, states: impl IntoIterator<Item = (u32, f64)>) {
        let start = self.states.len();
        for (state, weight) in states {
            self.states.push(state);
            self.weights.push(weight);
        }
        self.ends.push(self.states.len());
        self.runs.push(self.states[start..].windows(2).all(|pair| pair[1] == pair[0].wrapping_add(1)));
    }

    /// Adds a position that may have all states from 0, with a weight for each.
    pub fn push_all(&mut self, weights: impl IntoIterator<Item = f64>) {
        let start = self.states.len();
        self.weights.extend(weights);
        self.states.extend(0..(self.weights.len() - start) as u32);
        self.ends.push(self.states.len());
        self.runs.push(true);
    }

    /// Adds a position with a single state, as the edges of a sentence are.
    pub fn push_edge(&mut self, state: u32) {
        self.push([(state, 1.0)]);
    }

    /// Adds the positions of another list.
    pub fn extend(&mut self, others: &States) {
        let start = self.states.len();
        self.ends.extend(others.ends.iter().map(|end| start + end));
        self.states.extend_from_slice(&others.states);
        self.weights.extend_from_slice(&others.weights);
        self.runs.extend_from_slice(&others.runs);
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The states of a position.
    #[inline]
    pub fn of(&self, position: usize) -> &[u32] {
        &self.states[self.range(position)]
    }

    /// The weights of a position's states.
    #[inline]
    pub fn weights(&self, position: usize) -> &[f64] {
        &self.weights[self.range(position)]
    }

    /// Where the states of a position stand among those of all.
    #[inline]
    pub fn range(&self, position: usize) -> Range<usize> {
        let start = if position == 0 { 0 } else { self.ends[position - 1] };
        start..self.ends[position]
    }

    /// Puts a number for each state of a position, as they are listed, where the state stands in a row of all.
    pub fn scatter(&self, position: usize, listed: &[f64], row: &mut [f64]) {
        match self.targets(position) {
            Targets::Run(run) => row[run].copy_from_slice(listed),
            Targets::Scattered(states) => {
                states.iter().zip(listed).for_each(|(&state, value)| row[state as usize] = *value);
            }
        }
    }

    /// The states of a position as places in a row of steps.
    #[inline]
    pub(super) fn targets(&self, position: usize) -> Targets<'_> {
        let states = self.of(position);
        match states.first() {
            Some(&first) if self.runs[position] => {
                Targets::Run(first as usize..first as usize + states.len())
            }
            _ => Targets::Scattered(states),
        }
    }
}

/// Places in a row of steps.
#[derive(Debug, Clone)]
pub(super) enum Targets<'s> {
    /// Side by side.
    Run(Range<usize>),
    /// Anywhere.
    Scattered(&'s [u32]),
}
