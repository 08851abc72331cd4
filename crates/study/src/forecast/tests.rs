use super::*;
use proptest::prelude::*;

fn points(xs: &[f64], score: impl Fn(f64) -> f64) -> Vec<Point> {
    xs.iter().map(|&x| Point { x, score: score(x) }).collect()
}

const SIZES: [f64; 6] = [250.0, 500.0, 1000.0, 2000.0, 4000.0, 8000.0];

#[test]
fn an_exact_power_law_is_found_again() {
    for (a, b, c) in [(0.85, 2.0, 0.3), (0.7, 5.0, 0.5), (0.95, 40.0, 0.9), (0.9, 0.6, 0.1)] {
        let law = |x: f64| a - b * x.powf(-c);
        let forecast = forecast(&points(&SIZES, law), &Options::default(), Stream::new(1)).unwrap();
        assert!((forecast.curve.a - a).abs() < 1e-4, "{:?}", forecast.curve);
        assert!((forecast.curve.c - c).abs() < 1e-3, "{:?}", forecast.curve);
        let at = forecast.at(100_000.0);
        assert!((at.score - law(100_000.0)).abs() < 1e-5, "{at:?}");
        let (low, high) = at.interval.unwrap();
        assert!(high - low < 1e-3 && low <= at.score + 1e-6 && at.score <= high + 1e-6);
    }
}

#[test]
fn three_points_make_a_curve_without_intervals_and_two_make_none() {
    let law = |x: f64| 0.8 - 3.0 * x.powf(-0.4);
    let three = forecast(&points(&SIZES[..3], law), &Options::default(), Stream::new(1)).unwrap();
    assert!(three.error < 1e-8);
    assert_eq!(three.at(9000.0).interval, None);
    let two = forecast(&points(&[1.0, 2.0, 2.0, 1.0], |x| x / 9.0), &Options::default(), Stream::new(1));
    assert_eq!(two, Err(Error::TooFewPoints { found: 2, needed: 3 }));
    assert_eq!(
        two.unwrap_err().to_string(),
        "a learning curve has three unknowns and needs scores at 3 different sizes or more, but there are 2; train on more subsets"
    );
}

#[test]
fn intervals_hold_the_truth_about_as_often_as_they_say() {
    let law = |x: f64| 0.85 - 4.0 * x.powf(-0.45);
    let options = Options { resamples: 200, ..Options::default() };
    let mut held = 0;
    let n_trials = 100;
    for trial in 0..n_trials {
        let stream = Stream::new(77).item(trial);
        let mut rng = stream.purpose("noise").rng();
        let sizes: Vec<f64> = (1..=12).map(|step| 250.0 * f64::from(step)).collect();
        let noisy: Vec<Point> = sizes
            .iter()
            .map(|&x| Point { x, score: law(x) + 0.01 * chain::dist::normal(&mut rng) })
            .collect();
        let prediction = forecast(&noisy, &options, stream).unwrap().at(6000.0);
        let (low, high) = prediction.interval.unwrap();
        held += usize::from(low <= law(6000.0) && law(6000.0) <= high);
    }
    // 90 of 100, with a standard error of 3; the bootstrap is known to be a little too sure.
    assert!((75..=99).contains(&held), "{held}");
}

#[test]
fn samples_lie_around_the_curve_as_far_as_points_do_with_three_unknowns_less() {
    let curve = Curve { a: 0.8, b: 0.2, c: 0.5, scale: 1000.0 };
    let sizes = points(&SIZES, |_| 0.0);
    let residuals = [0.03, -0.01, 0.02, -0.05, 0.01, 0.04];
    let mean = residuals.iter().sum::<f64>() / 6.0;
    // Σ (e − ē)² / (n − 3)
    let expected = residuals.iter().map(|e| (e - mean) * (e - mean)).sum::<f64>() / 3.0;
    let rng = &mut Stream::new(1).rng();
    let n = 5000;
    let (mut sum, mut squares, mut fourths) = (0.0, 0.0, 0.0);
    for _ in 0..n {
        for point in resample(&sizes, &curve, &residuals, rng) {
            let away = point.score - curve.at(point.x);
            (sum, squares, fourths) = (sum + away, squares + away * away, fourths + away.powi(4));
        }
    }
    let n = 6.0 * f64::from(n);
    // Four standard errors.
    assert!((sum / n).abs() < 4.0 * (expected / n).sqrt(), "{}", sum / n);
    let error = ((fourths / n - expected * expected) / n).sqrt();
    assert!((squares / n - expected).abs() < 4.0 * error, "{} instead of {expected}", squares / n);
}

