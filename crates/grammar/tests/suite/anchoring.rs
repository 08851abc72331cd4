//! Forests of sentences against lists of all trees.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use forest::substates::{Chart, Max, Posteriors, Refined, best, sample};
use forest::{Edge, Forest, Scaled, Spans};
use grammar::anchor::{
    Allowed, Anything, CoarseForest, LeafVectors, Leaves, PrunedForest, RefinedForest, spans,
};
use grammar::{CodecOptions, Reading, Sizes, Tensors};
use num::special::chi_square_tail;
use testkit::cfg::{Listed, Used};
use testkit::toys::SplitMix64;
use testkit::twin::{flat, random_tensors, toy_trees, without_annotations};
use tree::Text;

use crate::toy::{Toy, learn, same_ln, total};

/// A toy grammar, a sentence, and random weights for one annotation or several.
pub(crate) struct Case {
    pub(crate) toy: Toy,
    pub(crate) words: Vec<Text>,
    pub(crate) readings: Vec<Reading>,
    pub(crate) sizes: Sizes,
    pub(crate) tensors: Tensors,
    /// All annotated trees, and the same without annotations.
    pub(crate) trees: Vec<(Listed, Vec<Used>)>,
    pub(crate) spans: Spans,
}

impl Case {
    /// `None` if there is no tree, or more than can be listed in a moment.
    pub(crate) fn new(seed: u64, most_words: usize, most_annotations: usize) -> Option<Case> {
        let mut random = SplitMix64(seed);
        let (toy, _) = learn(&toy_trees(&mut random), &CodecOptions::default());
        let n_words = 1 + random.below(most_words);
        let words: Vec<Text> =
            (0..n_words).map(|_| Text::new(["a", "b", "c", "zz"][random.below(4)])).collect();
        let readings = toy.read(&words);
        let wanted: Vec<u32> =
            toy.rules().labels().iter().map(|_| 1 + random.below(most_annotations) as u32).collect();
        let sizes = Sizes::by_label(toy.rules(), |label| wanted[label as usize]);
        let tensors = random_tensors(&toy.inventory, &sizes, &mut random);
        let (cfg, first) = flat(&toy.inventory, &sizes, &tensors, &readings);
        if !(1.0..30_000.0).contains(&cfg.n_trees()) {
            return None;
        }
        let trees = cfg.trees().into_iter().map(|tree| {
            let coarse = without_annotations(&tree, &first);
            (tree, coarse)
        });
        let trees: Vec<_> = trees.collect();
        let spans = spans(toy.rules(), n_words)?;
        (!trees.is_empty()).then_some(Case { toy, words, readings, sizes, tensors, trees, spans })
    }

    pub(crate) fn total(&self) -> f64 {
        total(self.trees.iter().map(|(tree, _)| tree))
    }

    /// Everything of the coarse forest that is allowed, live or not.
    pub(crate) fn whole(&self, leaves: &Leaves, allowed: &impl Allowed) -> PrunedForest {
        let weights = vec![1.0; self.toy.inventory.len()];
        let coarse = CoarseForest::new(self.toy.rules(), &weights, leaves, allowed, self.spans);
        PrunedForest::new(&coarse, |_| true)
    }

    /// What the leaves weigh, by annotation.
    pub(crate) fn vectors(&self, leaves: &Leaves) -> LeafVectors {
        let mut vectors = LeafVectors::default();
        vectors.fill(leaves, &self.tensors);
        vectors
    }
}

pub(crate) fn chart_of<'g>(forest: &impl Refined<'g>) -> Chart {
    let mut chart = Chart::new();
    chart.fill(forest);
    chart
}

fn cases(n: usize, most_words: usize, most_annotations: usize) -> Vec<Case> {
    let found: Vec<Case> =
        (0..).filter_map(|seed| Case::new(seed, most_words, most_annotations)).take(n).collect();
    let longest = found.iter().map(|case| case.words.len()).max();
    assert_eq!(longest, Some(most_words), "no long sentence among the cases");
    found
}

#[test]
fn the_coarse_forest_sums_what_the_list_sums() {
    for case in cases(150, 6, 1) {
        let weights: Vec<f64> =
            (0..case.toy.inventory.len() as u32).map(|rule| case.tensors.of(rule)[0]).collect();
        let leaves = Leaves::new(&case.readings, &Anything);
        let forest = CoarseForest::new(case.toy.rules(), &weights, &leaves, &Anything, case.spans);
        let inside = Scaled::inside(&forest);
        assert!(same_ln(inside.ln_total(), case.total().ln()));
        let posteriors = inside.outside().items();
        let mut listed = vec![0.0; case.spans.n_items()];
        let mut best = 0.0;
        for (tree, coarse) in &case.trees {
            for used in coarse {
                let item = case.spans.item(used.symbol as u32, used.start, used.end);
                listed[item.index()] += tree.weight / case.total();
            }
            best = f64::max(best, tree.weight);
        }
        for (found, listed) in posteriors.iter().zip(&listed) {
            assert!((found - listed).abs() < 1e-9, "{found} {listed}");
        }
        assert!(same_ln(forest::derive::best(&forest).unwrap().1, best.ln()));
    }
}

