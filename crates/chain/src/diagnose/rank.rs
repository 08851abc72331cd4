//! Replacing values by normal scores of their ranks, so that heavy tails cannot hide anything.

use super::moments::quantile;
use num::special::normal_quantile;

/// z = Φ⁻¹((rank − 3/8) / (S + 1/4)), with ranks over all chains and ties sharing their mean rank.
pub(super) fn rank_normalise(chains: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let ranks = ranks(&chains.concat());
    let total = ranks.len() as f64;
    let mut scores = ranks.iter().map(|rank| normal_quantile((rank - 0.375) / (total + 0.25)));
    chains.iter().map(|chain| scores.by_ref().take(chain.len()).collect()).collect()
}

/// |x − median|: a chain that differs in spread then differs in place.
pub(super) fn fold(chains: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let median = quantile(&chains.concat(), 0.5);
    chains.iter().map(|chain| chain.iter().map(|x| (x - median).abs()).collect()).collect()
}

/// Ranks from 1; equal values share the mean of their ranks.
fn ranks(xs: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..xs.len()).collect();
    order.sort_by(|&i, &j| xs[i].total_cmp(&xs[j]));
    let mut ranks = vec![0.0; xs.len()];
    let mut first = 0;
    for tied in order.chunk_by(|&i, &j| xs[i] == xs[j]) {
        let shared = first as f64 + (tied.len() as f64 + 1.0) / 2.0;
        tied.iter().for_each(|&i| ranks[i] = shared);
        first += tied.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_their_mean_rank() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0, 3.0]), [4.0, 1.0, 4.0, 2.0, 4.0]);
    }
}
