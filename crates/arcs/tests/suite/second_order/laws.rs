//! What must hold of any scores.

use arcs::second_order::{PartMarginals, Parts, Scores, SecondOrder};
use arcs::{ArcScores, Projective, Roots};
use chain::Stream;

/// A random projective tree's arcs, and as many more heads near each word.
pub(crate) fn random_arcs(n: usize, n_heads: usize, seed: u64) -> Vec<(usize, usize)> {
    let mut rng = Stream::new(seed).rng();
    let mut below = |n: usize| ((rng.uniform() * n as f64) as usize).min(n.saturating_sub(1));
    let mut arcs = Vec::new();
    let mut open = vec![(0, 1, n)];
    while let Some((head, start, end)) = open.pop() {
        if start <= end {
            let word = start + below(end + 1 - start);
            arcs.push((head, word));
            // What lies beyond the word may hang from it or from its head.
            let (left, right) = (below(4) > 0 || head == 0, below(4) > 0 || head == 0);
            open.push((if left || head > word { word } else { head }, start, word - 1));
            open.push((if right || head < word { word } else { head }, word + 1, end));
        }
    }
    for word in 1..=n {
        while arcs.iter().filter(|arc| arc.1 == word).count() < n_heads.min(n) {
            let head = (word + below(13)).saturating_sub(6).min(n);
            if head != word && !arcs.contains(&(head, word)) || below(20) == 0 {
                let head = if arcs.contains(&(head, word)) { below(n + 1) } else { head };
                if head != word && !arcs.contains(&(head, word)) {
                    arcs.push((head, word));
                }
            }
        }
    }
    arcs
}

pub(crate) fn random_scores(parts: &Parts, spread: f64, seed: u64) -> Scores {
    let mut rng = Stream::new(seed).rng();
    let mut scores = Scores::zero(parts);
    for values in [&mut scores.arcs, &mut scores.siblings, &mut scores.grandparents] {
        values.iter_mut().for_each(|value| *value = spread * (2.0 * rng.uniform() - 1.0));
    }
    scores
}

pub(crate) fn check_sums(parts: &Parts, marginals: &PartMarginals, tolerance: f64) {
    for word in (1..=parts.n_words()).filter(|&word| !parts.is_left_out(word)) {
        let sum: f64 = marginals.arcs[parts.arcs_into(word)].iter().sum();
        assert!((sum - 1.0).abs() < tolerance, "the heads of {word} have {sum}");
    }
    // Every arc that is not from the root has one above it, and every arc makes one pair of siblings.
    let from_words = parts.arcs().zip(&marginals.arcs).filter(|(arc, _)| arc.head > 0).map(|(_, p)| p);
    let (from_words, grand) = (from_words.sum::<f64>(), marginals.grandparents.iter().sum::<f64>());
    assert!((from_words - grand).abs() < tolerance * parts.n_words() as f64, "{from_words} {grand}");
    let siblings: f64 = marginals.siblings.iter().sum();
    let groups = marginals.arcs.iter().sum::<f64>() + 1.0 + 2.0 * kept(parts) as f64;
    assert!((siblings - groups).abs() < tolerance * parts.n_words() as f64, "{siblings} {groups}");
}

fn kept(parts: &Parts) -> usize {
    (1..=parts.n_words()).filter(|&word| !parts.is_left_out(word)).count()
}

pub(crate) fn check_equal(a: &PartMarginals, b: &PartMarginals, tolerance: f64) {
    for (a, b) in [(&a.arcs, &b.arcs), (&a.siblings, &b.siblings), (&a.grandparents, &b.grandparents)] {
        assert_eq!(a.len(), b.len());
        for (at, (a, b)) in a.iter().zip(b).enumerate() {
            assert!((a - b).abs() < tolerance, "part {at}: {a} {b}");
        }
    }
}

#[test]
fn without_second_order_scores_it_is_first_order() {
    let (mut engine, mut marginals) = (SecondOrder::default(), PartMarginals::default());
    let mut first = Projective::default();
    for seed in 0..60 {
        let n = 1 + (seed as usize * 7) % 40;
        let roots = if seed % 2 == 0 { Roots::One } else { Roots::Many };
        let arcs = random_arcs(n, 1 + seed as usize % 5, seed);
        // Some words are left out.
        let arcs = arcs.into_iter().filter(|arc| seed % 3 > 0 || n < 2 || arc.1 % 11 != 5);
        let parts = Parts::new(n, arcs);
        let mut scores = Scores::zero(&parts);
        scores.arcs = random_scores(&parts, 3.0, seed + 100).arcs;
        let mut arc_scores = ArcScores::new(n);
        for (arc, &score) in parts.arcs().zip(&scores.arcs) {
            arc_scores.set(arc.head, arc.dependent, score);
        }
        let found = engine.marginals(&parts, &scores, roots, &mut marginals);
        let Some((ln_total, expected)) = first.marginals(&arc_scores, roots) else {
            assert_eq!(found, None);
            assert!(engine.best(&parts, &scores, roots).is_none());
            continue;
        };
        assert!((found.unwrap() - ln_total).abs() < 1e-8, "{found:?} {ln_total}");
        for (arc, found) in parts.arcs().zip(&marginals.arcs) {
            let expected = expected.of(arc.head, arc.dependent);
            assert!((found - expected).abs() < 1e-8, "{arc:?}: {found} {expected}");
        }
        let (score, heads) = engine.best(&parts, &scores, roots).unwrap();
        let expected = first.best(&arc_scores, roots).unwrap();
        assert_eq!(heads, expected);
        assert!((score - arc_scores.of_tree(&expected)).abs() < 1e-8);
    }
}

