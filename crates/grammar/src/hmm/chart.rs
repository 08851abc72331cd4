//! What can be read off sums over beginnings.
//!
//! No sums over ends are needed: going backwards, what is known of a position tells about the one before,
//!
//! ```text
//! P(s at i − 1, t at i | x) = P(t at i | x) · forward(i − 1, s) next(s, t) / Σ_s′ forward(i − 1, s′) next(s′, t)
//! ```
//!
//! so that only probabilities are multiplied, which cannot leave the range of plain numbers.

use forest::semiring::{Prob, Wide};
use forest::{derive, scale};

use super::Laid;
use super::forward::{Forward, Pool};

/// Sums over all state sequences of a sentence; it holds memory that is used again.
///
/// Methods that take a sentence must be given the one that the chart was filled with.
#[derive(Debug, Clone)]
pub struct Chart {
    /// Transitions by the state they lead to, the end last.
    into: Vec<f64>,
    narrow: Forward<Prob>,
    wide: Forward<Wide>,
    /// Whether plain numbers sufficed.
    is_narrow: bool,
    ln_total: f64,
    shares: Vec<f64>,
    posteriors: Vec<f64>,
}

impl Default for Chart {
    fn default() -> Chart {
        Chart {
            into: Vec::new(),
            narrow: Forward::default(),
            wide: Forward::default(),
            is_narrow: true,
            ln_total: f64::NEG_INFINITY,
            shares: Vec::new(),
            posteriors: Vec::new(),
        }
    }
}

impl Chart {
    /// Sums over all sequences and returns the logarithm; −∞ if every one weighs 0, or the sentence is empty.
    pub fn fill(&mut self, laid: &Laid<'_>) -> f64 {
        self.walk(laid, Pool::Sum)
    }

    /// Whether plain numbers sufficed.
    pub fn is_narrow(&self) -> bool {
        self.is_narrow
    }

    /// The probability of each state at each position, by position and then by state; zeros if there is no sequence.
    pub fn posteriors(&mut self, laid: &Laid<'_>) -> &[f64] {
        self.smooth(laid, |_, _, _| {});
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
        self.smooth(laid, |before, state, p| counts[shape.next(before, state)] += share * p);
        for state in 0..k {
            counts[shape.start(state)] += share * self.posteriors[state];
        }
        for (row, &symbol) in self.posteriors.chunks(k).zip(laid.symbols) {
            row.iter().enumerate().for_each(|(state, p)| counts[shape.emit(state, symbol)] += share * p);
        }
    }

    /// Draws a sequence in proportion to its weight; false if there is none.
    pub fn sample(
        &mut self,
        laid: &Laid<'_>,
        mut uniform: impl FnMut() -> f64,
        states: &mut Vec<u32>,
    ) -> bool {
        self.unfold(laid, states, |shares| {
            let mut rest = uniform() * shares.iter().sum::<f64>();
            derive::draw(shares.iter().copied(), &mut rest)
        })
    }

    /// The best sequence and the logarithm of its weight; −∞ if every one weighs 0. The chart holds no sums after it.
    ///
    /// Among equals states with smaller numbers win, those at the end first.
    pub fn best(&mut self, laid: &Laid<'_>, states: &mut Vec<u32>) -> f64 {
        let value = self.walk(laid, Pool::Max);
        self.unfold(laid, states, largest);
        self.ln_total = f64::NEG_INFINITY;
        value
    }

    fn walk(&mut self, laid: &Laid<'_>, pool: Pool) -> f64 {
        self.ln_total = f64::NEG_INFINITY;
        let k = laid.shape.n_states();
        if laid.symbols.is_empty() || k == 0 {
            return self.ln_total;
        }
        self.into.clear();
        for then in 0..=k {
            self.into.extend((0..k).map(|state| laid.weights[laid.shape.next(state, then)]));
        }
        let holds = self.into.iter().all(|&weight| scale::holds(weight));
        let narrow = if holds { self.narrow.fill(laid, &self.into, pool) } else { None };
        self.is_narrow = narrow.is_some();
        // Numbers with exponents of their own hold everything.
        let found = narrow.or_else(|| self.wide.fill(laid, &self.into, pool));
        self.ln_total = found.unwrap_or(f64::NEG_INFINITY);
        self.ln_total
    }

    /// The shares of states before a position at which there is `state`, or the end, into the memory for them.
    fn before(&mut self, laid: &Laid<'_>, position: usize, state: usize) {
        let k = laid.shape.n_states();
        let column = &self.into[state * k..(state + 1) * k];
        match self.is_narrow {
            true => self.narrow.before(laid, position, column, &mut self.shares),
            false => self.wide.before(laid, position, column, &mut self.shares),
        }
    }

    /// Chooses states from the last to the first, each given the one after it.
    fn unfold(
        &mut self,
        laid: &Laid<'_>,
        states: &mut Vec<u32>,
        mut choose: impl FnMut(&[f64]) -> usize,
    ) -> bool {
        states.clear();
        if self.ln_total == f64::NEG_INFINITY {
            return false;
        }
        let mut after = laid.shape.n_states();
        for position in (1..=laid.symbols.len()).rev() {
            self.before(laid, position, after);
            after = choose(&self.shares);
            states.push(after as u32);
        }
        states.reverse();
        true
    }

    /// Finds posteriors, and shows each pair of neighbours with its probability; the last pair is a state and the end.
    fn smooth(&mut self, laid: &Laid<'_>, mut pair: impl FnMut(usize, usize, f64)) {
        let (n, k) = (laid.symbols.len(), laid.shape.n_states());
        self.posteriors.clear();
        self.posteriors.resize(n * k, 0.0);
        if self.ln_total == f64::NEG_INFINITY {
            return;
        }
        for position in (1..=n).rev() {
            let afters = if position == n { k..k + 1 } else { 0..k };
            for after in afters {
                let p = if position == n { 1.0 } else { self.posteriors[position * k + after] };
                if p == 0.0 {
                    continue;
                }
                self.before(laid, position, after);
                let total: f64 = self.shares.iter().sum();
                for (state, share) in self.shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
                    let both = p * share / total;
                    pair(state, after, both);
                    self.posteriors[(position - 1) * k + state] += both;
                }
            }
        }
    }
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
