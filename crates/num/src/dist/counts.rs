//! Distributions over counts.

use super::gamma::log_beta;
use crate::streams::Rng;

/// A draw from Binomial(n, p), exact, in O(log n) steps.
pub fn binomial(rng: &mut Rng, n: u64, p: f64) -> u64 {
    let (mut n, mut p, mut successes) = (n, p, 0);
    while n > FEW {
        // The middle one of n ordered uniform numbers is Beta distributed; n/2 of them lie on either side
        // of it, so comparing it with p settles half of the trials at once (Relles 1972).
        let middle = n / 2 + 1;
        let (log_x, log_1mx) = log_beta(rng, middle as f64, (n - middle + 1) as f64);
        let x = libm::exp(log_x);
        if x <= p {
            successes += middle;
            n -= middle;
            p = (p - x) / libm::exp(log_1mx);
        } else {
            n = middle - 1;
            p /= x;
        }
    }
    successes + (0..n).filter(|_| rng.bernoulli(p)).count() as u64
}

/// Below this, flipping coins is faster.
const FEW: u64 = 24;

/// How often each of several things is drawn in n draws in proportion to the weights.
///
/// `None` if a weight is negative or NaN, or if the weights sum to 0 or to infinity.
pub fn multinomial(rng: &mut Rng, n: u64, weights: &[f64]) -> Option<Vec<u64>> {
    // rest[i] is the weight of everything from i on, summed from the back so that it ends in exact zeros.
    let mut rest = weights.to_vec();
    for i in (1..rest.len()).rev() {
        rest[i - 1] += rest[i];
    }
    let sound =
        weights.iter().all(|&w| w >= 0.0) && rest.first().is_some_and(|&sum| sum > 0.0 && sum.is_finite());
    let mut left = n;
    let mut draw = |(&weight, &rest): (&f64, &f64)| {
        let count = if weight > 0.0 { binomial(rng, left, weight / rest) } else { 0 };
        left -= count;
        count
    };
    sound.then(|| weights.iter().zip(&rest).map(&mut draw).collect())
}
