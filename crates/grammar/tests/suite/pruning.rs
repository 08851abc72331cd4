//! Pruned forests: nothing is lost that was not to be lost, and edges have the numbers they are said to have.

use std::ops::ControlFlow;

use forest::{Edge, Forest, Item, Scaled};
use grammar::anchor::{
    Anything, CoarseForest, LeafVectors, Leaves, PlainForest, PrunedForest, RefinedForest, ScoredForest,
};

use crate::anchoring::{Case, chart_of};
use crate::toy::same_ln;

fn cases() -> Vec<Case> {
    (1000..).filter_map(|seed| Case::new(seed, 6, 2)).take(40).collect()
}

fn ln_total(case: &Case, pruned: &PrunedForest, leaves: &Leaves) -> f64 {
    let vectors = case.vectors(leaves);
    chart_of(&RefinedForest::new(pruned, &case.tensors, &vectors, &case.sizes)).ln_total()
}

/// Number, head and rule of all edges.
fn edges(pruned: &PrunedForest) -> Vec<(usize, Item, u32)> {
    let mut edges = Vec::new();
    pruned.each_edge(|edge, item, rule| edges.push((edge, item, rule)));
    edges
}

/// Head, rule and tails of all edges, as the walk shows them.
fn walk(forest: &impl Forest) -> Vec<(Item, u32, Edge)> {
    let mut edges = Vec::new();
    for item in forest.items() {
        let _ = forest.bundles_into(item, |bundle| {
            edges.extend((0..bundle.tails.len()).map(|split| (item, bundle.rule, bundle.tails.edge(split))));
            ControlFlow::Continue(())
        });
    }
    edges
}

#[test]
fn a_threshold_of_zero_and_keeping_all_change_nothing() {
    for case in cases() {
        let weights = vec![1.0; case.toy.inventory.len()];
        let leaves = Leaves::new(&case.readings, &Anything);
        let coarse = CoarseForest::new(case.toy.rules(), &weights, &leaves, &Anything, case.spans);
        let posteriors = Scaled::inside(&coarse).outside().items();
        let whole = case.whole(&leaves, &Anything);
        let live = PrunedForest::new(&coarse, |item| posteriors[item.index()] > 0.0);
        assert!(live.n_live() <= whole.n_live());
        assert!(same_ln(ln_total(&case, &whole, &leaves), case.total().ln()));
        assert!(same_ln(ln_total(&case, &live, &leaves), case.total().ln()));
        let kept = live.retain(|_| true);
        assert_eq!((kept.live(), kept.n_edges()), (live.live(), live.n_edges()));
        assert_eq!(edges(&kept), edges(&live));
        let ones = vec![1.0; live.n_edges()];
        assert_eq!(walk(&ScoredForest::new(&kept, &ones)), walk(&ScoredForest::new(&live, &ones)));
        // In two steps or in one, what is left is the same.
        let fewer = whole.retain(|item| posteriors[item.index()] > 0.0);
        assert_eq!(edges(&fewer), edges(&live));
    }
}

#[test]
fn a_scored_forest_gives_each_edge_the_weight_of_its_number() {
    for case in cases() {
        let leaves = Leaves::new(&case.readings, &Anything);
        let pruned = case.whole(&leaves, &Anything);
        let numbered = edges(&pruned);
        assert_eq!(numbered.len(), pruned.n_edges());
        assert!(numbered.iter().enumerate().all(|(at, edge)| edge.0 == at));
        let weights: Vec<f64> = (1..=pruned.n_edges()).map(|edge| edge as f64).collect();
        let scored = ScoredForest::new(&pruned, &weights);
        let mut next = 0;
        for item in scored.items() {
            let _ = scored.bundles_into(item, |bundle| {
                assert_eq!(bundle.tails.len(), 1);
                assert_eq!((bundle.weight as usize - 1, item, bundle.rule), numbered[next]);
                next += 1;
                ControlFlow::Continue(())
            });
        }
        assert_eq!(next, numbered.len());
        // The refined forest over the same edges shows them in the same order.
        let vectors = case.vectors(&leaves);
        let refined = RefinedForest::new(&pruned, &case.tensors, &vectors, &case.sizes);
        assert_eq!(walk(&refined), walk(&scored));
    }
}

#[test]
fn without_an_item_the_trees_through_it_are_gone_and_no_others() {
    for case in cases() {
        let leaves = Leaves::new(&case.readings, &Anything);
        let pruned = case.whole(&leaves, &Anything);
        let goal = case.spans.item(case.toy.rules().root().0, 0, case.spans.n_words());
        for &gone in pruned.live().iter().filter(|&&item| item != goal).step_by(3) {
            let through = |steps: &[testkit::cfg::Used]| {
                steps.iter().any(|used| case.spans.item(used.symbol as u32, used.start, used.end) == gone)
            };
            let left: f64 =
                case.trees.iter().filter(|(_, coarse)| !through(coarse)).map(|(tree, _)| tree.weight).sum();
            let found = ln_total(&case, &pruned.retain(|item| item != gone), &leaves);
            assert!(same_ln(found, left.ln()), "{} instead of {left}", found.exp());
        }
    }
}

#[test]
fn plain_numbers_sum_to_what_enumeration_gives_where_there_are_no_annotations() {
    for case in (2000..).filter_map(|seed| Case::new(seed, 6, 1)).take(40) {
        let leaves = Leaves::new(&case.readings, &Anything);
        let whole = case.whole(&leaves, &Anything);
        let plain = PlainForest::new(&whole, &case.tensors, &leaves);
        assert!(same_ln(Scaled::inside(&plain).ln_total(), case.total().ln()));
        let vectors = LeafVectors::default();
        let refined = RefinedForest::new(&whole, &case.tensors, &vectors, &case.sizes);
        assert_eq!(plain.goal(), refined.goal());
        assert_eq!(edges(&whole).len(), walk(&plain).len());
    }
}
