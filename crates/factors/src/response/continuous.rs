//! Continuous columns: y = z + noise.

use std::f64::consts::TAU;

use chain::Rng;
use libm::{log, log1p};
use num::dist::{gamma, inverse_gamma};
use num::special::ln_gamma;

use super::{ColumnResponse, Response, Working};
use crate::options::Options;
use crate::simulate::draw_number;

/// A number around z.
pub(crate) struct Continuous {
    pub(crate) z: f64,
    pub(crate) variance: f64,
    /// Degrees of freedom of a t distribution.
    pub(crate) tails: Option<f64>,
}

impl Response for Continuous {
    type Value = f64;

    fn ln_probability(&self, y: f64) -> f64 {
        ln_density(y - self.z, self.variance, self.tails)
    }

    fn probabilities(&self) -> Vec<f64> {
        Vec::new()
    }

    fn mean(&self, _: &[f64]) -> f64 {
        self.z
    }

    fn draw(&self, rng: &mut Rng) -> Option<f64> {
        Some(draw_number(self.z, self.variance, self.tails, rng))
    }

    fn hidden(&self, y: f64, _: &mut Vec<f64>, rng: &mut Rng) -> Vec<(f64, f64)> {
        let weight = scale(y - self.z, self.variance, self.tails, rng) / self.variance;
        vec![(weight, weight * y)]
    }
}

/// The noise of a column.
pub(super) struct ContinuousColumn<'a> {
    pub(super) variance: &'a mut f64,
    pub(super) settings: &'a Options,
}

impl ColumnResponse for ContinuousColumn<'_> {
    type Cells<'c> = &'c [f64];
    type Working = Working;

    fn augment(self, values: &[f64], working: &mut Working, rng: &mut Rng) -> f64 {
        augment(values, self.variance, self.settings, working, rng)
    }
}

/// σ² ~ IG((λ + n)/2, (λτ + Σ w (y − z)²)/2), then weight w/σ².
///
/// With heavy tails each cell has a scale w ~ Gamma((d + 1)/2, rate (d + (y − z)²/σ²)/2), drawn before; otherwise w = 1.
fn augment(
    values: &[f64],
    variance: &mut f64,
    settings: &Options,
    working: &mut Working,
    rng: &mut Rng,
) -> f64 {
    let (mut n, mut squares, mut log_likelihood) = (0usize, 0.0, 0.0);
    for ((&y, &z), weight) in values.iter().zip(&working.z).zip(&mut working.weights) {
        if y.is_nan() {
            *weight = 0.0;
            continue;
        }
        let rest = y - z;
        log_likelihood += ln_density(rest, *variance, settings.tails);
        *weight = scale(rest, *variance, settings.tails, rng);
        squares += *weight * rest * rest;
        n += 1;
    }
    let prior = &settings.prior;
    let scale = 0.5 * (prior.noise_shape * prior.noise_scale + squares);
    *variance = inverse_gamma(rng, 0.5 * (prior.noise_shape + n as f64), scale);
    for ((&y, weight), pull) in values.iter().zip(&mut working.weights).zip(&mut working.pulls) {
        *weight /= *variance;
        *pull = if y.is_nan() { 0.0 } else { *weight * y };
    }
    log_likelihood
}

/// The scale w of one cell.
fn scale(rest: f64, variance: f64, tails: Option<f64>, rng: &mut Rng) -> f64 {
    tails.map_or(1.0, |d| gamma(rng, 0.5 * (d + 1.0), 2.0 / (d + rest * rest / variance)))
}

/// The log density of a residual.
pub(crate) fn ln_density(rest: f64, variance: f64, tails: Option<f64>) -> f64 {
    let square = rest * rest / variance;
    match tails {
        None => -0.5 * (log(TAU * variance) + square),
        // Γ((d+1)/2) / (Γ(d/2) √(πdσ²)) · (1 + r²/(dσ²))^(−(d+1)/2)
        Some(d) => {
            let constant = ln_gamma(0.5 * (d + 1.0)) - ln_gamma(0.5 * d);
            constant - 0.5 * log(0.5 * TAU * d * variance) - 0.5 * (d + 1.0) * log1p(square / d)
        }
    }
}
