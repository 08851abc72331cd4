//! Leave-one-out by Pareto smoothed importance sampling (Vehtari, Simpson, Gelman, Yao & Gabry 2024).

use libm::{exp, expm1, floor, log, log1p, sqrt};

use num::special::log_sum_exp;

/// The log-probability of an observation given all others, from its log-likelihood in each posterior draw, and the shape k
/// of the tail of the importance weights: above 0.7 it is not to be trusted. Infinite k if there are too few draws.
///
/// The weights are 1/p(y | draw). The largest of them, which make the sum unstable, are replaced by the quantiles of
/// a generalised Pareto distribution fitted to them.
pub fn psis_loo(log_likelihoods: &[f64]) -> (f64, f64) {
    let lowest = log_likelihoods.iter().copied().fold(f64::INFINITY, f64::min);
    let mut log_weights: Vec<f64> = log_likelihoods.iter().map(|l| lowest - l).collect();
    let k = smooth(&mut log_weights);
    let total = log_sum_exp(&log_weights);
    let terms: Vec<f64> = log_weights.iter().zip(log_likelihoods).map(|(w, l)| w + l).collect();
    (log_sum_exp(&terms) - total, k)
}

/// Smooths the largest weights in place (the largest of all is 0) and returns the shape of their tail.
fn smooth(log_weights: &mut [f64]) -> f64 {
    let n = log_weights.len();
    let tail = (0.2 * n as f64).min(3.0 * sqrt(n as f64)).ceil() as usize;
    if tail < 5 {
        return f64::INFINITY;
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_unstable_by(|&a, &b| log_weights[a].total_cmp(&log_weights[b]).then(a.cmp(&b)));
    let cutoff = exp(log_weights[order[n - tail - 1]]);
    let excess: Vec<f64> = order[n - tail..].iter().map(|&at| exp(log_weights[at]) - cutoff).collect();
    // Weights that are all alike have no tail.
    if excess[tail - 1] <= 1e-12 || excess[0] <= 0.0 {
        return f64::NEG_INFINITY;
    }
    let (k, sigma) = fit_pareto(&excess);
    if k.is_finite() {
        for (rank, &at) in order[n - tail..].iter().enumerate() {
            let p = (rank as f64 + 0.5) / tail as f64;
            log_weights[at] = log(cutoff + pareto_quantile(p, k, sigma)).min(0.0);
        }
    }
    k
}

/// σ ((1 − p)^(−k) − 1)/k
fn pareto_quantile(p: f64, k: f64, sigma: f64) -> f64 {
    if k.abs() < 1e-12 { -sigma * log1p(-p) } else { sigma * expm1(-k * log1p(-p)) / k }
}

/// Shape and scale of a generalised Pareto distribution (Zhang & Stephens 2009), for excesses in increasing order; the shape
/// is drawn a little towards ½, as if ten more had been seen.
fn fit_pareto(x: &[f64]) -> (f64, f64) {
    let n = x.len() as f64;
    let m = 30 + floor(sqrt(n)) as usize;
    let quarter = x[((n / 4.0 + 0.5) as usize).clamp(1, x.len()) - 1];
    let longest = x[x.len() - 1];
    let theta = |i: usize| 1.0 / longest + (1.0 - sqrt(m as f64 / (i as f64 - 0.5))) / (3.0 * quarter);
    let shape = |theta: f64| x.iter().map(|x| log1p(-theta * x)).sum::<f64>() / n;
    let thetas: Vec<f64> = (1..=m).map(theta).collect();
    let profile = |&theta: &f64| {
        let k = shape(theta);
        n * (log(-theta / k) - k - 1.0)
    };
    let profiles: Vec<f64> = thetas.iter().map(profile).collect();
    let total = log_sum_exp(&profiles);
    let theta: f64 = thetas.iter().zip(&profiles).map(|(theta, l)| theta * exp(l - total)).sum();
    let k = shape(theta);
    ((n * k + 5.0) / (n + 10.0), -k / theta)
}

#[cfg(test)]
mod tests {
    use super::*;
    use num::dist::normal;
    use num::streams::Stream;

    /// y ~ N(μ, 1) with a flat prior: leaving y₁ out, its predictive distribution is N(mean of the others, 1 + 1/(n − 1)).
    #[test]
    fn leaving_one_out_of_a_normal_sample_agrees_with_the_exact_answer() {
        let mut rng = Stream::new(3).rng();
        let y: Vec<f64> = (0..20).map(|_| normal(&mut rng)).collect();
        let mean = y.iter().sum::<f64>() / 20.0;
        let draws: Vec<f64> = (0..40_000).map(|_| mean + normal(&mut rng) / 20f64.sqrt()).collect();
        let ln_normal = |rest: f64, variance: f64| {
            -0.5 * ((std::f64::consts::TAU * variance).ln() + rest * rest / variance)
        };
        for &left_out in &y {
            let logs: Vec<f64> = draws.iter().map(|mu| ln_normal(left_out - mu, 1.0)).collect();
            let (estimate, k) = psis_loo(&logs);
            let others = (20.0 * mean - left_out) / 19.0;
            assert!((estimate - ln_normal(left_out - others, 1.0 + 1.0 / 19.0)).abs() < 0.02, "{estimate}");
            assert!(k < 0.5, "{k}");
        }
    }

    #[test]
    fn the_tail_of_pareto_numbers_has_their_shape() {
        let mut rng = Stream::new(4).rng();
        for (shape, tolerance) in [(0.2, 0.06), (0.9, 0.08)] {
            let mut x: Vec<f64> =
                (0..4000).map(|_| pareto_quantile(rng.uniform_open(), shape, 2.0)).collect();
            x.sort_unstable_by(f64::total_cmp);
            let (k, sigma) = fit_pareto(&x);
            assert!((k - shape).abs() < tolerance && (sigma - 2.0).abs() < 0.2, "{k} {sigma}");
        }
    }

    #[test]
    fn few_draws_are_not_trusted_and_equal_ones_are() {
        assert_eq!(psis_loo(&[-1.0, -2.0]).1, f64::INFINITY);
        let (same, k) = psis_loo(&[-1.5; 100]);
        assert!((same + 1.5).abs() < 1e-12 && k < 0.7);
    }
}
