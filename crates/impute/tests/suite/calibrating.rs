//! Temperatures and reliability.

use arcs::Roots;
use chain::{Rng, Stream, Threads, Workers};
use impute::calibrate::{Confidence, Held, fit_temperature, hide, log_loss, reliability, temper};
use impute::gpc::CompleteOptions;
use impute::{ArcPosteriors, Fragment, GpcModel};
use num::dist;
use tree::Possible;
use tree::{Arc, Heads, Node, PartialTree, Place, Reading};

use crate::completing::{any_model, fragment};

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

fn told(heads: &Heads) -> Possible {
    let mut said = PartialTree::new(heads.len());
    for (word, place) in (1..=heads.len()).map(|word| (word, Place::default())) {
        match heads.head(word) {
            0 => said.roots.push((Node::Word(word), place)),
            head => said.arcs.push(Arc { head: Node::Word(head), dependent: Node::Word(word), place }),
        }
    }
    Possible::new(&said, &Reading::default()).unwrap()
}

/// Sentences of which all heads are told, drawn from the model.
fn drawn_from(model: &GpcModel, n: usize, rng: &mut Rng) -> Vec<Fragment> {
    let free: Vec<Fragment> = (0..n).map(|_| fragment(rng, Possible::everything(6))).collect();
    let drawn = model.complete_all(&free, &CompleteOptions { samples: 1, seed: 4 }, &Workers::serial());
    let with_heads = |(fragment, drawn): (Fragment, impute::gpc::Completion)| Fragment {
        possible: told(&drawn.completed.samples[0]),
        ..fragment
    };
    free.into_iter().zip(drawn).map(with_heads).collect()
}

/// A model with the counts of another, raised to a power.
fn sharpened(model: &GpcModel, power: f64) -> GpcModel {
    let chains =
        model.chains.iter().map(|counts| counts.iter().map(|count| count.powf(power)).collect()).collect();
    let GpcModel { vocabulary, prior, options, notes, .. } = model.clone();
    GpcModel::new(vocabulary, prior, options, chains, notes)
}

#[test]
fn a_model_is_calibrated_for_its_own_sentences_and_cooled_or_heated_for_those_of_others() {
    let rng = &mut Stream::new(5).rng();
    let model = any_model(rng, Roots::One, 1);
    let fragments = drawn_from(&model, 2500, rng);
    let workers = Workers::serial();
    let temperature = |model: &GpcModel| model.clone().calibrated(&fragments, &workers).temperature;
    let own = temperature(&model);
    assert!((own - 1.0).abs() < 0.15, "{own}");
    let (too_sure, too_unsure) = (temperature(&sharpened(&model, 2.0)), temperature(&sharpened(&model, 0.3)));
    assert!(too_sure > 1.2 * own && too_unsure < 0.8 * own, "{too_sure} {own} {too_unsure}");
    let confidence = model.clone().calibrated(&fragments, &workers).confidence;
    assert!([0.5, 0.7, 0.9].iter().all(|&c| (confidence.of(c) - c).abs() < 0.05), "{confidence:?}");
    // What was fitted before does not matter.
    let mut before = model.clone();
    before.temperature = 7.0;
    before.confidence = Confidence { shift: 1.0, right: 0.5, wrong: 0.5 };
    assert_eq!(temperature(&before).to_bits(), own.to_bits());
    assert_eq!(before.calibrated(&fragments, &workers).confidence, confidence);
    let threads = Workers::new(Threads::from_count(3)).unwrap();
    assert_eq!(model.clone().calibrated(&fragments, &threads).temperature.to_bits(), own.to_bits());
}

#[test]
fn without_known_arcs_the_temperature_of_a_model_stays() {
    let rng = &mut Stream::new(6).rng();
    let mut model = any_model(rng, Roots::One, 2);
    model.temperature = 1.7;
    let free: Vec<Fragment> = (0..5).map(|n_words| fragment(rng, Possible::everything(n_words))).collect();
    for fragments in [&[][..], &free] {
        assert_eq!(model.clone().calibrated(fragments, &Workers::serial()).temperature, 1.7);
    }
    // One sentence is enough not to fail.
    let one = Fragment {
        possible: told(&Heads::new(vec![2, 0, 2, 5, 3, 5]).unwrap()),
        ..fragment(rng, Possible::everything(6))
    };
    let temperature = model.calibrated(&[one], &Workers::serial()).temperature;
    assert!(temperature.is_finite() && temperature > 0.0);
}

#[test]
fn the_temperature_of_a_model_is_that_of_its_probabilities() {
    let rng = &mut Stream::new(7).rng();
    let model = any_model(rng, Roots::One, 2);
    let mut heated = model.clone();
    heated.temperature = 3.0;
    let fragment = fragment(rng, Possible::everything(5));
    let (plain, found) = (model.complete(&fragment), heated.complete(&fragment));
    assert_eq!(found.posteriors, temper(&plain.posteriors, 3.0));
    assert_eq!(found.heads, plain.heads);
    assert!(found.posteriors.total_entropy() > plain.posteriors.total_entropy());
}
