//! Tables of a Chinese restaurant, which are as good as counted one by one but for the time it takes.

mod central;

use super::gamma::exponential;
use crate::streams::Rng;
use central::Central;

/// How many tables n customers occupy in a Chinese restaurant with this concentration.
///
/// The sum of independent Bernoulli(α / (α + i)) for i = 0, …, n − 1. An invalid concentration counts as 0,
/// which seats everybody at one table.
///
/// The first thousand customers are seated one by one. Of the others only the rare ones are looked at, those who open a
/// table or those who do not, if there are few of them; otherwise their tables are drawn at once by [`Central`]. So the
/// time is bounded for all n and all concentrations, and nothing is approximated but for rounding.
pub fn crt(rng: &mut Rng, n: u64, concentration: f64) -> u64 {
    if n == 0 {
        return 0;
    }
    let concentration = concentration.max(0.0);
    let first = if n <= FEW && concentration >= n as f64 * RARE { n } else { n.min(ONE_BY_ONE) };
    let tables = 1 + (1..first).filter(|&i| rng.bernoulli(opening(i, concentration))).count() as u64;
    if first < n { tables + later(rng, first, n, concentration) } else { tables }
}

/// So many customers are seated one by one in any case.
const ONE_BY_ONE: u64 = 1024;
/// Up to so many customers are, unless new tables are rarer than [`RARE`] for each of them.
const FEW: u64 = 4096;
const RARE: f64 = 1e-4;
/// From this variance on tables are neither few nor nearly as many as customers.
const SPREAD: f64 = 64.0;

/// α / (α + i), written so that 0 and infinity are right too.
fn opening(i: u64, concentration: f64) -> f64 {
    1.0 / (1.0 + i as f64 / concentration)
}

/// The tables opened by customers `from`, …, n − 1.
fn later(rng: &mut Rng, from: u64, n: u64, concentration: f64) -> u64 {
    let (mean, variance) = moments(from, n, concentration);
    if variance >= SPREAD && variance.is_finite() {
        Central::new(from, n, concentration, mean, variance).draw(rng)
    } else if concentration < n as f64 {
        rare_tables(rng, from, n, concentration)
    } else {
        n - from - rare_guests(rng, from, n, concentration)
    }
}

/// Σ p and Σ p (1 − p) with p = α/(α + i), by the integrals from `from` − ½ to n − ½, which are off by less than 10⁻⁴:
///
/// ∫ α/(α + x) dx = α ln(α + x)  and  ∫ αx/(α + x)² dx = α (ln(α + x) + α/(α + x))
fn moments(from: u64, n: u64, alpha: f64) -> (f64, f64) {
    let (start, end) = (alpha + from as f64 - 0.5, alpha + n as f64 - 0.5);
    let length = (n - from) as f64;
    let log = libm::log1p(length / start);
    (alpha * log, alpha * (log - alpha / end * (length / start)))
}

/// The tables opened by customers `from`, …, n − 1. That none is opened before customer j has the probability
/// Π i/(α + i) = exp(D(from) − D(j)) with D(j) = ln Γ(j + α) − ln Γ(j), so the next one is found by inversion.
fn rare_tables(rng: &mut Rng, from: u64, n: u64, concentration: f64) -> u64 {
    let (mut next, mut tables) = (from, 0);
    loop {
        let level = rise(next, concentration) + exponential(rng);
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

/// How many of the customers `from`, …, n − 1 join a table that is there. With the probability q = (n − 1)/(α + n − 1) of
/// the last one for all, the next to be looked at is a geometric number away; it joins with the probability i/(α + i)/q.
fn rare_guests(rng: &mut Rng, from: u64, n: u64, concentration: f64) -> u64 {
    let joining = |i: u64| i as f64 / (concentration + i as f64);
    let most = joining(n - 1);
    let rate = -libm::log1p(-most);
    let (mut next, mut guests) = (from, 0);
    loop {
        // Infinite if nobody joins, which ends it.
        let skipped = libm::floor(exponential(rng) / rate);
        if skipped >= (n - next) as f64 {
            return guests;
        }
        let i = next + skipped as u64;
        if rng.uniform() * most < joining(i) {
            guests += 1;
        }
        next = i + 1;
        if next == n {
            return guests;
        }
    }
}
