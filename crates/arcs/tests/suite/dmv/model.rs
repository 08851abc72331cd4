//! The dependency model with valence against lists of all trees.

use arcs::dmv::{Counter, DmvChart, DmvSentence, DmvShape, DmvWeights, Laid, Mask, RootWeights};
use chain::{Rng, Stream};
use forest::semiring::Prob;
use forest::{Scaled, derive, inside};
use testkit::annotations::{all_trees, any_annotation, any_reading, spread};
use tree::Heads;
use tree::Possible;

pub(super) const ROOTS: [RootWeights; 3] = [RootWeights::One, RootWeights::Many, RootWeights::Free];

/// Random parameters: every distribution sums to 1.
pub(super) fn any_parameters(rng: &mut Rng, shape: &DmvShape, spread: f64) -> Vec<f64> {
    let mut parameters = vec![0.0; shape.len()];
    for (start, len) in shape.rows() {
        let row: Vec<f64> = (0..len).map(|_| (rng.uniform() * spread).exp()).collect();
        let total: f64 = row.iter().sum();
        (0..len).for_each(|at| parameters[start + at] = row[at] / total);
    }
    parameters
}

pub(super) fn any_sentence(rng: &mut Rng, shape: &DmvShape, n: usize) -> DmvSentence {
    let tags: Vec<u32> = (0..n).map(|_| rng.below(shape.n_tags()) as u32).collect();
    let lexical = shape.n_heads() - shape.n_tags();
    let heads = tags.iter().map(|&tag| {
        if lexical > 0 && rng.bernoulli(0.3) { (shape.n_tags() + rng.below(lexical)) as u32 } else { tag }
    });
    DmvSentence { heads: heads.collect(), tags: tags.clone() }
}

/// The probability of a tree, by the book: each side of each word from the inside out.
fn by_the_book(shape: &DmvShape, p: &[f64], sentence: &DmvSentence, tree: &Heads, roots: RootWeights) -> f64 {
    use tree::Side::{Left, Right};
    let mut product = 1.0;
    let dependents = tree.dependents_by_head();
    for (rank, &word) in dependents.of(0).iter().enumerate() {
        product *= p[shape.root(sentence.tags[word - 1])];
        product *= match roots {
            RootWeights::One if rank > 0 => 0.0,
            RootWeights::Many if rank > 0 => p[shape.root_stop(false)],
            _ => 1.0,
        };
    }
    if roots == RootWeights::Many && !tree.is_empty() {
        product *= p[shape.root_stop(true)];
    }
    for head in 1..=tree.len() {
        let class = sentence.heads[head - 1];
        let (left, right) = dependents.by_side(head);
        let outwards: Vec<usize> = left.iter().rev().copied().collect();
        for (side, words) in [(Left, outwards), (Right, right.to_vec())] {
            for (rank, &word) in words.iter().enumerate() {
                product *= p[shape.stop(class, side, rank > 0, false)];
                product *= p[shape.choice(class, side, rank > 0, sentence.tags[word - 1])];
            }
            product *= p[shape.stop(class, side, !words.is_empty(), true)];
        }
    }
    product
}

/// Everything about a laid sentence against the list of its trees and their weights.
fn check(laid: &Laid<'_>, trees: &[(Vec<u32>, f64)], rng: &mut Rng, narrow: bool) {
    let n = laid.weights.n_words();
    let total: f64 = trees.iter().map(|(_, weight)| weight).sum();
    let mut chart = DmvChart::default();
    let ln_total = chart.fill(laid);
    let engine = Scaled::inside(laid);
    if total == 0.0 {
        assert_eq!((ln_total, engine.ln_total()), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        assert!(!chart.sample(laid, || rng.uniform(), &mut Vec::new()));
        assert!(laid.best_arcs(|_, _| 0.0).is_none());
        return;
    }
    assert_eq!(chart.is_narrow(), narrow);
    assert!((ln_total - total.ln()).abs() < 1e-9, "{ln_total} {}", total.ln());
    assert!((engine.ln_total() - ln_total).abs() < 1e-9);
    let mut expected = vec![0.0; n * (n + 1)];
    for (heads, weight) in trees {
        for (dependent, &head) in heads.iter().enumerate() {
            expected[dependent * (n + 1) + head as usize] += weight / total;
        }
    }
    let mut arcs = vec![0.0; n * (n + 1)];
    chart.add_arcs(laid, 0.25, &mut arcs);
    chart.add_arcs(laid, 0.75, &mut arcs);
    assert!(arcs.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-9), "{arcs:?} {expected:?}");
    // The best tree, and the tree of the most probable arcs.
    let best = trees.iter().map(|(_, weight)| *weight).fold(0.0, f64::max);
    let mut heads = Vec::new();
    laid.heads(&derive::best(laid).unwrap().0, &mut heads);
    let found = trees.iter().find(|(tree, _)| *tree == heads).unwrap();
    assert!(found.1 > best * (1.0 - 1e-9));
    let sum = |heads: &[u32]| -> f64 {
        heads.iter().enumerate().map(|(d, &h)| expected[d * (n + 1) + h as usize]).sum()
    };
    let most =
        trees.iter().filter(|(_, weight)| *weight > 0.0).map(|(tree, _)| sum(tree)).fold(0.0, f64::max);
    let (heads, gain) = laid.best_arcs(|head, d| expected[(d - 1) * (n + 1) + head]).unwrap();
    assert!((gain - most).abs() < 1e-9 && (sum(&heads) - most).abs() < 1e-9);
}

