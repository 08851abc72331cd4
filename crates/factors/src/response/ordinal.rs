//! Ordinal columns: a hidden number around z falls between cut points, of which the first is 0.

use chain::Rng;
use libm::{exp, expm1, log};
use num::dist::{Slice, polya_gamma, slice, truncated_normal};

use super::{ColumnResponse, Level, Response, Working, ln_between, ln_cdf, mean_level};
use crate::cells::MISSING;
use crate::options::{Link, Options};

/// A level between cut points on a hidden number around z.
pub(crate) struct Ordinal<'a> {
    pub(crate) z: f64,
    pub(crate) cuts: &'a [f64],
    pub(crate) link: Link,
}

impl Response for Ordinal<'_> {
    type Value = Level;

    fn ln_probability(&self, Level(level): Level) -> f64 {
        ln_probability(level, self.cuts, self.z, self.link)
    }

    fn probabilities(&self) -> Vec<f64> {
        (0..=self.cuts.len()).map(|level| exp(self.ln_probability(Level(level)))).collect()
    }

    fn mean(&self, probabilities: &[f64]) -> f64 {
        mean_level(probabilities)
    }

    fn draw(&self, _: &mut Rng) -> Option<f64> {
        None
    }

    fn hidden(&self, Level(level): Level, _: &mut Vec<f64>, rng: &mut Rng) -> Vec<(f64, f64)> {
        vec![cell(level, self.cuts, self.link, self.z, rng)]
    }
}

/// The cut points of a column.
pub(super) struct OrdinalColumn<'a> {
    pub(super) cuts: &'a mut [f64],
    pub(super) settings: &'a Options,
}

impl ColumnResponse for OrdinalColumn<'_> {
    type Cells<'c> = &'c [u16];
    type Working = Working;

    fn augment(self, levels: &[u16], working: &mut Working, rng: &mut Rng) -> f64 {
        augment(levels, self.cuts, self.settings, working, rng)
    }
}

/// Cut points given z with the hidden numbers integrated out, which moves them farther than drawing between the hidden
/// numbers next to them; then the hidden numbers.
fn augment(
    levels: &[u16],
    cuts: &mut [f64],
    settings: &Options,
    working: &mut Working,
    rng: &mut Rng,
) -> f64 {
    let seen = |level: &u16| *level != MISSING;
    let cells = levels.iter().zip(&working.z).filter(|(level, _)| seen(level));
    let log_likelihood = cells.map(|(&level, &z)| ln_probability(level.into(), cuts, z, settings.link)).sum();
    let by_level = ByLevel::new(levels, &working.z, cuts.len() + 1);
    for at in 1..cuts.len() {
        cuts[at] = draw_cut(at, cuts, &by_level, settings, rng);
    }
    for (i, &level) in levels.iter().enumerate() {
        let z = working.z[i];
        (working.weights[i], working.pulls[i]) = match level {
            MISSING => (0.0, 0.0),
            level => cell(level.into(), cuts, settings.link, z, rng),
        };
    }
    log_likelihood
}

/// The interval of hidden numbers that means this level.
fn interval(level: usize, cuts: &[f64]) -> (f64, f64) {
    let low = if level == 0 { f64::NEG_INFINITY } else { cuts[level - 1] };
    (low, cuts.get(level).copied().unwrap_or(f64::INFINITY))
}

/// The log-probability of a level.
fn ln_probability(level: usize, cuts: &[f64], z: f64, link: Link) -> f64 {
    let (low, high) = interval(level, cuts);
    ln_between(link, low - z, high - z)
}

/// The latent values of the cells of each level.
struct ByLevel {
    z: Vec<Vec<f64>>,
}

impl ByLevel {
    fn new(levels: &[u16], z: &[f64], n_levels: usize) -> ByLevel {
        let mut sorted = vec![Vec::new(); n_levels];
        for (&level, &z) in levels.iter().zip(z) {
            if let Some(cells) = sorted.get_mut(usize::from(level)) {
                cells.push(z);
            }
        }
        ByLevel { z: sorted }
    }
}

/// A cut point only matters to the levels on its two sides; its prior is normal between its neighbours.
fn draw_cut(at: usize, cuts: &[f64], by_level: &ByLevel, settings: &Options, rng: &mut Rng) -> f64 {
    let (below, above) = (cuts[at - 1], cuts.get(at + 1).copied().unwrap_or(f64::INFINITY));
    let sd = settings.prior.cut_sd;
    let log_density = |cut: f64| {
        let lower = by_level.z[at].iter().map(|z| ln_between(settings.link, below - z, cut - z));
        let upper = by_level.z[at + 1].iter().map(|z| ln_between(settings.link, cut - z, above - z));
        lower.sum::<f64>() + upper.sum::<f64>() - 0.5 * (cut / sd) * (cut / sd)
    };
    let options = Slice { width: WIDTH, lower: below, upper: above, ..Slice::default() };
    slice(rng, cuts[at], &options, log_density)
}

/// About as wide as the slice of a cut point with some dozen cells on either side.
const WIDTH: f64 = 0.5;

/// Weight and pull of one cell.
fn cell(level: usize, cuts: &[f64], link: Link, z: f64, rng: &mut Rng) -> (f64, f64) {
    let (low, high) = interval(level, cuts);
    let (weight, hidden) = hidden(rng, link, z, low, high);
    (weight, weight * hidden)
}

/// The precision of a hidden number and the number, between the cut points.
///
/// A logistic number is normal with a random precision: ε | ω ~ N(0, 1/ω) with ω ~ PG(2, ε) afterwards, since its density
/// e^ε/(1 + e^ε)² is of the Pólya-Gamma form with a = 1 and b = 2, for which the linear term a − b/2 vanishes.
fn hidden(rng: &mut Rng, link: Link, z: f64, low: f64, high: f64) -> (f64, f64) {
    match link {
        Link::Probit => (1.0, truncated_normal(rng, z, 1.0, low, high)),
        Link::Logit => {
            let noise = truncated_logistic(rng, low - z, high - z);
            (polya_gamma(rng, 2.0, noise), z + noise)
        }
    }
}

/// A standard logistic number in an interval, by inversion on the side where probabilities are small.
fn truncated_logistic(rng: &mut Rng, low: f64, high: f64) -> f64 {
    if low > 0.0 {
        return -truncated_logistic(rng, -high, -low);
    }
    let u = rng.uniform_open();
    let x = if high <= 0.0 {
        // Hundreds of units from 0 only the logarithms of probabilities are there:
        // p = F(low) + u (F(high) − F(low)), and x = ln p − ln(1 − p).
        let (below, top) = (ln_cdf(Link::Logit, low), ln_cdf(Link::Logit, high));
        let ln_p = top + log(u + (1.0 - u) * exp(below - top));
        ln_p - log(-expm1(ln_p))
    } else {
        // Both tails that are cut off are at most one half, so that neither p nor 1 − p cancels.
        let cdf = |x: f64| 1.0 / (1.0 + exp(-x));
        let (below, above) = (cdf(low), cdf(-high));
        let inside = 1.0 - below - above;
        log(below + inside * u) - log(above + inside * (1.0 - u))
    };
    x.clamp(low, high)
}