/// An edge by head, rule and what it leads to.
type Place = (u32, u32, Edge);

fn listed_edges(case: &Case) -> BTreeMap<Place, f64> {
    let mut edges: BTreeMap<Place, f64> = BTreeMap::new();
    for (tree, coarse) in &case.trees {
        for step in testkit::twin::derivation(case.toy.rules(), case.spans, coarse).steps {
            *edges.entry((step.item.0, step.rule, step.edge)).or_default() += tree.weight / case.total();
        }
    }
    edges
}

#[test]
fn the_refined_forest_is_its_flat_twin() {
    let mut n_trees = 0;
    for case in cases(120, 6, 3) {
        n_trees += case.trees.len();
        let leaves = Leaves::new(&case.readings, &Anything);
        let pruned = case.whole(&leaves, &Anything);
        let vectors = case.vectors(&leaves);
        let forest = RefinedForest::new(&pruned, &case.tensors, &vectors, &case.sizes);
        let chart = chart_of(&forest);
        assert!(same_ln(chart.ln_total(), case.total().ln()), "{} {}", chart.ln_total(), case.total().ln());
        let mut posteriors = Posteriors::new(&forest, &chart);
        let listed = listed_edges(&case);
        let mut seen = 0;
        let mut found = Vec::new();
        for item in forest.items() {
            let _ = forest.bundles_into(item, |bundle| {
                posteriors.edges(item, &bundle, &mut found);
                for (split, found) in (0..).zip(&found) {
                    let listed = listed.get(&(item.0, bundle.rule, bundle.tails.edge(split)));
                    seen += usize::from(listed.is_some());
                    assert!((found - listed.unwrap_or(&0.0)).abs() < 1e-9);
                }
                ControlFlow::Continue(())
            });
        }
        assert_eq!(seen, listed.len(), "an edge of the list is not in the forest");
        let mut greatest: Chart<Max> = Chart::new();
        greatest.fill(&forest);
        let (steps, ln) = best(&forest, &greatest).unwrap();
        let most = case.trees.iter().map(|(tree, _)| tree.weight).fold(0.0, f64::max);
        assert!(same_ln(ln, most.ln()));
        assert_eq!(steps.len(), steps.iter().filter(|step| step.head < 3).count());
    }
    assert!(n_trees > 20_000, "only {n_trees} trees were listed");
}

#[test]
fn annotated_trees_are_drawn_as_often_as_they_should() {
    let case = (0..)
        .filter_map(|seed| Case::new(seed, 4, 2))
        .find(|case| case.words.len() == 4 && (20..200).contains(&case.trees.len()))
        .unwrap();
    let leaves = Leaves::new(&case.readings, &Anything);
    let pruned = case.whole(&leaves, &Anything);
    let vectors = case.vectors(&leaves);
    let forest = RefinedForest::new(&pruned, &case.tensors, &vectors, &case.sizes);
    let chart = chart_of(&forest);
    let (_, first) = flat(&case.toy.inventory, &case.sizes, &case.tensors, &case.readings);
    let key = |rules: Vec<(u32, u32, usize)>| rules;
    let listed: BTreeMap<_, f64> = case
        .trees
        .iter()
        .map(|(tree, coarse)| {
            let steps = tree.steps.iter().zip(coarse);
            let rules =
                steps.map(|(step, coarse)| (step.rule, step.split, step.symbol - first[coarse.symbol]));
            (key(rules.collect()), tree.weight / case.total())
        })
        .collect();
    assert_eq!(listed.len(), case.trees.len());
    let mut random = SplitMix64(11);
    let n = 40_000;
    let mut drawn: BTreeMap<_, f64> = BTreeMap::new();
    for _ in 0..n {
        let steps = sample(&forest, &chart, || random.uniform()).unwrap();
        let rules = steps.iter().map(|step| {
            let (_, start, end) = case.spans.locate(step.step.item);
            let split = match step.step.edge {
                Edge::Two(_, _) => start + 1 + step.step.split,
                _ => end,
            };
            (step.step.rule, split, step.head as usize)
        });
        *drawn.entry(key(rules.collect())).or_default() += 1.0;
    }
    assert!(drawn.keys().all(|tree| listed.contains_key(tree)), "a tree was drawn that is not in the list");
    // Rare trees are taken together, so that every expected count is large enough for χ².
    let (mut chi, mut degrees, mut rare) = (0.0, -1.0, (0.0, 0.0));
    for (tree, share) in &listed {
        let (expected, found) = (share * f64::from(n), drawn.get(tree).copied().unwrap_or(0.0));
        if expected < 10.0 {
            rare = (rare.0 + expected, rare.1 + found);
        } else {
            chi += (found - expected) * (found - expected) / expected;
            degrees += 1.0;
        }
    }
    if rare.0 > 0.0 {
        chi += (rare.1 - rare.0) * (rare.1 - rare.0) / rare.0;
        degrees += 1.0;
    }
    let p = chi_square_tail(chi, degrees);
    assert!(degrees > 5.0 && p > 1e-3, "χ² = {chi} with {degrees} degrees of freedom, p = {p}");
}
