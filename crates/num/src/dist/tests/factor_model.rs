//! The other draws of a Bayesian factor model, over grids of parameters.

use super::*;
use crate::linear::Cholesky;
use crate::special::{digamma, trigamma};

/// A = [[4, 2, 1], [2, 3, 0.5], [1, 0.5, 2]], whose inverse is known from its factor.
const PRECISION: [f64; 9] = [4.0, 2.0, 1.0, 2.0, 3.0, 0.5, 1.0, 0.5, 2.0];

#[test]
fn normal_draws_with_a_precision_have_its_mean_and_covariance() {
    let factor = Cholesky::new(3, &PRECISION).unwrap();
    let covariance = factor.inverse();
    let rhs = [1.0, -2.0, 0.5];
    let mut mean = rhs;
    factor.solve(&mut mean);
    let draw = |rng: &mut Rng| {
        let mut out = [0.0; 3];
        normal_with_precision(rng, &factor, &rhs, &mut out);
        out
    };
    for i in 0..3 {
        let sd = covariance[4 * i].sqrt();
        check_law(&format!("component {i}"), |rng| draw(rng)[i], |x| normal_cdf((x - mean[i]) / sd));
        for j in 0..=i {
            check_mean(&format!("covariance {i} {j}"), covariance[3 * i + j], 100_000, |rng| {
                let x = draw(rng);
                (x[i] - mean[i]) * (x[j] - mean[j])
            });
        }
    }
}

/// (x − μ)ᵀ A (x − μ) is chi-square with as many degrees as there are components: all directions at once.
#[test]
fn distances_of_normal_draws_with_a_precision_are_chi_square() {
    let factor = Cholesky::new(3, &PRECISION).unwrap();
    let distance = |rng: &mut Rng| {
        let mut x = [0.0; 3];
        normal_with_precision(rng, &factor, &[0.0; 3], &mut x);
        let mut product = [0.0; 3];
        crate::linear::times(&PRECISION, &x, &mut product);
        crate::linear::dot(&x, &product)
    };
    check_law("distance", distance, |x| 1.0 - chi_square_tail(x, 3.0));
}

#[test]
fn a_normal_draw_of_another_size_than_its_precision_is_nan() {
    let factor = Cholesky::new(3, &PRECISION).unwrap();
    let mut out = [0.0; 3];
    normal_with_precision(&mut rng("size"), &factor, &[1.0, 2.0], &mut out);
    assert!(out.iter().all(|x| x.is_nan()));
    let mut short = [0.0; 2];
    normal_with_precision(&mut rng("size"), &factor, &[1.0, 2.0, 3.0], &mut short);
    assert!(short.iter().all(|x| x.is_nan()));
}

#[test]
fn inverse_gamma_draws_have_their_law_and_mean() {
    for (shape, scale) in [(0.3, 1.0), (1.0, 0.01), (2.5, 40.0), (60.0, 3.0)] {
        let name = format!("inverse gamma {shape} {scale}");
        // 1/X is Gamma(shape) with the rate `scale`.
        let upper = |x: f64| 1.0 - gamma_cdf(scale / x, shape);
        check_law(&name, |rng| inverse_gamma(rng, shape, scale), upper);
        if shape > 2.0 {
            check_mean(&name, scale / (shape - 1.0), 100_000, |rng| inverse_gamma(rng, shape, scale));
        }
    }
}

