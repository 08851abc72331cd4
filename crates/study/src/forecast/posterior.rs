//! Learning curves that might have made the scores, and how probable each is.
//!
//! For a given decay c the curve a − b · u is a line in u = (x / scale)^(−c). With Gaussian noise of covariance V and
//! Gaussian priors a ~ N(a₀, sₐ²) and b ~ N(0, s_b²) its posterior and its evidence are known in closed form:
//!
//! P = HᵀV⁻¹H + P₀,  mean = P⁻¹(HᵀV⁻¹y + P₀ m₀),
//! ln evidence = ½ ln|P₀| − ½ ln|P| − ½ (yᵀV⁻¹y + m₀ᵀP₀m₀ − meanᵀ P mean) + what does not depend on c,
//!
//! where the rows of H are (1, −uᵢ). The decay lies on a grid with a log-normal prior, so that what is believed of a score is
//! a mixture of Gaussians: nothing is sampled.

use super::curve::Curve;
use super::{Point, Prior};
use num::linear::Cholesky;
use serde::Serialize;

/// The slowest and fastest decay. Below, the curve is a logarithm as far as anyone can see.
const DECAYS: (f64, f64) = (0.02, 2.0);
/// Steps of the grid, evenly spaced in ln c.
const STEPS: usize = 60;
/// b lies somewhere within a few times the whole scale of scores.
const WIDE: f64 = 3.0;

/// Curves with one decay.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct DecayCell {
    /// The most probable of them.
    pub(super) curve: Curve,
    /// How probable the decay is.
    pub(super) weight: f64,
    /// Variance of a, covariance of a and b, variance of b.
    spread: [f64; 3],
}

impl DecayCell {
    /// Mean and variance of the score on the curve at x: that of a − b · u is var a − 2 u cov + u² var b.
    pub(super) fn at(&self, x: f64) -> (f64, f64) {
        let u = self.curve.missing(x);
        let [aa, ab, bb] = self.spread;
        (self.curve.at(x), (aa - 2.0 * u * ab + u * u * bb).max(0.0))
    }

    /// Mean and variance of what lies between two places: b · (u − u').
    pub(super) fn between(&self, from: f64, to: f64) -> (f64, f64) {
        let step = self.curve.missing(from) - self.curve.missing(to);
        (self.curve.b * step, self.spread[2] * step * step)
    }
}

/// All decays; weights sum to 1. `covariance` is that of the scores, row by row.
pub(super) fn cells(points: &[Point], covariance: &[f64], prior: &Prior, ceiling: f64) -> Vec<DecayCell> {
    let scale = points.iter().map(|point| point.x).fold(0.0, f64::max);
    let best = points.iter().map(|point| point.score).fold(f64::NEG_INFINITY, f64::max);
    // What is missing of the best score is what priors are measured by.
    let missing = (ceiling - best).max(0.02 * ceiling);
    let limit = (ceiling - prior.limit_missing * missing, prior.limit_spread * missing);
    let Some(noise) = Cholesky::new(points.len(), covariance) else { return Vec::new() };
    let step = libm::log(DECAYS.1 / DECAYS.0) / STEPS as f64;
    let mut cells: Vec<(DecayCell, f64)> = (0..=STEPS)
        .map(|place| {
            let c = DECAYS.0 * libm::exp(place as f64 * step);
            let off = (libm::log(c) - libm::log(prior.decay)) / prior.decay_spread;
            let (cell, evidence) = line(points, &noise, c, scale, limit, WIDE * ceiling);
            (cell, evidence - 0.5 * off * off)
        })
        .collect();
    let most = cells.iter().map(|(_, weight)| *weight).fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = cells.iter().map(|(_, weight)| libm::exp(weight - most)).sum();
    cells.iter_mut().for_each(|(cell, weight)| cell.weight = libm::exp(*weight - most) / sum);
    cells.into_iter().map(|(cell, _)| cell).collect()
}

/// Curves with decay c, and the logarithm of the evidence for it.
fn line(
    points: &[Point],
    noise: &Cholesky,
    c: f64,
    scale: f64,
    limit: (f64, f64),
    wide: f64,
) -> (DecayCell, f64) {
    let curve = Curve { a: 0.0, b: 1.0, c, scale };
    // Everything is whitened: divided by the root of V, so that sums of products are those with V⁻¹.
    let whiten = |mut list: Vec<f64>| {
        noise.solve_lower(&mut list);
        list
    };
    let ones = whiten(vec![1.0; points.len()]);
    let us = whiten(points.iter().map(|point| -curve.missing(point.x)).collect());
    let ys = whiten(points.iter().map(|point| point.score).collect());
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (of_a, of_b) = (1.0 / (limit.1 * limit.1), 1.0 / (wide * wide));
    let (aa, ab, bb) = (dot(&ones, &ones) + of_a, dot(&ones, &us), dot(&us, &us) + of_b);
    let (ya, yb) = (dot(&ones, &ys) + of_a * limit.0, dot(&us, &ys));
    let det = aa * bb - ab * ab;
    let (a, b) = ((bb * ya - ab * yb) / det, (aa * yb - ab * ya) / det);
    let squares = dot(&ys, &ys) + of_a * limit.0 * limit.0 - (a * ya + b * yb);
    let evidence = -0.5 * libm::log(det) - 0.5 * squares;
    // A falling curve is noise: then the score stays where it is.
    let (a, b) = if b >= 0.0 { (a, b) } else { (ya / aa, 0.0) };
    let spread = [bb / det, -ab / det, aa / det];
    (DecayCell { curve: Curve { a, b, c, scale }, weight: 0.0, spread }, evidence)
}