#[test]
fn curves_never_fall_and_never_pass_the_ceiling() {
    let falling = forecast(&points(&SIZES, |x| 0.9 - x / 1e5), &Options::default(), Stream::new(1)).unwrap();
    assert_eq!(falling.curve.b, 0.0);
    let straight = forecast(&points(&SIZES, |x| 0.1 + x / 1e4), &Options::default(), Stream::new(1)).unwrap();
    let far = straight.at(1e12);
    assert!(far.score <= 1.0 && far.interval.unwrap().1 <= 1.0, "{far:?}");
    let percent = points(&SIZES, |x| 80.0 - 300.0 * x.powf(-0.4));
    let refused = forecast(&percent, &Options::default(), Stream::new(1));
    assert!(matches!(refused, Err(Error::AboveCeiling { ceiling: 1.0, .. })));
    let raised = Options { ceiling: 100.0, ..Options::default() };
    let found = forecast(&percent, &raised, Stream::new(1)).unwrap();
    assert!((found.curve.a - 80.0).abs() < 1e-2);
}

#[test]
fn hours_are_turned_into_amounts() {
    let law = |x: f64| 0.8 - 3.0 * x.powf(-0.4);
    let forecast = forecast(&points(&SIZES, law), &Options::default(), Stream::new(1)).unwrap();
    let hours = forecast.after_hours(8000.0, 750.0, &[0.0, 1.0, 4.0]);
    assert_eq!(hours.iter().map(|at| at.x).collect::<Vec<_>>(), [8000.0, 8750.0, 11000.0]);
    assert!(hours.is_sorted_by(|a, b| a.score < b.score));
}

#[test]
fn senseless_points_and_options_are_refused() {
    let fit = |points: &[Point], options| forecast(points, &options, Stream::new(1));
    let mut bad = points(&SIZES, |_| 0.5);
    assert!(fit(&bad, Options { level: 1.0, ..Options::default() }).is_err());
    assert!(fit(&bad, Options::default()).is_ok());
    bad[0].x = 0.0;
    assert!(matches!(fit(&bad, Options::default()), Err(Error::Range { .. })));
    bad[0] = Point { x: 1.0, score: f64::NAN };
    assert!(matches!(fit(&bad, Options::default()), Err(Error::Range { .. })));
}

/// The least sum of squares over a fine grid of all three parameters within their bounds.
fn least_by_search(points: &[Point]) -> f64 {
    let mut least = f64::INFINITY;
    for c in (1..=60).map(|step| 0.05 * f64::from(step)) {
        for a in (0..=50).map(|step| 0.02 * f64::from(step)) {
            for b in (0..=50).map(|step| 0.02 * f64::from(step)) {
                let curve = Curve { a, b, c, scale: 1.0 };
                least = least.min(curve.loss(points));
            }
        }
    }
    least
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_curve_on_a_grid_fits_better(scores in prop::collection::vec(0.0f64..=1.0, 3..7)) {
        let points: Vec<Point> = (1u32..).zip(scores).map(|(x, score)| Point { x: f64::from(x), score }).collect();
        let curve = Curve::fit(&points, 1.0);
        prop_assert!(curve.b >= 0.0 && curve.a <= 1.0);
        prop_assert!(curve.loss(&points) <= least_by_search(&points) + 1e-9);
    }

    #[test]
    fn the_same_seed_gives_the_same_forecast(scores in prop::collection::vec(0.0f64..=1.0, 4..7), seed: u64) {
        let points: Vec<Point> = (1u32..).zip(scores).map(|(x, score)| Point { x: f64::from(x), score }).collect();
        let options = Options { resamples: 20, ..Options::default() };
        let at = || forecast(&points, &options, Stream::new(seed)).unwrap().at(50.0);
        prop_assert_eq!(at(), at());
    }
}
