//! Posteriors by sums over ends, for rows that sum to 1.
//!
//! With c(i) what row i was divided by,
//!
//! ```text
//! β(n, b) = 1      β(i − 1, a) = Σ_b t(a, b) · w(i, b) · β(i, b) / c(i)      p(i, a) = α(i, a) · β(i, a)
//! ```
//!
//! Where every state may follow every other this is several times faster than [`Chain::smooth`], since all sums run over
//! rows as they lie.

use super::chain::ContextLink;
use super::states::Targets;
use super::{Chain, States, Steps};
use crate::scale::Sums;

impl Chain<Sums> {
    /// Finds posteriors after [`Chain::fill`].
    pub fn backward(&mut self, states: &States, steps: &impl Steps) {
        let mut beta = std::mem::take(&mut self.behind);
        beta.clear();
        beta.resize(self.cells.len(), 1.0);
        for at in (1..self.places.len()).rev() {
            for context in 0..self.places[at].n_contexts {
                self.fill_ends(states, at, context, &beta);
                self.link(states, steps, at, context);
                match states.targets(at) {
                    Targets::Run(run) => {
                        sum_rows(&mut beta, &self.links, steps.weights(), run.start, &self.parts);
                    }
                    Targets::Scattered(to) => {
                        sum_places(&mut beta, &self.links, steps.weights(), to, &self.parts);
                    }
                }
            }
        }
        self.behind = beta;
        self.sum_contexts(|alpha, beta| alpha.0 * beta);
    }

    /// Adds `factor` times the probability of each step to its place in `sums`, after [`Chain::backward`].
    ///
    /// P(a at i − 1, b at i) = α(i − 1, a) · t(a, b) · w(i, b) · β(i, b) / c(i)
    pub fn add_steps(&mut self, states: &States, steps: &impl Steps, factor: f64, sums: &mut [f64]) {
        let beta = std::mem::take(&mut self.behind);
        for at in 1..self.places.len() {
            for context in 0..self.places[at].n_contexts {
                self.fill_ends(states, at, context, &beta);
                self.link(states, steps, at, context);
                let targets = states.targets(at);
                for link in &self.links {
                    let alpha = factor * self.cells[link.cell].0;
                    let (sums, row) = (&mut sums[link.first..], &steps.weights()[link.first..]);
                    add_ends(sums, alpha, &self.parts, &targets, row);
                }
            }
        }
        self.behind = beta;
    }

    /// w(i, b) · β(i, b) / c(i) of one context, into the memory for parts.
    fn fill_ends(&mut self, states: &States, at: usize, context: usize, beta: &[f64]) {
        let (place, sum) = (self.places[at], self.rows.sums()[at]);
        let beta = &beta[place.start + context * place.n_states..];
        self.parts.clear();
        self.parts.extend(states.weights(at).iter().zip(beta).map(|(weight, beta)| weight * beta / sum));
    }
}

/// β(a) = Σ_b t(a, b) · ends(b) over states b that lie side by side from `start`, for all a that lead to them.
///
/// Each sum is worked out from its first term to its last, four of them side by side, so that none waits for another.
#[inline]
fn sum_rows(beta: &mut [f64], links: &[ContextLink], weights: &[f64], start: usize, ends: &[f64]) {
    let row = |link: &ContextLink| &weights[link.first + start..][..ends.len()];
    let (fours, rest) = links.as_chunks::<4>();
    for four in fours {
        let rows = four.each_ref().map(row);
        let mut sums = [0.0; 4];
        for (b, end) in ends.iter().enumerate() {
            sums = std::array::from_fn(|a| sums[a] + rows[a][b] * end);
        }
        four.iter().zip(sums).for_each(|(link, sum)| beta[link.cell] = sum);
    }
    for link in rest {
        beta[link.cell] = row(link).iter().zip(ends).map(|(t, end)| t * end).sum();
    }
}

/// The same for states anywhere.
#[inline]
fn sum_places(beta: &mut [f64], links: &[ContextLink], weights: &[f64], states: &[u32], ends: &[f64]) {
    for link in links {
        let row = &weights[link.first..];
        beta[link.cell] = states.iter().zip(ends).map(|(&state, end)| row[state as usize] * end).sum();
    }
}

/// `sums[b]` += alpha · t(a, b) · ends(b).
#[inline]
fn add_ends(sums: &mut [f64], alpha: f64, ends: &[f64], targets: &Targets<'_>, row: &[f64]) {
    match targets {
        Targets::Run(run) => {
            let products = row[run.clone()].iter().zip(ends);
            sums[run.clone()].iter_mut().zip(products).for_each(|(sum, (t, end))| *sum += alpha * t * end);
        }
        Targets::Scattered(states) => {
            for (&state, end) in states.iter().zip(ends) {
                sums[state as usize] += alpha * row[state as usize] * end;
            }
        }
    }
}
