//! The chart against the general engine, on sentences that are too long for lists.

use arcs::Roots;
use arcs::second_order::{PartMarginals, Parts, Scores, SecondOrder};
use chain::{Rng, Stream};
use testkit::annotations::{any_annotation, any_reading};
use tree::Constraints;

use super::laws::{check_equal, random_arcs, random_scores};

/// Takes some siblings and grandparents away.
fn thin_out(scores: &mut Scores, rng: &mut Rng, share: f64) {
    for score in scores.siblings.iter_mut().chain(&mut scores.grandparents) {
        if rng.bernoulli(share) {
            *score = f64::NEG_INFINITY;
        }
    }
}

/// Compares totals and the marginals of all parts; false if there is no tree.
fn check(chart: &mut SecondOrder, parts: &Parts, scores: &Scores, roots: Roots) -> bool {
    let (mut found, mut expected) = (PartMarginals::default(), PartMarginals::default());
    let total = chart.marginals(parts, scores, roots, &mut found);
    let Some(expected_total) = chart.forest_marginals(parts, scores, roots, &mut expected) else {
        assert!(total.is_none());
        return false;
    };
    let total = total.unwrap();
    assert!((total - expected_total).abs() < 1e-9, "{total} {expected_total}");
    check_equal(&found, &expected, 1e-9);
    true
}

#[test]
fn sums_and_marginals_of_long_sentences_are_those_of_the_engine() {
    let (mut chart, mut n_trees) = (SecondOrder::default(), 0);
    for seed in 0..90 {
        let rng = &mut Stream::new(41).item(seed).rng();
        let n_words = 15 + rng.below(26);
        // Some words are left out.
        let arcs = random_arcs(n_words, 2 + rng.below(6), seed as u64);
        let parts = Parts::new(n_words, arcs.into_iter().filter(|arc| seed % 4 > 0 || arc.1 % 11 != 5));
        let mut scores = random_scores(&parts, 3.0, seed as u64 + 500);
        thin_out(&mut scores, rng, [0.0, 0.04][seed % 2]);
        for roots in [Roots::One, Roots::Many] {
            n_trees += usize::from(check(&mut chart, &parts, &scores, roots));
        }
    }
    assert!(n_trees > 120, "{n_trees}");
}

#[test]
fn sums_and_marginals_under_annotations_are_those_of_the_engine() {
    let (mut chart, mut n_trees, mut n_none) = (SecondOrder::default(), 0, 0);
    for seed in 0..150 {
        let rng = &mut Stream::new(42).item(seed).rng();
        let n_words = 15 + rng.below(16);
        let (said, reading) = (any_annotation(rng, n_words), any_reading(rng));
        let Ok(allowed) = Constraints::from_partial(&said, &reading) else { continue };
        let all = (0..=n_words).flat_map(|head| (1..=n_words).map(move |dependent| (head, dependent)));
        let parts = Parts::new(n_words, all.filter(|&(head, dependent)| allowed.allows_arc(head, dependent)));
        let scores = random_scores(&parts, 2.0, seed as u64 + 700);
        for roots in [Roots::One, Roots::Many] {
            let found = check(&mut chart, &parts, &scores, roots);
            n_trees += usize::from(found);
            n_none += usize::from(!found);
        }
    }
    assert!(n_trees > 60, "{n_trees} with trees, {n_none} without");
}
