//! Every answer against the list of all trees.

use arcs::{
    ArcScores, Marginals, Roots, best_projective, best_spanning, k_best_projective, projective_marginals,
    spanning_marginals,
};
use proptest::prelude::*;
use tree::Heads;

/// All trees over the words that are not left out, with their scores.
pub(crate) fn all_trees(scores: &ArcScores, roots: Roots, projective: bool) -> Vec<(Heads, f64)> {
    let n = scores.n_words();
    let mut lists = vec![Vec::new()];
    for word in 1..=n {
        let heads: Vec<u32> = if scores.is_left_out(word) {
            vec![0]
        } else {
            let present = |&head: &usize| scores.get(head, word) > f64::NEG_INFINITY;
            let kept = |&head: &usize| head == 0 || !scores.is_left_out(head);
            (0..=n).filter(present).filter(kept).map(|head| head as u32).collect()
        };
        lists = lists
            .into_iter()
            .flat_map(|list: Vec<u32>| heads.iter().map(move |&head| [&list[..], &[head]].concat()))
            .collect();
    }
    let kept: Vec<usize> = (1..=n).filter(|&word| !scores.is_left_out(word)).collect();
    let trees = lists.into_iter().filter_map(|list| Heads::new(list).ok());
    trees
        .filter(|tree| {
            let n_roots = kept.iter().filter(|&&word| tree.head(word) == 0).count();
            (roots == Roots::Many || n_roots <= 1) && (!projective || without_crossing(tree, &kept))
        })
        .map(|tree| (scores.of_tree(&tree), tree))
        .map(|(score, tree)| (tree, score))
        .collect()
}

fn without_crossing(tree: &Heads, kept: &[usize]) -> bool {
    let arc = |word: usize| (tree.head(word).min(word), tree.head(word).max(word));
    !kept.iter().any(|&one| {
        let (left, right) = arc(one);
        kept.iter().any(|&other| {
            let (start, end) = arc(other);
            left < start && start < right && right < end
        })
    })
}

