//! How probable it is that a hidden number with mean 0 lies in an interval.

use libm::{exp, log1p};
use num::special::ln_normal_cdf;

use crate::options::Link;

/// ln P(ε ≤ x) for a standard logistic or normal ε.
pub(crate) fn ln_cdf(link: Link, x: f64) -> f64 {
    match link {
        Link::Probit => ln_normal_cdf(x),
        // ln 1/(1 + e^−x), with the large part of the logarithm taken out where x is far below 0.
        Link::Logit if x < 0.0 => x - log1p(exp(x)),
        Link::Logit => -log1p(exp(-x)),
    }
}

/// ln P(low < ε ≤ high), exact to the last digits in both tails.
pub(crate) fn ln_between(link: Link, low: f64, high: f64) -> f64 {
    // Both distributions are symmetric; on the left side the difference does not cancel.
    let (low, high) = if low > 0.0 { (-high, -low) } else { (low, high) };
    let (ln_low, ln_high) = (ln_cdf(link, low), ln_cdf(link, high));
    if ln_low == f64::NEG_INFINITY { ln_high } else { ln_high + log1p(-exp(ln_low - ln_high)) }
}
