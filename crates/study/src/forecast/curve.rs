//! Power laws by least squares.

use super::Point;
use serde::{Deserialize, Serialize};

/// score(x) = a − b · (x / scale)^(−c)
///
/// The scale is the geometric mean of the amounts the curve was fitted to. It keeps b of the size of a score,
/// whatever the unit of x.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// What endless annotation would reach.
    pub a: f64,
    /// What is missing at x = scale.
    pub b: f64,
    /// How fast it is made up for.
    pub c: f64,
    /// The unit of x.
    pub scale: f64,
}

/// The slowest and fastest decay that is tried. Below, the curve is a logarithm as far as anyone can see.
const DECAYS: (f64, f64) = (0.01, 10.0);

/// Steps of the grid, evenly spaced in log c.
const STEPS: usize = 60;

impl Curve {
    /// The curve of least squares with b ≥ 0 and a ≤ `ceiling`.
    ///
    /// Points must have positive, finite amounts. The sum of squares may have several minima in c; the grid
    /// finds the lowest, and golden sections between its neighbours the place.
    pub fn fit(points: &[Point], ceiling: f64) -> Self {
        let n = points.len().max(1) as f64;
        let scale = libm::exp(points.iter().map(|point| libm::log(point.x)).sum::<f64>() / n);
        let step = libm::log(DECAYS.1 / DECAYS.0) / STEPS as f64;
        let decay = |place: f64| DECAYS.0 * libm::exp(place * step);
        let loss = |place: f64| Self::with_decay(points, decay(place), scale, ceiling).loss(points);
        let losses: Vec<f64> = (0..=STEPS).map(|place| loss(place as f64)).collect();
        let best = (0..=STEPS).min_by(|&a, &b| losses[a].total_cmp(&losses[b])).unwrap_or(0);
        let (low, high) = (best.saturating_sub(1) as f64, (best + 1).min(STEPS) as f64);
        let found = golden_section(&loss, low, high);
        let place = if loss(found) <= losses[best] { found } else { best as f64 };
        Self::with_decay(points, decay(place), scale, ceiling)
    }

    /// The score at x; for x = 0 it is −∞, or a if b is 0.
    pub fn at(&self, x: f64) -> f64 {
        if self.b == 0.0 { self.a } else { self.a - self.b * libm::pow(x / self.scale, -self.c) }
    }

    /// Sum of squared residuals.
    pub fn loss(&self, points: &[Point]) -> f64 {
        let residuals = points.iter().map(|point| point.score - self.at(point.x));
        residuals.map(|residual| residual * residual).sum()
    }

    /// With u = (x / scale)^(−c) the curve is the line a − b · u:
    ///
    /// b = −Σ (u − ū)(y − ȳ) / Σ (u − ū)²,  a = ȳ + b · ū.
    ///
    /// The sum of squares is convex in a and b, so that where a bound is broken the best is on that bound.
    fn with_decay(points: &[Point], c: f64, scale: f64, ceiling: f64) -> Self {
        let u: Vec<f64> = points.iter().map(|point| libm::pow(point.x / scale, -c)).collect();
        let n = points.len().max(1) as f64;
        let mean_u = u.iter().sum::<f64>() / n;
        let mean_y = points.iter().map(|point| point.score).sum::<f64>() / n;
        let (mut uu, mut uy) = (0.0, 0.0);
        for (u, point) in u.iter().zip(points) {
            uu += (u - mean_u) * (u - mean_u);
            uy += (u - mean_u) * (point.score - mean_y);
        }
        let b = if uu > 0.0 { -uy / uu } else { 0.0 };
        let curve = |a: f64, b: f64| Self { a, b, c, scale };
        match mean_y + b * mean_u {
            a if b >= 0.0 && a <= ceiling => curve(a, b),
            _ => {
                // On the bound b = 0 the best a is the mean; on a = ceiling b = Σ u (ceiling − y) / Σ u².
                let square: f64 = u.iter().map(|u| u * u).sum();
                let missing: f64 = u.iter().zip(points).map(|(u, point)| u * (ceiling - point.score)).sum();
                let flat = curve(mean_y.min(ceiling), 0.0);
                let full = curve(ceiling, if square > 0.0 { (missing / square).max(0.0) } else { 0.0 });
                if flat.loss(points) <= full.loss(points) { flat } else { full }
            }
        }
    }
}

/// The lowest place of a function with one valley between `low` and `high`.
fn golden_section(loss: &impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let ratio = (libm::sqrt(5.0) - 1.0) / 2.0;
    let (mut left, mut right) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut at_left, mut at_right) = (loss(left), loss(right));
    for _ in 0..60 {
        if at_left <= at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - ratio * (high - low);
            at_left = loss(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + ratio * (high - low);
            at_right = loss(right);
        }
    }
    if at_left <= at_right { left } else { right }
}
