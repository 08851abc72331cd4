//! Every answer against the list of all trees.

use arcs::Roots;
use arcs::second_order::{Arc, Grandparent, PartMarginals, Parts, Scores, SecondOrder, Sibling, Side};
use proptest::prelude::*;
use tree::Heads;

/// A tree with the numbers of its parts, looked up one by one, and its score.
struct Listed {
    heads: Heads,
    arcs: Vec<usize>,
    siblings: Vec<usize>,
    grandparents: Vec<usize>,
    score: f64,
}

fn kept(parts: &Parts) -> Vec<usize> {
    (1..=parts.n_words()).filter(|&word| !parts.is_left_out(word)).collect()
}

/// All lists of heads over these arcs that are projective trees.
fn all_trees(parts: &Parts, scores: &Scores, roots: Roots) -> Vec<Listed> {
    let words = kept(parts);
    let mut lists = vec![vec![0; parts.n_words()]];
    for &word in &words {
        let arcs: Vec<Arc> = parts.arcs().filter(|arc| arc.dependent == word).collect();
        let with = |list: &Vec<u32>, arc: &Arc| {
            let mut list = list.clone();
            list[word - 1] = arc.head as u32;
            list
        };
        lists = lists
            .iter()
            .flat_map(|list| arcs.iter().map(|arc| with(list, arc)).collect::<Vec<_>>())
            .collect();
    }
    let trees = lists.into_iter().filter_map(|list| Heads::new(list).ok());
    trees
        .filter(|heads| {
            let n_roots = words.iter().filter(|&&word| heads.head(word) == 0).count();
            (roots == Roots::Many || n_roots <= 1) && without_crossing(heads, &words)
        })
        .map(|heads| listed(parts, scores, heads, &words))
        .filter(|tree| tree.score > f64::NEG_INFINITY)
        .collect()
}

fn without_crossing(heads: &Heads, words: &[usize]) -> bool {
    let arc = |word: usize| (heads.head(word).min(word), heads.head(word).max(word));
    !words.iter().any(|&one| {
        let (left, right) = arc(one);
        words.iter().any(|&other| {
            let (start, end) = arc(other);
            left < start && start < right && right < end
        })
    })
}

fn listed(parts: &Parts, scores: &Scores, heads: Heads, words: &[usize]) -> Listed {
    let (mut arcs, mut siblings, mut grandparents) = (Vec::new(), Vec::new(), Vec::new());
    for &dependent in words {
        let head = heads.head(dependent);
        arcs.push(parts.arcs().position(|arc| arc == Arc { head, dependent }).unwrap());
        if head > 0 {
            let part = Grandparent { grandparent: heads.head(head), head, dependent };
            grandparents.push(parts.grandparents().position(|other| other == part).unwrap());
        }
    }
    for head in [0].into_iter().chain(words.iter().copied()) {
        let of = |&word: &usize| heads.head(word) == head;
        let left = words.iter().rev().copied().filter(|word| *word < head).filter(of).collect();
        let right = words.iter().copied().filter(|word| *word > head).filter(of).collect();
        let sides: Vec<(Side, Vec<usize>)> = vec![(Side::Left, left), (Side::Right, right)];
        for (side, outwards) in sides.into_iter().skip(usize::from(head == 0)) {
            let outwards: Vec<Option<usize>> =
                [None].into_iter().chain(outwards.into_iter().map(Some)).chain([None]).collect();
            for pair in outwards.windows(2) {
                let part = Sibling { head, side, inner: pair[0], outer: pair[1] };
                siblings.push(parts.siblings().position(|other| other == part).unwrap());
            }
        }
    }
    let score = arcs.iter().map(|&at| scores.arcs[at]).sum::<f64>()
        + siblings.iter().map(|&at| scores.siblings[at]).sum::<f64>()
        + grandparents.iter().map(|&at| scores.grandparents[at]).sum::<f64>();
    Listed { heads, arcs, siblings, grandparents, score }
}

