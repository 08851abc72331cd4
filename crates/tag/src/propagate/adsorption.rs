//! Jacobi's iterations of Modified Adsorption.

use chain::Workers;

use super::Graph;

/// A node whose labels are given.
#[derive(Debug, Clone, PartialEq)]
pub struct Seed {
    /// The node.
    pub node: u32,
    /// Labels with their weights, which need not sum to 1.
    pub labels: Vec<(u32, f32)>,
}

/// How labels spread.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Adsorption {
    /// μ₁: how much seeds keep their labels.
    pub inject: f64,
    /// μ₂: how much neighbours agree.
    pub smooth: f64,
    /// μ₃: how much nodes stay without a label.
    pub dummy: f64,
    /// β: nodes with more neighbours than about this give up more often.
    pub beta: f64,
    /// Iterations at most.
    pub iterations: usize,
    /// It stops earlier when no number changes by more than this.
    pub tolerance: f32,
}

impl Default for Adsorption {
    fn default() -> Adsorption {
        Adsorption { inject: 1.0, smooth: 0.01, dummy: 0.1, beta: 2.0, iterations: 50, tolerance: 1e-4 }
    }
}

/// How many nodes a thread takes at a time.
const BLOCK: usize = 2048;

/// The labels of all nodes: a row for each, of `n_labels` numbers and then the dummy label's.
///
/// A node that no seed reaches has nothing but the dummy label, or nothing if there is no dummy label (μ₃ = 0).
/// Time O(iterations · edges · labels), memory O(nodes · labels).
pub fn adsorb(
    graph: &Graph,
    seeds: &[Seed],
    n_labels: usize,
    options: &Adsorption,
    workers: &Workers,
) -> Vec<f32> {
    let width = n_labels + 1;
    let system = System::new(graph, seeds, width, options);
    let mut rows = vec![0.0; graph.n_nodes() * width];
    let mut next = rows.clone();
    for _ in 0..options.iterations {
        let mut blocks: Vec<&mut [f32]> = next.chunks_mut(BLOCK * width).collect();
        let changes = workers.map_mut(&mut blocks, |number, block| {
            let nodes = number * BLOCK..;
            let changes =
                block.chunks_mut(width).zip(nodes).map(|(row, node)| system.solve(node, &rows, row));
            changes.fold(0.0, f32::max)
        });
        std::mem::swap(&mut rows, &mut next);
        if changes.into_iter().fold(0.0, f32::max) <= options.tolerance {
            break;
        }
    }
    rows
}

/// What stays the same in all iterations.
struct System<'a> {
    graph: &'a Graph,
    width: usize,
    smooth: f32,
    continues: Vec<f32>,
    /// 1 / M(v).
    scales: Vec<f32>,
    /// μ₃ abandon(v).
    dummies: Vec<f32>,
    /// For each node the number of its seed plus 1, or 0.
    seed_of: Vec<u32>,
    /// μ₁ inject(v) Seed(v).
    injected: Vec<f32>,
}

impl<'a> System<'a> {
    fn new(graph: &'a Graph, seeds: &[Seed], width: usize, options: &Adsorption) -> System<'a> {
        let n = graph.n_nodes();
        let (seed_of, labels) = rows_of_seeds(seeds, n, width);
        let mut system = System {
            graph,
            width,
            smooth: options.smooth as f32,
            continues: vec![0.0; n],
            scales: vec![0.0; n],
            dummies: vec![0.0; n],
            seed_of,
            injected: labels,
        };
        let mut injects = vec![0.0; n];
        for (node, injects) in injects.iter_mut().enumerate() {
            let is_seed = system.seed_of[node] > 0;
            let [inject, on, abandon] = odds(graph.entropy(node), is_seed, options.beta);
            *injects = options.inject * inject;
            system.continues[node] = on as f32;
            system.dummies[node] = (options.dummy * abandon) as f32;
            if let Some(seed) = system.seed_of[node].checked_sub(1) {
                let row = &mut system.injected[seed as usize * width..][..width];
                row.iter_mut().for_each(|value| *value *= *injects as f32);
            }
        }
        for (node, inject) in injects.into_iter().enumerate() {
            let pull: f64 = graph.neighbours(node).map(|edge| f64::from(system.pull(node, edge))).sum();
            system.scales[node] = (1.0 / (inject + pull + options.dummy)) as f32;
        }
        system
    }

    /// μ₂ K(v, u).
    #[inline]
    fn pull(&self, node: usize, (neighbour, weight): (u32, f32)) -> f32 {
        self.smooth * weight * (self.continues[node] + self.continues[neighbour as usize])
    }

    /// Puts Y(v) into `row`, given the rows of the iteration before, and returns the largest change.
    fn solve(&self, node: usize, rows: &[f32], row: &mut [f32]) -> f32 {
        let width = self.width;
        match self.seed_of[node].checked_sub(1) {
            Some(seed) => row.copy_from_slice(&self.injected[seed as usize * width..][..width]),
            None => row.fill(0.0),
        }
        for edge in self.graph.neighbours(node) {
            let pull = self.pull(node, edge);
            let other = &rows[edge.0 as usize * width..][..width];
            row.iter_mut().zip(other).for_each(|(value, other)| *value += pull * other);
        }
        if let Some(dummy) = row.last_mut() {
            *dummy += self.dummies[node];
        }
        let scale = if self.scales[node].is_finite() { self.scales[node] } else { 0.0 };
        let old = &rows[node * width..][..width];
        let mut change = 0.0f32;
        for (value, old) in row.iter_mut().zip(old) {
            *value *= scale;
            change = change.max((*value - old).abs());
        }
        change
    }
}

/// Which seed each node has, counted from 1, and the labels of seeds, which sum to 1 in each row.
fn rows_of_seeds(seeds: &[Seed], n_nodes: usize, width: usize) -> (Vec<u32>, Vec<f32>) {
    let (mut seed_of, mut rows) = (vec![0; n_nodes], Vec::new());
    for seed in seeds {
        let total: f32 = seed.labels.iter().map(|&(_, weight)| weight).sum();
        let Some(at) = seed_of.get_mut(seed.node as usize).filter(|_| total > 0.0) else { continue };
        *at = (rows.len() / width) as u32 + 1;
        let start = rows.len();
        rows.resize(start + width, 0.0);
        for &(label, weight) in seed.labels.iter().filter(|&&(label, _)| (label as usize) < width - 1) {
            rows[start + label as usize] += weight / total;
        }
    }
    (seed_of, rows)
}

/// The probabilities of injecting, continuing and giving up, by the entropy of a node's edges.
pub(super) fn odds(entropy: f64, is_seed: bool, beta: f64) -> [f64; 3] {
    // A node without neighbours has no entropy; a seed with one neighbour keeps its labels nonetheless.
    let entropy = if entropy.is_finite() { entropy.max(0.0) } else { 0.0 };
    let c = libm::log(beta) / libm::log(beta + libm::exp(entropy));
    let d = if is_seed { (1.0 - c) * libm::sqrt(entropy) } else { 0.0 };
    let z = f64::max(c + d, 1.0);
    [d / z, c / z, 1.0 - (c + d) / z]
}
