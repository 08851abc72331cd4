use super::*;
use chain::Stream;
use num::dist;
use proptest::prelude::*;

const AMOUNTS: [f64; 6] = [167.0, 238.0, 340.0, 486.0, 700.0, 1000.0];

/// Scores on a law, of so many sentences with ten heads each, of which all have the same share of right heads.
fn exact(law: impl Fn(f64) -> f64, n_sentences: usize) -> Measured {
    let right = |x: f64| (1000.0 * law(x)).round() as usize;
    Measured {
        amounts: AMOUNTS.to_vec(),
        n_heads: vec![1000; n_sentences],
        right: AMOUNTS.iter().map(|&x| vec![right(x); n_sentences]).collect(),
    }
}

fn sure() -> Options {
    let prior = Prior { training_noise: 1e-6, text_spread: 0.0, ..Prior::default() };
    Options { prior, test_heads: 1e12, ..Options::default() }
}

#[test]
fn a_power_law_without_noise_is_followed() {
    for (a, b, c) in [(0.85, 2.0, 0.4), (0.7, 3.0, 0.5), (0.92, 1.2, 0.3)] {
        let law = |x: f64| a - b * x.powf(-c);
        let forecast = forecast(&exact(law, 20), &sure()).unwrap();
        for x in [2000.0, 4000.0] {
            let at = forecast.at(x);
            // Scores are rounded to a thousandth.
            assert!((at.score - law(x)).abs() < 0.01, "{x}: {at:?}, but {}", law(x));
            assert!(at.interval.1 - at.interval.0 < 0.06, "{at:?}");
        }
    }
}

#[test]
fn scores_at_two_amounts_make_no_curve() {
    let two = Measured { amounts: vec![9.0, 18.0], n_heads: vec![9, 9], right: vec![vec![3, 4], vec![4, 5]] };
    let refused = forecast(&two, &Options::default());
    assert_eq!(refused, Err(Error::TooFewPoints { found: 2, needed: 3 }));
    assert_eq!(
        refused.unwrap_err().to_string(),
        "a learning curve has three unknowns and needs scores at 3 different sizes or more, but there are 2; train on more subsets"
    );
}

/// Scores of sentences differ at the last amount only; a text of half the heads varies twice as much.
#[test]
fn the_text_to_be_scored_varies_as_the_last_score_does() {
    let right = vec![vec![4; 4], vec![5; 4], vec![4, 8, 4, 8]];
    let measured = Measured { amounts: vec![100.0, 200.0, 400.0], n_heads: vec![10; 4], right };
    let forecast = forecast(&measured, &Options { test_heads: 20.0, ..Options::default() }).unwrap();
    // 4/3 · 4 · 2² / 40² is the variance of the last score.
    assert!((forecast.test_variance - 2.0 * 4.0 / 300.0).abs() < 1e-12, "{}", forecast.test_variance);
}

/// One language: its law, sentences that are easy or hard, and what will be measured with 4,000 heads.
fn simulated(number: usize, options: &Options) -> (Measured, f64) {
    let stream = Stream::new(77).item(number);
    let mut rng = stream.purpose("law").rng();
    let prior = &options.prior;
    let c = prior.decay * (prior.decay_spread * dist::normal(&mut rng)).exp();
    let (limit, missing) = (0.88 + 0.03 * dist::normal(&mut rng), 0.25);
    let law = |x: f64| limit - missing * (x / 1000.0).powf(-c);
    let n_heads = vec![12; 90];
    // A sentence is easier or harder at all amounts.
    let ease: Vec<f64> = n_heads.iter().map(|_| 0.1 * dist::normal(&mut rng)).collect();
    let score = |x: f64, rng: &mut chain::Rng| {
        law(x) + (1000.0 / x).sqrt() * prior.training_noise * dist::normal(rng)
    };
    let right = AMOUNTS.map(|x| {
        let mean = score(x, &mut rng);
        let of_sentence = |ease: &f64| (12.0 * (mean + ease)).round().clamp(0.0, 12.0) as usize;
        ease.iter().map(of_sentence).collect()
    });
    let measured = Measured { amounts: AMOUNTS.to_vec(), n_heads, right: right.to_vec() };
    let text = prior.text_spread * dist::normal(&mut rng);
    let size = 0.1 / (options.test_heads / 12.0).sqrt() * dist::normal(&mut rng);
    (measured, score(4000.0, &mut rng) + text + size)
}

#[test]
fn intervals_hold_what_comes_as_often_as_they_say() {
    let options = Options::default();
    let cases: Vec<f64> = (0..300)
        .map(|number| {
            let (measured, truth) = simulated(number, &options);
            forecast(&measured, &options).unwrap().probability_below(4000.0, truth)
        })
        .collect();
    for point in reliability(&cases, &[0.5, 0.8, 0.9]) {
        // Three standard errors of a share of 300 cases, and as much again because the limits do not come from the prior.
        let error = (point.level * (1.0 - point.level) / 300.0).sqrt();
        assert!((point.held - point.level).abs() < 6.0 * error, "{point:?}");
    }
}

#[test]
fn curves_never_fall_and_never_pass_the_ceiling() {
    let falling = forecast(&exact(|x| 0.9 - x / 1e5, 10), &Options::default()).unwrap();
    assert!(falling.at(8000.0).score >= falling.at(1000.0).score - 1e-9);
    assert!(!falling.tells());
    let straight = forecast(&exact(|x| 0.1 + x / 1250.0, 10), &Options::default()).unwrap();
    let far = straight.at(1e12);
    assert!(far.score <= 1.0 && far.interval.1 <= 1.0, "{far:?}");
}

