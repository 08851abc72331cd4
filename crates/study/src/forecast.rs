//! How good a parser will be after more hours of annotation: a learning curve and how sure it is.
//!
//! Scores are fitted with a power law in the amount x of annotation (arcs or cost),
//!
//! score(x) = a − b · x^(−c), with b ≥ 0 and a at most the ceiling,
//!
//! by least squares. For a given c the best a and b are the exact solution of two linear equations, and the
//! best c is searched on a grid and then between its neighbours. Intervals come from a bootstrap of the
//! residuals.

mod curve;

pub use curve::Curve;

use crate::Error;
use crate::error::in_range;
use chain::{Rng, Stream};
use serde::{Deserialize, Serialize};

/// A score reached with some amount of annotation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Arcs or cost.
    pub x: f64,
    /// The score, for instance a UAS from cross-validation.
    pub score: f64,
}

/// How to forecast.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// The largest score there is: 1 for shares, 100 for per cents.
    pub ceiling: f64,
    /// Bootstrap samples.
    pub resamples: usize,
    /// The share of samples that an interval holds.
    pub level: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { ceiling: 1.0, resamples: 1000, level: 0.9 }
    }
}

/// A learning curve that was fitted to points, and others that might have been.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Forecast {
    /// The curve of least squares.
    pub curve: Curve,
    /// Root of the mean squared residual.
    pub error: f64,
    /// Points it was fitted to.
    pub n_points: usize,
    /// The share of samples that an interval holds.
    pub level: f64,
    /// Curves of the bootstrap; none with three points, through which a curve always passes.
    samples: Vec<Curve>,
}

/// The score to expect.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Prediction {
    /// Amount of annotation.
    pub x: f64,
    /// The score on the curve.
    pub score: f64,
    /// Where the curve is likely to pass; `None` if the points do not tell.
    pub interval: Option<(f64, f64)>,
}

/// Fits a learning curve.
///
/// Points at fewer than three amounts are refused: the curve has three unknowns. With exactly three points
/// there are no intervals. Sample i of the bootstrap draws from `stream.item(i)`.
pub fn forecast(points: &[Point], options: &Options, stream: Stream) -> Result<Forecast, Error> {
    check(points, options)?;
    let curve = Curve::fit(points, options.ceiling);
    let residuals: Vec<f64> = points.iter().map(|point| point.score - curve.at(point.x)).collect();
    let square = residuals.iter().map(|residual| residual * residual).sum::<f64>() / points.len() as f64;
    let samples = match points.len() {
        ..=3 => Vec::new(),
        _ => bootstrap(points, &curve, &residuals, options, stream.purpose("forecast")),
    };
    Ok(Forecast { curve, error: libm::sqrt(square), n_points: points.len(), level: options.level, samples })
}

fn check(points: &[Point], options: &Options) -> Result<(), Error> {
    in_range("the level", options.level, "between 0 and 1", options.level > 0.0 && options.level < 1.0)?;
    in_range("the ceiling", options.ceiling, "a number", options.ceiling.is_finite())?;
    for &Point { x, score } in points {
        in_range("the amount of annotation", x, "more than 0", x > 0.0 && x.is_finite())?;
        in_range("the score", score, "a number", score.is_finite())?;
        if score > options.ceiling {
            return Err(Error::AboveCeiling { score, ceiling: options.ceiling });
        }
    }
    let mut amounts: Vec<f64> = points.iter().map(|point| point.x).collect();
    amounts.sort_by(f64::total_cmp);
    amounts.dedup();
    match amounts.len() {
        found @ ..3 => Err(Error::TooFewPoints { found, needed: 3 }),
        _ => Ok(()),
    }
}

/// Curves fitted to score*ᵢ = curve(xᵢ) + e*, where e* is drawn from the residuals, centred and widened by
/// √(n / (n − 3)) because three parameters have been fitted to them.
fn bootstrap(
    points: &[Point],
    curve: &Curve,
    residuals: &[f64],
    options: &Options,
    stream: Stream,
) -> Vec<Curve> {
    let sample = |index: usize| {
        let drawn = resample(points, curve, residuals, &mut stream.item(index).rng());
        Curve::fit(&drawn, options.ceiling)
    };
    (0..options.resamples).map(sample).collect()
}

/// The points of one sample.
fn resample(points: &[Point], curve: &Curve, residuals: &[f64], rng: &mut Rng) -> Vec<Point> {
    let n = residuals.len() as f64;
    let mean = residuals.iter().sum::<f64>() / n;
    let wide = libm::sqrt(n / (n - 3.0));
    let drawn = points.iter().map(|point| {
        let residual = (residuals[rng.below(residuals.len())] - mean) * wide;
        Point { x: point.x, score: curve.at(point.x) + residual }
    });
    drawn.collect()
}

impl Forecast {
    /// The score after so much annotation in all.
    pub fn at(&self, x: f64) -> Prediction {
        let mut scores: Vec<f64> = self.samples.iter().map(|curve| curve.at(x)).collect();
        scores.sort_by(f64::total_cmp);
        let tail = (1.0 - self.level) / 2.0;
        let interval = (!scores.is_empty()).then(|| (quantile(&scores, tail), quantile(&scores, 1.0 - tail)));
        Prediction { x, score: self.curve.at(x), interval }
    }

    /// The scores after some more hours, of which each adds `per_hour` to the `so_far`.
    pub fn after_hours(&self, so_far: f64, per_hour: f64, hours: &[f64]) -> Vec<Prediction> {
        hours.iter().map(|hours| self.at(so_far + per_hour * hours)).collect()
    }
}

/// The number below which a share of a sorted list lies, interpolated between neighbours.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (low, high) = (place.floor() as usize, place.ceil() as usize);
    sorted[low] + (sorted[high] - sorted[low]) * (place - low as f64)
}

#[cfg(test)]
mod tests;
