//! Effective sample size: how many independent draws are these draws worth?

use super::moments::{autocovariance, centred, mean, quantile, variance};
use super::rank::rank_normalise;
use super::split;

/// ESS for the bulk of the distribution: of rank-normalised draws. At least 100 per chain is good.
pub fn ess_bulk<C: AsRef<[f64]>>(chains: &[C]) -> Option<f64> {
    ess(&rank_normalise(&split(chains)?))
}

/// ESS for the tails: the smaller one of those for the 5% and the 95% quantile.
pub fn ess_tail<C: AsRef<[f64]>>(chains: &[C]) -> Option<f64> {
    let halves = split(chains)?;
    let all = halves.concat();
    let at = |p: f64| {
        let bound = quantile(&all, p);
        let below = |chain: &Vec<f64>| chain.iter().map(|&x| f64::from(x <= bound)).collect();
        ess(&halves.iter().map(below).collect::<Vec<Vec<f64>>>())
    };
    Some(at(0.05)?.min(at(0.95)?))
}

/// ESS for the mean: of the draws as they are.
pub fn ess_mean<C: AsRef<[f64]>>(chains: &[C]) -> Option<f64> {
    ess(&split(chains)?)
}

/// The standard error of the mean that is due to sampling: sd / √ESS.
pub fn mcse_mean<C: AsRef<[f64]>>(chains: &[C]) -> Option<f64> {
    let sd = libm::sqrt(variance(&split(chains)?.concat()));
    Some(sd / libm::sqrt(ess_mean(chains)?))
}

/// S / τ with τ = −1 + 2 Σ Pₖ, where Pₖ = ρ(2k) + ρ(2k + 1) is summed while it is positive and made to
/// fall (Geyer 1992); ρ combines all chains, so disagreement between them counts as correlation.
pub(super) fn ess(chains: &[Vec<f64>]) -> Option<f64> {
    let rho = Correlations::new(chains)?;
    let n = chains.first()?.len();
    let mut sum = 0.0;
    let mut k = 0;
    let mut last = f64::INFINITY;
    let (mut even, mut odd) = (1.0, rho.at(1));
    while even + odd > 0.0 && 2 * k + 5 < n {
        last = last.min(even + odd);
        sum += last;
        k += 1;
        (even, odd) = (rho.at(2 * k), rho.at(2 * k + 1));
    }
    // The first even lag after the sum still helps if it is positive (Vehtari et al. 2021).
    let tau = 2.0 * sum - 1.0 + even.max(0.0) * f64::from(k > 0);
    let total = (n * chains.len()) as f64;
    // Anticorrelated draws may be worth more than independent ones, but not without limit.
    Some(total / tau.max(1.0 / libm::log10(total)))
}

/// ρ(t) = 1 − (W − mean autocovariance at t) / V, where V estimates the variance over all chains.
struct Correlations {
    chains: Vec<Vec<f64>>,
    within: f64,
    overall: f64,
}

impl Correlations {
    fn new(chains: &[Vec<f64>]) -> Option<Correlations> {
        let n = chains.first()?.len() as f64;
        let within = mean(&chains.iter().map(|chain| variance(chain)).collect::<Vec<f64>>());
        let means: Vec<f64> = chains.iter().map(|chain| mean(chain)).collect();
        let between = if means.len() > 1 { variance(&means) } else { 0.0 };
        let overall = within * (n - 1.0) / n + between;
        let chains = chains.iter().map(|chain| centred(chain)).collect();
        (within > 0.0).then_some(Correlations { chains, within, overall })
    }

    fn at(&self, lag: usize) -> f64 {
        let covariances: Vec<f64> = self.chains.iter().map(|chain| autocovariance(chain, lag)).collect();
        1.0 - (self.within - mean(&covariances)) / self.overall
    }
}