#[test]
fn a_rise_within_two_standard_errors_tells_nothing() {
    // Four sentences of four heads: from 8 right to 9, 10 and 12 of 16.
    let measured = |last: [usize; 4]| Measured {
        amounts: vec![4.0, 8.0, 12.0],
        n_heads: vec![4; 4],
        right: vec![vec![2, 2, 2, 2], vec![2, 2, 2, 3], last.to_vec()],
    };
    let rise = |last| forecast(&measured(last), &Options::default()).unwrap();
    // All four gain one head: nothing is left to chance.
    assert_eq!((rise([3, 3, 3, 3]).rise, rise([3, 3, 3, 3]).tells()), ((0.25, 0.0), true));
    // One gains four: a rise of 4 / 16 ± √(4/3 · (3² + 3 · 1²)) / 16 = 4 / 16 ± 4 / 16.
    let one = rise([2, 2, 2, 4]);
    assert_eq!(one.rise, (0.125, (4.0f64 / 3.0 * 3.0).sqrt() / 16.0));
    assert!(!one.tells());
}

#[test]
fn hours_are_turned_into_amounts_and_gains_begin_at_nothing() {
    let forecast = forecast(&exact(|x| 0.8 - 3.0 * x.powf(-0.4), 10), &Options::default()).unwrap();
    let hours = forecast.after_hours(1000.0, 750.0, &[0.0, 1.0, 4.0]);
    assert_eq!(hours.iter().map(|at| at.x).collect::<Vec<_>>(), [1000.0, 1750.0, 4000.0]);
    assert!(hours.is_sorted_by(|a, b| a.score < b.score));
    let gain = forecast.gain(1000.0, 4000.0);
    assert!((gain.score - (hours[2].score - hours[0].score)).abs() < 1e-9, "{gain:?}");
    // How easy the text is does not matter for a gain.
    assert!(gain.interval.1 - gain.interval.0 < hours[2].interval.1 - hours[2].interval.0);
    let nothing = forecast.gain(1000.0, 1000.0);
    assert!(nothing.score == 0.0 && nothing.interval.1 < 1e-4, "{nothing:?}");
}

#[test]
fn senseless_measurements_and_options_are_refused() {
    let measured = exact(|_| 0.5, 3);
    assert!(forecast(&measured, &Options::default()).is_ok());
    assert!(forecast(&measured, &Options { level: 1.0, ..Options::default() }).is_err());
    assert!(forecast(&measured, &Options { test_heads: 0.0, ..Options::default() }).is_err());
    let prior = Prior { decay: 0.0, ..Prior::default() };
    assert!(forecast(&measured, &Options { prior, ..Options::default() }).is_err());
    let nothing = Measured { amounts: vec![0.0, 1.0, 2.0], n_heads: vec![1], right: vec![vec![1]; 3] };
    assert!(matches!(forecast(&nothing, &Options::default()), Err(Error::Range { .. })));
}

/// What is believed of the score at x by adding up over a fine grid of a, b and c, without any formula for lines.
fn by_grid(measured: &Measured, options: &Options, x: f64) -> f64 {
    let points = measured.points();
    let (m, prior) = (points.len(), &options.prior);
    let last = points[m - 1].x;
    let best = points.iter().map(|point| point.score).fold(0.0, f64::max);
    let missing = (1.0 - best).max(0.02);
    let mut noise = measured.covariance();
    for at in 0..m {
        let share = (points[at].x / last).max(0.2);
        noise[at * m + at] += prior.training_noise.powi(2) * 1000.0 / points[at].x * share + 1e-8;
    }
    let inverse = num::linear::Cholesky::new(m, &noise).unwrap().inverse();
    let (mut sum, mut weights) = (0.0, 0.0);
    for c in (0..=60).map(|place| 0.02 * 100.0f64.powf(f64::from(place) / 60.0)) {
        let off = (c / prior.decay).ln() / prior.decay_spread;
        for a in (0..100).map(|step| 0.5 + f64::from(step) / 100.0) {
            for b in (0..100).map(|step| f64::from(step) / 100.0) {
                let residual: Vec<f64> =
                    points.iter().map(|point| point.score - a + b * (point.x / last).powf(-c)).collect();
                let square: f64 =
                    (0..m * m).map(|at| residual[at / m] * inverse[at] * residual[at % m]).sum();
                let limit = (a - 1.0 + prior.limit_missing * missing) / (prior.limit_spread * missing);
                let weight = (-0.5 * (square + limit * limit + off * off)).exp();
                sum += weight * (a - b * (x / last).powf(-c));
                weights += weight;
            }
        }
    }
    sum / weights
}

#[test]
fn what_is_expected_is_the_mean_over_all_curves() {
    let options = Options::default();
    for number in 0..2 {
        let (measured, _) = simulated(number, &options);
        let expected = by_grid(&measured, &options, 3000.0);
        let found = forecast(&measured, &options).unwrap().at(3000.0).score;
        assert!((found - expected).abs() < 0.002, "{found} {expected}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn intervals_are_nested_and_probabilities_go_with_them(number in 0usize..1000, x in 500.0f64..20000.0) {
        let forecast = forecast(&simulated(number, &Options::default()).0, &Options::default()).unwrap();
        let (narrow, wide) = (forecast.at_level(x, 0.5), forecast.at_level(x, 0.9));
        prop_assert!(wide.interval.0 <= narrow.interval.0 && narrow.interval.1 <= wide.interval.1);
        if wide.interval.1 < 1.0 {
            prop_assert!((forecast.probability_below(x, wide.interval.1) - 0.95).abs() < 1e-6);
        }
    }
}
