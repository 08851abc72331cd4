//! What a cell is likely to be, according to one draw from the posterior.

use chain::{Rng, Workers};
use libm::exp;

use crate::coding::Coding;
use crate::numbers::{self, Normal};
use crate::response::ln_probability;
use crate::settings::Settings;
use crate::simulate::{draw_count, draw_number, draw_ordinal, hidden, winner};
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
    /// The mean of each of these cells of fitted rows.
    pub(crate) fn means(self, cells: &[(usize, usize)], workers: &Workers) -> Vec<f64> {
        let k = self.posterior.n_factors();
        workers.map(cells, |_, &(row, column)| {
            let mean = |draw| {
                let outlook = self.outlook(draw, column, &draw.factors[row * k..(row + 1) * k]);
                outlook.mean(&outlook.probabilities())
            };
            let (sum, n) = self.posterior.draws().fold((0.0, 0), |(sum, n), draw| (sum + mean(draw), n + 1));
            self.within(column, sum / f64::from(n))
        })
    }

    /// A model that reads levels as numbers may go beyond them, where no mean can be.
    pub(crate) fn within(self, column: usize, mean: f64) -> f64 {
        let (least, most) = self.kind(column).bounds();
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
                (0..kind.n_levels()).map(|level| exp(ln(level))).collect()
            }
            Outlook::Numbers { kind, normals } => numbers::probabilities(*kind, normals),
        }
    }

    /// The mean: h e^z for counts, and of the level's number for levels.
    pub(crate) fn mean(&self, probabilities: &[f64]) -> f64 {
        match self {
            Outlook::Latent { shape: Shape::Noise(_), latent, .. } => latent[0],
            Outlook::Latent { shape: Shape::Dispersion { h, .. }, latent, .. } => h * exp(latent[0]),
            Outlook::Latent { .. } => {
                probabilities.iter().enumerate().map(|(level, p)| level as f64 * p).sum()
            }
            Outlook::Numbers { kind, normals } => numbers::mean(*kind, normals, probabilities),
        }
    }

    /// A value drawn.
    pub(crate) fn draw(&self, rng: &mut Rng) -> Value {
        match self {
            Outlook::Latent { kind, shape, settings, latent } => draw(*kind, shape, settings, latent, rng),
            Outlook::Numbers { kind, normals } => numbers::draw(*kind, normals, rng),
        }
    }
}

fn draw(kind: Kind, shape: &Shape, settings: &Settings, latent: &[f64], rng: &mut Rng) -> Value {
    match (kind, shape) {
        (Kind::Continuous, Shape::Noise(variance)) => {
            Value::Number(draw_number(latent[0], *variance, settings.tails, rng))
        }
        (Kind::Count, Shape::Dispersion { h, .. }) => Value::Count(draw_count(latent[0], *h, rng)),
        (Kind::Ordinal(_), Shape::Cuts(cuts)) => {
            Value::Level(draw_ordinal(latent[0], cuts, settings.link, rng).into())
        }
        (Kind::Categorical(_), _) => {
            let utilities: Vec<f64> = latent.iter().map(|z| z + chain::dist::normal(rng)).collect();
            Value::Level(winner(&utilities).into())
        }
        _ => Value::Level(usize::from(hidden(latent[0], settings.link, rng) > 0.0)),
    }
}