#[test]
fn logarithms_and_plain_numbers_agree() {
    let mut engine = SecondOrder::default();
    let (mut plain, mut logarithms) = (PartMarginals::default(), PartMarginals::default());
    for (seed, n) in [(1, 5), (2, 20), (3, 40), (4, 60), (5, 60)] {
        for spread in [0.0, 1.0, 30.0] {
            let parts = Parts::new(n, random_arcs(n, 6, seed));
            let scores = random_scores(&parts, spread, seed + 50);
            for roots in [Roots::One, Roots::Many] {
                let a = engine.marginals(&parts, &scores, roots, &mut plain).unwrap();
                let b = engine.log_marginals(&parts, &scores, roots, &mut logarithms).unwrap();
                assert!((a - b).abs() < 1e-9 * b.abs().max(1.0), "{a} {b}");
                check_equal(&plain, &logarithms, 1e-9);
                check_sums(&parts, &plain, 1e-9);
            }
        }
    }
}

#[test]
fn marginals_are_the_gradients_of_the_sum() {
    let mut engine = SecondOrder::default();
    let (mut marginals, mut ignored) = (PartMarginals::default(), PartMarginals::default());
    let parts = Parts::new(15, random_arcs(15, 4, 9));
    let mut scores = random_scores(&parts, 2.0, 10);
    engine.marginals(&parts, &scores, Roots::One, &mut marginals).unwrap();
    let step = 1e-4;
    for at in (0..parts.n_siblings()).step_by(7) {
        let mut shifted = |by: f64| {
            scores.siblings[at] += by;
            let sum = engine.marginals(&parts, &scores, Roots::One, &mut ignored).unwrap();
            scores.siblings[at] -= by;
            sum
        };
        let gradient = (shifted(step) - shifted(-step)) / (2.0 * step);
        assert!((gradient - marginals.siblings[at]).abs() < 1e-6, "{gradient} {}", marginals.siblings[at]);
    }
}

#[test]
fn arcs_of_one_tree_leave_that_tree() {
    let (mut engine, mut marginals) = (SecondOrder::default(), PartMarginals::default());
    for seed in 0..10 {
        let parts = Parts::new(30, random_arcs(30, 5, seed));
        let mut scores = random_scores(&parts, 2.0, seed + 20);
        let tree = engine.k_best(&parts, &scores, Roots::One, 7).pop().unwrap().1;
        let kept = parts.of_tree(&tree).unwrap().arcs;
        for (at, score) in scores.arcs.iter_mut().enumerate().filter(|(at, _)| !kept.contains(at)) {
            *score = if at % 2 == 0 { f64::NEG_INFINITY } else { f64::NAN };
        }
        let (score, best) = engine.best(&parts, &scores, Roots::One).unwrap();
        assert_eq!(best, tree);
        let ln_total = engine.marginals(&parts, &scores, Roots::One, &mut marginals).unwrap();
        assert!((ln_total - score).abs() < 1e-9);
        let list = parts.of_tree(&tree).unwrap();
        assert!(list.siblings.iter().all(|&at| (marginals.siblings[at] - 1.0).abs() < 1e-9));
        assert!(list.grandparents.iter().all(|&at| (marginals.grandparents[at] - 1.0).abs() < 1e-9));
        scores.arcs[kept[3]] = f64::NEG_INFINITY;
        assert!(engine.best(&parts, &scores, Roots::One).is_none());
        assert!(engine.marginals(&parts, &scores, Roots::One, &mut marginals).is_none());
        assert!(engine.k_best(&parts, &scores, Roots::One, 3).is_empty());
    }
}

#[test]
fn scores_of_another_sentence_are_refused() {
    let parts = Parts::new(3, [(0, 1), (1, 2), (2, 3)]);
    let scores = Scores::zero(&Parts::new(2, [(0, 1), (1, 2)]));
    assert!(SecondOrder::default().best(&parts, &scores, Roots::One).is_none());
    let empty = Parts::default();
    let (score, heads) = SecondOrder::default().best(&empty, &Scores::zero(&empty), Roots::One).unwrap();
    assert!(score == 0.0 && heads.is_empty());
}
