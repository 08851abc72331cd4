//! Constraints against lists of all trees: what is left are exactly the trees that have what was asked for.

use forest::{Scaled, derive};
use grammar::anchor::{
    Anything, Brackets, CoarseForest, ConstraintError, LeafVectors, Leaves, PrunedForest, RefinedForest,
    spans,
};
use grammar::{CodecOptions, Sizes, Unaries};
use testkit::toys::SplitMix64;
use testkit::twin::{flat, honours, random_tensors, toy_trees, tree, without_annotations};
use tree::{Text, Tree, TreeBuilder};

use crate::anchoring::chart_of;
use crate::toy::{learn, same_ln};

/// A tree with fewer constituents and fewer labels; the topmost one and the places of tags stay.
fn forget(tree: &Tree<Text>, random: &mut SplitMix64) -> Tree<Text> {
    let mut builder = TreeBuilder::new();
    let mut open: Vec<(usize, bool)> = Vec::new();
    for (at, node) in tree.nodes().iter().enumerate() {
        while let Some(&(end, opened)) = open.last()
            && end == at
        {
            open.pop();
            if opened {
                builder.close();
            }
        }
        if node.is_word() {
            builder.word(node.label.clone());
            continue;
        }
        let is_tag = node.size() == 2 && tree.nodes()[at + 1].is_word();
        let keep = at == 0 || is_tag || random.uniform() < 0.6;
        if keep {
            let label = if random.uniform() < 0.3 { Text::new("_") } else { node.label.clone() };
            builder.open(label);
        }
        open.push((at + node.size(), keep));
    }
    for (_, opened) in open.into_iter().rev() {
        if opened {
            builder.close();
        }
    }
    builder.finish().unwrap()
}

fn check(unaries: Unaries, seed: u64) -> Option<(usize, usize)> {
    let mut random = SplitMix64(seed);
    let options = CodecOptions { unaries, ..CodecOptions::default() };
    let trees = toy_trees(&mut random);
    let (toy, _) = learn(&trees, &options);
    let n_words = 1 + random.below(5);
    let words: Vec<Text> = (0..n_words).map(|_| Text::new(["a", "b", "c"][random.below(3)])).collect();
    let readings = toy.read(&words);
    let sizes = Sizes::by_label(toy.rules(), |label| 1 + label % 2);
    let mut tensors = random_tensors(&toy.inventory, &sizes, &mut random);
    tensors.values_mut().iter_mut().for_each(|value| *value += 0.01);
    let (cfg, first) = flat(&toy.inventory, &sizes, &tensors, &readings);
    if !(1.0..20_000.0).contains(&cfg.n_trees()) {
        return None;
    }
    let listed: Vec<(f64, Tree<Text>)> = cfg
        .trees()
        .iter()
        .map(|listed| (listed.weight, toy.decode(&words, &without_annotations(listed, &first))))
        .collect();
    let (_, model) = &listed[random.below(listed.len())];
    let brackets = Brackets::tree(&forget(model, &mut random));
    assert!(honours(model, &brackets), "{brackets:?}");
    let expected: f64 =
        listed.iter().filter(|(_, tree)| honours(tree, &brackets)).map(|(weight, _)| weight).sum();
    let required = brackets.require(toy.rules()).unwrap();
    let leaves = Leaves::new(&readings, &required);
    let spans = spans(toy.rules(), n_words).unwrap();
    let weights = vec![1.0; toy.inventory.len()];
    let coarse = CoarseForest::new(toy.rules(), &weights, &leaves, &required, spans);
    let live = Scaled::inside(&coarse).outside().items();
    let pruned = PrunedForest::new(&coarse, |item| live[item.index()] > 0.0);
    let mut vectors = LeafVectors::default();
    vectors.fill(&leaves, &tensors);
    let forest = RefinedForest::new(&pruned, &tensors, &vectors, &sizes);
    let chart = chart_of(&forest);
    let shown: Vec<String> = trees.iter().map(formats::brackets::to_string).collect();
    assert!(
        same_ln(chart.ln_total(), expected.ln()),
        "seed {seed}, {unaries:?}: {} instead of {}\n{}\n{brackets:?}",
        chart.ln_total().exp(),
        expected,
        shown.join("\n")
    );
    let left = listed.iter().filter(|(_, tree)| honours(tree, &brackets)).count();
    Some((left, listed.len()))
}

#[test]
fn what_is_left_are_the_trees_that_have_what_was_asked_for() {
    for unaries in [Unaries::Rules, Unaries::Collapse, Unaries::Drop] {
        let found: Vec<(usize, usize)> = (0..).filter_map(|seed| check(unaries, seed)).take(120).collect();
        let narrowed = found.iter().filter(|(left, all)| left < all).count();
        assert!(narrowed > 20, "{unaries:?}: constraints took trees away only {narrowed} times");
    }
}

#[test]
fn what_the_grammar_does_not_know_is_named() {
    let (toy, _) = learn(&[tree("(S (A a) (B b))")], &CodecOptions::default());
    let error = |text: &str| Brackets::tree(&tree(text)).require(toy.rules()).err();
    let unknown = ConstraintError::UnknownLabel { label: Text::new("X"), start: 0, end: 2 };
    assert_eq!(error("(X (A a) (B b))"), Some(unknown));
    assert_eq!(error("(S (Q a) (B b))"), Some(ConstraintError::UnknownTag { tag: Text::new("Q"), word: 0 }));
    assert_eq!(error("(S (A a) (B b))"), None);
    assert_eq!(error("(_ (? a) b)"), None);
    let empty = Brackets::words(Vec::new());
    assert_eq!(empty.require(toy.rules()).err(), Some(ConstraintError::Empty));
}

#[test]
fn without_tags_and_without_brackets_forget_just_that() {
    let (toy, _) = learn(&[tree("(S (A a) (B b))"), tree("(S (B a) (A b))")], &CodecOptions::default());
    let weights = vec![1.0; toy.inventory.len()];
    let n_trees = |brackets: &Brackets| {
        let required = brackets.require(toy.rules()).unwrap();
        let leaves = Leaves::new(&toy.read(&brackets.words), &required);
        let spans = spans(toy.rules(), 2).unwrap();
        let forest = CoarseForest::new(toy.rules(), &weights, &leaves, &required, spans);
        derive::k_best(&forest, 100).len()
    };
    let full = Brackets::tree(&tree("(S (A a) (B b))"));
    let anything = {
        let leaves = Leaves::new(&toy.read(&full.words), &Anything);
        let spans = spans(toy.rules(), 2).unwrap();
        derive::k_best(&CoarseForest::new(toy.rules(), &weights, &leaves, &Anything, spans), 100).len()
    };
    let free = n_trees(&full.clone().without_brackets().without_tags());
    assert_eq!(free, anything);
    assert_eq!(n_trees(&full), n_trees(&full.clone().without_brackets()));
    assert!(n_trees(&full) < free);
    assert_eq!(n_trees(&full.clone().without_tags()), free);
}
