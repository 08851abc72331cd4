//! What a cell is likely to be if a model took it for a number.
//!
//! The model says N(z, s²). A continuous cell has that density. A count or a level in an order is the number rounded to
//! the nearest of them: everything below the least one counts for that, everything above the largest one too. Categories
//! have one number for each level, whose means are taken for probabilities. So all levels together have probability one.

use chain::Rng;
use libm::{exp, log, round};

use crate::Value;
use crate::options::Link;
use crate::predictive::Predictive;
use crate::response::{Foreign, Level, Typed, ln_between, ln_density, mean_level};

/// A normal distribution, of a continuous cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Normal {
    pub(crate) mean: f64,
    pub(crate) sd: f64,
}

impl Normal {
    fn number(&self, rng: &mut Rng) -> f64 {
        self.mean + self.sd * num::dist::normal(rng)
    }
}

impl Predictive for Normal {
    fn ln_probability(&self, value: Value) -> Result<f64, Foreign> {
        Ok(ln_density(f64::typed(value)? - self.mean, self.sd * self.sd, None))
    }

    fn probabilities(&self) -> Vec<f64> {
        Vec::new()
    }

    fn mean(&self, _: &[f64]) -> f64 {
        self.mean
    }

    fn draw(&self, rng: &mut Rng) -> Option<f64> {
        Some(self.number(rng))
    }
}

/// A number rounded to a count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoundedCount(pub(crate) Normal);

impl Predictive for RoundedCount {
    fn ln_probability(&self, value: Value) -> Result<f64, Foreign> {
        Ok(ln_rounded(u32::typed(value)?.into(), None, &self.0))
    }

    fn probabilities(&self) -> Vec<f64> {
        Vec::new()
    }

    /// z, which may lie below 0.
    fn mean(&self, _: &[f64]) -> f64 {
        self.0.mean
    }

    fn draw(&self, rng: &mut Rng) -> Option<f64> {
        Some(round(self.0.number(rng)).clamp(0.0, f64::from(u32::MAX)))
    }
}

/// A number rounded to one of so many levels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoundedLevel {
    pub(crate) normal: Normal,
    pub(crate) n_levels: usize,
}

impl RoundedLevel {
    fn ln_level(&self, level: usize) -> f64 {
        ln_rounded(level as f64, Some(self.n_levels), &self.normal)
    }
}

impl Predictive for RoundedLevel {
    fn ln_probability(&self, value: Value) -> Result<f64, Foreign> {
        let Level(level) = Level::typed(value)?;
        Ok(self.ln_level(level))
    }

    fn probabilities(&self) -> Vec<f64> {
        (0..self.n_levels).map(|level| exp(self.ln_level(level))).collect()
    }

    /// z, which may lie beyond the levels.
    fn mean(&self, _: &[f64]) -> f64 {
        self.normal.mean
    }

    fn draw(&self, _: &mut Rng) -> Option<f64> {
        None
    }
}

/// A guess of 0 or 1 for each category.
#[derive(Clone, Debug)]
pub(crate) struct Guesses(pub(crate) Vec<Normal>);

impl Predictive for Guesses {
    fn ln_probability(&self, value: Value) -> Result<f64, Foreign> {
        let Level(level) = Level::typed(value)?;
        Ok(log(self.probabilities()[level]))
    }

    /// No guess below a hundredth, and in all one.
    fn probabilities(&self) -> Vec<f64> {
        let mut shares: Vec<f64> = self.0.iter().map(|normal| normal.mean.max(LEAST)).collect();
        let total: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= total);
        shares
    }

    fn mean(&self, probabilities: &[f64]) -> f64 {
        mean_level(probabilities)
    }

    fn draw(&self, _: &mut Rng) -> Option<f64> {
        None
    }
}

const LEAST: f64 = 0.01;

/// ln P(y − ½ < N(z, s²) ≤ y + ½), without a bound below for y = 0 and without one above for the last of so many levels.
fn ln_rounded(y: f64, n_levels: Option<usize>, normal: &Normal) -> f64 {
    let standard = |x: f64| (x - normal.mean) / normal.sd;
    let last = n_levels.is_some_and(|n_levels| y + 1.0 == n_levels as f64);
    let low = if y == 0.0 { f64::NEG_INFINITY } else { standard(y - 0.5) };
    let high = if last { f64::INFINITY } else { standard(y + 0.5) };
    ln_between(Link::Probit, low, high)
}
