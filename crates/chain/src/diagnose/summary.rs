//! All about one scalar in one row.

use super::ess::{ess, ess_bulk, ess_tail, mcse_mean};
use super::moments::{mean, quantile, variance};
use super::rhat::rhat;
use super::{FEWEST, split};

/// What there is to say about one scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The mean over all chains.
    pub mean: f64,
    /// The standard deviation over all chains.
    pub sd: f64,
    /// The 5%, 50% and 95% quantiles.
    pub quantiles: [f64; 3],
    /// See [`rhat`].
    pub rhat: Option<f64>,
    /// See [`ess_bulk`].
    pub ess_bulk: Option<f64>,
    /// See [`ess_tail`].
    pub ess_tail: Option<f64>,
    /// See [`mcse_mean`].
    pub mcse: Option<f64>,
}

/// Summarises one scalar; `None` without at least two draws.
pub fn summarise<C: AsRef<[f64]>>(chains: &[C]) -> Option<Summary> {
    let all: Vec<f64> = chains.iter().flat_map(|chain| chain.as_ref()).copied().collect();
    (all.len() > 1).then(|| Summary {
        mean: mean(&all),
        sd: libm::sqrt(variance(&all)),
        quantiles: [0.05, 0.5, 0.95].map(|p| quantile(&all, p)),
        rhat: rhat(chains),
        ess_bulk: ess_bulk(chains),
        ess_tail: ess_tail(chains),
        mcse: mcse_mean(chains),
    })
}

/// Geweke's (1992) comparison of the first tenth of a chain with its second half: about N(0, 1) if the
/// chain is stationary.
pub fn geweke_z(series: &[f64]) -> Option<f64> {
    let n = series.len();
    let (early, late) = (&series[..n / 10], &series[n - n / 2..]);
    if early.len() < FEWEST {
        return None;
    }
    // Splitting is asked only whether all values are finite.
    split(&[series])?;
    let squared_error = |part: &[f64]| Some(variance(part) / ess(&[part.to_vec()])?);
    Some((mean(early) - mean(late)) / libm::sqrt(squared_error(early)? + squared_error(late)?))
}
