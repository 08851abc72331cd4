//! Hidden numbers and probabilities, also where probabilities are too small to be numbers.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use chain::Stream;
use num::special::{kolmogorov_tail, normal_cdf};
use proptest::prelude::*;

use super::*;
use crate::options::Link;

fn ln_categorical(level: usize, latent: &[f64]) -> f64 {
    Response::ln_probability(&categorical::Categorical { latent: latent.to_vec() }, Level(level))
}

fn ln_count(count: u32, h: f64, z: f64) -> f64 {
    Response::ln_probability(&count::Count { z, h }, count)
}

/// Draws of a hidden number around z that means this level, less z.
fn hidden(level: usize, cuts: &[f64], z: f64, n: usize) -> Vec<f64> {
    let mut rng = Stream::new(5).item(level).rng();
    let mut draw = || {
        let response = ordinal::Ordinal { z, cuts, link: Link::Logit };
        let (weight, pull) = Response::hidden(&response, Level(level), &mut Vec::new(), &mut rng)[0];
        assert!(
            weight > 0.0 && weight.is_finite() && pull.is_finite(),
            "level {level}, z {z}: {weight} {pull}"
        );
        pull / weight - z
    };
    (0..n).map(|_| draw()).collect()
}

/// The Kolmogorov–Smirnov test does not reject at one in a thousand.
fn have_law(mut xs: Vec<f64>, cdf: impl Fn(f64) -> f64) -> bool {
    xs.sort_unstable_by(f64::total_cmp);
    let n = xs.len() as f64;
    let far =
        |(i, &x): (usize, &f64)| (cdf(x) - i as f64 / n).abs().max((cdf(x) - (i as f64 + 1.0) / n).abs());
    let distance = xs.iter().enumerate().map(far).fold(0.0, f64::max);
    kolmogorov_tail(distance * n.sqrt()) > 1e-3
}

#[test]
fn hidden_numbers_of_ordinal_cells_have_the_truncated_logistic_law() {
    let cuts = [0.0, 0.7, 2.0];
    let cdf = |x: f64| 1.0 / (1.0 + (-x).exp());
    for z in [-4.0, -0.3, 0.2, 1.4, 6.0] {
        for level in 0..4 {
            let low = if level == 0 { 0.0 } else { cdf(cuts[level - 1] - z) };
            let high = if level == 3 { 1.0 } else { cdf(cuts[level] - z) };
            let law = |x: f64| (cdf(x) - low) / (high - low);
            assert!(have_law(hidden(level, &cuts, z, 4000), law), "level {level}, z {z}");
        }
    }
}

/// Far from where it should be, a hidden number lies an exponential number beyond the nearest cut point.
#[test]
fn hidden_numbers_of_ordinal_cells_are_right_hundreds_of_units_from_their_level() {
    let cuts = [0.0, 0.7, 2.0];
    for away in [40.0, 700.0, 745.0, 800.0, 1e4, 1e6] {
        let lowest = hidden(0, &cuts, away, 4000);
        assert!(
            have_law(lowest.iter().map(|x| -x - away).collect(), |x| 1.0 - (-x).exp()),
            "below from {away}"
        );
        let highest = hidden(3, &cuts, 2.0 - away, 4000);
        assert!(
            have_law(highest.iter().map(|x| x - away).collect(), |x| 1.0 - (-x).exp()),
            "above from {away}"
        );
        // Between two cut points the exponential ends.
        let inner = hidden(1, &cuts, 0.7 + away, 4000);
        let law = |x: f64| (-x).exp_m1() / (-0.7_f64).exp_m1();
        assert!(have_law(inner.iter().map(|x| -x - away).collect(), law), "between from {away}");
    }
}

/// Trapezoids are exact but for rounding if both ends are 0; utilities below 0 do not count, so the first end is not.
fn slowly(level: usize, latent: &[f64]) -> f64 {
    if level == 0 {
        return latent.iter().map(|z| normal_cdf(-z)).product();
    }
    let own = latent[level - 1];
    let density = |u: f64| {
        let rivals = latent.iter().enumerate().filter(|&(at, _)| at + 1 != level);
        (-0.5 * (u - own).powi(2)).exp() / std::f64::consts::TAU.sqrt()
            * rivals.map(|(_, z)| normal_cdf(u - z)).product::<f64>()
    };
    let n = 40_000;
    let step = (own.max(0.0) + 12.0) / f64::from(n);
    (0..n).map(|i| step * density((f64::from(i) + 0.5) * step)).sum()
}

