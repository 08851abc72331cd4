//! Beliefs against messages and enumeration, gradients against differences, and what training comes to.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod beliefs;
mod learning;
mod rules;
mod trees;

use chain::{Rng, Stream};
use tree::{Text, Tree, TreeBuilder};

use super::labels::Labels;
use super::*;

/// Reads `(S (NP (D the) (N dog)) (V ran))`.
pub(super) fn tree(text: &str) -> Tree<Text> {
    let mut builder = TreeBuilder::new();
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut tokens = spaced.split_whitespace();
    while let Some(token) = tokens.next() {
        match token {
            "(" => builder.open(Text::from(tokens.next().unwrap())),
            ")" => _ = builder.close(),
            word => builder.word(word.into()),
        }
    }
    builder.finish().unwrap()
}

/// Labels S, NP, VP and two stand-ins, NP up to three words wide.
pub(super) fn labels() -> Labels {
    let label = |name: &str, is_stand_in| Label { is_stand_in, chain: vec![name.into()] };
    let seen = [("S", false, 9), ("S", true, 8), ("VP", false, 8), ("NP", false, 3), ("VP", true, 2)];
    Labels::new(seen.map(|(name, is_stand_in, width)| (label(name, is_stand_in), width)).into_iter(), true)
}

pub(super) fn random_scores(n: usize, rng: &mut Rng) -> Vec<f64> {
    (0..n).map(|_| 4.0 * rng.uniform() - 2.0).collect()
}

/// A random tree with tags below, sometimes with chains and words without tags.
pub(super) fn random_tree(n_words: usize, rng: &mut Rng) -> Tree<Text> {
    let phrase = |rng: &mut Rng| Text::from(["S", "NP", "@VP", "A+B"][rng.below(4)]);
    let mut parts: Vec<Tree<Text>> = (0..n_words)
        .map(|_| {
            let word = Tree::word(Text::from(["a", "b", "c"][rng.below(3)]));
            let mut leaf = Tree::constituent(Text::from(["D", "N", "V"][rng.below(3)]), [word]);
            while rng.bernoulli(0.3) {
                leaf = Tree::constituent(phrase(rng), [leaf]);
            }
            leaf
        })
        .collect();
    while parts.len() > 1 || rng.bernoulli(0.3) {
        let n = (2 + rng.below(3)).min(parts.len());
        let at = rng.below(parts.len() - n + 1);
        let children: Vec<Tree<Text>> = parts.drain(at..at + n).collect();
        parts.insert(at, Tree::constituent(phrase(rng), children));
    }
    Tree::constituent("TOP".into(), parts)
}

/// A treebank that says where a prepositional phrase goes by its preposition.
pub(super) fn toy() -> Vec<Tree<Text>> {
    let np = |noun: &str| format!("(NP (D the) (N {noun}))");
    let mut trees = Vec::new();
    for noun in ["dog", "cat", "tree", "man"] {
        for other in ["park", "tail", "house"] {
            let high =
                format!("(TOP (S {} (VP (V saw) {} (PP (P in) {})) (. .)))", np(noun), np("boy"), np(other));
            let low = format!(
                "(TOP (S {} (VP (V saw) (NP {} (PP (P of) {}))) (. .)))",
                np(noun),
                np("boy"),
                np(other)
            );
            let short = format!("(TOP (S (NP (N {noun})) (VP (V ran))))");
            trees.extend([high, low, short].map(|text| tree(&text)));
        }
    }
    trees.push(tree("(TOP (NP (N dog)))"));
    trees
}

pub(super) fn stream(seed: u64) -> Rng {
    Stream::new(seed).rng()
}

/// As the thesis has it: features seen at brackets, all of them.
pub(super) fn quick() -> TrainOptions {
    let learning = chain::descent::Learning { epochs: 15, rate: 0.1, ..TrainOptions::default().learning };
    TrainOptions { learning, keeps_all_features: false, least_features: 1, ..TrainOptions::default() }
}
