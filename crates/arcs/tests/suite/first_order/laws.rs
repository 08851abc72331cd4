//! Laws that hold for sentences of any length.

use arcs::{
    ArcForest, ArcScores, Projective, Roots, Spanning, best_projective, best_spanning, projective_marginals,
    spanning_marginals,
};
use proptest::prelude::*;

use super::listing::any_scores;

fn ln_total(scores: &ArcScores, roots: Roots, projective: bool) -> f64 {
    let found =
        if projective { projective_marginals(scores, roots) } else { spanning_marginals(scores, roots) };
    found.map_or(f64::NEG_INFINITY, |(ln_total, _)| ln_total)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_marginal_is_the_derivative_of_the_logarithm_of_the_sum(scores in any_scores(2..=12), at in any::<prop::sample::Index>()) {
        let n = scores.n_words();
        let arc = at.index(n * (n + 1));
        let (head, dependent) = (arc % (n + 1), arc / (n + 1) + 1);
        let step = 1e-4;
        for (roots, projective) in [Roots::One, Roots::Many].into_iter().flat_map(|r| [(r, true), (r, false)]) {
            let found = if projective { projective_marginals(&scores, roots) } else { spanning_marginals(&scores, roots) };
            let Some((_, marginals)) = found else { continue };
            if scores.get(head, dependent) == f64::NEG_INFINITY {
                continue;
            }
            let moved = |by: f64| {
                let mut moved = scores.clone();
                moved.set(head, dependent, scores.get(head, dependent) + by);
                ln_total(&moved, roots, projective)
            };
            let gradient = (moved(step) - moved(-step)) / (2.0 * step);
            prop_assert!((gradient - marginals.of(head, dependent)).abs() < 1e-6);
        }
    }

    #[test]
    fn memory_that_was_used_before_changes_nothing(first in any_scores(0..=9), second in any_scores(0..=9)) {
        let (mut projective, mut spanning) = (Projective::default(), Spanning::default());
        for roots in [Roots::One, Roots::Many] {
            for scores in [&first, &second] {
                prop_assert_eq!(projective.best(scores, roots), best_projective(scores, roots));
                prop_assert_eq!(projective.marginals(scores, roots), projective_marginals(scores, roots));
                prop_assert_eq!(spanning.best(scores, roots), best_spanning(scores, roots));
                prop_assert_eq!(spanning.marginals(scores, roots), spanning_marginals(scores, roots));
            }
        }
    }

    #[test]
    fn the_chart_agrees_with_the_general_engine(scores in any_scores(1..=12)) {
        for roots in [Roots::One, Roots::Many] {
            let Some(forest) = ArcForest::new(&scores, roots) else {
                prop_assert!(projective_marginals(&scores, roots).is_none());
                continue;
            };
            let derivation = forest::derive::best(&forest).unwrap().0;
            let best = scores.of_tree(&forest.tree(&derivation).unwrap());
            let found = best_projective(&scores, roots).unwrap();
            prop_assert!((scores.of_tree(&found) - best).abs() < 1e-9);
            let total = forest::Scaled::wide(&forest).ln_total() + scores.of_tree(&found);
            prop_assert!((ln_total(&scores, roots, true) - total).abs() < 1e-9);
        }
    }

    #[test]
    fn the_best_of_all_trees_is_no_worse_than_the_best_projective_one(scores in any_scores(1..=20)) {
        for roots in [Roots::One, Roots::Many] {
            if let Some(projective) = best_projective(&scores, roots) {
                let all = best_spanning(&scores, roots).unwrap();
                prop_assert!(scores.of_tree(&all) >= scores.of_tree(&projective) - 1e-9);
            }
        }
    }
}
