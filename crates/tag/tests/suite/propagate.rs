//! Label propagation against dense matrices.

use chain::{Threads, Workers};
use proptest::prelude::*;
use tag::propagate::{Adsorption, Edge, Graph, Seed, adsorb};

/// The same fixed point by Gaussian elimination: (diag M − μ₂ K) Y = μ₁ inject Seed + μ₃ abandon ⊥.
fn dense(n: usize, edges: &[Edge], seeds: &[Seed], n_labels: usize, options: &Adsorption) -> Vec<f64> {
    let mut w = vec![vec![0.0; n]; n];
    for edge in edges.iter().filter(|edge| edge.nodes[0] != edge.nodes[1]) {
        let [a, b] = edge.nodes.map(|node| node as usize);
        w[a][b] += f64::from(edge.weight);
        w[b][a] += f64::from(edge.weight);
    }
    let labels = |node: usize| seeds.iter().rfind(|seed| seed.node as usize == node).map(|seed| &seed.labels);
    let odds: Vec<[f64; 3]> =
        (0..n).map(|node| odds(node, edges, labels(node).is_some(), options.beta)).collect();
    let (mut matrix, mut right) = (vec![vec![0.0; n]; n], vec![vec![0.0; n_labels + 1]; n]);
    for v in 0..n {
        let [inject, on, abandon] = odds[v];
        matrix[v][v] = options.inject * inject + options.dummy;
        for u in (0..n).filter(|&u| u != v) {
            let pull = options.smooth * (on + odds[u][1]) * w[v][u];
            matrix[v][v] += pull;
            matrix[v][u] -= pull;
        }
        let total: f64 = labels(v).iter().flat_map(|labels| labels.iter()).map(|&(_, p)| f64::from(p)).sum();
        for &(label, p) in labels(v).into_iter().flatten() {
            right[v][label as usize] += options.inject * inject * f64::from(p) / total;
        }
        right[v][n_labels] += options.dummy * abandon;
    }
    eliminate(&mut matrix, &mut right);
    right.concat()
}

/// Edges that join the same nodes are edges of their own, also for the entropy.
fn odds(node: usize, edges: &[Edge], is_seed: bool, beta: f64) -> [f64; 3] {
    let mine = edges.iter().filter(|e| e.nodes[0] != e.nodes[1] && e.nodes.contains(&(node as u32)));
    let weights: Vec<f64> = mine.map(|e| f64::from(e.weight)).collect();
    let total: f64 = weights.iter().sum();
    let entropy: f64 = weights.iter().map(|w| -(w / total) * (w / total).ln()).sum();
    let c = beta.ln() / (beta + entropy.exp()).ln();
    let d = if is_seed { (1.0 - c) * entropy.max(0.0).sqrt() } else { 0.0 };
    let z = (c + d).max(1.0);
    [d / z, c / z, 1.0 - c / z - d / z]
}

fn eliminate(matrix: &mut [Vec<f64>], right: &mut [Vec<f64>]) {
    for at in 0..matrix.len() {
        let pivot = matrix[at][at];
        for row in [&mut matrix[at], &mut right[at]] {
            row.iter_mut().for_each(|value| *value /= pivot);
        }
        let (pivot_row, pivot_right) = (matrix[at].clone(), right[at].clone());
        for other in (0..matrix.len()).filter(|&other| other != at) {
            let factor = matrix[other][at];
            let subtract = |row: &mut Vec<f64>, pivot: &[f64]| {
                row.iter_mut().zip(pivot).for_each(|(value, pivot)| *value -= factor * pivot);
            };
            subtract(&mut matrix[other], &pivot_row);
            subtract(&mut right[other], &pivot_right);
        }
    }
}

const N_NODES: usize = 7;

fn graphs() -> impl Strategy<Value = (Vec<Edge>, Vec<Seed>)> {
    let edge = (0..N_NODES as u32, 0..N_NODES as u32, 0.1..2.0f32);
    let edges =
        proptest::collection::vec(edge.prop_map(|(a, b, weight)| Edge { nodes: [a, b], weight }), 1..16);
    let seed = (0..N_NODES as u32, proptest::collection::vec((0u32..3, 0.1..1.0f32), 1..3));
    let seeds = proptest::collection::vec(seed.prop_map(|(node, labels)| Seed { node, labels }), 0..4);
    (edges, seeds)
}

proptest! {
    #[test]
    fn the_fixed_point_equals_that_of_a_dense_solver((edges, seeds) in graphs(), dummy in 0.05..0.5f64) {
        let options = Adsorption { smooth: 0.5, dummy, iterations: 5000, tolerance: 0.0, ..Adsorption::default() };
        let graph = Graph::new(N_NODES, &edges);
        let found = adsorb(&graph, &seeds, 3, &options, &Workers::serial());
        for (found, expected) in found.iter().zip(dense(N_NODES, &edges, &seeds, 3, &options)) {
            prop_assert!((f64::from(*found) - expected).abs() < 2e-5, "{} {}", found, expected);
        }
    }
}

#[test]
fn labels_are_the_same_bits_on_any_number_of_threads() {
    let n = 5000;
    let edges: Vec<Edge> = (0..20_000u32)
        .map(|i| Edge { nodes: [i * 7 % n, (i * i + 3) % n], weight: 1.0 + (i % 5) as f32 / 3.0 })
        .collect();
    let seeds: Vec<Seed> = (0..40).map(|i| Seed { node: i * 113 % n, labels: vec![(i % 6, 1.0)] }).collect();
    let graph = Graph::new(n as usize, &edges);
    let run = |workers: &Workers| adsorb(&graph, &seeds, 6, &Adsorption::default(), workers);
    let serial = run(&Workers::serial());
    for threads in [1, 2, 4] {
        assert_eq!(run(&Workers::new(Threads::from_count(threads)).unwrap()), serial);
    }
}

#[test]
fn without_seeds_there_are_only_dummy_labels() {
    let edges = [Edge { nodes: [0, 1], weight: 1.0 }];
    let rows = adsorb(&Graph::new(3, &edges), &[], 2, &Adsorption::default(), &Workers::serial());
    assert!(rows.chunks(3).all(|row| row[..2] == [0.0, 0.0] && row[2] >= 0.0));
}

#[test]
fn seeds_with_unknown_nodes_or_labels_change_nothing() {
    let graph = Graph::new(2, &[Edge { nodes: [0, 1], weight: 1.0 }, Edge { nodes: [1, 9], weight: 1.0 }]);
    let seeds = [Seed { node: 7, labels: vec![(0, 1.0)] }, Seed { node: 1, labels: vec![(8, 1.0)] }];
    let rows = adsorb(&graph, &seeds, 2, &Adsorption::default(), &Workers::serial());
    assert!(rows.chunks(3).all(|row| row[..2] == [0.0, 0.0]));
}