/// Arcs of up to five words, of which a share is absent and some words have no head, and scores, some of them −∞.
fn any_sentence() -> impl Strategy<Value = (Parts, Scores)> {
    let share = prop_oneof![Just(0.0), Just(0.3), Just(0.6)];
    let minus = prop_oneof![Just(0.0), Just(0.15)];
    (0..=5usize, share, minus).prop_flat_map(|(n, absent, minus)| {
        let lucks = proptest::collection::vec(0.0..1.0f64, (n + 1) * (n + 1));
        let left_out = proptest::collection::vec(proptest::bool::weighted(0.1), n + 1);
        (lucks, left_out).prop_flat_map(move |(lucks, left_out)| {
            let arcs = lucks.iter().enumerate().filter(|(_, luck)| **luck >= absent);
            let arcs = arcs.map(|(at, _)| (at / (n + 1), at % (n + 1))).filter(|arc| !left_out[arc.1]);
            let parts = Parts::new(n, arcs);
            let some = |n: usize| proptest::collection::vec(any_score(minus), n);
            let scores = (some(parts.n_arcs()), some(parts.n_siblings()), some(parts.n_grandparents()));
            let scores =
                scores.prop_map(|(arcs, siblings, grandparents)| Scores { arcs, siblings, grandparents });
            (Just(parts), scores)
        })
    })
}

fn any_score(minus: f64) -> impl Strategy<Value = f64> {
    (0.0..1.0f64, -3.0..3.0f64)
        .prop_map(move |(luck, score)| if luck < minus { f64::NEG_INFINITY } else { score })
}

fn check_marginals(found: &[f64], trees: &[Listed], total: f64, numbers: impl Fn(&Listed) -> &[usize]) {
    let mut expected = vec![0.0; found.len()];
    for tree in trees {
        numbers(tree).iter().for_each(|&at| expected[at] += tree.score.exp() / total);
    }
    for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert!((found - expected).abs() < 1e-9, "part {at}: {found} {expected}");
    }
}

fn check_sums(ln_total: Option<f64>, marginals: &PartMarginals, trees: &[Listed], parts: &Parts) {
    let total: f64 = trees.iter().map(|tree| tree.score.exp()).sum();
    let Some(ln_total) = ln_total else {
        assert!(trees.is_empty(), "a sum of {total} was missed");
        return;
    };
    assert!((ln_total - total.ln()).abs() < 1e-9, "{ln_total} {}", total.ln());
    assert_eq!(marginals.arcs.len(), parts.n_arcs());
    assert_eq!(marginals.siblings.len(), parts.n_siblings());
    assert_eq!(marginals.grandparents.len(), parts.n_grandparents());
    check_marginals(&marginals.arcs, trees, total, |tree| &tree.arcs);
    check_marginals(&marginals.siblings, trees, total, |tree| &tree.siblings);
    check_marginals(&marginals.grandparents, trees, total, |tree| &tree.grandparents);
}

