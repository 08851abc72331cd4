//! Forests × questions, against enumeration.

use forest::semiring::{Boolean, Count, Entropy, LogProb, Mass, Prob, Semiring, Viterbi, Wide};
use forest::{Forest, Scaled, expect, inside, outside};
use testkit::enumerate::Derived;

use crate::toys::{assert_close, for_each_forest, written_out};

fn sum(derivations: &[Derived]) -> f64 {
    derivations.iter().map(|derived| derived.weight).sum()
}

#[test]
fn totals_equal_enumeration_in_every_semiring() {
    for_each_forest!(forest => {
        let all = written_out(forest).derivations();
        let goal = forest.goal().index();
        let z = sum(&all);
        assert_close(inside::<Prob>(forest)[goal].0, z, "Prob");
        assert_close(inside::<LogProb>(forest)[goal].ln().exp(), z, "LogProb");
        assert_close(inside::<Wide>(forest)[goal].ln().exp(), z, "Wide");
        assert_close(Scaled::inside(forest).ln_total().exp(), z, "scaled");
        assert_eq!(inside::<Count>(forest)[goal].0, all.len() as u128);
        assert_eq!(inside::<Boolean>(forest)[goal].0, !all.is_empty());
        let highest = all.iter().map(|derived| derived.weight).fold(0.0, f64::max);
        assert_close(inside::<Viterbi>(forest)[goal].0.exp(), highest, "Viterbi");
    });
}

#[test]
fn entropy_equals_enumeration_by_both_formulas() {
    for_each_forest!(forest => {
        let all = written_out(forest).derivations();
        let z = sum(&all);
        let entropy: f64 = all.iter().map(|derived| derived.weight / z).map(|p| -p * p.ln()).sum();
        assert_close(expect::entropy(forest), entropy, "expectation semiring");
        let scaled = Scaled::inside(forest);
        assert_close(scaled.entropy(), entropy, "scaled");
        assert_close(Scaled::wide(forest).entropy(), entropy, "wide");
        if z > 0.0 {
            assert_close(scaled.outside().entropy(), entropy, "posteriors");
        }
        assert_eq!(inside::<Entropy>(forest)[forest.goal().index()].is_zero(), all.is_empty());
    });
}

#[test]
fn item_posteriors_equal_enumeration() {
    for_each_forest!(forest => {
        let all = written_out(forest).derivations();
        let z = sum(&all);
        let mut expected = vec![0.0; forest.n_items()];
        for derived in &all {
            for (item, _, _) in &derived.steps {
                expected[*item] += derived.weight / z;
            }
        }
        for scaled in [Scaled::inside(forest), Scaled::wide(forest)] {
            for (found, expected) in scaled.outside().items().into_iter().zip(&expected) {
                assert_close(found, *expected, "item posterior");
            }
        }
        let below = inside::<LogProb>(forest);
        let above = outside(forest, &below);
        for (found, expected) in expect::items(forest, &below, &above).into_iter().zip(&expected) {
            assert_close(found, *expected, "item posterior by logarithms");
        }
    });
}

#[test]
fn expected_rule_counts_equal_enumeration() {
    for_each_forest!(forest => {
        let graph = written_out(forest);
        let n_rules = 1 + graph.edges.iter().flatten().map(|edge| edge.rule).max().unwrap_or(0) as usize;
        let all = graph.derivations();
        let z = sum(&all);
        let mut expected = vec![0.0; n_rules];
        for derived in &all {
            for (_, rule, _) in &derived.steps {
                expected[*rule as usize] += derived.weight / z;
            }
        }
        for scaled in [Scaled::inside(forest), Scaled::wide(forest)] {
            let mut counts = vec![0.0; n_rules];
            scaled.outside().add_counts(&mut counts);
            for (found, expected) in counts.into_iter().zip(&expected) {
                assert_close(found, *expected, "rule count");
            }
        }
    });
}

#[test]
fn edge_posteriors_equal_enumeration() {
    for_each_forest!(forest => {
        let graph = written_out(forest);
        let all = graph.derivations();
        let z = sum(&all);
        let scaled = Scaled::inside(forest);
        let posteriors = scaled.outside();
        let mut found = Vec::new();
        for item in forest.items() {
            let mut edges = graph.edges[item.index()].iter();
            let _ = forest.bundles_into(item, |bundle| {
                posteriors.edges(item, &bundle, &mut found);
                assert_eq!(found.len(), bundle.tails.len() as usize);
                for (found, edge) in found.iter().zip(&mut edges) {
                    let through = |derived: &&Derived| {
                        let key = (item.index(), edge.rule, edge.tails.clone());
                        edge.weight > 0.0 && derived.steps.contains(&key)
                    };
                    // An item may occur twice in a written-out forest; then the posterior is an expectation.
                    let uses = |derived: &Derived| {
                        let key = (item.index(), edge.rule, edge.tails.clone());
                        derived.steps.iter().filter(|step| **step == key).count() as f64 * derived.weight
                    };
                    let expected: f64 = all.iter().filter(through).map(uses).sum::<f64>();
                    let expected = if z > 0.0 { expected / z } else { 0.0 };
                    assert_close(*found, expected, "edge posterior");
                }
                std::ops::ControlFlow::Continue(())
            });
        }
    });
}
