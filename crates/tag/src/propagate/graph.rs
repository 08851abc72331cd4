//! A graph without directions, as lists of neighbours.

/// Two nodes with the weight between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// Two different nodes.
    pub nodes: [u32; 2],
    /// More than 0.
    pub weight: f32,
}

/// Neighbours of each node in one list: compressed rows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Graph {
    starts: Vec<usize>,
    neighbours: Vec<u32>,
    weights: Vec<f32>,
}

impl Graph {
    /// The graph of so many nodes. An edge that is given twice counts twice; an edge from a node to itself is left out, as
    /// are nodes that do not exist and weights that are not positive.
    pub fn new(n_nodes: usize, edges: &[Edge]) -> Graph {
        let is_good = |edge: &&Edge| {
            let [a, b] = edge.nodes.map(|node| node as usize);
            a != b && a < n_nodes && b < n_nodes && edge.weight > 0.0 && edge.weight.is_finite()
        };
        let mut starts = vec![0usize; n_nodes + 1];
        for node in edges.iter().filter(is_good).flat_map(|edge| edge.nodes) {
            starts[node as usize + 1] += 1;
        }
        for node in 0..n_nodes {
            starts[node + 1] += starts[node];
        }
        let mut free = starts.clone();
        let n = starts[n_nodes];
        let (mut neighbours, mut weights) = (vec![0; n], vec![0.0; n]);
        for edge in edges.iter().filter(is_good) {
            let [a, b] = edge.nodes;
            for (from, to) in [(a, b), (b, a)] {
                let at = &mut free[from as usize];
                neighbours[*at] = to;
                weights[*at] = edge.weight;
                *at += 1;
            }
        }
        Graph { starts, neighbours, weights }
    }

    /// The number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The number of edges.
    pub fn n_edges(&self) -> usize {
        self.neighbours.len() / 2
    }

    /// The neighbours of a node with the weights of the edges to them.
    pub fn neighbours(&self, node: usize) -> impl ExactSizeIterator<Item = (u32, f32)> {
        let range = self.starts[node]..self.starts[node + 1];
        self.neighbours[range.clone()].iter().copied().zip(self.weights[range].iter().copied())
    }

    /// H(v), the entropy of the weights of a node's edges.
    pub(super) fn entropy(&self, node: usize) -> f64 {
        let total: f64 = self.neighbours(node).map(|(_, weight)| f64::from(weight)).sum();
        let shares = self.neighbours(node).map(|(_, weight)| f64::from(weight) / total);
        -shares.map(|share| share * libm::log(share)).sum::<f64>()
    }
}
