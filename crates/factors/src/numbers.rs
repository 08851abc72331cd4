//! What a cell is likely to be if a model took it for a number.
//!
//! The model says N(z, s²). A continuous cell has that density. A count or a level in an order is the number rounded to
//! the nearest of them: everything below the least one counts for that, everything above the largest one too. Categories
//! have one number for each level, whose means are taken for probabilities. So all levels together have probability one.

use chain::Rng;
use libm::{exp, log, round};

use crate::response::{ln_between, ln_density};
use crate::settings::Link;
use crate::{Kind, Value};

/// A normal distribution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Normal {
    pub(crate) mean: f64,
    pub(crate) sd: f64,
}

/// The log-probability (density for numbers) of a value.
pub(crate) fn ln_probability(value: Value, kind: Kind, normals: &[Normal]) -> f64 {
    let Some(normal) = normals.first() else { return f64::NAN };
    match (value, kind) {
        (Value::Number(y), Kind::Continuous) => ln_density(y - normal.mean, normal.sd * normal.sd, None),
        (Value::Level(level), Kind::Categorical(_)) => log(shares(normals)[level]),
        (value, kind) => ln_rounded(value.number(), kind.n_levels(), normal),
    }
}

/// The probabilities of the levels; empty for numbers and counts.
pub(crate) fn probabilities(kind: Kind, normals: &[Normal]) -> Vec<f64> {
    match kind {
        Kind::Categorical(_) => shares(normals),
        _ => {
            let level = |level| exp(ln_probability(Value::Level(level), kind, normals));
            (0..kind.n_levels()).map(level).collect()
        }
    }
}

/// z, which may lie beyond the bounds of the column; of a level's number for categories.
pub(crate) fn mean(kind: Kind, normals: &[Normal], probabilities: &[f64]) -> f64 {
    match kind {
        Kind::Categorical(_) => probabilities.iter().enumerate().map(|(level, p)| level as f64 * p).sum(),
        _ => normals.first().map_or(f64::NAN, |normal| normal.mean),
    }
}

/// A number or a count drawn; levels have probabilities.
pub(crate) fn draw(kind: Kind, normals: &[Normal], rng: &mut Rng) -> Option<f64> {
    let mut number = || normals.first().map_or(f64::NAN, |n| n.mean + n.sd * num::dist::normal(rng));
    match kind {
        Kind::Continuous => Some(number()),
        Kind::Count => Some(round(number()).clamp(0.0, f64::from(u32::MAX))),
        Kind::Binary | Kind::Ordinal(_) | Kind::Categorical(_) => None,
    }
}

/// ln P(y − ½ < N(z, s²) ≤ y + ½), without a bound below for y = 0 and without one above for the last of so many levels.
fn ln_rounded(y: f64, n_levels: usize, normal: &Normal) -> f64 {
    let standard = |x: f64| (x - normal.mean) / normal.sd;
    let low = if y == 0.0 { f64::NEG_INFINITY } else { standard(y - 0.5) };
    let high = if y + 1.0 == n_levels as f64 { f64::INFINITY } else { standard(y + 0.5) };
    ln_between(Link::Probit, low, high)
}

/// Guesses of 0 and 1 as probabilities: none below a hundredth, and in all one.
fn shares(normals: &[Normal]) -> Vec<f64> {
    let mut shares: Vec<f64> = normals.iter().map(|normal| normal.mean.max(LEAST)).collect();
    let total: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= total);
    shares
}

const LEAST: f64 = 0.01;
