//! Binary columns: P(y = 1) is the logistic or normal distribution function at z.

use chain::Rng;
use num::dist::{polya_gamma, truncated_normal};

use super::{Working, ln_cdf};
use crate::cells::MISSING;
use crate::settings::Link;

/// One cell after the other; see [`cell`].
pub(super) fn augment(levels: &[u16], link: Link, working: &mut Working, rng: &mut Rng) -> f64 {
    let Working { z, weights, pulls, .. } = working;
    let mut log_likelihood = 0.0;
    for (((&level, &z), weight), pull) in levels.iter().zip(&*z).zip(weights).zip(pulls) {
        if level == MISSING {
            (*weight, *pull) = (0.0, 0.0);
            continue;
        }
        log_likelihood += ln_cdf(link, if level == 1 { z } else { -z });
        (*weight, *pull) = cell(level == 1, link, z, rng);
    }
    log_likelihood
}

/// Logit: weight ω ~ PG(1, z) and pull y − ½. Probit: a hidden N(z, 1) on the side of 0 that y says, weight 1.
pub(super) fn cell(yes: bool, link: Link, z: f64, rng: &mut Rng) -> (f64, f64) {
    match link {
        Link::Logit => (polya_gamma(rng, 1.0, z), if yes { 0.5 } else { -0.5 }),
        Link::Probit if yes => (1.0, truncated_normal(rng, z, 1.0, 0.0, f64::INFINITY)),
        Link::Probit => (1.0, truncated_normal(rng, z, 1.0, f64::NEG_INFINITY, 0.0)),
    }
}