#[test]
fn probabilities_of_categories_are_those_of_a_fine_grid() {
    for latent in
        [vec![0.3, -0.8], vec![2.5, 2.0, -1.0], vec![-3.0, -4.0], vec![5.0, -6.0, 4.0], vec![0.0; 6]]
    {
        for level in 0..=latent.len() {
            let (found, known) = (ln_categorical(level, &latent).exp(), slowly(level, &latent));
            assert!((found - known).abs() < 1e-6 * known.max(1e-2), "{level} {latent:?}: {found} {known}");
        }
    }
}

/// Hundreds of millions apart, where the logarithms of two neighbours differ by less than their rounding.
#[test]
fn a_category_far_behind_others_that_are_far_apart_is_impossible() {
    for scale in [1.0, 1e3, 1e12, 1e40] {
        let latent = [1.03e8, 2.88e8, -2.48e8, 2.37e8].map(|z| scale * z);
        let ln_p: Vec<f64> = (0..5).map(|level| ln_categorical(level, &latent)).collect();
        assert!(ln_p[2].abs() < 1e-6, "{ln_p:?}");
        assert!([0, 1, 3, 4].iter().all(|&level| ln_p[level] < -1e9), "{ln_p:?}");
    }
}

proptest! {
    #[test]
    fn probabilities_of_categories_sum_to_one_however_far_apart_they_are(
        latent in prop::collection::vec(-1.0..1.0f64, 1..6),
        ln_scale in 0.0..200.0f64,
    ) {
        let latent: Vec<f64> = latent.iter().map(|z| z * ln_scale.exp()).collect();
        let ln_p: Vec<f64> = (0..=latent.len()).map(|level| ln_categorical(level, &latent)).collect();
        prop_assert!(ln_p.iter().all(|p| *p < 1e-6), "{latent:?} {ln_p:?}");
        let sum: f64 = ln_p.iter().map(|p| p.exp()).sum();
        prop_assert!((sum - 1.0).abs() < 1e-5, "{latent:?} {ln_p:?}");
    }

    #[test]
    fn probabilities_of_ordered_levels_sum_to_one(z in -1e4..1e4f64, first in 0.01..3.0f64, probit in any::<bool>()) {
        let link = if probit { Link::Probit } else { Link::Logit };
        let cuts = [0.0, first, first + 1.0];
        let sum: f64 = (0..4).map(|level| Response::ln_probability(&ordinal::Ordinal { z, cuts: &cuts, link }, Level(level)).exp()).sum();
        prop_assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    }

    #[test]
    fn probabilities_of_counts_sum_to_one(z in -3.0..2.0f64, h in 0.1..6.0f64) {
        let sum: f64 = (0..4000).map(|y| ln_count(y, h, z).exp()).sum();
        prop_assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    }
}

#[test]
fn a_dispersion_of_zero_makes_all_counts_zero() {
    assert_eq!([0, 3].map(|count| ln_count(count, 0.0, 0.4)), [0.0, f64::NEG_INFINITY]);
}

#[test]
fn every_finite_latent_value_has_hidden_numbers() {
    let settings = crate::Options::default();
    let shapes = [
        (Value::Number(1.0), Shape::Noise(1.0)),
        (Value::Level(0), Shape::Plain),
        (Value::Level(1), Shape::Plain),
        (Value::Level(0), Shape::Cuts(vec![0.0, 1.0])),
        (Value::Level(1), Shape::Cuts(vec![0.0, 1.0])),
        (Value::Level(2), Shape::Cuts(vec![0.0, 1.0])),
        (Value::Count(0), Shape::Dispersion { h: 0.5, rate: 1.0 }),
        (Value::Count(u32::MAX), Shape::Dispersion { h: 1e-9, rate: 1.0 }),
    ];
    let mut rng = Stream::new(6).rng();
    for link in [Link::Logit, Link::Probit] {
        let settings = crate::Options { link, ..settings.clone() };
        for (value, shape) in &shapes {
            for z in [-1e100, -1e9, -800.0, 0.0, 800.0, 1e9, 1e100] {
                let column = ColumnState { weights: vec![z], shape: shape.clone() };
                let response = of_cell(&column, &[], &settings);
                let (weight, pull) = response.hidden(*value, &mut Vec::new(), &mut rng).unwrap()[0];
                assert!(
                    weight >= 0.0 && weight.is_finite() && pull.is_finite(),
                    "{value:?} {z}: {weight} {pull}"
                );
            }
        }
    }
}