#[test]
fn tables_of_a_restaurant_have_their_exact_probabilities_for_all_concentrations() {
    for (n, concentration) in [(2, 0.05), (7, 0.3), (12, 1.0), (12, 8.0), (40, 2.5), (90, 0.5)] {
        let exact: Vec<f64> = density::crt(n, concentration).iter().map(|log| log.exp()).collect();
        // Rare numbers of tables are pooled, so that every cell is expected at least ten times.
        let first = exact.iter().position(|&p| p > 2e-4).unwrap();
        let last = exact.iter().rposition(|&p| p > 2e-4).unwrap();
        let mut pooled = exact[first..=last].to_vec();
        pooled[0] += exact[..first].iter().sum::<f64>();
        pooled[last - first] += exact[last + 1..].iter().sum::<f64>();
        check_frequencies(&format!("crt {n} {concentration}"), &pooled, |rng| {
            (crt(rng, n as u64, concentration) as usize).clamp(first, last) - first
        });
    }
    // E = Σ α/(α + i)
    let known: f64 = (0..3_000).map(|i| 4.0 / (4.0 + f64::from(i))).sum();
    check_mean("many customers", known, 3_000, |rng| crt(rng, 3_000, 4.0) as f64);
    // E = α (ψ(α + n) − ψ(α)) and Var = E + α² (ψ′(α + n) − ψ′(α)), also where most customers are skipped.
    for (n, alpha) in [
        (30_000u64, 0.5),
        (100_000, 9.0),
        (4_000_000_000, 1.3),
        (4_000_000_000, 1e-3),
        (1_000_000, 60.0),
        (1_000_000, 1e3),
        (1_000_000, 1e6),
        (1_000_000, 1e9),
        (4_000_000_000, 1e7),
        (5_000, 1e6),
        (1_000_000, 1e12),
    ] {
        let end = alpha + n as f64;
        let mean = alpha * (digamma(end) - digamma(alpha));
        let variance = mean + alpha * alpha * (trigamma(end) - trigamma(alpha));
        check_mean(&format!("crt of {n}, {alpha}"), mean, 4_000, |rng| crt(rng, n, alpha) as f64);
        check_mean(&format!("spread of {n}, {alpha}"), variance, 4_000, |rng| {
            (crt(rng, n, alpha) as f64 - mean).powi(2)
        });
    }
}

/// Here the customers after the first thousand are not seated one by one any more.
#[test]
fn tables_of_a_large_restaurant_have_their_exact_probabilities() {
    for (n, concentration) in [(4_200, 2.0), (4_200, 700.0), (4_200, 3e6)] {
        let exact: Vec<f64> = density::crt(n, concentration).iter().map(|log| log.exp()).collect();
        let first = exact.iter().position(|&p| p > 1e-3).unwrap();
        let last = exact.iter().rposition(|&p| p > 1e-3).unwrap();
        let mut pooled = exact[first..=last].to_vec();
        pooled[0] += exact[..first].iter().sum::<f64>();
        pooled[last - first] += exact[last + 1..].iter().sum::<f64>();
        check_frequencies(&format!("crt {n} {concentration}"), &pooled, |rng| {
            (crt(rng, n as u64, concentration) as usize).clamp(first, last) - first
        });
    }
    let rng = &mut rng("ends");
    assert_eq!(
        [0.0, f64::INFINITY, f64::NAN, 1e300].map(|alpha| crt(rng, 5_000, alpha)),
        [1, 5_000, 1, 5_000]
    );
}

#[test]
fn truncated_normal_draws_have_their_law_for_all_means_and_deviations() {
    for (mean, sd, lower, upper) in [
        (2.0, 0.5, 0.0, f64::INFINITY),
        (-3.0, 2.0, 0.0, f64::INFINITY),
        (0.7, 3.0, f64::NEG_INFINITY, 0.0),
        (5.0, 1.0, -1.0, 1.0),
    ] {
        // Mirrored if needed, so that differences of tails keep their digits.
        let sign = if lower >= mean { -1.0 } else { 1.0 };
        let (a, b) = ((lower - mean) / sd * sign, (upper - mean) / sd * sign);
        let (a, b) = (a.min(b), a.max(b));
        let cdf = |z: f64| (normal_cdf(z) - normal_cdf(a)) / (normal_cdf(b) - normal_cdf(a));
        let draw = |rng: &mut Rng| sign * (truncated_normal(rng, mean, sd, lower, upper) - mean) / sd;
        check_law(&format!("truncated {mean} {sd} {lower} {upper}"), draw, cdf);
    }
}

/// A component of Dirichlet(α) is Beta(αᵢ, A − αᵢ), also where it is too small to be a number.
#[test]
fn logarithms_of_dirichlet_components_have_the_law_of_a_beta_variable() {
    for scale in [0.1, 1.0, 30.0] {
        let alpha = [0.2, 0.3, 1.5].map(|a: f64| a * scale);
        let law = |log: f64| {
            let (a, b) = (alpha[0], alpha[1] + alpha[2]);
            // Near 0 the law of Beta(a, b) is xᵃ / (a B(a, b)).
            let in_logs = libm::exp(a * log - a.ln() - crate::special::ln_beta(a, b));
            if log < -600.0 { in_logs } else { beta_cdf(libm::exp(log), a, b) }
        };
        check_law(&format!("dirichlet {scale}"), |rng| log_dirichlet(rng, &alpha)[0], law);
    }
}
