//! What is done to the probability of the most probable head.

use chain::{Rng, Stream};
use impute::ArcPosteriors;
use impute::calibrate::{Confidence, Held, correct, reliability};
use num::dist;
use proptest::prelude::*;

fn any_confidence() -> impl Strategy<Value = Confidence> {
    (-3.0..3.0, 0.0..3.0, 0.0..3.0).prop_map(|(shift, right, wrong)| Confidence { shift, right, wrong })
}

/// The first row of a sentence, some heads impossible; now and then only one is possible.
fn any_row() -> impl Strategy<Value = ArcPosteriors> {
    let weight = prop_oneof![1 => Just(0.0), 3 => 1e-9..1.0f64];
    prop::collection::vec(weight, 2..8).prop_map(|weights| {
        let mut posteriors = ArcPosteriors::zero(weights.len());
        let total: f64 = weights.iter().sum();
        let row = posteriors.row_mut(1);
        // The word is not its own head.
        let heads = (0..).filter(|&head| head != 1);
        heads
            .zip(&weights)
            .for_each(|(head, weight)| row[head] = if total > 0.0 { weight / total } else { 0.0 });
        posteriors
    })
}

proptest! {
    #[test]
    fn corrected_rows_are_distributions_in_the_same_order(confidence in any_confidence(), before in any_row()) {
        let mut after = before.clone();
        correct(&mut after, &confidence);
        let (old, new) = (before.row(1), after.row(1));
        prop_assert!((old.iter().sum::<f64>() - new.iter().sum::<f64>()).abs() < 1e-9);
        for (a, b) in old.iter().zip(new) {
            prop_assert!((*a == 0.0) == (*b == 0.0) && (0.0..=1.0).contains(b), "{a} {b}");
        }
        for (a, b) in (0..old.len()).flat_map(|a| (0..old.len()).map(move |b| (a, b))) {
            prop_assert!(old[a] <= old[b] || new[a] >= new[b] * (1.0 - 1e-12), "{old:?} {new:?}");
        }
    }

    #[test]
    fn the_others_share_what_is_left_as_before(confidence in any_confidence(), before in any_row()) {
        let mut after = before.clone();
        correct(&mut after, &confidence);
        let others: Vec<(usize, f64)> = before.ranked(1).into_iter().skip(1).collect();
        for pair in others.windows(2) {
            let ratio = after.of(pair[1].0, 1) / after.of(pair[0].0, 1);
            prop_assert!((ratio * pair[0].1 / pair[1].1 - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn who_is_surer_stays_surer(confidence in any_confidence(), a in 0.0..=1.0, b in 0.0..=1.0) {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        prop_assert!(confidence.of(low) <= confidence.of(high) + 1e-12);
    }

    #[test]
    fn certain_and_unknown_heads_stay(confidence in any_confidence()) {
        let mut posteriors = ArcPosteriors::zero(3);
        posteriors.row_mut(2)[3] = 1.0;
        let before = posteriors.clone();
        correct(&mut posteriors, &confidence);
        prop_assert_eq!(posteriors, before);
        prop_assert!(confidence.of(1.0) == 1.0 && confidence.of(0.0) == 0.0);
    }
}

/// Words whose most probable head is right as often as a correction says of its probability.
fn planted(truth: &Confidence, n: usize, rng: &mut Rng) -> Vec<(ArcPosteriors, usize)> {
    (0..n)
        .map(|_| {
            let mut seeming = ArcPosteriors::zero(4);
            let p = dist::dirichlet(rng, &[0.5; 4]);
            let row = seeming.row_mut(1);
            (row[0], row[2], row[3], row[4]) = (p[0], p[1], p[2], p[3]);
            let mut true_ones = seeming.clone();
            correct(&mut true_ones, truth);
            let head = dist::categorical(rng, true_ones.row(1)).unwrap();
            (seeming, head)
        })
        .collect()
}

fn held(pairs: &[(ArcPosteriors, usize)]) -> Vec<Held<'_>> {
    pairs.iter().map(|(posteriors, head)| Held { posteriors, dependent: 1, head: *head }).collect()
}

fn fit(held: &[Held<'_>]) -> Confidence {
    Confidence::fit(&held.iter().map(Held::guess).collect::<Vec<_>>())
}

#[test]
fn the_correction_that_heads_were_drawn_with_is_found() {
    let rng = &mut Stream::new(11).rng();
    for truth in [
        Confidence::default(),
        Confidence { shift: -0.3, right: 0.4, wrong: 0.7 },
        Confidence { shift: 0.5, right: 0.8, wrong: 0.5 },
    ] {
        let pairs = planted(&truth, 20_000, rng);
        let found = fit(&held(&pairs));
        for confidence in [0.4, 0.6, 0.8, 0.9, 0.98] {
            let (found, truth) = (found.of(confidence), truth.of(confidence));
            assert!((found - truth).abs() < 0.02, "{found} for {truth} at {confidence}");
        }
        let corrected: Vec<(ArcPosteriors, usize)> = pairs
            .iter()
            .map(|(posteriors, head)| {
                let mut posteriors = posteriors.clone();
                correct(&mut posteriors, &found);
                (posteriors, *head)
            })
            .collect();
        let (before, after) = (reliability(&held(&pairs), 1.0), reliability(&held(&corrected), 1.0));
        assert!(after.calibration_error < 0.015 && after.log_loss <= before.log_loss + 1e-3, "{after:?}");
    }
}

/// No coefficient can be changed by a little, within its bounds, so that the penalised loss falls.
#[test]
fn the_fit_is_where_the_penalised_loss_is_least() {
    let rng = &mut Stream::new(12).rng();
    for backwards in [false, true] {
        let truth = Confidence { shift: 0.2, right: 0.6, wrong: 0.5 };
        let mut pairs = planted(&truth, 300, rng);
        if backwards {
            // The surer, the more often wrong: slopes would be negative.
            for (posteriors, head) in &mut pairs {
                let ranked = posteriors.ranked(1);
                *head = ranked[usize::from(ranked[0].1 > 0.6)].0;
            }
        }
        let held = held(&pairs);
        let loss = |at: &Confidence| {
            let of_arc = |held: &Held<'_>| {
                let (best, p) = held.posteriors.ranked(1)[0];
                -(if best == held.head { at.of(p) } else { 1.0 - at.of(p) }).ln()
            };
            let away = at.shift.powi(2) + (at.right - 1.0).powi(2) + (at.wrong - 1.0).powi(2);
            held.iter().map(of_arc).sum::<f64>() + away / 2.0
        };
        let found = fit(&held);
        assert!(found.right >= 0.0 && found.wrong >= 0.0);
        for (shift, right, wrong) in [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (-1.0, 1.0, -1.0)] {
            for by in [-1e-3, 1e-3] {
                let other = Confidence {
                    shift: found.shift + by * shift,
                    right: (found.right + by * right).max(0.0),
                    wrong: (found.wrong + by * wrong).max(0.0),
                };
                assert!(loss(&found) <= loss(&other) + 1e-9, "{found:?} {other:?}");
            }
        }
    }
}

#[test]
fn fewer_than_twenty_heads_correct_nothing() {
    let rng = &mut Stream::new(13).rng();
    let pairs = planted(&Confidence { shift: -2.0, ..Confidence::default() }, 20, rng);
    let held = held(&pairs);
    assert_eq!(Confidence::fit(&[]), Confidence::default());
    assert_eq!(fit(&held[1..]), Confidence::default());
    let found = fit(&held);
    assert!(found.of(0.8) < 0.7, "{found:?}");
}
