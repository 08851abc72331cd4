//! The chart against the general engine, on sentences that are too long for lists.

use arcs::{ArcForest, ArcScores, Projective, Roots};
use chain::{Rng, Stream};
use forest::Scaled;
use testkit::annotations::{any_annotation, any_reading};
use tree::Constraints;

/// Scores of all arcs; a share of them is absent, and some words have no head.
fn random_scores(rng: &mut Rng, n_words: usize, absent: f64, left_out: f64) -> ArcScores {
    let mut scores = ArcScores::new(n_words);
    for word in (1..=n_words).filter(|_| !rng.bernoulli(left_out)).collect::<Vec<_>>() {
        for head in 0..=n_words {
            if !rng.bernoulli(absent) {
                scores.set(head, word, 8.0 * rng.uniform() - 4.0);
            }
        }
    }
    scores
}

/// Compares totals and the marginals of all arcs; false if there is no tree.
fn check(chart: &mut Projective, scores: &ArcScores, roots: Roots) -> bool {
    let found = chart.marginals(scores, roots);
    let Some(forest) = ArcForest::new(scores, roots) else {
        assert!(found.is_none());
        return false;
    };
    let (ln_total, marginals) = found.unwrap();
    for inside in [Scaled::inside(&forest), Scaled::wide(&forest)] {
        let (expected_total, expected) = forest.marginals(&inside);
        assert!((ln_total - expected_total).abs() < 1e-9, "{ln_total} {expected_total}");
        for (found, expected) in marginals.values().iter().zip(expected.values()) {
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }
    }
    true
}

#[test]
fn sums_and_marginals_of_long_sentences_are_those_of_the_engine() {
    let (mut chart, mut n_trees) = (Projective::default(), 0);
    for seed in 0..60 {
        let rng = &mut Stream::new(31).item(seed).rng();
        let n_words = 15 + rng.below(26);
        let [absent, left_out] = [[0.0, 0.0], [0.4, 0.0], [0.4, 0.1]][seed % 3];
        let scores = random_scores(rng, n_words, absent, left_out);
        for roots in [Roots::One, Roots::Many] {
            n_trees += usize::from(check(&mut chart, &scores, roots));
        }
    }
    assert!(n_trees > 100, "{n_trees}");
}

#[test]
fn sums_and_marginals_under_annotations_are_those_of_the_engine() {
    let (mut chart, mut n_trees, mut n_none) = (Projective::default(), 0, 0);
    for seed in 0..150 {
        let rng = &mut Stream::new(32).item(seed).rng();
        let n_words = 15 + rng.below(26);
        let (said, reading) = (any_annotation(rng, n_words), any_reading(rng));
        let Ok(allowed) = Constraints::from_partial(&said, &reading) else { continue };
        let mut scores = random_scores(rng, n_words, 0.1, 0.0);
        scores.restrict(&allowed);
        for roots in [Roots::One, Roots::Many] {
            let found = check(&mut chart, &scores, roots);
            n_trees += usize::from(found);
            n_none += usize::from(!found);
        }
    }
    assert!(n_trees > 100, "{n_trees} with trees, {n_none} without");
}