const SHAPES: [(Kind, fn() -> Shape); 5] = [
    (Kind::Continuous, || Shape::Noise(1.0)),
    (Kind::Binary, || Shape::Plain),
    (Kind::Count, || Shape::Dispersion { h: 1.0, rate: 1.0 }),
    (Kind::Ordinal(3), || Shape::Cuts(vec![0.0, 1.0])),
    (Kind::Categorical(3), || Shape::Utilities(vec![0.0; 4])),
];

/// A value, cells of the same type, and which kinds hold them.
type Example = (Value, Cells, fn(Kind) -> bool);

/// One of each type.
fn values() -> [Example; 3] {
    let counts = crate::Counts::gather([Some(1), Some(0)]);
    [
        (Value::Number(1.0), Cells::Numbers(vec![1.0, 0.0]), |kind| kind == Kind::Continuous),
        (Value::Level(1), Cells::Levels(vec![1, 0]), |kind| kind.n_levels() > 0),
        (Value::Count(1), Cells::Counts(counts), |kind| kind == Kind::Count),
    ]
}

#[test]
fn values_of_another_kind_are_refused_and_not_guessed() {
    let settings = Options::default();
    let mut rng = Stream::new(1).rng();
    for (kind, shape) in SHAPES {
        let column = ColumnState { weights: vec![0.3; kind.n_latent()], shape: shape() };
        let response = of_cell(&column, &[], &settings);
        for (value, cells, holds) in values() {
            let mut working = vec![Working::default(); kind.n_latent()];
            working.iter_mut().for_each(|working| working.resize(2));
            let augmented = augment(&cells, &mut shape(), &settings, None, &mut working, &mut rng);
            assert_eq!(augmented.is_ok(), holds(kind), "{kind} {cells:?}");
            assert_eq!(response.ln_probability(value).is_ok(), holds(kind), "{kind} {value:?}");
            let hidden = response.hidden(value, &mut Vec::new(), &mut rng);
            assert_eq!(
                hidden.map(|hidden| hidden.len()),
                if holds(kind) { Ok(kind.n_latent()) } else { Err(Foreign) }
            );
        }
    }
}

#[test]
fn several_latent_values_are_refused_where_a_kind_has_one() {
    let (settings, mut rng) = (Options::default(), Stream::new(1).rng());
    for (kind, shape) in SHAPES.into_iter().filter(|(kind, _)| kind.n_latent() == 1) {
        let (_, cells, _) = values().into_iter().find(|(_, _, holds)| holds(kind)).unwrap();
        let mut working = vec![Working::default(); 2];
        working.iter_mut().for_each(|working| working.resize(2));
        let augmented = augment(&cells, &mut shape(), &settings, None, &mut working, &mut rng);
        assert_eq!(augmented, Err(Foreign), "{kind}");
    }
}

/// Memory is not cleared between columns.
#[test]
fn every_kind_writes_all_weights_and_pulls() {
    let (settings, mut rng) = (Options::default(), Stream::new(1).rng());
    for (kind, shape) in SHAPES {
        let cells = match kind {
            Kind::Continuous => Cells::Numbers(vec![1.0, f64::NAN, 0.0]),
            Kind::Count => Cells::Counts(crate::Counts::gather([Some(2), None, Some(0)])),
            Kind::Binary | Kind::Ordinal(_) | Kind::Categorical(_) => {
                Cells::Levels(vec![1, crate::MISSING, 0])
            }
        };
        let mut shape = match shape() {
            Shape::Utilities(_) => Shape::Utilities(vec![0.0; 3 * kind.n_latent()]),
            other => other,
        };
        let left = || vec![f64::NAN; 3];
        let one = Working { z: vec![0.1; 3], weights: left(), pulls: left(), ..Working::default() };
        let mut working = vec![one; kind.n_latent()];
        augment(&cells, &mut shape, &settings, None, &mut working, &mut rng).unwrap();
        for Working { weights, pulls, .. } in working {
            assert!(weights.iter().chain(&pulls).all(|x| x.is_finite()), "{kind}: {weights:?} {pulls:?}");
            assert_eq!((weights[1], pulls[1]), (0.0, 0.0), "{kind}: missing");
        }
    }
}
