//! Counts: negative binomial with h failures and log-odds z.

use chain::Rng;
use libm::{exp, log1p};
use num::dist::{crt, gamma, polya_gamma, polya_gamma_slice};
use num::special::{exp_slice, ln_gamma, ln_slice};

use super::Working;
use crate::cells::Counts;
use crate::settings::Prior;
use crate::state::Pooled;

/// The dispersion of a column and where its prior comes from.
pub(super) struct Dispersion<'a> {
    pub(super) h: &'a mut f64,
    pub(super) rate: &'a mut f64,
    pub(super) pooled: Option<Pooled>,
}

/// The dispersion first, without the hidden weights, whose prior depends on it (Zhou et al. 2012, with the rates of the
/// errata):
///
/// ℓ ~ CRT(y, h);  h ~ Gamma(a₀ + Σℓ, rate r + Σ ln(1 + e^z));  r ~ Gamma(u₀ + a₀, rate g₀ + h)
///
/// and then ω ~ PG(y + h, z) with pull (y − h)/2. If dispersions are pooled, their common shape and rate stand for a₀ and r.
pub(super) fn augment(
    counts: &Counts,
    Dispersion { h, rate, pooled }: Dispersion<'_>,
    prior: &Prior,
    working: &mut Working,
    rng: &mut Rng,
) -> f64 {
    softplus(&working.z, &mut working.spare);
    counts.missing.iter().for_each(|&row| working.spare[row as usize] = 0.0);
    let softplus: f64 = working.spare.iter().sum();
    let mut log_likelihood = -*h * softplus;
    for &(row, count) in &counts.positive {
        let row = row as usize;
        log_likelihood += ln_choose(count, *h) + f64::from(count) * (working.z[row] - working.spare[row]);
    }

    let tables: u64 = counts.positive.iter().map(|&(_, count)| crt(rng, count.into(), *h)).sum();
    if let Some(pooled) = pooled {
        *rate = pooled.shape / pooled.mean;
    }
    let shape = pooled.map_or(prior.dispersion_shape, |pooled| pooled.shape);
    *h = gamma(rng, shape + tables as f64, 1.0 / (*rate + softplus));
    if pooled.is_none() {
        *rate = gamma(rng, prior.rate_shape + prior.dispersion_shape, 1.0 / (prior.rate_rate + *h));
    }

    working.pulls.fill(-0.5 * *h);
    for &(row, count) in &counts.positive {
        working.pulls[row as usize] += 0.5 * f64::from(count);
    }
    polya_gamma_slice(rng, *h, &working.z, &mut working.weights);
    // PG(y + h, z) is PG(y, z) + PG(h, z).
    for &(row, count) in &counts.positive {
        working.weights[row as usize] += polya_gamma(rng, count.into(), working.z[row as usize]);
    }
    for &row in &counts.missing {
        (working.weights[row as usize], working.pulls[row as usize]) = (0.0, 0.0);
    }
    log_likelihood
}

/// ln(1 + e^z) for each z: max(z, 0) + ln(1 + e^−|z|).
fn softplus(z: &[f64], out: &mut Vec<f64>) {
    out.clear();
    out.extend(z.iter().map(|z| -z.abs()));
    exp_slice(out);
    out.iter_mut().for_each(|x| *x += 1.0);
    ln_slice(out);
    out.iter_mut().zip(z).for_each(|(x, &z)| *x += z.max(0.0));
}

/// ln Γ(y + h) − ln Γ(h) − ln y!
fn ln_choose(count: u32, h: f64) -> f64 {
    if count == 0 {
        // Also for a dispersion that has become 0, whose gamma function is infinite.
        return 0.0;
    }
    let y = f64::from(count);
    ln_gamma(y + h) - ln_gamma(h) - ln_gamma(y + 1.0)
}

/// The log-probability of one count: Γ(y + h)/(Γ(h) y!) · e^(zy) / (1 + e^z)^(y + h).
pub(crate) fn ln_probability(count: u32, h: f64, z: f64) -> f64 {
    let y = f64::from(count);
    ln_choose(count, h) + y * z - (y + h) * (z.max(0.0) + log1p(exp(-z.abs())))
}
