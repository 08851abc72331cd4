use super::*;

fn check(found: f64, known: f64, relative: f64) {
    assert!((found - known).abs() <= relative * known.abs().max(1e-300), "{found} is not {known}");
}

#[test]
fn log_sums_neither_overflow_nor_underflow() {
    check(log_sum_exp(&[1000.0, 1000.0]), 1000.0 + std::f64::consts::LN_2, 1e-15);
    check(log_sum_exp(&[-2000.0, -2000.0, f64::NEG_INFINITY]), -2000.0 + std::f64::consts::LN_2, 1e-15);
    assert_eq!(log_sum_exp(&[]), f64::NEG_INFINITY);
    assert!(log_sum_exp(&[f64::NAN]).is_nan() && log_sum_exp(&[1.0, f64::NAN, 2.0]).is_nan());
    check(log_add_exp(-1e4, -1e4), -1e4 + std::f64::consts::LN_2, 1e-15);
    assert_eq!(log_add_exp(f64::NEG_INFINITY, -3.0), -3.0);
    assert_eq!(log_add_exp(f64::NEG_INFINITY, f64::NEG_INFINITY), f64::NEG_INFINITY);
}

/// ψ(1) = −γ, ψ(½) = −γ − 2 ln 2, ψ(10) = H₉ − γ, ψ′(1) = π²/6, ψ′(½) = π²/2.
#[test]
fn polygammas_have_their_closed_forms() {
    let euler = 0.577_215_664_901_532_9;
    check(digamma(1.0), -euler, 1e-14);
    check(digamma(0.5), -euler - 2.0 * std::f64::consts::LN_2, 1e-14);
    check(digamma(10.0), (1..10).map(|k| 1.0 / f64::from(k)).sum::<f64>() - euler, 1e-14);
    check(digamma(-0.5), digamma(0.5) + 2.0, 1e-13);
    check(digamma(1e-8), -1e8 - euler, 1e-14);
    assert!(digamma(-3.0).is_nan());
    let pi = std::f64::consts::PI;
    check(trigamma(1.0), pi * pi / 6.0, 1e-14);
    check(trigamma(0.5), pi * pi / 2.0, 1e-14);
}

#[test]
fn polygammas_are_derivatives() {
    for x in [0.1, 0.7, 3.3, 9.9, 25.0] {
        let h = 1e-5 * x;
        check((ln_gamma(x + h) - ln_gamma(x - h)) / (2.0 * h), digamma(x), 1e-8);
        check((digamma(x + h) - digamma(x - h)) / (2.0 * h), trigamma(x), 1e-8);
    }
}

#[test]
fn normal_quantile_undoes_the_distribution_function() {
    for p in [1e-300, 1e-20, 1e-5, 0.02, 0.075, 0.3, 0.5, 0.6, 0.925, 0.99] {
        check(normal_cdf(normal_quantile(p)), p, 2e-13);
    }
    check(normal_quantile(0.975), 1.959_963_984_540_054, 1e-15);
    assert_eq!((normal_quantile(0.0), normal_quantile(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    assert!(normal_quantile(1.5).is_nan());
}

/// Quantiles of Cauchy's distribution (one degree of freedom) are tangents, those for two are algebraic; the rest is as in tables.
#[test]
fn quantiles_of_student() {
    for p in [1e-6, 0.01, 0.3, 0.75, 0.975, 0.9999] {
        let pi = std::f64::consts::PI;
        check(student_quantile(p, 1.0), (pi * (p - 0.5)).tan(), 1e-9);
        check(student_quantile(p, 2.0), (2.0 * p - 1.0) / (2.0 * p * (1.0 - p)).sqrt(), 1e-9);
    }
    check(student_quantile(0.975, 10.0), 2.228_138_851_964_939, 1e-10);
    check(student_quantile(0.975, 1e7), normal_quantile(0.975), 1e-6);
    assert_eq!(student_quantile(0.5, 3.0), 0.0);
    assert!(student_quantile(1.0, 3.0).is_nan() && student_quantile(0.9, 0.0).is_nan());
}

#[test]
fn log_of_the_normal_tail_goes_on_where_the_tail_underflows() {
    check(ln_normal_cdf(-30.0 - 1e-12), ln_normal_cdf(-30.0 + 1e-12), 1e-12);
    assert_eq!(normal_cdf(-50.0), 0.0);
    // φ(50)/50 · (1 − 1/2500 + …) by hand.
    check(ln_normal_cdf(-50.0), -1250.0 - 0.918938533204673 - 50f64.ln() - 0.000_399_520_3, 1e-10);
}

/// Gamma(1) is exponential, Gamma(½) at x is 2Φ(√2x) − 1, chi-square(2) is exponential of mean 2.
#[test]
fn incomplete_gamma_has_its_closed_forms() {
    for x in [0.01, 0.5, 1.0, 3.0, 20.0] {
        check(gamma_cdf(x, 1.0), -libm::expm1(-x), 1e-13);
        check(gamma_cdf(x, 0.5), libm::erf(libm::sqrt(x)), 1e-13);
        check(chi_square_tail(x, 2.0), libm::exp(-x / 2.0), 1e-13);
    }
    check(chi_square_tail(18.307_038_053_275_146, 10.0), 0.05, 1e-12);
}

/// Beta(a, 1) has F(x) = xᵃ; Beta(½, ½) is the arcsine law; Beta(2, 3) is a polynomial.
#[test]
fn incomplete_beta_has_its_closed_forms() {
    for x in [0.001, 0.2, 0.5, 0.77, 0.999] {
        check(beta_cdf(x, 3.5, 1.0), libm::pow(x, 3.5), 1e-13);
        check(beta_cdf(x, 0.5, 0.5), 2.0 / std::f64::consts::PI * libm::asin(libm::sqrt(x)), 1e-13);
        check(beta_cdf(x, 2.0, 3.0), x * x * (6.0 - 8.0 * x + 3.0 * x * x), 1e-13);
    }
}

/// The five per cent point of Kolmogorov's law.
#[test]
fn kolmogorov_tail_has_its_published_critical_value() {
    check(kolmogorov_tail(1.358_098_6), 0.05, 1e-6);
    assert_eq!(kolmogorov_tail(0.0), 1.0);
}
