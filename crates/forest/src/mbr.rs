//! Decoding for a measure: the derivation that is best under other weights than its own.
//!
//! Both decoders take the posterior of each edge from a function that fills a list, one number per split,
//! so that scalar models ([`crate::scaled::Posteriors::edges`]) and latent ones
//! ([`crate::substates::Posteriors::edges`]) share them.

use crate::forest::each_bundle;
use crate::{Bundle, Derivation, Edge, Forest, Item, Step};

/// The derivation that maximises the sum of `gain` over its items.
///
/// With item posteriors as gains this is labelled-bracket MBR: the greatest expected number of right
/// brackets (Goodman 1996). Items that are no brackets, such as those of binarisation, gain 0. Edges of
/// posterior 0 are not used. `None` if there are no derivations.
pub fn max_items<F: Forest>(
    forest: &F,
    gain: &[f64],
    mut edges: impl FnMut(Item, &Bundle<F::Weight>, &mut Vec<f64>),
) -> Option<(Derivation, f64)> {
    best_by(forest, |head, bundle, scores| {
        edges(head, bundle, scores);
        let gain = gain.get(head.index()).copied().unwrap_or(0.0);
        for score in scores {
            *score = if *score > 0.0 { gain } else { f64::NEG_INFINITY };
        }
    })
}

/// The derivation that maximises the product of its edges' posteriors, and the logarithm of that product.
///
/// Max-rule-product of Petrov & Klein (2007): with latent annotations the posteriors are summed over them,
/// so probability that is spread over annotations of one tree is not lost, as it is to Viterbi.
pub fn max_rule<F: Forest>(
    forest: &F,
    mut edges: impl FnMut(Item, &Bundle<F::Weight>, &mut Vec<f64>),
) -> Option<(Derivation, f64)> {
    best_by(forest, |head, bundle, scores| {
        edges(head, bundle, scores);
        for score in scores {
            *score = libm::log(*score);
        }
    })
}

/// The derivation that maximises a sum of scores over its edges, and that sum.
///
/// `score` replaces the contents of its list by one score per edge of the bundle; −∞ forbids an edge. Among
/// equals the first wins. `None` if every derivation is forbidden.
pub fn best_by<F: Forest>(
    forest: &F,
    mut score: impl FnMut(Item, &Bundle<F::Weight>, &mut Vec<f64>),
) -> Option<(Derivation, f64)> {
    let mut best = vec![f64::NEG_INFINITY; forest.n_items()];
    let mut back: Vec<Option<Step>> = vec![None; forest.n_items()];
    let mut scores = Vec::new();
    for item in forest.items() {
        let mut highest = f64::NEG_INFINITY;
        each_bundle(forest, item, |bundle| {
            score(item, &bundle, &mut scores);
            for (split, score) in (0..bundle.tails.len()).zip(&scores) {
                let edge = bundle.tails.edge(split);
                let total = score + below(edge, &best);
                if total > highest {
                    highest = total;
                    back[item.index()] = Some(Step { item, rule: bundle.rule, split, edge });
                }
            }
        });
        best[item.index()] = highest;
    }
    let goal = forest.goal();
    let derivation = Derivation::unfold(goal, |item| back.get(item.index()).copied().flatten())?;
    Some((derivation, best[goal.index()]))
}

fn below(edge: Edge, best: &[f64]) -> f64 {
    match edge {
        Edge::Leaf => 0.0,
        Edge::One(tail) => best[tail.index()],
        Edge::Two(left, right) => best[left.index()] + best[right.index()],
    }
}
