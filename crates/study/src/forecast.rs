//! How good a parser will be after more hours of annotation: a learning curve and how sure it is.
//!
//! A parser learns from growing parts of the annotation and is scored on the rest ([`trials`], [`Measured`]). Its scores are
//! taken for points of a power law in the number x of annotated heads,
//!
//! score(x) = a − b · x^(−c),
//!
//! about which something is known before any is measured ([`Prior`]): how fast parsers learn does not differ much between
//! languages. Three things make a score differ from the curve, and all are in the intervals: which sentences happened to be
//! scored (they are the same at every amount, so that this moves the whole curve), which happened to be learned from, and
//! which will be in the text that the parser is scored on in the end.

mod curve;
mod measured;
mod mixture;
mod posterior;
mod reliability;
mod trials;

pub use curve::Curve;
pub use measured::Measured;
pub use reliability::{Reliability, reliability};
pub use trials::{Course, Trial, trials};

use crate::Error;
use crate::error::in_range;
use posterior::DecayCell;
use serde::{Deserialize, Serialize};

/// A score reached with some amount of annotation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Annotated heads.
    pub x: f64,
    /// The score: a share of right heads.
    pub score: f64,
}

/// What is known of learning curves before one is measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prior {
    /// The usual decay c.
    pub decay: f64,
    /// Standard deviation of ln c.
    pub decay_spread: f64,
    /// Of what is missing at the last point, the share that is usually missing still in the limit.
    pub limit_missing: f64,
    /// Its standard deviation.
    pub limit_spread: f64,
    /// Standard deviation of the score of a parser that learned from 1,000 other heads; it goes with 1 / √heads.
    pub training_noise: f64,
    /// Standard deviation of scores between the annotated text and the one that is scored, if that is another text, which is
    /// easier or harder as a whole; 0 if it is of the same. Between training and dev files of eight treebanks it was 0.035.
    pub text_spread: f64,
}

impl Default for Prior {
    /// Chosen on treebanks (`bench forecast --dev`) that no figures are reported on.
    fn default() -> Self {
        Self {
            decay: 0.45,
            decay_spread: 0.4,
            limit_missing: 0.4,
            limit_spread: 0.2,
            training_noise: 0.009,
            text_spread: 0.0,
        }
    }
}

/// How to forecast.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// The share of cases in which an interval should hold the score that is measured later.
    pub level: f64,
    /// Heads of the text that is scored then.
    pub test_heads: f64,
    /// What is known of learning curves.
    pub prior: Prior,
}

impl Default for Options {
    fn default() -> Self {
        Self { level: 0.8, test_heads: 2000.0, prior: Prior::default() }
    }
}

/// A learning curve, and others that it might be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Forecast {
    /// The most probable curve of the most probable decay.
    pub curve: Curve,
    /// Root of the mean squared difference between the scores and what is expected.
    pub error: f64,
    /// Points it was fitted to.
    pub n_points: usize,
    /// The share of cases in which an interval should hold the score that is measured later.
    pub level: f64,
    /// How much the score rose from the first point to the last, and the standard error of that.
    pub rise: (f64, f64),
    cells: Vec<DecayCell>,
    prior: Prior,
    /// Variance of the score of a text because of its size.
    test_variance: f64,
}

/// The score to expect.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Prediction {
    /// Annotated heads.
    pub x: f64,
    /// The score that is expected on average.
    pub score: f64,
    /// Where the score that is measured is likely to lie.
    pub interval: (f64, f64),
}

/// No score is better.
const CEILING: f64 = 1.0;

/// Fits a learning curve.
///
/// Points at fewer than three amounts are refused: the curve has three unknowns.
pub fn forecast(measured: &Measured, options: &Options) -> Result<Forecast, Error> {
    let points = measured.points();
    check(&points, options)?;
    let prior = &options.prior;
    let (mut noise, m) = (measured.covariance(), points.len());
    let test_variance = noise[m * m - 1] * measured.total() as f64 / options.test_heads;
    let rise = rise(&points, &noise);
    for (at, point) in points.iter().enumerate() {
        let share = point.x / points[m - 1].x;
        // Folds that learn from a small share do so from different sentences, those that learn from all from the same.
        noise[at * m + at] += variance(prior.training_noise, point.x) * share.max(0.2) + 1e-8;
    }
    let cells = posterior::cells(&points, &noise, prior, CEILING);
    let likely = cells.iter().max_by(|a, b| a.weight.total_cmp(&b.weight));
    let curve = likely.map(|cell| cell.curve).ok_or(Error::TooFewPoints { found: m, needed: 3 })?;
    let mut forecast = Forecast {
        curve,
        error: 0.0,
        n_points: m,
        level: options.level,
        rise,
        cells,
        prior: *prior,
        test_variance,
    };
    let off = |point: &Point| forecast.at(point.x).score - point.score;
    let squares: f64 = points.iter().map(|point| off(point) * off(point)).sum();
    forecast.error = libm::sqrt(squares / m as f64);
    Ok(forecast)
}

