//! Categorical columns: multinomial probit. Level 0 has utility 0, the others N(z, 1); the largest wins.

use chain::Rng;
use libm::{exp, log, sqrt};
use num::dist::truncated_normal;
use num::special::ln_normal_cdf;

use super::{ColumnResponse, Level, Response, Working, mean_level};
use crate::cells::MISSING;

/// The level whose utility, around its latent value, is the largest.
pub(crate) struct Categorical {
    /// Of all levels but the first.
    pub(crate) latent: Vec<f64>,
}

impl Response for Categorical {
    type Value = Level;

    fn ln_probability(&self, Level(level): Level) -> f64 {
        ln_probability(level, &self.latent)
    }

    fn probabilities(&self) -> Vec<f64> {
        let ln = |level| ln_probability(level, &self.latent);
        let mut probabilities: Vec<f64> = (0..=self.latent.len()).map(|level| exp(ln(level))).collect();
        // Each is an integral of its own; what is left of their errors is shared.
        let total: f64 = probabilities.iter().sum();
        probabilities.iter_mut().for_each(|p| *p /= total);
        probabilities
    }

    fn mean(&self, probabilities: &[f64]) -> f64 {
        mean_level(probabilities)
    }

    fn draw(&self, _: &mut Rng) -> Option<f64> {
        None
    }

    /// The utilities themselves, which are kept: each is drawn given the others.
    fn hidden(&self, Level(level): Level, kept: &mut Vec<f64>, rng: &mut Rng) -> Vec<(f64, f64)> {
        if kept.is_empty() {
            kept.resize(self.latent.len(), 0.0);
            legal(level, kept);
        }
        draw_utilities(rng, level, &self.latent, kept);
        kept.iter().map(|&utility| (1.0, utility)).collect()
    }
}

/// The hidden utilities of a column, row by row.
pub(super) struct CategoricalColumn<'a> {
    pub(super) utilities: &'a mut [f64],
}

impl ColumnResponse for CategoricalColumn<'_> {
    type Cells<'c> = &'c [u16];
    type Working = [Working];

    fn augment(self, levels: &[u16], working: &mut [Working], rng: &mut Rng) -> f64 {
        let n = working.len();
        let mut latent = vec![0.0; n];
        let cells = self.utilities.chunks_exact_mut(n.max(1));
        for (row, (&level, cell)) in levels.iter().zip(cells).enumerate() {
            latent.iter_mut().zip(&*working).for_each(|(z, working)| *z = working.z[row]);
            if level == MISSING {
                working.iter_mut().for_each(|w| (w.weights[row], w.pulls[row]) = (0.0, 0.0));
                continue;
            }
            draw_utilities(rng, usize::from(level), &latent, cell);
            for (w, &utility) in working.iter_mut().zip(&*cell) {
                (w.weights[row], w.pulls[row]) = (1.0, utility);
            }
        }
        0.0
    }
}

/// Utilities of all rows, of n levels but the first, that agree with what is known.
pub(super) fn start(levels: &[u16], n: usize) -> Vec<f64> {
    let mut utilities = vec![0.0; levels.len() * n];
    for (&level, cell) in levels.iter().zip(utilities.chunks_exact_mut(n.max(1))) {
        legal(if level == MISSING { 0 } else { level.into() }, cell);
    }
    utilities
}

/// One Gibbs step for each utility given the others of its cell: the winner above all, the others below it.
fn draw_utilities(rng: &mut Rng, level: usize, latent: &[f64], utilities: &mut [f64]) {
    for at in 0..latent.len() {
        let rest = utilities.iter().enumerate().filter(|&(other, _)| other != at);
        let (low, high) = match level {
            0 => (f64::NEG_INFINITY, 0.0),
            won if won == at + 1 => (rest.fold(0.0, |most: f64, (_, &u)| most.max(u)), f64::INFINITY),
            won => (f64::NEG_INFINITY, utilities[won - 1]),
        };
        utilities[at] = truncated_normal(rng, latent[at], 1.0, low, high);
    }
}

/// A legal set of utilities for a level, to start from.
fn legal(level: usize, utilities: &mut [f64]) {
    utilities.fill(-0.5);
    if level > 0 {
        utilities[level - 1] = 0.5;
    }
}

