//! Gradients against finite differences, and the way of weights.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use arcs::Roots;
use bp::learn::{Features, gradients};
use bp::structured::{Brackets, Trees};
use bp::{Evidence, Graph, Messages, Options, Variable};
use chain::descent::Weights;
use num::streams::Stream;

/// Pairs of words that are related or not, and brackets or arcs that a relation goes along with.
fn coupled(seed: u64, arcs: bool) -> (Graph, Vec<Variable>, Vec<Variable>) {
    let rng = &mut Stream::new(seed).rng();
    let mut score = || 2.0 * rng.uniform() - 1.0;
    let n = 4;
    let mut graph = Graph::new();
    let places = if arcs { Trees::all_arcs(n) } else { Brackets::all_spans(n) };
    let structure: Vec<Variable> = places.iter().map(|_| graph.boolean()).collect();
    let task: Vec<Variable> = places.iter().map(|_| graph.boolean()).collect();
    for (a, b) in structure.iter().zip(&task) {
        graph.unary(*a, &[score()]);
        graph.unary(*b, &[score()]);
        graph.nand(&[a.is(1), b.is(1)], score());
    }
    let literals: Vec<_> = structure.iter().map(|variable| variable.is(1)).collect();
    match arcs {
        true => graph.structured(Trees::projective(n, places, Roots::One), &literals),
        false => graph.structured(Brackets::new(n, places), &literals),
    };
    (graph.finish().unwrap(), structure, task)
}

#[test]
fn gradients_are_those_of_the_likelihood_whatever_is_known() {
    for (seed, arcs) in [(1, false), (2, true)] {
        let (mut graph, structure, task) = coupled(seed, arcs);
        let mut hidden = Evidence::none(&graph);
        task.iter().enumerate().for_each(|(at, variable)| hidden.set(variable.is(at % 2)));
        let mut partial = hidden.clone();
        partial.release(task[0]);
        partial.set(structure[1].is(0));
        let mut whole = hidden.clone();
        let gold: &[usize] = if arcs { &[0, 5, 10, 15] } else { &[0, 2, 5] };
        structure.iter().enumerate().for_each(|(at, v)| whole.set(v.is(usize::from(gold.contains(&at)))));
        let mut oracle = Evidence::none(&graph);
        structure.iter().for_each(|v| oracle.set(v.is(whole.value(*v).unwrap())));
        let nothing = Evidence::none(&graph);
        let pairs = [(&hidden, &nothing), (&partial, &nothing), (&whole, &nothing), (&whole, &oracle)];
        let scores = graph.all_scores().to_vec();
        for (clamped, free) in pairs {
            let likelihood = |graph: &Graph, out: &mut Vec<f64>| {
                gradients(&mut Messages::default(), graph, clamped, free, &Options::default(), out).unwrap()
            };
            let mut found = Vec::new();
            graph.rescore(&scores).unwrap();
            let at_first = likelihood(&graph, &mut found);
            assert!(at_first.is_exact && at_first.ln < 0.0);
            let mut rest = Vec::new();
            for at in 0..scores.len() {
                let mut moved = |by: f64| {
                    let mut moved = scores.clone();
                    moved[at] += by;
                    graph.rescore(&moved).unwrap();
                    likelihood(&graph, &mut rest).ln
                };
                let derivative = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                assert!((derivative - found[at]).abs() < 1e-6, "score {at}: {derivative} {}", found[at]);
            }
        }
    }
}

#[test]
fn a_feature_is_a_row_of_weights() {
    let mut graph = Graph::new();
    let (tag, flag) = (graph.variable(3), graph.boolean());
    let (tags, flags) = (graph.unary(tag, &[0.0; 3]), graph.unary(flag, &[0.0]));
    let mut features = Features::new();
    features.push(tags, [0, 4]);
    features.push(flags, [3]);
    let weights = Weights::from_values(vec![1.0, 2.0, 3.0, -1.0, 10.0, 20.0, 30.0]);
    let mut scores = vec![0.0; 4];
    features.score(&weights, &mut scores);
    assert_eq!(scores, [11.0, 22.0, 33.0, -1.0]);
    let mut entries = Vec::new();
    features.descend(&[0.5, 0.0, -0.5, 1.0], &mut entries);
    assert_eq!(entries, [(0, -0.5), (4, -0.5), (2, 0.5), (6, 0.5), (3, -1.0)]);
}