/// The variance of scores because of which heads were learned from.
fn variance(training_noise: f64, x: f64) -> f64 {
    training_noise * training_noise * 1000.0 / x
}

fn rise(points: &[Point], covariance: &[f64]) -> (f64, f64) {
    let (m, last) = (points.len(), points.len() - 1);
    let variance = covariance[0] + covariance[m * m - 1] - 2.0 * covariance[last];
    (points[last].score - points[0].score, libm::sqrt(variance.max(0.0)))
}

fn check(points: &[Point], options: &Options) -> Result<(), Error> {
    let Options { level, test_heads, prior } = options;
    in_range("the level", *level, "between 0 and 1", *level > 0.0 && *level < 1.0)?;
    in_range("the heads of the text to be scored", *test_heads, "more than 0", *test_heads > 0.0)?;
    for (what, value) in [
        ("the usual decay", prior.decay),
        ("the spread of decays", prior.decay_spread),
        ("the spread of limits", prior.limit_spread),
    ] {
        in_range(what, value, "more than 0", value > 0.0 && value.is_finite())?;
    }
    for &Point { x, score } in points {
        in_range("the amount of annotation", x, "more than 0", x > 0.0 && x.is_finite())?;
        in_range("the score", score, "from 0 to 1", (0.0..=CEILING).contains(&score))?;
    }
    let mut amounts: Vec<f64> = points.iter().map(|point| point.x).collect();
    amounts.sort_unstable_by(f64::total_cmp);
    amounts.dedup();
    match amounts.len() {
        found @ ..3 => Err(Error::TooFewPoints { found, needed: 3 }),
        _ => Ok(()),
    }
}

impl Forecast {
    /// The score after so much annotation in all.
    pub fn at(&self, x: f64) -> Prediction {
        self.at_level(x, self.level)
    }

    /// The same with an interval of another level.
    pub fn at_level(&self, x: f64, level: f64) -> Prediction {
        let mixture = self.mixture(x);
        let tail = (1.0 - level) / 2.0;
        let within = |score: f64| score.clamp(0.0, CEILING);
        let interval = (within(mixture.quantile(tail)), within(mixture.quantile(1.0 - tail)));
        Prediction { x, score: within(mixture.mean()), interval }
    }

    /// How probable it is that the score after so much annotation is at most this.
    pub fn probability_below(&self, x: f64, score: f64) -> f64 {
        self.mixture(x).cdf(score)
    }

    /// The scores after some more hours, of which each adds `per_hour` to the `so_far`.
    pub fn after_hours(&self, so_far: f64, per_hour: f64, hours: &[f64]) -> Vec<Prediction> {
        hours.iter().map(|hours| self.at(so_far + per_hour * hours)).collect()
    }

    /// How much more the parser scores after `to` heads than after `from`, on the same text: how easy the text is does not
    /// matter then.
    pub fn gain(&self, from: f64, to: f64) -> Prediction {
        let noise = variance(self.prior.training_noise, from) + variance(self.prior.training_noise, to);
        // The parsers have learned from the same heads, up to the smaller number: that much of their luck they share.
        let shared = 2.0 * variance(self.prior.training_noise, from.max(to));
        let part = |cell: &DecayCell| {
            let (mean, variance) = cell.between(from, to);
            (cell.weight, mean, libm::sqrt(variance + (noise - shared).max(0.0) + 1e-12))
        };
        let mixture = mixture::Mixture(self.cells.iter().map(part).collect());
        let tail = (1.0 - self.level) / 2.0;
        Prediction {
            x: to,
            score: mixture.mean(),
            interval: (mixture.quantile(tail), mixture.quantile(1.0 - tail)),
        }
    }

    /// Whether the scores rose by more than chance in the choice of sentences explains: two standard errors.
    pub fn tells(&self) -> bool {
        self.rise.0 > 2.0 * self.rise.1
    }

    fn mixture(&self, x: f64) -> mixture::Mixture {
        let spread = self.prior.text_spread;
        let more = variance(self.prior.training_noise, x) + self.test_variance + spread * spread;
        let part = |cell: &DecayCell| {
            let (mean, variance) = cell.at(x);
            (cell.weight, mean, libm::sqrt(variance + more))
        };
        mixture::Mixture(self.cells.iter().map(part).collect())
    }
}

#[cfg(test)]
mod tests;
