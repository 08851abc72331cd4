//! R̂: do the chains agree?

use super::moments::{mean, variance};
use super::rank::{fold, rank_normalise};
use super::split;

/// R̂ in its present form: the larger one of the rank-normalised split R̂ of the values (do the chains
/// agree in place?) and of their distances from the median (in spread?). Below 1.01 is good.
pub fn rhat<C: AsRef<[f64]>>(chains: &[C]) -> Option<f64> {
    let halves = split(chains)?;
    let place = potential_reduction(&rank_normalise(&halves))?;
    let spread = potential_reduction(&rank_normalise(&fold(&halves)))?;
    Some(place.max(spread))
}

/// Split R̂ of the values themselves (Gelman et al. 2013).
pub fn split_rhat<C: AsRef<[f64]>>(chains: &[C]) -> Option<f64> {
    potential_reduction(&split(chains)?)
}

/// √(((n − 1)/n · W + B/n) / W), with W the variance within chains and B/n that of the chains' means.
fn potential_reduction(chains: &[Vec<f64>]) -> Option<f64> {
    let n = chains.first()?.len() as f64;
    let within = mean(&chains.iter().map(|chain| variance(chain)).collect::<Vec<f64>>());
    let between = variance(&chains.iter().map(|chain| mean(chain)).collect::<Vec<f64>>());
    (within > 0.0).then(|| libm::sqrt(((n - 1.0) / n * within + between) / within))
}
