//! Sums over beginnings of sequences, or the best of them.
//!
//! ```text
//! forward(1, t) = start(t) · emit(t, x₁)
//! forward(i, t) = Σ_s forward(i − 1, s) · next(s, t) · emit(t, x_i)        or max_s
//! total         = Σ_s forward(n, s) · end(s)
//! ```

use forest::semiring::{Mass, Prob, Semiring, Wide};

use super::Laid;
use forest::scale::{self, Lost};

/// Whether alternatives are added, or the best is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pool {
    Sum,
    Max,
}

/// What a chart is made of: plain numbers that are scaled by position, or numbers with exponents of their own.
pub(super) trait Cell: Mass + Copy {
    /// A weight; `None` if it is too small or too large.
    fn weigh(weight: f64) -> Option<Self>;
    /// Whether this is more.
    fn exceeds(&self, other: &Self) -> bool;
    /// Scales a finished row and returns the exponent; `None` if it spreads too far.
    fn settle(row: &mut [Self]) -> Option<i64>;
}

impl Cell for Prob {
    fn weigh(weight: f64) -> Option<Prob> {
        scale::holds(weight).then_some(Prob(weight))
    }

    #[inline]
    fn exceeds(&self, other: &Prob) -> bool {
        self.0 > other.0
    }

    fn settle(row: &mut [Prob]) -> Option<i64> {
        let mut values: Vec<f64> = row.iter().map(|value| value.0).collect();
        let mut lost = Lost::default();
        let exponent = lost.settle(&mut values, 0)?.unwrap_or(0);
        row.iter_mut().zip(values).for_each(|(cell, value)| cell.0 = value);
        lost.0.is_none().then_some(exponent)
    }
}

impl Cell for Wide {
    fn weigh(weight: f64) -> Option<Wide> {
        Some(Wide::from_weight(weight))
    }

    #[inline]
    fn exceeds(&self, other: &Wide) -> bool {
        let key = |wide: &Wide| (!wide.is_zero()).then_some(wide.parts());
        match (key(self), key(other)) {
            (Some((a, a_exponent)), Some((b, b_exponent))) => {
                a_exponent > b_exponent || (a_exponent == b_exponent && a > b)
            }
            (a, b) => a.is_some() && b.is_none(),
        }
    }

    fn settle(_: &mut [Wide]) -> Option<i64> {
        Some(0)
    }
}

/// One number for each position and state.
#[derive(Debug, Clone)]
pub(super) struct Forward<C> {
    cells: Vec<C>,
}

impl<C> Default for Forward<C> {
    fn default() -> Forward<C> {
        Forward { cells: Vec::new() }
    }
}

impl<C: Cell> Forward<C> {
    /// Walks over the sentence and returns the logarithm of the total; `None` where these numbers do not suffice.
    /// `into` holds the transitions by the state they lead to, with the end after all states.
    pub(super) fn fill(&mut self, laid: &Laid<'_>, into: &[f64], pool: Pool) -> Option<f64> {
        let (n, k) = (laid.symbols.len(), laid.shape.n_states());
        self.cells.clear();
        self.cells.resize(n * k, C::zero());
        let mut shift = 0i64;
        for at in 0..n {
            for &state in laid.states(at) {
                let state = state as usize;
                let reached = match at {
                    0 => C::weigh(laid.weights[laid.shape.start(state)])?,
                    _ => self.pool(laid, at, &into[state * k..(state + 1) * k], pool),
                };
                self.cells[at * k + state] = reached.times(&C::weigh(laid.emission(at, state))?);
            }
            shift += C::settle(&mut self.cells[at * k..(at + 1) * k])?;
        }
        let total = self.pool(laid, n, &into[k * k..], pool);
        Some(total.ln() + Wide::new(1.0, shift).ln())
    }

    /// Pools what comes before a state at a position, or before the end at the position after the last.
    fn pool(&self, laid: &Laid<'_>, position: usize, column: &[f64], pool: Pool) -> C {
        let k = column.len();
        let row = &self.cells[(position - 1) * k..position * k];
        let terms = laid.states(position - 1).iter().map(|&before| {
            let before = before as usize;
            row[before].times(&C::from_weight(column[before]))
        });
        terms.fold(C::zero(), |sum, term| match pool {
            Pool::Sum => sum.plus(&term),
            Pool::Max if term.exceeds(&sum) => term,
            Pool::Max => sum,
        })
    }

    /// How much each state at the position before weighs, given what comes at this one: numbers whose largest is 1.
    ///
    /// All states are listed; there must be one that is not 0.
    pub(super) fn before(&self, laid: &Laid<'_>, position: usize, column: &[f64], shares: &mut Vec<f64>) {
        let most = self.pool(laid, position, column, Pool::Max);
        let row = &self.cells[(position - 1) * column.len()..];
        shares.clear();
        shares.resize(column.len(), 0.0);
        if most.is_zero() {
            return;
        }
        for &before in laid.states(position - 1) {
            let before = before as usize;
            shares[before] = row[before].times(&C::from_weight(column[before])).over(&most);
        }
    }
}
