//! The Pólya-Gamma distribution against its characteristic function.

use super::characteristic::Inverted;
use super::*;

const B: [f64; 16] =
    [0.1, 0.5, 1.0, 1.5, 2.0, 3.7, 5.0, 6.5, 10.0, 13.0, 20.0, 50.0, 100.0, 170.0, 500.0, 1000.0];
const Z: [f64; 7] = [0.0, 0.1, 1.0, 5.0, 20.0, -3.0, 100.0];

/// Draws have the mean and the variance of PG(b, z), within 4.8 standard errors, and its law.
///
/// About 370 tests are made, so each may fail at one in a million.
fn check_polya_gamma(b: f64, z: f64, n: usize, mut draw: impl FnMut(&mut Rng) -> f64) {
    let mut rng = rng(&format!("polya-gamma {b} {z}"));
    let mut xs: Vec<f64> = (0..n).map(|_| draw(&mut rng)).collect();
    let (mean, variance) = (polya_gamma_mean(b, z), polya_gamma_variance(b, z));
    let central = |power: i32| xs.iter().map(|x| (x - mean).powi(power)).sum::<f64>() / n as f64;
    let off = central(1) / (variance / n as f64).sqrt();
    assert!(off.abs() < 4.8, "PG({b}, {z}): the mean is {off} standard errors off");
    let error = ((central(4) - variance * variance).max(variance * variance) / n as f64).sqrt();
    let off = (central(2) - variance) / error;
    assert!(off.abs() < 4.8, "PG({b}, {z}): the variance is {off} standard errors off");
    // Distances are taken at few of the draws, which makes the largest of them smaller, if anything.
    xs.sort_unstable_by(f64::total_cmp);
    let law = Inverted::new(b, 0.5 * z.abs());
    let far = |i: usize| (law.cdf(4.0 * xs[i]) - (i as f64 + 0.5) / n as f64).abs();
    let distance = (0..n).step_by(n / 200).map(far).fold(0.0, f64::max);
    let p = kolmogorov_tail(distance * (n as f64).sqrt());
    assert!(p > 1e-6, "PG({b}, {z}): distance {distance}, p {p}");
}

#[test]
fn polya_gamma_draws_have_their_moments_and_law() {
    for b in B {
        for z in Z {
            check_polya_gamma(b, z, 20_000, |rng| polya_gamma(rng, b, z));
        }
    }
}

/// More draws where one method gives way to the next.
#[test]
fn polya_gamma_draws_have_their_law_where_methods_meet() {
    for (b, z) in [
        (1.0, 1.99),
        (1.0, 2.01),
        (0.999, 0.3),
        (1.001, 0.3),
        (3.0, 2.4),
        (3.5, 2.7),
        (5.99, 0.2),
        (6.0, 0.2),
        (24.0, 1.0),
        (24.1, 1.0),
        (23.9, 4.6),
        (30.0, 79.9),
        (30.0, 80.1),
    ] {
        check_polya_gamma(b, z, 100_000, |rng| polya_gamma(rng, b, z));
    }
}

/// With b this small nearly all of the mean comes from one draw in hundreds.
#[test]
fn polya_gamma_draws_of_tiny_shape_have_their_mean_and_variance() {
    for (b, z) in [(1e-3, 0.0), (1e-3, 3.0), (0.02, 1.0)] {
        let (mean, variance) = (polya_gamma_mean(b, z), polya_gamma_variance(b, z));
        check_mean(&format!("tiny {b} {z}"), mean, 400_000, |rng| polya_gamma(rng, b, z));
        let square = |rng: &mut Rng| polya_gamma(rng, b, z).powi(2);
        check_mean(&format!("tiny square {b} {z}"), variance + mean * mean, 400_000, square);
    }
}