fn check_k_best(found: &[(f64, Heads)], mut trees: Vec<Listed>, k: usize) {
    trees.sort_by(|a, b| b.score.total_cmp(&a.score));
    assert_eq!(found.len(), trees.len().min(k));
    for (rank, (score, heads)) in found.iter().enumerate() {
        assert!((score - trees[rank].score).abs() < 1e-9, "rank {rank}: {score} {}", trees[rank].score);
        assert!(trees.iter().any(|tree| tree.heads == *heads && (tree.score - score).abs() < 1e-9));
        assert!(!found[..rank].iter().any(|(_, other)| other == heads), "{heads:?} comes twice");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn answers_are_those_of_the_list((parts, scores) in any_sentence(), many in any::<bool>()) {
        let roots = if many { Roots::Many } else { Roots::One };
        let trees = all_trees(&parts, &scores, roots);
        let (mut engine, mut marginals) = (SecondOrder::default(), PartMarginals::default());
        let ln_total = engine.marginals(&parts, &scores, roots, &mut marginals);
        check_sums(ln_total, &marginals, &trees, &parts);
        let ln_total = engine.log_marginals(&parts, &scores, roots, &mut marginals);
        check_sums(ln_total, &marginals, &trees, &parts);
        match engine.best(&parts, &scores, roots) {
            None => prop_assert!(trees.is_empty()),
            Some((score, heads)) => {
                let best = trees.iter().map(|tree| tree.score).fold(f64::NEG_INFINITY, f64::max);
                prop_assert!((score - best).abs() < 1e-9, "{} {}", score, best);
                prop_assert!((scores.of_tree(&parts, &heads) - best).abs() < 1e-9);
                prop_assert!(trees.iter().any(|tree| tree.heads == heads));
            }
        }
        check_k_best(&engine.k_best(&parts, &scores, roots, 30), trees, 30);
    }

    #[test]
    fn the_parts_of_a_tree_are_those_of_the_list((parts, scores) in any_sentence()) {
        for tree in all_trees(&parts, &scores, Roots::Many) {
            let list = parts.of_tree(&tree.heads).unwrap();
            let sorted = |mut numbers: Vec<usize>| { numbers.sort_unstable(); numbers };
            prop_assert_eq!(sorted(list.arcs), sorted(tree.arcs));
            prop_assert_eq!(sorted(list.siblings), sorted(tree.siblings));
            prop_assert_eq!(sorted(list.grandparents), sorted(tree.grandparents));
        }
    }
}

#[test]
fn the_parts_of_three_words_are_few() {
    let parts = Parts::new(3, [(0, 2), (2, 1), (2, 3), (2, 3), (3, 1), (0, 9), (1, 1), (2, 0)]);
    let arcs: Vec<(usize, usize)> = parts.arcs().map(|arc| (arc.head, arc.dependent)).collect();
    assert_eq!(arcs, [(2, 1), (3, 1), (0, 2), (2, 3)]);
    let grandparents: Vec<(usize, usize, usize)> =
        parts.grandparents().map(|part| (part.grandparent, part.head, part.dependent)).collect();
    // 3 → 1 does not stand below 2 → 3, since it would reach over 2.
    assert_eq!(grandparents, [(0, 2, 1), (0, 2, 3)]);
    let right_of_root: Vec<_> =
        parts.siblings().filter(|part| part.head == 0).map(|part| (part.inner, part.outer)).collect();
    assert_eq!(right_of_root, [(None, Some(2)), (None, None), (Some(2), None)]);
    assert_eq!((parts.arc(3, 1), parts.arc(1, 3), parts.arcs_into(2)), (Some(1), None, 2..3));
}

#[test]
fn where_all_arcs_are_present_every_part_is_in_a_tree() {
    let parts = Parts::new(5, (0..=5).flat_map(|head| (1..=5).map(move |dependent| (head, dependent))));
    let trees = all_trees(&parts, &Scores::zero(&parts), Roots::Many);
    assert_eq!(trees.len(), 273);
    for at in 0..parts.n_arcs() {
        assert!(trees.iter().any(|tree| tree.arcs.contains(&at)), "{:?}", parts.arcs().nth(at));
    }
    for (at, part) in parts.siblings().enumerate() {
        let childless_root = part.head == 0 && part.inner.is_none() && part.outer.is_none();
        let found = trees.iter().any(|tree| tree.siblings.contains(&at));
        assert_eq!(found, !childless_root, "{part:?}");
    }
    for (at, part) in parts.grandparents().enumerate() {
        assert!(trees.iter().any(|tree| tree.grandparents.contains(&at)), "{part:?}");
    }
}

#[test]
fn a_tree_with_crossing_or_foreign_arcs_has_no_parts() {
    let parts = Parts::new(4, (0..=4).flat_map(|head| (1..=4).map(move |dependent| (head, dependent))));
    assert!(parts.of_tree(&Heads::new(vec![3, 0, 2, 2]).unwrap()).is_none());
    assert!(parts.of_tree(&Heads::new(vec![2, 0, 2, 2]).unwrap()).is_some());
    assert!(parts.of_tree(&Heads::new(vec![2, 0]).unwrap()).is_none());
    let fewer = Parts::new(2, [(0, 1), (1, 2)]);
    assert!(fewer.of_tree(&Heads::new(vec![2, 0]).unwrap()).is_none());
}
