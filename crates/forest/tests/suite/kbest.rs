//! Best and k-best against the sorted list.

use std::collections::BTreeSet;

use forest::derive::{KBest, best, k_best};

use crate::toys::{assert_close, for_each_forest, steps_of, written_out};

#[test]
fn k_best_is_the_sorted_list_of_all_derivations() {
    for_each_forest!(forest => {
        let mut all = written_out(forest).derivations();
        all.sort_by(|one, other| other.weight.total_cmp(&one.weight));
        let found: Vec<_> = KBest::new(forest).collect();
        assert_eq!(found.len(), all.len());
        for ((_, score), derived) in found.iter().zip(&all) {
            assert_close(score.exp(), derived.weight, "score");
        }
        let distinct: BTreeSet<_> = found.iter().map(|(derivation, _)| steps_of(derivation)).collect();
        let expected: BTreeSet<_> = all.iter().map(|derived| derived.steps.clone()).collect();
        assert_eq!(distinct, expected);
        for (derivation, score) in &found {
            let steps = steps_of(derivation);
            let derived = all.iter().find(|derived| derived.steps == steps).unwrap();
            assert_close(score.exp(), derived.weight, "the score belongs to the derivation");
        }
        assert_eq!(k_best(forest, 3)[..], found[..found.len().min(3)]);
    });
}

#[test]
fn best_is_the_first_of_the_k_best() {
    for_each_forest!(forest => {
        let best = best(forest);
        let first = k_best(forest, 1).pop();
        assert_eq!(best.is_some(), first.is_some());
        if let (Some((best, score)), Some((first, first_score))) = (best, first) {
            assert_close(score, first_score, "score");
            assert_eq!(best, first);
        }
    });
}
