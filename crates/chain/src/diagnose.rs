//! Has the sampler converged, and how much is known?
//!
//! After Vehtari, Gelman, Simpson, Carpenter & Bürkner (2021), "Rank-normalization, folding, and
//! localization: an improved R̂". All functions take one series per chain, cut to the shortest, and return
//! `None` where the answer is undefined: fewer than eight draws, a value that is not finite, no variation.

mod ess;
mod moments;
mod psis;
mod rank;
mod rhat;
mod summary;

pub use ess::{ess_bulk, ess_mean, ess_tail, mcse_mean};
pub use moments::{autocorrelation, quantile};
pub use psis::psis_loo;
pub use rhat::{rhat, split_rhat};
pub use summary::{Summary, geweke_z, summarise};

/// The fewest draws per chain that are judged: four in each half.
const FEWEST: usize = 8;

/// Each chain as two, so that a chain that is still on its way disagrees with itself. The middle draw of
/// an odd number is left out.
fn split<C: AsRef<[f64]>>(chains: &[C]) -> Option<Vec<Vec<f64>>> {
    let n = chains.iter().map(|chain| chain.as_ref().len()).min()?;
    let sound = n >= FEWEST && chains.iter().all(|chain| chain.as_ref()[..n].iter().all(|x| x.is_finite()));
    let halves = |chain: &C| {
        let chain = &chain.as_ref()[..n];
        [chain[..n / 2].to_vec(), chain[n - n / 2..].to_vec()]
    };
    sound.then(|| chains.iter().flat_map(halves).collect())
}

#[cfg(test)]
mod tests;
