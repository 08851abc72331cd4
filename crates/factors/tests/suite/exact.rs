//! What a cell is, worked out by sums over a grid: the distributions of all kinds, written down once more.

use factors::{ColumnState, Kind, Link, Shape, State, Value};

/// Φ
pub(crate) fn phi(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// The distribution function of hidden numbers.
fn link(settings: &factors::Options, x: f64) -> f64 {
    match settings.link {
        Link::Logit => 1.0 / (1.0 + (-x).exp()),
        Link::Probit => phi(x),
    }
}

/// The latent values of a cell.
fn latent(column: &ColumnState, f: &[f64]) -> Vec<f64> {
    let row = |w: &[f64]| w[0] + w[1..].iter().zip(f).map(|(b, f)| b * f).sum::<f64>();
    column.weights.chunks(f.len() + 1).map(row).collect()
}

/// The probability, or the density, of a value given the factors of its row.
pub(crate) fn likelihood(settings: &factors::Options, column: &ColumnState, value: Value, f: &[f64]) -> f64 {
    let z = latent(column, f);
    match (value, &column.shape) {
        (Value::Number(y), Shape::Noise(variance)) => match settings.tails {
            None => (-0.5 * (y - z[0]).powi(2) / variance).exp() / (std::f64::consts::TAU * variance).sqrt(),
            Some(d) => {
                let constant = libm::tgamma(0.5 * (d + 1.0)) / libm::tgamma(0.5 * d);
                constant / (std::f64::consts::PI * d * variance).sqrt()
                    * (1.0 + (y - z[0]).powi(2) / (d * variance)).powf(-0.5 * (d + 1.0))
            }
        },
        (Value::Level(level), Shape::Plain) => link(settings, if level == 1 { z[0] } else { -z[0] }),
        (Value::Count(y), Shape::Dispersion { h, .. }) => counts(*h, z[0]).nth(y as usize).unwrap_or(0.0),
        (Value::Level(level), Shape::Cuts(cuts)) => {
            let below = |cut: Option<&f64>| cut.map_or(1.0, |cut| link(settings, cut - z[0]));
            below(cuts.get(level)) - if level == 0 { 0.0 } else { below(cuts.get(level - 1)) }
        }
        (Value::Level(0), Shape::Utilities(_)) => z.iter().map(|z| phi(-z)).product(),
        (Value::Level(level), Shape::Utilities(_)) => {
            let rivals: Vec<f64> =
                z.iter().enumerate().filter(|(at, _)| at + 1 != level).map(|(_, z)| *z).collect();
            let density = |u: f64| {
                (-0.5 * (u - z[level - 1]).powi(2)).exp() / std::f64::consts::TAU.sqrt()
                    * rivals.iter().map(|z| phi(u - z)).product::<f64>()
            };
            // Simpson's rule from 0 to where nothing is left.
            let step = (z[level - 1].max(0.0) + 7.0) / 100.0;
            let inner: f64 =
                (1..100).map(|i| f64::from(2 + 2 * (i % 2)) * density(f64::from(i) * step)).sum();
            (density(0.0) + inner + density(100.0 * step)) * step / 3.0
        }
        other => panic!("{other:?}"),
    }
}

/// P(0), P(1), …: each is (h + y)/(y + 1) · p of the one before, with p = e^z/(1 + e^z), and the first is (1 − p)^h.
fn counts(h: f64, z: f64) -> impl Iterator<Item = f64> {
    let p = 1.0 / (1.0 + (-z).exp());
    let mut next = (1.0 - p).powf(h);
    (0..).map(move |y| {
        let this = next;
        next *= p * (h + f64::from(y)) / f64::from(y + 1);
        this
    })
}

/// Two factors of a row with what they are worth, which sums to one: prior times the likelihood of the cells that are known.
pub(crate) fn posterior(
    settings: &factors::Options,
    state: &State,
    known: &[Option<Value>],
) -> Vec<([f64; 2], f64)> {
    let axis = || (-40..=40).map(|i| 0.15 * f64::from(i));
    let mut points: Vec<([f64; 2], f64)> = axis().flat_map(|a| axis().map(move |b| ([a, b], 0.0))).collect();
    for (f, weight) in &mut points {
        *weight = (-0.5 * (f[0] * f[0] + f[1] * f[1])).exp();
        for (column, value) in state.columns.iter().zip(known) {
            *weight *= value.map_or(1.0, |value| likelihood(settings, column, value, &*f));
        }
    }
    let total: f64 = points.iter().map(|(_, weight)| weight).sum();
    points.iter_mut().for_each(|(_, weight)| *weight /= total);
    points.retain(|(_, weight)| *weight > 1e-8);
    points
}

/// P(cell ≤ x), for numbers and counts.
pub(crate) fn cdf(
    settings: &factors::Options,
    column: &ColumnState,
    points: &[([f64; 2], f64)],
    x: f64,
) -> f64 {
    let given = |f: &[f64; 2]| match &column.shape {
        Shape::Noise(variance) => {
            let t = (x - latent(column, f)[0]) / variance.sqrt();
            settings.tails.map_or_else(|| phi(t), |d| student(t, d))
        }
        Shape::Dispersion { h, .. } => counts(*h, latent(column, f)[0]).take((x + 1.0) as usize).sum(),
        other => panic!("{other:?}"),
    };
    points.iter().map(|(f, weight)| weight * given(f)).sum()
}

/// The distribution function of Student's t.
fn student(t: f64, d: f64) -> f64 {
    let tail = 0.5 * num::special::beta_cdf(d / (d + t * t), 0.5 * d, 0.5);
    if t > 0.0 { 1.0 - tail } else { tail }
}

/// The mean of what a function makes of the latent values.
pub(crate) fn mean(column: &ColumnState, points: &[([f64; 2], f64)], of: impl Fn(&[f64]) -> f64) -> f64 {
    points.iter().map(|(f, weight)| weight * of(&latent(column, f))).sum()
}

/// The probabilities of the levels.
pub(crate) fn levels(
    settings: &factors::Options,
    kind: Kind,
    column: &ColumnState,
    points: &[([f64; 2], f64)],
) -> Vec<f64> {
    let level = |level| -> f64 {
        points.iter().map(|(f, weight)| weight * likelihood(settings, column, Value::Level(level), f)).sum()
    };
    (0..kind.n_levels()).map(level).collect()
}
