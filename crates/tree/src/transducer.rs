//! Finite-state transducers: two strings read in step, as morphological analysers are written.

use crate::PutInOrder;
use crate::Text;

/// What stands on one side of an arc.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// Nothing.
    Epsilon,
    /// Any symbol that the transducer does not name; with this on the other side, any other.
    Unknown,
    /// Any symbol that the transducer does not name, the same on both sides.
    Identity,
    /// A condition on what the path has met, which reads and writes nothing.
    Flag(Flag),
    /// A letter, or several that count as one, such as `+Noun`.
    Text(Text),
}

/// A flag diacritic such as `@U.CASE.DATIVE@`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Flag {
    /// What it does.
    pub operation: FlagOperation,
    /// The feature.
    pub feature: Text,
    /// The value, if there is one.
    pub value: Option<Text>,
}

/// What a flag does with its feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FlagOperation {
    /// Sets the value, `P`.
    Set,
    /// Sets the feature to anything but the value, `N`.
    SetOther,
    /// Requires the value, or any without one, `R`.
    Require,
    /// Forbids the value, or any without one, `D`.
    Forbid,
    /// Forgets the value, `C`.
    Clear,
    /// Sets the value if there is none and requires it otherwise, `U`.
    Unify,
}

/// An arc to a state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TransducerArc {
    /// The number of the symbol of the first string.
    pub input: u32,
    /// The number of the symbol of the second string.
    pub output: u32,
    /// The state it leads to.
    pub target: u32,
    /// What it costs.
    pub weight: f32,
}

/// States, the arcs that leave them, and which of them end a path. Paths begin in state 0.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Transducer {
    symbols: Vec<Symbol>,
    /// The arcs of state s are `arcs[starts[s]..starts[s + 1]]`.
    starts: Vec<u32>,
    arcs: Vec<TransducerArc>,
    finals: Vec<Option<f32>>,
}

impl Transducer {
    /// A transducer with so many states, of arcs (state, arc) in any order; those of a state keep theirs. `finals` are states
    /// that end a path and what that costs. `None` if a number is out of range.
    pub fn new(
        n_states: usize,
        symbols: Vec<Symbol>,
        mut arcs: Vec<(u32, TransducerArc)>,
        finals: &[(u32, f32)],
    ) -> Option<Transducer> {
        let is_state = |state: u32| (state as usize) < n_states;
        let is_symbol = |symbol: u32| (symbol as usize) < symbols.len();
        let fits = |(source, arc): &(u32, TransducerArc)| {
            is_state(*source) && is_state(arc.target) && is_symbol(arc.input) && is_symbol(arc.output)
        };
        if !arcs.iter().all(fits) || !finals.iter().all(|(state, _)| is_state(*state)) {
            return None;
        }
        arcs.order_by_key(|(source, _)| *source);
        let first_of = |state: usize| arcs.partition_point(|(source, _)| (*source as usize) < state) as u32;
        let starts = (0..=n_states).map(first_of).collect();
        let mut ends = vec![None; n_states];
        for &(state, weight) in finals {
            ends[state as usize] = Some(weight);
        }
        let arcs = arcs.into_iter().map(|(_, arc)| arc).collect();
        Some(Transducer { symbols, starts, arcs, finals: ends })
    }

    /// How many states there are.
    pub fn n_states(&self) -> usize {
        self.finals.len()
    }

    /// All symbols, in the order of their numbers.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// The arcs that leave a state.
    pub fn arcs(&self, state: u32) -> &[TransducerArc] {
        let at = |state: usize| self.starts[state] as usize;
        &self.arcs[at(state as usize)..at(state as usize + 1)]
    }

    /// The number of all arcs.
    pub fn n_arcs(&self) -> usize {
        self.arcs.len()
    }

    /// What it costs to end in a state; `None` if no path ends there.
    pub fn end(&self, state: u32) -> Option<f32> {
        self.finals[state as usize]
    }
}