/// ln P(level): Π Φ(−z) for level 0, and ∫₀^∞ φ(u − z_j) Π Φ(u − z_l) du for the others.
fn ln_probability(level: usize, latent: &[f64]) -> f64 {
    if level == 0 {
        return latent.iter().map(|z| ln_normal_cdf(-z)).sum();
    }
    let won = Won { own: latent[level - 1], level, latent };
    let centre = won.peak();
    // The logarithm is concave, with a second derivative of −1 at most: t beyond the peak it has fallen by s t + t²/2 at
    // least, where −s is its derivative there, so that t = √(s² + 2 · drop) − s is far enough.
    let s = (-won.derivative(centre)).max(0.0);
    let from = -centre.min(sqrt(2.0 * DROP));
    let to = 2.0 * DROP / (s + sqrt(s * s + 2.0 * DROP));
    let step = (to - from) / STEPS as f64;
    // Beyond 10¹⁶ the peak lies between numbers, but nothing is above it.
    let at = |i: usize| exp(won.fall(centre, from + i as f64 * step).min(0.0));
    let inner: f64 = (1..STEPS).map(|i| weight(i) * at(i)).sum();
    won.ln_integrand(centre) + log((at(0) + at(STEPS) + inner) * step / 3.0) - LN_SQRT_TAU
}

/// Simpson's rule: 4, 2, 4, …
fn weight(at: usize) -> f64 {
    if at % 2 == 1 { 4.0 } else { 2.0 }
}

/// Nothing is left of an integrand that has fallen to e⁻⁴⁰.
const DROP: f64 = 40.0;
const STEPS: usize = 96;
/// ln √2π
const LN_SQRT_TAU: f64 = 0.918_938_533_204_672_8;

/// A level above 0 whose utility is the largest.
struct Won<'a> {
    own: f64,
    level: usize,
    latent: &'a [f64],
}

impl Won<'_> {
    fn rivals(&self) -> impl Iterator<Item = f64> {
        self.latent.iter().enumerate().filter(|&(at, _)| at + 1 != self.level).map(|(_, &z)| z)
    }

    /// −(u − z_j)²/2 + Σ ln Φ(u − z_l)
    fn ln_integrand(&self, u: f64) -> f64 {
        -0.5 * (u - self.own) * (u - self.own) + self.rivals().map(|z| ln_normal_cdf(u - z)).sum::<f64>()
    }

    /// What [`Won::ln_integrand`] is at c + t above what it is at c. Far below its rivals both are so large that nothing would be
    /// left of their difference; since Φ = φ/r, that of ln Φ is −xt − t²/2 − ln(r(x + t)/r(x)), of which the first terms cancel
    /// with one another.
    fn fall(&self, c: f64, t: f64) -> f64 {
        let (mut line, mut rest) = (self.own - c, -0.5 * t * t);
        for x in self.rivals().map(|z| c - z) {
            if x < FAR {
                line -= x;
                rest -= 0.5 * t * t + log(Mills::at(x + t).ratio / Mills::at(x).ratio);
            } else {
                rest += ln_normal_cdf(x + t) - ln_normal_cdf(x);
            }
        }
        line * t + rest
    }

    /// z_j − u + Σ r(u − z_l)
    fn derivative(&self, u: f64) -> f64 {
        self.own - u + self.rivals().map(|z| Mills::at(u - z).ratio).sum::<f64>()
    }

    /// −1 − Σ r (x + r)
    fn bend(&self, u: f64) -> f64 {
        -1.0 - self.rivals().map(|z| Mills::at(u - z)).map(|mills| mills.ratio * mills.excess).sum::<f64>()
    }

    /// Where the integrand is largest on [0, ∞), by Newton's method between bounds. Rivals push it up by less than 0.8 each
    /// once it is above them all.
    fn peak(&self) -> f64 {
        if self.derivative(0.0) <= 0.0 {
            return 0.0;
        }
        let highest = self.rivals().fold(self.own, f64::max).max(0.0);
        let (mut low, mut high) = (self.own.max(0.0), highest + 0.8 * self.latent.len() as f64);
        let mut u = low;
        for _ in 0..MOST_STEPS {
            let derivative = self.derivative(u);
            if derivative > 0.0 {
                low = u
            } else {
                high = u
            }
            let next = u - derivative / self.bend(u);
            let next = if next > low && next < high { next } else { 0.5 * (low + high) };
            let moved = (next - u).abs();
            u = next;
            if moved < STILL {
                break;
            }
        }
        u
    }
}

const MOST_STEPS: usize = 200;
/// The integrand hardly changes within this distance of its peak.
const STILL: f64 = 1e-4;
/// Below this ln Φ is best taken apart.
const FAR: f64 = -30.0;

/// r(x) = φ(x)/Φ(x), the inverse of Mills' ratio, and x + r(x).
struct Mills {
    ratio: f64,
    excess: f64,
}

impl Mills {
    /// Far below 0 by the continued fraction x + r = 1/(−x + 2/(−x + 3/(−x + …))).
    fn at(x: f64) -> Mills {
        if x < FAR {
            let excess = 1.0 / (-x + 2.0 / (-x - 3.0 / x));
            return Mills { ratio: excess - x, excess };
        }
        let ratio = exp(-0.5 * x * x - LN_SQRT_TAU - ln_normal_cdf(x));
        Mills { ratio, excess: x + ratio }
    }
}