/// Scores of up to six words, of which a share is absent and some words have no head.
pub(crate) fn any_scores(n_words: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = ArcScores> {
    let share = prop_oneof![Just(0.0), Just(0.3), Just(0.6)];
    (n_words, share).prop_flat_map(|(n, absent)| {
        let score =
            (0.0..1.0f64, -3.0..3.0f64).prop_map(move |(luck, score)| (luck >= absent).then_some(score));
        let left_out = proptest::collection::vec(proptest::bool::weighted(0.1), n);
        (proptest::collection::vec(score, n * (n + 1)), left_out).prop_map(move |(values, left_out)| {
            let mut scores = ArcScores::new(n);
            for (at, value) in values.into_iter().enumerate() {
                let (head, dependent) = (at % (n + 1), at / (n + 1) + 1);
                if let Some(value) = value.filter(|_| !left_out[dependent - 1]) {
                    scores.set(head, dependent, value);
                }
            }
            scores
        })
    })
}

fn check_best(found: Option<Heads>, trees: &[(Heads, f64)], scores: &ArcScores) {
    let best = trees.iter().map(|(_, score)| *score).fold(f64::NEG_INFINITY, f64::max);
    match found {
        None => assert!(trees.is_empty(), "a tree of {best} was missed"),
        Some(found) => {
            assert!(trees.iter().any(|(tree, _)| *tree == found), "{found:?} is no tree of the list");
            assert!((scores.of_tree(&found) - best).abs() < 1e-9, "{} {best}", scores.of_tree(&found));
        }
    }
}

fn check_sums(found: Option<(f64, Marginals)>, trees: &[(Heads, f64)], n_words: usize) {
    let total: f64 = trees.iter().map(|(_, score)| score.exp()).sum();
    let Some((ln_total, marginals)) = found else {
        assert!(trees.is_empty(), "a sum of {total} was missed");
        return;
    };
    assert!((ln_total - total.ln()).abs() < 1e-9, "{ln_total} {}", total.ln());
    for dependent in 1..=n_words {
        for head in 0..=n_words {
            let with = trees.iter().filter(|(tree, _)| tree.head(dependent) == head);
            let expected = with.map(|(_, score)| score.exp()).sum::<f64>() / total;
            let found = marginals.of(head, dependent);
            assert!((found - expected).abs() < 1e-9, "{head} → {dependent}: {found} {expected}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn best_and_sums_and_marginals_are_those_of_the_list(scores in any_scores(0..=5)) {
        for roots in [Roots::One, Roots::Many] {
            let projective = all_trees(&scores, roots, true);
            check_best(best_projective(&scores, roots), &projective, &scores);
            check_sums(projective_marginals(&scores, roots), &projective, scores.n_words());
            let all = all_trees(&scores, roots, false);
            check_best(best_spanning(&scores, roots), &all, &scores);
            check_sums(spanning_marginals(&scores, roots), &all, scores.n_words());
        }
    }

    #[test]
    fn k_best_trees_are_the_head_of_the_sorted_list(scores in any_scores(0..=5), k in 0usize..30) {
        for roots in [Roots::One, Roots::Many] {
            let mut trees = all_trees(&scores, roots, true);
            trees.sort_by(|a, b| b.1.total_cmp(&a.1));
            let found = k_best_projective(&scores, roots, k);
            prop_assert_eq!(found.len(), k.min(trees.len()));
            for ((heads, score), (_, expected)) in found.iter().zip(&trees) {
                prop_assert!((score - expected).abs() < 1e-9);
                prop_assert!(trees.iter().any(|(tree, _)| tree == heads));
            }
            let mut different: Vec<_> = found.iter().map(|(heads, _)| heads.as_slice()).collect();
            different.sort();
            different.dedup();
            prop_assert_eq!(different.len(), found.len());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(25))]

    #[test]
    fn the_same_holds_for_six_words(scores in any_scores(6..=6)) {
        for roots in [Roots::One, Roots::Many] {
            let projective = all_trees(&scores, roots, true);
            check_best(best_projective(&scores, roots), &projective, &scores);
            check_sums(projective_marginals(&scores, roots), &projective, 6);
            let all = all_trees(&scores, roots, false);
            check_best(best_spanning(&scores, roots), &all, &scores);
            check_sums(spanning_marginals(&scores, roots), &all, 6);
        }
    }
}

#[test]
fn trees_are_counted_by_cayley_and_by_the_ternary_trees() {
    for n in 1..=6u32 {
        let scores = ArcScores::zero(n as usize);
        let count = |sum: Option<(f64, Marginals)>| sum.unwrap().0.exp().round() as u64;
        let all = u64::from(n + 1).pow(n - 1);
        assert_eq!(count(spanning_marginals(&scores, Roots::Many)), all);
        assert_eq!(count(spanning_marginals(&scores, Roots::One)), u64::from(n).pow(n - 1));
        let ternary = [1, 1, 3, 12, 55, 273, 1428];
        assert_eq!(count(projective_marginals(&scores, Roots::Many)), ternary[n as usize]);
    }
}

#[test]
fn a_word_without_heads_is_left_out_and_has_head_zero() {
    let mut scores = ArcScores::zero(3);
    scores.row_mut(2).fill(f64::NEG_INFINITY);
    for heads in [best_projective(&scores, Roots::One), best_spanning(&scores, Roots::One)] {
        let heads = heads.unwrap();
        assert_eq!(heads.head(2), 0);
        assert!(heads.head(1) != 2 && heads.head(3) != 2);
    }
    let (ln_total, marginals) = projective_marginals(&scores, Roots::One).unwrap();
    assert!((ln_total - 2f64.ln()).abs() < 1e-12);
    assert_eq!(marginals.of(0, 2), 1.0);
    assert_eq!(marginals.of(2, 1), 0.0);
}

#[test]
fn the_entropy_of_a_sentence_is_that_of_all_its_words() {
    let mut marginals = Marginals::zero(3);
    marginals.row_mut(1).copy_from_slice(&[0.5, 0.0, 0.5, 0.0]);
    marginals.row_mut(2).copy_from_slice(&[1.0, 0.0, 0.0, 0.0]);
    marginals.row_mut(3).copy_from_slice(&[0.25, 0.25, 0.5, 0.0]);
    // In bits: one for the first word, none for the second, one and a half for the third.
    assert!((marginals.total_entropy() - 2.5 * 2f64.ln()).abs() < 1e-12);
}
