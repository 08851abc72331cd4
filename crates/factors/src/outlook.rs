//! What a cell is likely to be, according to one draw from the posterior.

use chain::diagnose::quantile;
use chain::{Rng, Workers};
use libm::{exp, log};

use crate::coding::Coding;
use crate::numbers::{self, Normal};
use crate::response::ln_probability;
use crate::settings::Settings;
use crate::simulate::{draw_count, draw_number};
use crate::state::{Shape, State, dot_with_one};
use crate::{Kind, Posterior, Value};

/// Draws from the posterior, and how the table was read for them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub(crate) posterior: &'a Posterior,
    pub(crate) coding: Option<&'a Coding>,
}

impl<'a> View<'a> {
    /// The kind that a column has in the table.
    pub(crate) fn kind(self, column: usize) -> Kind {
        self.coding.map_or_else(|| self.posterior.kinds[column], |coding| coding.kind(column))
    }

    /// What a draw says of one cell of a row with these factors.
    pub(crate) fn outlook(self, draw: &'a State, column: usize, factors: &[f64]) -> Outlook<'a> {
        let kind = self.kind(column);
        if let Some(coding) = self.coding {
            return Outlook::Numbers { kind, normals: coding.normals(draw, column, factors) };
        }
        let state = &draw.columns[column];
        let rows = state.weights.chunks_exact(factors.len() + 1);
        Outlook::Latent {
            kind,
            shape: &state.shape,
            settings: &self.posterior.settings,
            latent: rows.map(|row| dot_with_one(row, factors)).collect(),
        }
    }
}

/// What all draws say of cells together.
impl View<'_> {
    /// The mean of each of these cells of fitted rows; see [`View::mean`].
    pub(crate) fn means(self, cells: &[(usize, usize)], workers: &Workers) -> Vec<f64> {
        let k = self.posterior.n_factors();
        workers.map(cells, |_, &(row, column)| {
            let mean = |draw| {
                let outlook = self.outlook(draw, column, &draw.factors[row * k..(row + 1) * k]);
                outlook.mean(&outlook.probabilities())
            };
            self.mean(column, &self.posterior.draws().map(mean).collect::<Vec<_>>())
        })
    }

    /// The mean of a cell from the means that all draws say; for counts the median of these. The tails of latent values fall
    /// like powers where little is known, so that h e^z need not have a mean, and the sum would hang on a few draws.
    ///
    /// A model that reads levels as numbers may go beyond them, where no mean can be.
    pub(crate) fn mean(self, column: usize, means: &[f64]) -> f64 {
        let kind = self.kind(column);
        let (least, most) = kind.bounds();
        let mean = match kind {
            Kind::Count => quantile(means, 0.5),
            _ => means.iter().sum::<f64>() / means.len() as f64,
        };
        mean.clamp(least, most)
    }
}

/// The distribution of one cell.
#[derive(Debug)]
pub(crate) enum Outlook<'a> {
    /// Given its latent values and the parameters of its column.
    Latent { kind: Kind, shape: &'a Shape, settings: &'a Settings, latent: Vec<f64> },
    /// Of a model that took it for one number, or for one number for each level.
    Numbers { kind: Kind, normals: Vec<Normal> },
}

impl Outlook<'_> {
    /// The log-probability (density for numbers) of a value.
    pub(crate) fn ln_probability(&self, value: Value) -> f64 {
        match self {
            Outlook::Latent { kind, shape, settings, latent } => {
                ln_probability(value, *kind, shape, settings, latent)
            }
            Outlook::Numbers { kind, normals } => numbers::ln_probability(value, *kind, normals),
        }
    }

    /// The probabilities of the levels; empty for numbers and counts.
    pub(crate) fn probabilities(&self) -> Vec<f64> {
        match self {
            Outlook::Latent { kind, .. } => {
                let ln = |level| self.ln_probability(Value::Level(level));
                let mut probabilities: Vec<f64> = (0..kind.n_levels()).map(|level| exp(ln(level))).collect();
                if let Kind::Categorical(_) = kind {
                    // Each is an integral of its own; what is left of their errors is shared.
                    let total: f64 = probabilities.iter().sum();
                    probabilities.iter_mut().for_each(|p| *p /= total);
                }
                probabilities
            }
            Outlook::Numbers { kind, normals } => numbers::probabilities(*kind, normals),
        }
    }

    /// The mean: h e^z for counts, and of the level's number for levels.
    pub(crate) fn mean(&self, probabilities: &[f64]) -> f64 {
        match self {
            Outlook::Latent { shape: Shape::Noise(_), latent, .. } => latent[0],
            Outlook::Latent { shape: Shape::Dispersion { h, .. }, latent, .. } => {
                // In logarithms where e^z would be infinite, and h may be 0.
                let mean = if latent[0] < 700.0 { h * exp(latent[0]) } else { exp(log(*h) + latent[0]) };
                mean.min(f64::from(u32::MAX))
            }
            Outlook::Latent { .. } => {
                probabilities.iter().enumerate().map(|(level, p)| level as f64 * p).sum()
            }
            Outlook::Numbers { kind, normals } => numbers::mean(*kind, normals, probabilities),
        }
    }

    /// A number or a count drawn; levels have probabilities.
    pub(crate) fn draw(&self, rng: &mut Rng) -> Option<f64> {
        match self {
            Outlook::Latent { shape: Shape::Noise(variance), settings, latent, .. } => {
                Some(draw_number(latent[0], *variance, settings.tails, rng))
            }
            Outlook::Latent { shape: Shape::Dispersion { h, .. }, latent, .. } => {
                Some(draw_count(latent[0], *h, rng).into())
            }
            Outlook::Latent { .. } => None,
            Outlook::Numbers { kind, normals } => numbers::draw(*kind, normals, rng),
        }
    }
}
