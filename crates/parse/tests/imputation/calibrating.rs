//! Temperatures and reliability.

use chain::{Rng, Stream, dist};
use parse::imputation::ArcPosteriors;
use parse::imputation::calibrate::{Held, fit_temperature, hide, log_loss, reliability, temper};
use tree::{Arc, Node, PartialTree, Place};

/// Heads drawn from distributions that are then sharpened: p^sharpness.
fn planted(rng: &mut Rng, n: usize, sharpness: f64) -> Vec<(ArcPosteriors, usize)> {
    (0..n)
        .map(|_| {
            let mut posteriors = ArcPosteriors::zero(4);
            let p = dist::dirichlet(rng, &[0.7; 4]);
            let row = posteriors.row_mut(1);
            (row[0], row[2], row[3], row[4]) = (p[0], p[1], p[2], p[3]);
            let head = dist::categorical(rng, posteriors.row(1)).unwrap();
            (temper(&posteriors, 1.0 / sharpness), head)
        })
        .collect()
}

fn held(pairs: &[(ArcPosteriors, usize)]) -> Vec<Held<'_>> {
    pairs.iter().map(|(posteriors, head)| Held { posteriors, dependent: 1, head: *head }).collect()
}

#[test]
fn the_temperature_undoes_what_sharpened_the_probabilities() {
    let rng = &mut Stream::new(1).rng();
    for sharpness in [0.5, 1.0, 3.0] {
        let pairs = planted(rng, 20_000, sharpness);
        let held = held(&pairs);
        let temperature = fit_temperature(&held);
        assert!((temperature / sharpness - 1.0).abs() < 0.05, "{temperature} for {sharpness}");
        assert!(log_loss(&held, temperature) <= log_loss(&held, 1.0) + 1e-12);
        let after = reliability(&held, temperature);
        assert!(after.calibration_error < 0.02, "{after:?}");
        if sharpness == 3.0 {
            assert!(reliability(&held, 1.0).calibration_error > 0.1);
        }
        assert_eq!(after.bins.iter().map(|bin| bin.n).sum::<usize>(), 20_000);
    }
}

#[test]
fn tempered_rows_sum_to_one_and_zeros_stay() {
    let rng = &mut Stream::new(2).rng();
    for (posteriors, _) in planted(rng, 50, 1.0) {
        for temperature in [0.02, 0.5, 2.0, 50.0] {
            let tempered = temper(&posteriors, temperature);
            assert!((tempered.row(1).iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert_eq!(tempered.of(1, 1), 0.0);
            assert!(tempered.row(2).iter().all(|&p| p == 0.0));
            assert_eq!(tempered.ranked(1)[0].0, posteriors.ranked(1)[0].0);
        }
    }
}

#[test]
fn nothing_held_means_temperature_one_and_impossible_heads_do_no_harm() {
    assert_eq!(fit_temperature(&[]), 1.0);
    let pairs = vec![(ArcPosteriors::zero(4), 2)];
    assert!(log_loss(&held(&pairs), 2.0).is_finite() && fit_temperature(&held(&pairs)).is_finite());
}

#[test]
fn hidden_arcs_are_gone_and_remembered() {
    let mut said = PartialTree::new(5);
    for (head, dependent) in [(2, 1), (2, 3), (3, 4), (4, 5)] {
        said.arcs.push(Arc {
            head: Node::Word(head),
            dependent: Node::Word(dependent),
            place: Place::default(),
        });
    }
    said.roots.push((Node::Word(2), Place::default()));
    let rng = &mut Stream::new(3).rng();
    let (left, hidden) = hide(&said, 1.0, rng);
    assert!(left.arcs.is_empty() && left.roots.is_empty());
    assert_eq!(hidden, [(2, 1), (2, 3), (3, 4), (4, 5), (0, 2)]);
    assert_eq!(left.mentioned_words(), said.mentioned_words());
    assert_eq!(hide(&said, 0.0, rng), (said, vec![]));
}
