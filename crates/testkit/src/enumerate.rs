//! Oracles that list every derivation, one by one.
//!
//! Nothing here is clever, on purpose: the engine is right when it agrees with these lists.

/// A hypergraph written out in full.
#[derive(Debug, Clone, Default)]
pub struct Hypergraph {
    /// The edges into each node.
    pub edges: Vec<Vec<Edge>>,
    /// The node whose derivations are asked for.
    pub goal: usize,
}

/// One way to derive a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    /// The rule used.
    pub rule: u32,
    /// Its weight.
    pub weight: f64,
    /// The nodes below.
    pub tails: Vec<usize>,
}

/// One derivation written out.
#[derive(Debug, Clone, PartialEq)]
pub struct Derived {
    /// The product of its edges' weights.
    pub weight: f64,
    /// (node, rule, tails) in preorder.
    pub steps: Vec<(usize, u32, Vec<usize>)>,
}

impl Hypergraph {
    /// All derivations of the goal whose weight is not zero.
    pub fn derivations(&self) -> Vec<Derived> {
        self.derivations_of(self.goal)
    }

    fn derivations_of(&self, node: usize) -> Vec<Derived> {
        let mut all = Vec::new();
        for edge in self.edges[node].iter().filter(|edge| edge.weight > 0.0) {
            let start = Derived { weight: edge.weight, steps: vec![(node, edge.rule, edge.tails.clone())] };
            let mut partial = vec![start];
            for &tail in &edge.tails {
                let below = self.derivations_of(tail);
                partial = partial
                    .iter()
                    .flat_map(|left| below.iter().map(move |right| left.followed_by(right)))
                    .collect();
            }
            all.extend(partial);
        }
        all
    }
}

impl Derived {
    fn followed_by(&self, other: &Derived) -> Derived {
        let steps = self.steps.iter().chain(&other.steps).cloned().collect();
        Derived { weight: self.weight * other.weight, steps }
    }
}

/// The weights of all projective dependency trees over `n` words, with the head of each word.
///
/// `weight` is shown the heads, `None` for the root. Trees have exactly one root.
pub fn projective_trees(
    n: usize,
    weight: impl Fn(&[Option<usize>]) -> f64,
) -> Vec<(Vec<Option<usize>>, f64)> {
    let mut trees = Vec::new();
    for code in 0..(n + 1).pow(n as u32) {
        let heads: Vec<Option<usize>> = (0..n)
            .map(|word| code / (n + 1).pow(word as u32) % (n + 1))
            .map(|head| (head < n).then_some(head))
            .collect();
        if is_projective_tree(&heads) {
            trees.push((heads.clone(), weight(&heads)));
        }
    }
    trees
}

fn is_projective_tree(heads: &[Option<usize>]) -> bool {
    let one_root = heads.iter().filter(|head| head.is_none()).count() == 1;
    one_root && (0..heads.len()).all(|word| reaches_root(heads, word) && arc_is_projective(heads, word))
}

fn reaches_root(heads: &[Option<usize>], word: usize) -> bool {
    std::iter::successors(Some(word), |&word| heads[word]).take(heads.len() + 1).count() <= heads.len()
}

/// Every word under an arc descends from the arc's head.
fn arc_is_projective(heads: &[Option<usize>], word: usize) -> bool {
    let Some(head) = heads[word] else { return true };
    (word.min(head) + 1..word.max(head)).all(|between| {
        std::iter::successors(Some(between), |&word| heads[word])
            .take(heads.len() + 1)
            .any(|above| above == head)
    })
}