/// tanh(z/2)/2z and (sinh z − z)/(4z³ cosh²(z/2)), and their limits.
#[test]
fn polya_gamma_moments_have_their_closed_forms() {
    for z in [0.5f64, 0.7, 0.71, 1.0, 3.0, -3.0, 20.0, 79.9, 80.1] {
        let mean = (z / 2.0).tanh() / (2.0 * z);
        let variance = (z.sinh() - z) / (4.0 * z.powi(3) * (z / 2.0).cosh().powi(2));
        assert!((polya_gamma_mean(2.5, z) / (2.5 * mean) - 1.0).abs() < 1e-12, "{z}");
        let error = polya_gamma_variance(2.5, z) / (2.5 * variance) - 1.0;
        assert!(error.abs() < 1e-11, "{z}: {error}");
    }
    assert_eq!(polya_gamma_mean(3.0, 0.0), 0.75);
    assert!((polya_gamma_variance(3.0, 0.0) - 0.125).abs() < 1e-15);
    assert!((polya_gamma_mean(1.0, 1e8) * 2e8 - 1.0).abs() < 1e-14);
    assert!((polya_gamma_mean(1.0, 1e200) * 2e200 - 1.0).abs() < 1e-14);
    assert!(polya_gamma_mean(1.0, f64::NAN).is_nan());
    assert!((polya_gamma_mean(1.0, 1e-200) - 0.25).abs() < 1e-15);
}

#[test]
fn polya_gamma_parameters_at_and_beyond_their_ends_are_sound() {
    let rng = &mut rng("ends");
    for (b, z) in [
        (-1.0, 0.0),
        (f64::NAN, 0.0),
        (1.0, f64::NAN),
        (f64::INFINITY, 1.0),
        (1.0, f64::INFINITY),
        (0.5, f64::NEG_INFINITY),
        (0.0, f64::NAN),
        (-0.5, f64::NAN),
    ] {
        assert!(polya_gamma(rng, b, z).is_nan(), "{b} {z}");
    }
    assert_eq!((polya_gamma(rng, 0.0, 3.0), polya_gamma(rng, -0.0, 0.0)), (0.0, 0.0));
    for b in [1e-300, 1e-10, 0.3, 1.0, 1.7, 2.0, 8.0, 1e3, 1e9, 1e15, 1e300] {
        for z in [0.0, 1e-300, 0.1, 30.0, 79.0, 90.0, 1e10, 1e150, 1e300] {
            let draw = polya_gamma(rng, b, z);
            assert!(draw >= 0.0 && draw.is_finite(), "{b} {z}: {draw}");
            if b >= 1e9 && z < 1e100 {
                let sds = (draw - polya_gamma_mean(b, z)) / polya_gamma_variance(b, z).sqrt();
                let rounding = 1e-12 * draw / polya_gamma_variance(b, z).sqrt();
                assert!(sds.abs() < 6.0 + rounding, "{b} {z}: {draw}, {sds}");
            }
        }
    }
}

#[test]
fn polya_gamma_draws_depend_on_the_parameters_and_the_generator_only() {
    for b in [0.3, 1.0, 4.0, 4.5, 9.0] {
        let z: Vec<f64> = (0..200).map(|i| 0.05 * f64::from(i) - 3.0).collect();
        let (mut one, mut many, mut fixed) = (rng("same"), rng("same"), rng("same"));
        let mut draws = vec![0.0; z.len()];
        polya_gamma_slice(&mut many, b, &z, &mut draws);
        for (&z, &draw) in z.iter().zip(&draws) {
            assert_eq!(draw, polya_gamma(&mut one, b, z));
            assert_eq!(draw, PolyaGamma::new(b, -z).draw(&mut fixed));
        }
    }
}

/// If this fails, an algorithm has changed and no old seed gives its old result: think twice.
#[test]
fn polya_gamma_draws_never_change() {
    let rng = &mut Stream::new(1).purpose("polya-gamma").rng();
    let found =
        [(1.0, 0.5), (1.0, 5.0), (0.3, 1.0), (2.0, 1.0), (3.7, 1.0), (12.0, 0.3), (90.0, 2.0), (5.0, 200.0)]
            .map(|(b, z)| polya_gamma(rng, b, z));
    let known = [
        0.49219414722364296,
        0.07949857241884078,
        0.029749043292752544,
        0.2599734567124148,
        0.9213307122327006,
        2.788191453488592,
        16.729861164836922,
        0.013338635353831507,
    ];
    assert_eq!(found, known);
}
