//! Distributions over counts.

use super::gamma::log_beta;
use crate::streams::Rng;

/// How many tables n customers occupy in a Chinese restaurant with this concentration; O(n), and far less for many
/// customers at few tables.
///
/// The sum of independent Bernoulli(α / (α + i)) for i = 0, …, n − 1. An invalid concentration counts as 0,
/// which seats everybody at one table.
pub fn crt(rng: &mut Rng, n: u64, concentration: f64) -> u64 {
    if n == 0 {
        return 0;
    }
    // α / (α + i), written so that 0 and infinity are right too.
    let concentration = concentration.max(0.0);
    let opens = |i: u64, rng: &mut Rng| rng.bernoulli(1.0 / (1.0 + i as f64 / concentration));
    let skips = n > ONE_BY_ONE && concentration < n as f64 * RARE;
    let first = if skips { ONE_BY_ONE } else { n };
    let tables = 1 + (1..first).filter(|&i| opens(i, rng)).count() as u64;
    if skips { tables + rare_tables(rng, first, n, concentration) } else { tables }
}

/// So many customers are seated one by one in any case.
const ONE_BY_ONE: u64 = 1024;
/// Below this concentration per customer, new tables are so rare that looking for the next one is faster.
const RARE: f64 = 1e-4;

/// The tables opened by customers `from`, …, n − 1. That none is opened before customer j has the probability
/// Π i/(α + i) = exp(D(from) − D(j)) with D(j) = ln Γ(j + α) − ln Γ(j), so the next one is found by inversion.
fn rare_tables(rng: &mut Rng, from: u64, n: u64, concentration: f64) -> u64 {
    let (mut next, mut tables) = (from, 0);
    loop {
        let level = rise(next, concentration) + super::gamma::exponential(rng);
        if rise(n, concentration) < level {
            return tables;
        }
        // The first j with D(j + 1) ≥ level opens the table.
        let (mut low, mut high) = (next, n - 1);
        while low < high {
            let middle = low + (high - low) / 2;
            if rise(middle + 1, concentration) >= level { high = middle } else { low = middle + 1 }
        }
        tables += 1;
        next = low + 1;
    }
}

/// ln Γ(j + α) − ln Γ(j) for j ≥ 1024 by Stirling's series, in which nothing large cancels.
fn rise(j: u64, alpha: f64) -> f64 {
    let j = j as f64;
    let correction = (1.0 / (j + alpha) - 1.0 / j) / 12.0;
    (j - 0.5) * libm::log1p(alpha / j) + alpha * libm::log(j + alpha) - alpha + correction
}

/// A draw from Binomial(n, p), exact, in O(log n) steps.
pub fn binomial(rng: &mut Rng, n: u64, p: f64) -> u64 {
    let (mut n, mut p, mut successes) = (n, p, 0);
    while n > FEW {
        // The middle one of n ordered uniform numbers is Beta distributed; n/2 of them lie on either side
        // of it, so comparing it with p settles half of the trials at once (Relles 1972).
        let middle = n / 2 + 1;
        let (log_x, log_1mx) = log_beta(rng, middle as f64, (n - middle + 1) as f64);
        let x = libm::exp(log_x);
        if x <= p {
            successes += middle;
            n -= middle;
            p = (p - x) / libm::exp(log_1mx);
        } else {
            n = middle - 1;
            p /= x;
        }
    }
    successes + (0..n).filter(|_| rng.bernoulli(p)).count() as u64
}

/// Below this, flipping coins is faster.
const FEW: u64 = 24;

/// How often each of several things is drawn in n draws in proportion to the weights.
///
/// `None` if a weight is negative or NaN, or if the weights sum to 0 or to infinity.
pub fn multinomial(rng: &mut Rng, n: u64, weights: &[f64]) -> Option<Vec<u64>> {
    // rest[i] is the weight of everything from i on, summed from the back so that it ends in exact zeros.
    let mut rest = weights.to_vec();
    for i in (1..rest.len()).rev() {
        rest[i - 1] += rest[i];
    }
    let sound =
        weights.iter().all(|&w| w >= 0.0) && rest.first().is_some_and(|&sum| sum > 0.0 && sum.is_finite());
    let mut left = n;
    let mut draw = |(&weight, &rest): (&f64, &f64)| {
        let count = if weight > 0.0 { binomial(rng, left, weight / rest) } else { 0 };
        left -= count;
        count
    };
    sound.then(|| weights.iter().zip(&rest).map(&mut draw).collect())
}
