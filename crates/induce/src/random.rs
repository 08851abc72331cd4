//! Parameters at random.

use chain::{Rng, Stream};
use num::dist;

use crate::family::Rows;

/// Draws every distribution from a Dirichlet distribution whose parameters are given by event.
pub fn draw(rows: &Rows, shapes: impl Fn(usize) -> f64, rng: &mut Rng) -> Vec<f64> {
    let mut drawn = Vec::with_capacity(rows.n_events());
    let mut logs = Vec::new();
    for range in rows.ranges() {
        dist::log_dirichlet_into(rng, range.map(&shapes), &mut logs);
        drawn.extend(logs.iter().map(|&log| libm::exp(log)));
    }
    drawn
}

/// A start of its own for each number: every distribution from a flat Dirichlet distribution.
pub fn start(rows: &Rows, seed: u64, number: usize) -> Vec<f64> {
    draw(rows, |_| 1.0, &mut Stream::new(seed).purpose("start").item(number).rng())
}
