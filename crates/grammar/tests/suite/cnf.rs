//! The chart of grammars in normal form against the general engine, on sentences that are too long for lists.

use chain::{Rng, Stream};
use forest::Scaled;
use grammar::cnf::{Chart, CnfShape, Emission, Laid, Node};

/// Distributions of every row, of which a share of the events weighs 0.
fn any_weights(rng: &mut Rng, shape: &CnfShape, absent: f64) -> Vec<f64> {
    let mut weights = Vec::new();
    for len in shape.rows() {
        let weight = |rng: &mut Rng| if rng.bernoulli(absent) { 0.0 } else { rng.uniform().powi(3) };
        let row: Vec<f64> = (0..len).map(|_| weight(rng)).collect();
        let total = row.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        weights.extend(row.iter().map(|weight| weight / total));
    }
    weights
}

/// Compares totals, expected events and probabilities of spans; false if there is no tree.
fn check(chart: &mut Chart, laid: &Laid<'_>) -> bool {
    let ln_total = chart.fill(laid);
    for engine in [Scaled::inside(laid), Scaled::wide(laid)] {
        if engine.ln_total() == f64::NEG_INFINITY {
            assert_eq!(ln_total, f64::NEG_INFINITY);
            return false;
        }
        assert!(chart.is_narrow());
        assert!((ln_total - engine.ln_total()).abs() < 1e-9, "{ln_total} {}", engine.ln_total());
        let posteriors = engine.outside();
        let (mut events, mut expected) = (vec![0.0; laid.weights.len()], vec![0.0; laid.weights.len()]);
        chart.add_events(laid, 1.0, &mut events);
        posteriors.add_counts(&mut expected);
        check_equal(&events, &expected);
        let width = laid.words.len() + 1;
        let mut expected = vec![0.0; width * width];
        posteriors.bundles(|item, _, p| {
            if let Some(Node { start, end, .. }) = laid.node(item) {
                expected[start as usize * width + end as usize] += p;
            }
        });
        check_equal(&chart.spans(laid), &expected);
    }
    true
}

fn check_equal(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() < 1e-9, "{at}: {found} {expected}");
    }
}

/// Grammars of both kinds over sentences of 15 to 35 words; the number of those with a tree.
fn check_all(seed: u64, absent: f64) -> usize {
    let (mut chart, mut n_trees) = (Chart::default(), 0);
    for case in 0..24 {
        let rng = &mut Stream::new(seed).item(case).rng();
        let (n_words, n_nonterminals) = (15 + rng.below(21), 1 + rng.below(4));
        let emission = match rng.bernoulli(0.5) {
            true => Emission::Free { preterminals: 1 + rng.below(4), words: 9 },
            false => Emission::Tags(9),
        };
        let shape = CnfShape::new(n_nonterminals, emission);
        let words: Vec<u32> = (0..n_words).map(|_| rng.below(9) as u32).collect();
        let weights = any_weights(rng, &shape, absent);
        n_trees += usize::from(check(&mut chart, &Laid { shape: &shape, weights: &weights, words: &words }));
    }
    n_trees
}

#[test]
fn sums_and_expected_events_of_long_sentences_are_those_of_the_engine() {
    assert_eq!(check_all(61, 0.0), 24);
}

#[test]
fn sums_and_expected_events_where_rules_are_absent_are_those_of_the_engine() {
    let n_trees = check_all(62, 0.3);
    assert!(n_trees > 10, "{n_trees}");
}