/// Draws many trees and compares frequencies with probabilities, in standard errors.
fn check_samples(laid: &Laid<'_>, trees: &[(Vec<u32>, f64)], rng: &mut Rng) {
    let total: f64 = trees.iter().map(|(_, weight)| weight).sum();
    let mut chart = DmvChart::default();
    chart.fill(laid);
    let mut counts = vec![0.0; trees.len()];
    let (mut heads, n_draws) = (Vec::new(), 20_000);
    for _ in 0..n_draws {
        assert!(chart.sample(laid, || rng.uniform(), &mut heads));
        counts[trees.iter().position(|(tree, _)| *tree == heads).unwrap()] += 1.0;
    }
    for ((tree, weight), count) in trees.iter().zip(&counts) {
        let p = weight / total;
        let error = (p * (1.0 - p) * n_draws as f64).sqrt() + 0.5;
        assert!((count - p * n_draws as f64).abs() < 5.0 * error, "{tree:?}: {count} of {p}");
    }
}

fn weighed(
    shape: &DmvShape,
    p: &[f64],
    sentence: &DmvSentence,
    roots: RootWeights,
    keep: impl Fn(&Heads) -> bool,
) -> Vec<(Vec<u32>, f64)> {
    let trees = all_trees(sentence.len()).into_iter().filter(|tree| tree.is_projective() && keep(tree));
    trees.map(|tree| (tree.as_slice().to_vec(), by_the_book(shape, p, sentence, &tree, roots))).collect()
}

#[test]
fn sums_posteriors_and_best_trees_are_those_of_the_list() {
    for seed in 0..240 {
        let rng = &mut Stream::new(1).item(seed).rng();
        let shape = DmvShape::new(1 + rng.below(3), rng.below(3), rng.bernoulli(0.5));
        let n = if seed % 40 == 0 { 6 } else { rng.below(6) };
        let (p, sentence) = (any_parameters(rng, &shape, 3.0), any_sentence(rng, &shape, n));
        let roots = ROOTS[rng.below(3)];
        let trees = weighed(&shape, &p, &sentence, roots, |_| true);
        let mut counter = Counter::default();
        for (heads, weight) in &trees {
            let product = counter.probability(&shape, &sentence, heads, roots, &p);
            assert!((product - weight).abs() < 1e-12 * weight.max(1e-12), "{heads:?}");
        }
        let mut weights = DmvWeights::default();
        weights.fill(&shape, &p, &sentence, roots);
        let laid = Laid { weights: &weights, mask: Mask::Free };
        check(&laid, &trees, rng, true);
        if seed % 20 == 0 {
            check_samples(&laid, &trees, rng);
        }
    }
}

#[test]
fn constraints_leave_the_admitted_trees_with_their_weights() {
    let mut n_cases = 0;
    for seed in 0..1500 {
        let rng = &mut Stream::new(2).item(seed).rng();
        let n_words = 1 + rng.below(5);
        let (said, reading) = (any_annotation(rng, n_words), any_reading(rng));
        let Ok(possible) = Possible::new(&said, &reading) else { continue };
        let kept: Vec<usize> = (1..=n_words).filter(|&word| !possible.left_out(word)).collect();
        let shape = DmvShape::new(2, 1, rng.bernoulli(0.5));
        let (p, sentence) = (any_parameters(rng, &shape, 3.0), any_sentence(rng, &shape, kept.len()));
        let roots = ROOTS[rng.below(3)];
        let mut weights = DmvWeights::default();
        weights.fill(&shape, &p, &sentence, roots);
        for case in possible.cases() {
            let keep = |tree: &Heads| case.admits(&spread(tree, &kept, n_words));
            let trees = weighed(&shape, &p, &sentence, roots, keep);
            let laid = Laid { weights: &weights, mask: Mask::Case(case, &kept) };
            check(&laid, &trees, rng, true);
            if seed % 50 == 0 && trees.iter().any(|(_, weight)| *weight > 0.0) {
                check_samples(&laid, &trees, rng);
            }
            n_cases += 1;
        }
    }
    assert!(n_cases > 600, "{n_cases}");
}

