//! Long sentences, and scores that are far apart.

use arcs::Roots;
use arcs::second_order::{PartMarginals, Parts, SecondOrder};

use super::laws::{check_equal, check_sums, random_arcs, random_scores};

#[test]
fn five_hundred_words_are_not_too_many() {
    let (mut engine, mut marginals) = (SecondOrder::default(), PartMarginals::default());
    let parts = Parts::new(500, random_arcs(500, 6, 3));
    for spread in [0.0, 2.0, 30.0] {
        let scores = random_scores(&parts, spread, 4);
        let (best, tree) = engine.best(&parts, &scores, Roots::One).unwrap();
        assert!((best - scores.of_tree(&parts, &tree)).abs() < 1e-7);
        let ln_total = engine.marginals(&parts, &scores, Roots::One, &mut marginals).unwrap();
        assert!(ln_total.is_finite() && ln_total >= best - 1e-6, "{ln_total} {best}");
        check_sums(&parts, &marginals, 1e-7);
        assert!((marginals.arcs.iter().sum::<f64>() - 500.0).abs() < 1e-6);
    }
}

#[test]
fn scores_beyond_the_range_of_floats_are_summed_as_logarithms() {
    let mut engine = SecondOrder::default();
    let (mut plain, mut logarithms) = (PartMarginals::default(), PartMarginals::default());
    for (seed, spread) in [(1, 300.0), (2, 1e4), (3, 1e12)] {
        let parts = Parts::new(25, random_arcs(25, 6, seed));
        let scores = random_scores(&parts, spread, seed + 5);
        let a = engine.marginals(&parts, &scores, Roots::One, &mut plain).unwrap();
        let b = engine.log_marginals(&parts, &scores, Roots::One, &mut logarithms).unwrap();
        assert!((a - b).abs() < 1e-9 * b.abs(), "{a} {b}");
        check_equal(&plain, &logarithms, 1e-6);
    }
}
