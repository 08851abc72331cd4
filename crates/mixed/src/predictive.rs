//! What a cell is likely to be, given its latent values and the parameters of its column.

use chain::Rng;
use libm::exp;

use crate::response::ln_probability;
use crate::settings::Settings;
use crate::simulate::{draw_count, draw_number, draw_ordinal, hidden, winner};
use crate::state::Shape;
use crate::{Kind, Value};

/// The probabilities of the levels; empty for numbers and counts.
pub(crate) fn probabilities(kind: Kind, shape: &Shape, settings: &Settings, latent: &[f64]) -> Vec<f64> {
    let ln = |level| ln_probability(Value::Level(level), kind, shape, settings, latent);
    (0..kind.n_levels()).map(|level| exp(ln(level))).collect()
}

/// The mean: h e^z for counts, and of the level's number for levels.
pub(crate) fn mean(shape: &Shape, latent: &[f64], probabilities: &[f64]) -> f64 {
    match shape {
        Shape::Noise(_) => latent[0],
        Shape::Dispersion { h, .. } => h * exp(latent[0]),
        _ => probabilities.iter().enumerate().map(|(level, p)| level as f64 * p).sum(),
    }
}

/// A value drawn.
pub(crate) fn draw(kind: Kind, shape: &Shape, settings: &Settings, latent: &[f64], rng: &mut Rng) -> Value {
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
