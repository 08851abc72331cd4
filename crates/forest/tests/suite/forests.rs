//! The test forests themselves, against definitions that know nothing of forests.

use forest::semiring::{Count, Prob};
use forest::{Forest, Scaled, inside};
use testkit::enumerate::projective_trees;
use testkit::toys::{Pcfg, SplitMix64};

use crate::toys::{CkyTree, PcfgForest, SplitHead, assert_close};

#[test]
fn one_symbol_forests_have_catalan_many_derivations() {
    let mut catalan: u128 = 1;
    for n in 1..=12u32 {
        let forest = CkyTree::new(n, |_, _| 1.0);
        assert_eq!(inside::<Count>(&forest)[forest.goal().index()].0, catalan, "n = {n}");
        assert_close(inside::<Prob>(&forest)[forest.goal().index()].0, catalan as f64, "sum");
        catalan = catalan * u128::from(2 * (2 * n - 1)) / u128::from(n + 1);
    }
}

#[test]
fn a_count_that_is_too_large_stays_at_the_top() {
    let forest = CkyTree::new(90, |_, _| 1.0);
    assert_eq!(inside::<Count>(&forest)[forest.goal().index()].0, u128::MAX);
}

#[test]
fn pcfg_forest_has_the_trees_of_the_grammar() {
    for seed in 0..40 {
        let mut random = SplitMix64(seed);
        let grammar = Pcfg::random(3, 7, 4, &mut random);
        let words: Vec<usize> = (0..1 + seed as usize % 6).map(|_| random.below(4)).collect();
        let trees = grammar.trees(&words);
        let forest = PcfgForest::new(&grammar, &words);
        let goal = forest.goal().index();
        assert_eq!(inside::<Count>(&forest)[goal].0, trees.len() as u128);
        assert_close(inside::<Prob>(&forest)[goal].0, trees.iter().map(|tree| tree.weight).sum(), "sum");
    }
}

#[test]
fn split_head_forest_has_the_projective_trees() {
    for n in 1..=5 {
        let forest = SplitHead::random(n, &mut SplitMix64(n as u64));
        let trees = projective_trees(n, |heads| forest.weight(heads));
        let goal = forest.goal().index();
        assert_eq!(inside::<Count>(&forest)[goal].0, trees.len() as u128);
        assert_close(inside::<Prob>(&forest)[goal].0, trees.iter().map(|tree| tree.1).sum(), "sum");
    }
}

#[test]
fn arc_posteriors_equal_those_of_the_projective_trees() {
    let n = 5;
    let forest = SplitHead::random(n, &mut SplitMix64(3));
    let trees = projective_trees(n, |heads| forest.weight(heads));
    let z: f64 = trees.iter().map(|tree| tree.1).sum();
    let mut counts = vec![0.0; n * n + n];
    Scaled::inside(&forest).outside().add_counts(&mut counts);
    for head in 0..=n {
        for word in 0..n {
            let through = trees.iter().filter(|tree| tree.0[word] == (head < n).then_some(head));
            let expected = through.map(|tree| tree.1).sum::<f64>() / z;
            assert_close(counts[head * n + word], expected, "arc");
        }
    }
}

/// The worked example of a CKY-tree factor: odds of nine spans over five words, and what comes out.
#[test]
fn cky_tree_gives_the_worked_example() {
    let example = [
        (0, 2, 4.0, 0.70),
        (1, 3, 0.25, 0.06),
        (2, 4, 0.25, 0.06),
        (3, 5, 4.0, 0.94),
        (0, 3, 1.0 / 9.0, 0.07),
        (1, 4, 1.0 / 9.0, 0.00),
        (2, 5, 1.0, 0.87),
        (0, 4, 1.0 / 9.0, 0.01),
        (1, 5, 1.5, 0.29),
    ];
    let odds = |i, j| example.iter().find(|span| (span.0, span.1) == (i, j)).map_or(1.0, |span| span.2);
    let forest = CkyTree::new(5, odds);
    let scaled = Scaled::inside(&forest);
    assert!((scaled.ln_total().exp() - 27.017).abs() < 5e-4);
    let posteriors = scaled.outside().items();
    for (i, j, _, expected) in example {
        let found = posteriors[forest.spans.item(0, i as u32, j as u32).index()];
        assert!((found - expected).abs() <= 0.0051, "{i}–{j}: {found}, printed {expected}");
    }
}
