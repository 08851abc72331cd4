//! Whatever instructions are used, and however edges are asked for, the bits are the same.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use forest::substates::fixed::{Below, Node, TreeChart};
use forest::substates::{Buffers, Chart, Combine, Max, Posteriors, Refined, Sum};
use forest::{Bundle, Edge, Forest, Item};
use testkit::toys::{Pcfg, RefinedPcfg, SplitMix64};

use crate::substates::{coarse_steps, each_refined, flat_trees};
use crate::toys::{RefinedForest, WithUnary, assert_close};

/// Sizes with code of their own, sizes without, and mixtures of the two.
const SIZES: [[usize; 3]; 8] =
    [[1, 1, 1], [2, 2, 2], [4, 4, 4], [8, 8, 8], [16, 16, 16], [4, 8, 4], [7, 9, 5], [3, 13, 8]];

/// Forests of these sizes, with unary bundles, over short and long sentences.
fn each_size(mut check: impl FnMut(&WithUnary<RefinedForest<'_>>)) {
    for (sizes, seed) in SIZES.into_iter().zip(0u64..) {
        let mut random = SplitMix64(seed + 300);
        let coarse = Pcfg::random(3, 9, 4, &mut random);
        let refined = RefinedPcfg::random(&coarse, &sizes, &mut random);
        let unary: Vec<f64> = (0..sizes[2] * sizes[0]).map(|_| random.uniform()).collect();
        for n in [1, 2, 5, 12] {
            let words: Vec<usize> = (0..n).map(|_| random.below(4)).collect();
            let forest = RefinedForest::new(&refined, &words);
            let spans = forest.spans;
            check(&WithUnary { forest, spans, weight: &unary, spanned: false });
        }
    }
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn each_bundle<'g>(forest: &impl Refined<'g>, mut visit: impl FnMut(Item, Bundle<&'g [f64]>)) {
    for item in forest.items() {
        let _ = forest.bundles_into(item, |bundle| {
            visit(item, bundle);
            ControlFlow::Continue(())
        });
    }
}

fn assert_same_chart<'g, C: Combine>(forest: &impl Refined<'g>) -> [Chart<C>; 2] {
    let mut charts = [Chart::new(), Chart::portable()];
    charts.iter_mut().for_each(|chart| chart.fill(forest));
    for item in forest.items() {
        let [(found, exponent), (expected, expected_exponent)] = charts.each_ref().map(|c| c.vector(item));
        assert_eq!((bits(found), exponent), (bits(expected), expected_exponent), "{item:?}");
    }
    charts
}

#[test]
fn the_machine_changes_no_bit_of_a_chart() {
    each_size(|forest| {
        assert_same_chart::<Max>(forest);
        let [found, expected] = assert_same_chart::<Sum>(forest);
        let [mut edges, mut expected_edges] = [Vec::new(), Vec::new()];
        let found = Posteriors::with_edges(forest, &found, Buffers::default(), &mut edges);
        let expected = Posteriors::with_edges(forest, &expected, Buffers::default(), &mut expected_edges);
        assert_eq!(bits(&found.items()), bits(&expected.items()));
        assert_eq!(bits(&edges), bits(&expected_edges));
    });
}

#[test]
fn edges_found_on_the_way_are_those_asked_for_one_by_one() {
    let mut buffers = Buffers::default();
    let mut chart = Chart::new();
    let mut found = vec![f64::NAN; 7];
    let mut n_positive = 0;
    each_size(|forest| {
        chart.fill(forest);
        let mut posteriors = Posteriors::with_edges(forest, &chart, std::mem::take(&mut buffers), &mut found);
        let (mut expected, mut edges) = (Vec::new(), Vec::new());
        each_bundle(forest, |item, bundle| {
            posteriors.edges(item, &bundle, &mut edges);
            expected.append(&mut edges);
        });
        assert_eq!(bits(&found), bits(&expected));
        n_positive += found.iter().filter(|&&edge| edge > 0.0).count();
        buffers = posteriors.recycle();
    });
    assert!(n_positive > 10_000, "only {n_positive} edges were not zero");
}

#[test]
fn edges_found_on_the_way_have_the_share_of_all_trees_that_use_them() {
    each_refined(|refined, words| {
        if words.len() > 4 || refined.n_substates.iter().sum::<usize>() > 8 {
            return;
        }
        let trees = flat_trees(refined, words);
        let z: f64 = trees.iter().map(|tree| tree.0).sum();
        let mut expected: BTreeMap<_, f64> = BTreeMap::new();
        for (weight, tree) in &trees {
            for step in coarse_steps(refined, tree) {
                *expected.entry(step).or_default() += weight / z;
            }
        }
        let forest = RefinedForest::new(refined, words);
        let mut chart = Chart::new();
        chart.fill(&forest);
        let mut found = Vec::new();
        Posteriors::with_edges(&forest, &chart, Buffers::default(), &mut found);
        let mut found = found.into_iter();
        // Over one word the list of trees knows no lexical rules by name, but a symbol has only one.
        let no_rule = refined.flatten().0.binary.len();
        each_bundle(&forest, |item, bundle| {
            let (symbol, start, end) = forest.spans.locate(item);
            for split in 0..bundle.tails.len() {
                let (rule, place) = match bundle.tails.edge(split) {
                    Edge::Two(left, _) => {
                        (bundle.rule as usize, vec![start, forest.spans.locate(left).2, end])
                    }
                    _ => (no_rule, vec![start, end]),
                };
                let place: Vec<usize> = place.into_iter().map(|at| at as usize).collect();
                let expected = expected.get(&(symbol as usize, rule, place)).copied().unwrap_or(0.0);
                assert_close(found.next().unwrap(), expected, "edge");
            }
        });
        assert_eq!(found.next(), None);
    });
}

#[test]
fn a_chart_that_was_never_filled_has_no_edges() {
    let refined =
        RefinedPcfg::random(&Pcfg::random(3, 7, 4, &mut SplitMix64(1)), &[2, 2, 2], &mut SplitMix64(2));
    let forest = RefinedForest::new(&refined, &[0, 1]);
    let mut edges = vec![1.0];
    let chart = Chart::new();
    let posteriors = Posteriors::with_edges(&forest, &chart, Buffers::default(), &mut edges);
    assert!(edges.is_empty(), "{edges:?}");
    assert_eq!(posteriors.item(forest.goal()), 0.0);
}

#[test]
fn the_machine_changes_no_bit_of_a_tree() {
    let mut random = SplitMix64(77);
    let [mut found, mut expected] = [TreeChart::new(), TreeChart::portable()];
    for [head, left, right] in SIZES {
        let mut tensor = |size: usize| -> Vec<f64> { (0..size).map(|_| random.uniform()).collect() };
        let tensors = vec![tensor(head * left * right), tensor(left), tensor(right * left), tensor(left)];
        let tree = [
            Node { rule: 0, below: Below::Two(1, 2) },
            Node { rule: 1, below: Below::Leaf },
            Node { rule: 2, below: Below::One(3) },
            Node { rule: 3, below: Below::Leaf },
        ];
        found.fill(&tree, &tensors);
        expected.fill(&tree, &tensors);
        for node in 0..4 {
            assert_eq!(bits(found.vector(node)), bits(expected.vector(node)));
        }
        let root = vec![0.5; head];
        assert_eq!(found.ln_total(&root).to_bits(), expected.ln_total(&root).to_bits());
    }
}
