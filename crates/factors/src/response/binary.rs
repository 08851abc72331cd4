//! Binary columns: P(y = 1) is the logistic or normal distribution function at z.

use chain::Rng;
use libm::exp;
use num::dist::{polya_gamma, truncated_normal};

use super::{ColumnResponse, Level, Response, Working, ln_cdf, mean_level};
use crate::cells::MISSING;
use crate::options::Link;

/// No or yes, with log-odds z or a hidden normal number around z.
pub(crate) struct Binary {
    pub(crate) z: f64,
    pub(crate) link: Link,
}

impl Response for Binary {
    type Value = Level;

    fn ln_probability(&self, level: Level) -> f64 {
        ln_cdf(self.link, if level == YES { self.z } else { -self.z })
    }

    fn probabilities(&self) -> Vec<f64> {
        [NO, YES].map(|level| exp(self.ln_probability(level))).to_vec()
    }

    fn mean(&self, probabilities: &[f64]) -> f64 {
        mean_level(probabilities)
    }

    fn draw(&self, _: &mut Rng) -> Option<f64> {
        None
    }

    fn hidden(&self, level: Level, _: &mut Vec<f64>, rng: &mut Rng) -> Vec<(f64, f64)> {
        vec![cell(level == YES, self.link, self.z, rng)]
    }
}

const NO: Level = Level(0);
const YES: Level = Level(1);

/// A column has nothing but the link.
pub(super) struct BinaryColumn {
    pub(super) link: Link,
}

impl ColumnResponse for BinaryColumn {
    type Cells<'c> = &'c [u16];
    type Working = Working;

    /// One cell after the other; see [`cell`].
    fn augment(self, levels: &[u16], working: &mut Working, rng: &mut Rng) -> f64 {
        let Working { z, weights, pulls, .. } = working;
        let mut log_likelihood = 0.0;
        for (((&level, &z), weight), pull) in levels.iter().zip(&*z).zip(weights).zip(pulls) {
            if level == MISSING {
                (*weight, *pull) = (0.0, 0.0);
                continue;
            }
            log_likelihood += ln_cdf(self.link, if level == 1 { z } else { -z });
            (*weight, *pull) = cell(level == 1, self.link, z, rng);
        }
        log_likelihood
    }
}

/// Logit: weight ω ~ PG(1, z) and pull y − ½. Probit: a hidden N(z, 1) on the side of 0 that y says, weight 1.
fn cell(yes: bool, link: Link, z: f64, rng: &mut Rng) -> (f64, f64) {
    match link {
        Link::Logit => (polya_gamma(rng, 1.0, z), if yes { 0.5 } else { -0.5 }),
        Link::Probit if yes => (1.0, truncated_normal(rng, z, 1.0, 0.0, f64::INFINITY)),
        Link::Probit => (1.0, truncated_normal(rng, z, 1.0, f64::NEG_INFINITY, 0.0)),
    }
}