#[test]
fn weights_beyond_plain_numbers_are_left_to_the_engine() {
    for seed in 0..40 {
        let rng = &mut Stream::new(3).item(seed).rng();
        let shape = DmvShape::new(2, 0, false);
        let mut p = any_parameters(rng, &shape, 2.0);
        for value in &mut p {
            *value *= if rng.bernoulli(0.5) { 1e-70 } else { 1.0 };
        }
        let sentence = any_sentence(rng, &shape, 4);
        let trees = weighed(&shape, &p, &sentence, RootWeights::Many, |_| true);
        let mut weights = DmvWeights::default();
        weights.fill(&shape, &p, &sentence, RootWeights::Many);
        let laid = Laid { weights: &weights, mask: Mask::Free };
        let mut chart = DmvChart::default();
        chart.fill(&laid);
        if trees.iter().map(|(_, weight)| weight).sum::<f64>() > 1e-250 {
            let narrow = chart.is_narrow();
            check(&laid, &trees, rng, narrow);
            check_samples(&laid, &trees, rng);
        }
    }
}

#[test]
fn two_hundred_words_are_summed_as_by_the_engine() {
    let rng = &mut Stream::new(4).rng();
    let shape = DmvShape::new(5, 0, true);
    let (p, sentence) = (any_parameters(rng, &shape, 6.0), any_sentence(rng, &shape, 200));
    let mut weights = DmvWeights::default();
    weights.fill(&shape, &p, &sentence, RootWeights::One);
    let laid = Laid { weights: &weights, mask: Mask::Free };
    let mut chart = DmvChart::default();
    let ln_total = chart.fill(&laid);
    let engine = Scaled::inside(&laid);
    assert!(chart.is_narrow() && engine.is_narrow(), "{} {}", chart.is_narrow(), engine.is_narrow());
    assert!((ln_total - engine.ln_total()).abs() < 1e-8 && ln_total < -400.0);
    let mut arcs = vec![0.0; 200 * 201];
    chart.add_arcs(&laid, 1.0, &mut arcs);
    let rows = arcs.chunks(201).map(|row| row.iter().sum::<f64>());
    assert!(rows.into_iter().all(|sum| (sum - 1.0).abs() < 1e-9));
}

#[test]
fn unscaled_sums_are_the_same() {
    let rng = &mut Stream::new(6).rng();
    let shape = DmvShape::new(3, 0, false);
    let (p, sentence) = (any_parameters(rng, &shape, 2.0), any_sentence(rng, &shape, 8));
    let mut weights = DmvWeights::default();
    weights.fill(&shape, &p, &sentence, RootWeights::Many);
    let laid = Laid { weights: &weights, mask: Mask::Free };
    let plain = inside::inside::<Prob>(&laid);
    let goal = forest::Forest::goal(&laid);
    assert!((plain[goal.index()].0.ln() - DmvChart::default().fill(&laid)).abs() < 1e-10);
}

/// With little taste for dependents long sentences are rare, and all sentences together have probability 1.
#[test]
fn sentences_of_all_lengths_have_probability_one_together() {
    for roots in [RootWeights::One, RootWeights::Many] {
        for valence in [false, true] {
            let shape = DmvShape::new(2, 0, valence);
            let mut p = any_parameters(&mut Stream::new(5).rng(), &shape, 2.0);
            for head in 0..2 {
                for (start, len) in shape.rows_of(head).take(4) {
                    assert_eq!(len, 2);
                    (p[start], p[start + 1]) = (0.9, 0.1);
                }
            }
            (p[shape.root_stop(true)], p[shape.root_stop(false)]) = (0.9, 0.1);
            let (mut sum, mut chart, mut weights) = (0.0, DmvChart::default(), DmvWeights::default());
            for n in 1..=11u32 {
                for code in 0..1u32 << n {
                    let tags: Vec<u32> = (0..n).map(|at| code >> at & 1).collect();
                    weights.fill(&shape, &p, &DmvSentence::of_tags(&tags), roots);
                    sum += chart.fill(&Laid { weights: &weights, mask: Mask::Free }).exp();
                }
            }
            assert!(sum < 1.0 && sum > 1.0 - 2e-3, "{roots:?} {valence}: {sum}");
        }
    }
}
