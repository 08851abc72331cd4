//! Long sentences, and scores that are far apart.

use arcs::{
    ArcScores, Marginals, Roots, best_projective, best_spanning, projective_marginals, spanning_marginals,
};
use chain::Stream;

fn random(n: usize, spread: f64) -> ArcScores {
    let mut rng = Stream::new(5).rng();
    let mut scores = ArcScores::new(n);
    for dependent in 1..=n {
        for head in 0..=n {
            scores.set(head, dependent, spread * (rng.uniform() - 0.5));
        }
    }
    scores
}

fn check_rows(marginals: &Marginals, roots: Roots) {
    for dependent in 1..=marginals.n_words() {
        let sum: f64 = marginals.row(dependent).iter().sum();
        assert!((sum - 1.0).abs() < 1e-8, "the heads of {dependent} have {sum}");
    }
    let from_root: f64 = (1..=marginals.n_words()).map(|word| marginals.of(0, word)).sum();
    match roots {
        Roots::One => assert!((from_root - 1.0).abs() < 1e-8, "{from_root}"),
        Roots::Many => assert!(from_root > 1.0 - 1e-8, "{from_root}"),
    }
}

#[test]
fn sums_over_the_trees_of_two_hundred_words_stay_within_floats() {
    for spread in [0.0, 5.0, 60.0, 600.0] {
        let scores = random(200, spread);
        for roots in [Roots::One, Roots::Many] {
            let (ln_total, marginals) = projective_marginals(&scores, roots).unwrap();
            let best = scores.of_tree(&best_projective(&scores, roots).unwrap());
            assert!(ln_total.is_finite() && ln_total >= best - 1e-6, "{ln_total} {best}");
            check_rows(&marginals, roots);
            let (ln_total, marginals) = spanning_marginals(&scores, roots).unwrap();
            let best = scores.of_tree(&best_spanning(&scores, roots).unwrap());
            assert!(ln_total.is_finite() && ln_total >= best - 1e-6, "{ln_total} {best}");
            check_rows(&marginals, roots);
        }
    }
}

#[test]
fn a_cycle_that_is_far_better_than_any_tree_does_no_harm() {
    // Two words that want each other, and a root that nobody wants: two trees, equally good.
    for far in [30.0, 100.0, 590.0] {
        let mut scores = ArcScores::new(2);
        for (head, dependent, score) in [(1, 2, 0.0), (2, 1, 0.0), (0, 1, -far), (0, 2, -far)] {
            scores.set(head, dependent, score);
        }
        for (ln_total, marginals) in [
            spanning_marginals(&scores, Roots::One).unwrap(),
            spanning_marginals(&scores, Roots::Many).unwrap(),
            projective_marginals(&scores, Roots::One).unwrap(),
            projective_marginals(&scores, Roots::Many).unwrap(),
        ] {
            assert!((ln_total - 2f64.ln() + far).abs() < 1e-9, "{ln_total}");
            assert!((marginals.of(1, 2) - 0.5).abs() < 1e-9 && (marginals.of(0, 2) - 0.5).abs() < 1e-9);
        }
    }
}

#[test]
fn where_every_tree_underflows_the_best_one_has_all_of_the_probability() {
    // Relative to the best head of every word, each tree weighs e^−1000 or less.
    let mut scores = ArcScores::new(2);
    for (head, dependent, score) in [(1, 2, 0.0), (2, 1, 0.0), (0, 1, -1000.0), (0, 2, -1500.0)] {
        scores.set(head, dependent, score);
    }
    for roots in [Roots::One, Roots::Many] {
        let found = [spanning_marginals(&scores, roots), projective_marginals(&scores, roots)];
        for (ln_total, marginals) in found.map(Option::unwrap) {
            assert!((ln_total + 1000.0).abs() < 1e-6, "{ln_total}");
            assert!((marginals.of(0, 1) - 1.0).abs() < 1e-9 && (marginals.of(1, 2) - 1.0).abs() < 1e-9);
        }
    }
}

#[test]
fn what_is_no_number_is_no_arc() {
    let mut scores = ArcScores::zero(2);
    scores.set(0, 1, f64::NAN);
    scores.set(0, 2, f64::INFINITY);
    for heads in [best_projective(&scores, Roots::Many), best_spanning(&scores, Roots::Many)] {
        assert_eq!(heads.unwrap().as_slice(), [2, 0]);
    }
    assert!(projective_marginals(&scores, Roots::One).unwrap().1.of(0, 2) > 0.999);
}
