//! Each kind of column turned into a weighted Gaussian one.
//!
//! Given the latent value z of a cell, hidden numbers are drawn that make the likelihood of z normal: proportional to
//! exp(pull · z − weight · z²/2), which is the likelihood of a response pull/weight with precision weight. Where a value
//! is missing both are 0. The rest of the sampler knows nothing of kinds.

mod between;
mod binary;
mod categorical;
mod continuous;
mod count;
mod ordinal;
#[cfg(test)]
mod tests;

use chain::Rng;

pub(crate) use between::{ln_between, ln_cdf};
pub(crate) use categorical::{draw_cell as draw_utilities, legal, ln_probability as ln_categorical};
pub(crate) use continuous::ln_density;
pub(crate) use count::ln_probability as ln_count;

use crate::settings::Settings;
use crate::state::{Pooled, Shape};
use crate::{Cells, Kind, Value};

/// Memory for one latent value of a column, a number for each row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Working {
    /// The latent values.
    pub(crate) z: Vec<f64>,
    /// The precisions.
    pub(crate) weights: Vec<f64>,
    /// The precisions times the responses.
    pub(crate) pulls: Vec<f64>,
    /// For whatever a kind of column needs.
    spare: Vec<f64>,
}

impl Working {
    pub(crate) fn resize(&mut self, n_rows: usize) {
        for numbers in [&mut self.z, &mut self.weights, &mut self.pulls] {
            numbers.clear();
            numbers.resize(n_rows, 0.0);
        }
    }
}

/// Draws the parameters of the column's distribution and the hidden numbers, all given z. Returns the log-probability of
/// the values given z and the parameters there were before.
///
/// The categorical columns, which have several latent values, are in [`utilities`].
pub(crate) fn augment(
    cells: &Cells,
    kind: Kind,
    shape: &mut Shape,
    settings: &Settings,
    pooled: Option<Pooled>,
    working: &mut Working,
    rng: &mut Rng,
) -> f64 {
    match (cells, kind, shape) {
        (Cells::Numbers(values), Kind::Continuous, Shape::Noise(variance)) => {
            continuous::augment(values, variance, settings, working, rng)
        }
        (Cells::Levels(levels), Kind::Binary, _) => binary::augment(levels, settings.link, working, rng),
        (Cells::Counts(counts), Kind::Count, Shape::Dispersion { h, rate }) => {
            let dispersion = count::Dispersion { h, rate, pooled };
            count::augment(counts, dispersion, &settings.prior, working, rng)
        }
        (Cells::Levels(levels), Kind::Ordinal(_), Shape::Cuts(cuts)) => {
            ordinal::augment(levels, cuts, settings, working, rng)
        }
        // Data and states are made for each other; anything else tells the model nothing.
        _ => 0.0,
    }
}

/// Draws the hidden utilities of a categorical column given its latent values, one [`Working`] for each, and fills in
/// weights and pulls.
pub(crate) fn utilities(cells: &Cells, shape: &mut Shape, working: &mut [Working], rng: &mut Rng) {
    if let (Cells::Levels(levels), Shape::Utilities(utilities)) = (cells, shape) {
        categorical::augment(levels, utilities, working, rng);
    }
}

/// Weight and pull of one cell with one latent value, given the parameters of its column.
pub(crate) fn cell(value: Value, shape: &Shape, settings: &Settings, z: f64, rng: &mut Rng) -> (f64, f64) {
    match (value, shape) {
        (Value::Number(y), Shape::Noise(variance)) => continuous::cell(y, *variance, settings.tails, z, rng),
        (Value::Level(level), Shape::Plain) => binary::cell(level == 1, settings.link, z, rng),
        (Value::Level(level), Shape::Cuts(cuts)) => ordinal::cell(level, cuts, settings.link, z, rng),
        (Value::Count(count), Shape::Dispersion { h, .. }) => {
            let y = f64::from(count);
            (num::dist::polya_gamma(rng, y + h, z), 0.5 * (y - h))
        }
        _ => (0.0, 0.0),
    }
}

/// The log-probability (density for numbers) of one value given the latent values of its cell.
pub(crate) fn ln_probability(
    value: Value,
    kind: Kind,
    shape: &Shape,
    settings: &Settings,
    latent: &[f64],
) -> f64 {
    match (value, kind, shape) {
        (Value::Number(y), Kind::Continuous, Shape::Noise(variance)) => {
            ln_density(y - latent[0], *variance, settings.tails)
        }
        (Value::Level(level), Kind::Binary, _) => {
            let z = if level == 1 { latent[0] } else { -latent[0] };
            ln_cdf(settings.link, z)
        }
        (Value::Count(count), Kind::Count, Shape::Dispersion { h, .. }) => ln_count(count, *h, latent[0]),
        (Value::Level(level), Kind::Ordinal(_), Shape::Cuts(cuts)) => {
            ordinal::ln_probability(level, cuts, latent[0], settings.link)
        }
        (Value::Level(level), Kind::Categorical(_), _) => ln_categorical(level, latent),
        _ => f64::NAN,
    }
}
