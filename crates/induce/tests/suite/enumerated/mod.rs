//! Families against lists of all derivations, and weights of all kinds.

#![allow(dead_code, clippy::unwrap_used, reason = "a test may panic, and not every test uses everything")]

use chain::Rng;
use induce::{Family, Rows, random};
use num::dist;

/// What weights are like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// Distributions.
    Probabilities,
    /// Any numbers, some of them 0.
    Unnormalised,
    /// Distributions of which most is next to nothing.
    Sparse,
    /// Numbers that plain charts cannot hold.
    Extreme,
}

pub(crate) const KINDS: [Kind; 4] = [Kind::Probabilities, Kind::Unnormalised, Kind::Sparse, Kind::Extreme];

pub(crate) fn any_weights(rng: &mut Rng, rows: &Rows, kind: Kind) -> Vec<f64> {
    let n_events = rows.n_events();
    match kind {
        Kind::Probabilities => random::draw(rows, |_| 1.0, rng),
        Kind::Sparse => random::draw(rows, |_| 0.01, rng),
        Kind::Unnormalised => {
            (0..n_events).map(|_| if rng.bernoulli(0.1) { 0.0 } else { 3.0 * rng.uniform() }).collect()
        }
        Kind::Extreme => {
            let exponents = [-290.0, -150.0, -3.0, 0.0, 90.0];
            let mut any = || rng.uniform_open() * 10f64.powf(exponents[rng.below(exponents.len())]);
            (0..n_events).map(|_| any()).collect()
        }
    }
}

/// The logarithm of the weight of a derivation.
pub(crate) fn ln_weight(weights: &[f64], events: &[usize]) -> f64 {
    events.iter().map(|&event| weights[event].ln()).sum()
}

/// ln Σ exp, and the shares of the terms.
pub(crate) fn shares(logs: &[f64]) -> (f64, Vec<f64>) {
    let total = num::special::log_sum_exp(logs);
    (total, logs.iter().map(|log| if total.is_finite() { (log - total).exp() } else { 0.0 }).collect())
}

pub(crate) fn close(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()))
}

/// Total, expected counts and the best derivation against a list of all derivations, each as a list of events.
pub(crate) fn check<F: Family>(family: &F, item: &F::Item, weights: &[f64], derivations: &[Vec<usize>]) {
    let logs: Vec<f64> = derivations.iter().map(|events| ln_weight(weights, events)).collect();
    let (total, shares) = shares(&logs);
    let mut expected = vec![0.0; weights.len()];
    for (events, share) in derivations.iter().zip(&shares) {
        events.iter().for_each(|&event| expected[event] += share);
    }
    let mut memory = F::Memory::default();
    let mut counts = vec![0.0; weights.len()];
    let found = family.expect(item, weights, &mut memory, &mut counts);
    assert!(close(found, total), "{found} {total}");
    let differ = |(a, b): (&f64, &f64)| !close(*a, *b);
    let wrong = counts.iter().zip(&expected).position(differ);
    assert!(wrong.is_none(), "event {wrong:?}: {:?}", wrong.map(|at| (counts[at], expected[at])));
    // The rows of an item are those that its derivations use.
    let rows = family.rows_of(item);
    for (row, range) in family.rows().ranges().enumerate() {
        let used = derivations.iter().flatten().any(|event| range.contains(event));
        assert!(!used || rows.contains(&row), "row {row}");
    }
    let mut counts = vec![0.0; weights.len()];
    let best = family.best(item, weights, &mut memory, &mut counts);
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert!(close(best, most), "{best} {most}");
    let is_counted = |events: &Vec<usize>| {
        let mut own = vec![0.0; weights.len()];
        events.iter().for_each(|&event| own[event] += 1.0);
        own == counts && close(ln_weight(weights, events), most)
    };
    match most {
        f64::NEG_INFINITY => assert!(counts.iter().all(|&count| count == 0.0)),
        _ => assert!(derivations.iter().any(is_counted)),
    }
}

/// Frequencies of draws against probabilities, in standard errors.
pub(crate) fn check_frequencies(probabilities: &[f64], n_draws: usize, mut draw: impl FnMut() -> usize) {
    let mut counts = vec![0.0; probabilities.len()];
    (0..n_draws).for_each(|_| counts[draw()] += 1.0);
    for (at, (p, count)) in probabilities.iter().zip(&counts).enumerate() {
        let error = (p * (1.0 - p) * n_draws as f64).sqrt() + 0.5;
        assert!((count - p * n_draws as f64).abs() < 5.0 * error, "{at}: {count} of {n_draws}, {p}");
    }
}

/// Any symbols.
pub(crate) fn any_string(rng: &mut Rng, n_symbols: usize, n: usize) -> Vec<u32> {
    (0..n).map(|_| rng.below(n_symbols) as u32).collect()
}

/// A number in proportion to weights.
pub(crate) fn pick(rng: &mut Rng, weights: &[f64]) -> usize {
    dist::categorical(rng, weights).unwrap()
}
