//! Counts: negative binomial with h failures and log-odds z.

use chain::Rng;
use libm::{exp, log, log1p};
use num::dist::{crt, gamma, polya_gamma, polya_gamma_slice};
use num::special::{exp_slice, ln_gamma, ln_slice};

use super::{ColumnResponse, Response, Working};
use crate::cells::Counts;
use crate::options::Prior;
use crate::simulate::draw_count;
use crate::state::Pooled;

/// A count with log-odds z and dispersion h.
pub(crate) struct Count {
    pub(crate) z: f64,
    pub(crate) h: f64,
}

impl Response for Count {
    type Value = u32;

    /// Γ(y + h)/(Γ(h) y!) · e^(zy) / (1 + e^z)^(y + h)
    fn ln_probability(&self, count: u32) -> f64 {
        let (y, z, h) = (f64::from(count), self.z, self.h);
        ln_choose(count, h) + y * z - (y + h) * (z.max(0.0) + log1p(exp(-z.abs())))
    }

    fn probabilities(&self) -> Vec<f64> {
        Vec::new()
    }

    /// h e^z
    fn mean(&self, _: &[f64]) -> f64 {
        // In logarithms where e^z would be infinite, and h may be 0.
        let mean = if self.z < 700.0 { self.h * exp(self.z) } else { exp(log(self.h) + self.z) };
        mean.min(f64::from(u32::MAX))
    }

    fn draw(&self, rng: &mut Rng) -> Option<f64> {
        Some(draw_count(self.z, self.h, rng).into())
    }

    /// ω ~ PG(y + h, z) with pull (y − h)/2.
    fn hidden(&self, count: u32, _: &mut Vec<f64>, rng: &mut Rng) -> Vec<(f64, f64)> {
        let y = f64::from(count);
        vec![(polya_gamma(rng, y + self.h, self.z), 0.5 * (y - self.h))]
    }
}

/// The dispersion of a column and where its prior comes from.
pub(super) struct CountColumn<'a> {
    pub(super) h: &'a mut f64,
    pub(super) rate: &'a mut f64,
    pub(super) pooled: Option<Pooled>,
    pub(super) prior: &'a Prior,
}

impl ColumnResponse for CountColumn<'_> {
    type Cells<'c> = &'c Counts;
    type Working = Working;

    fn augment(self, counts: &Counts, working: &mut Working, rng: &mut Rng) -> f64 {
        augment(counts, self, working, rng)
    }
}

/// The dispersion first, without the hidden weights, whose prior depends on it (Zhou et al. 2012, with the rates of the
/// errata):
///
/// ℓ ~ CRT(y, h);  h ~ Gamma(a₀ + Σℓ, rate r + Σ ln(1 + e^z));  r ~ Gamma(u₀ + a₀, rate g₀ + h)
///
/// and then ω ~ PG(y + h, z) with pull (y − h)/2. If dispersions are pooled, their common shape and rate stand for a₀ and r.
fn augment(
    counts: &Counts,
    CountColumn { h, rate, pooled, prior }: CountColumn<'_>,
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
