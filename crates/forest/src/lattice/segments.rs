//! Cuts of a stretch into segments: semi-Markov chains.
//!
//! Positions 0 to n lie between n places, and a segment leads from one position to a later one. With u the weight of a
//! segment,
//!
//! ```text
//! forward(k) = Σ_i forward(i) · u(i, k)      backward(i) = Σ_k u(i, k) · backward(k)      total = forward(n) = backward(0)
//! ```

use crate::Semiring;

/// The sum over all ways from 0 to each position up to `n`; `into` lists the segments into one, by where they begin.
pub fn forward<S: Semiring, I>(n: usize, mut into: impl FnMut(usize) -> I) -> Vec<S>
where
    I: IntoIterator<Item = (usize, S)>,
{
    let mut sums: Vec<S> = Vec::with_capacity(n + 1);
    sums.push(S::one());
    for end in 1..=n {
        let terms = into(end).into_iter().map(|(start, weight)| sums[start].times(&weight));
        sums.push(S::sum(terms));
    }
    sums
}

/// The sum over all ways from each position to `n`; `from` lists the segments out of one, by where they end.
pub fn backward<S: Semiring, I>(n: usize, mut from: impl FnMut(usize) -> I) -> Vec<S>
where
    I: IntoIterator<Item = (usize, S)>,
{
    let mut sums = vec![S::zero(); n + 1];
    sums[n] = S::one();
    for start in (0..n).rev() {
        let terms = from(start).into_iter().map(|(end, weight)| sums[end].times(&weight));
        sums[start] = S::sum(terms);
    }
    sums
}

/// The last segment of one of the best ways to a position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arrival<L> {
    /// What the way costs up to here.
    pub cost: f64,
    /// Where the last segment begins.
    pub from: usize,
    /// What it is called.
    pub label: L,
    /// Which of the ways to its beginning goes before it.
    rank: usize,
}

/// The `k` cheapest ways to each position, cheapest first. Costs of segments add up.
#[derive(Debug, Clone)]
pub struct Ways<L> {
    k: usize,
    columns: Vec<Vec<Arrival<L>>>,
}

impl<L: Copy> Ways<L> {
    /// Over positions 0 to `n`, with nothing but the empty way to the first.
    pub fn new(n: usize, k: usize, nothing: L) -> Ways<L> {
        let mut columns = vec![Vec::new(); n + 1];
        columns[0].push(Arrival { cost: 0.0, from: 0, label: nothing, rank: 0 });
        Ways { k, columns }
    }

    /// Goes on from all ways to `from` with one segment. The ways to `from` must be complete; among equally cheap ways
    /// those that came first stay before others.
    pub fn extend(&mut self, from: usize, to: usize, cost: f64, label: L) {
        let (before, after) = self.columns.split_at_mut(to);
        let column = &mut after[0];
        for (rank, arrival) in before[from].iter().enumerate() {
            let cost = arrival.cost + cost;
            let place = column.partition_point(|other| other.cost <= cost);
            if place == self.k {
                break;
            }
            column.truncate(self.k - 1);
            column.insert(place, Arrival { cost, from, label, rank });
        }
    }

    /// Takes all ways to a position away.
    pub fn close(&mut self, position: usize) {
        self.columns[position].clear();
    }

    /// The ways to a position.
    pub fn to(&self, position: usize) -> &[Arrival<L>] {
        &self.columns[position]
    }

    /// The segments of one of the ways to the last position, the first one first, each with its end.
    pub fn path(&self, rank: usize) -> Vec<(usize, Arrival<L>)> {
        let mut position = self.columns.len() - 1;
        let mut arrival = self.columns[position][rank];
        let mut path = Vec::new();
        while position > 0 {
            path.push((position, arrival));
            position = arrival.from;
            arrival = self.columns[position][arrival.rank];
        }
        path.reverse();
        path
    }
}
