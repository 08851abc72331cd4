//! Trees that need not be projective.

use tree::Heads;

use super::kept::Kept;
use super::matrix_tree::MatrixTree;
use super::{ArcScores, Marginals, Roots};

/// Memory for questions about all trees, used again from sentence to sentence.
#[derive(Debug, Clone, Default)]
pub struct Spanning {
    kept: Kept,
    matrix_tree: MatrixTree,
}

impl Spanning {
    /// As [`best_spanning`](super::best_spanning). After Chu & Liu (1965), Edmonds (1967) and Tarjan (1977).
    ///
    /// Where only one word may hang from the root and the best tree has more, trees are ranked by fewest arcs from
    /// the root and then by score; that is a sum of pairs like any other, so that the same algorithm finds the
    /// best, and it is the answer if it has one such arc.
    pub fn best(&mut self, scores: &ArcScores, roots: Roots) -> Option<Heads> {
        self.kept.fill(scores);
        let kept = &self.kept;
        let width = kept.width();
        let mut heads = Contraction::new(width, |head, dependent| kept.score(head, dependent)).solve()?;
        let n_roots = |heads: &[usize]| heads.iter().skip(1).filter(|&&head| head == 0).count();
        if roots == Roots::One && n_roots(&heads) > 1 {
            let ranked = |head: usize, dependent: usize| Ranked {
                roots: f64::from(u8::from(head == 0)),
                score: kept.score(head, dependent),
            };
            heads = Contraction::new(width, ranked).solve()?;
            if n_roots(&heads) > 1 {
                return None;
            }
        }
        kept.tree(&heads)
    }

    /// As [`spanning_marginals`](super::spanning_marginals).
    pub fn marginals(&mut self, scores: &ArcScores, roots: Roots) -> Option<(f64, Marginals)> {
        self.kept.fill(scores);
        if self.kept.len() == 0 {
            return Some((0.0, self.kept.marginals(|_, _| 0.0)));
        }
        self.matrix_tree.marginals(&self.kept, roots, None).or_else(|| {
            let best = self.best(scores, roots)?;
            self.matrix_tree.marginals(&self.kept, roots, Some(&best))
        })
    }
}

/// What arcs weigh: anything that is ordered and can be subtracted.
trait Weight: Copy {
    fn is_absent(self) -> bool;
    fn minus(self, other: Self) -> Self;
    fn exceeds(self, other: Self) -> bool;
}

impl Weight for f64 {
    fn is_absent(self) -> bool {
        self == f64::NEG_INFINITY
    }

    fn minus(self, other: f64) -> f64 {
        self - other
    }

    fn exceeds(self, other: f64) -> bool {
        self > other
    }
}

/// Fewer roots first, then the higher score.
#[derive(Debug, Clone, Copy)]
struct Ranked {
    roots: f64,
    score: f64,
}

impl Weight for Ranked {
    fn is_absent(self) -> bool {
        self.score == f64::NEG_INFINITY
    }

    fn minus(self, other: Ranked) -> Ranked {
        Ranked { roots: self.roots - other.roots, score: self.score - other.score }
    }

    fn exceeds(self, other: Ranked) -> bool {
        let fewer = self.roots < other.roots || (self.roots == other.roots && self.score > other.score);
        !self.is_absent() && (other.is_absent() || fewer)
    }
}

/// The best arc from a position into a node: its weight, and the position within the node where it ends.
#[derive(Debug, Clone, Copy)]
struct Incoming<W> {
    weight: W,
    dependent: usize,
}

/// The path-growing form of the algorithm for dense graphs.
///
/// A path is grown backwards, from a node to its best head, until it meets the root or what is already connected to
/// the root. When it meets itself, the cycle becomes one node, whose incoming arcs are the members' less the
/// arcs they would replace. There are at most n such nodes, each scanned once and merged once in O(n): O(n²).
struct Contraction<W> {
    width: usize,
    /// Incoming arcs of each living node by head position; a row is taken over by the node its node goes into.
    incoming: Vec<Vec<Incoming<W>>>,
    /// The row of each node.
    row: Vec<usize>,
    /// The cycle each node is part of; a node itself if of none. Positions come first, then cycles.
    above: Vec<usize>,
    /// The living node each position is in.
    node_of: Vec<usize>,
    /// The positions of each row's node.
    positions: Vec<Vec<usize>>,
    /// The arc chosen for each node, (head, dependent) in positions, and its weight.
    chosen: Vec<Option<(usize, usize, W)>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Visit {
    New,
    OnPath,
    Connected,
}

impl<W: Weight> Contraction<W> {
    fn new(width: usize, weight: impl Fn(usize, usize) -> W) -> Self {
        let row = |dependent: usize| {
            let arcs = (0..width).map(|head| Incoming { weight: weight(head, dependent), dependent });
            if dependent == 0 { Vec::new() } else { arcs.collect() }
        };
        Contraction {
            width,
            incoming: (0..width).map(row).collect(),
            row: (0..width).collect(),
            above: (0..width).collect(),
            node_of: (0..width).collect(),
            positions: (0..width).map(|position| vec![position]).collect(),
            chosen: vec![None; width],
        }
    }

    /// The head of each position; `None` if some cannot be reached from the root.
    fn solve(mut self) -> Option<Vec<usize>> {
        let mut places = vec![Visit::New; self.width];
        places[0] = Visit::Connected;
        let mut path = Vec::new();
        for start in 1..self.width {
            let mut node = self.node_of[start];
            while places[node] != Visit::Connected {
                match places[node] {
                    Visit::New => {
                        places[node] = Visit::OnPath;
                        path.push(node);
                    }
                    _ => {
                        node = self.contract(node, &mut path);
                        places.push(Visit::OnPath);
                    }
                }
                let (head, dependent, weight) = self.best_head(node)?;
                self.chosen[node] = Some((head, dependent, weight));
                node = self.node_of[head];
            }
            for node in path.drain(..) {
                places[node] = Visit::Connected;
            }
        }
        Some(self.expand())
    }

    fn best_head(&self, node: usize) -> Option<(usize, usize, W)> {
        let mut best: Option<(usize, usize, W)> = None;
        for (head, arc) in self.incoming[self.row[node]].iter().enumerate() {
            let better = !arc.weight.is_absent()
                && self.node_of[head] != node
                && best.is_none_or(|(_, _, weight)| arc.weight.exceeds(weight));
            if better {
                best = Some((head, arc.dependent, arc.weight));
            }
        }
        best
    }

    /// Makes the end of the path, from `first` on, one node and returns it.
    fn contract(&mut self, first: usize, path: &mut Vec<usize>) -> usize {
        let cycle = self.above.len();
        let mut merged: Option<Vec<Incoming<W>>> = None;
        let mut positions = Vec::new();
        let mut row = 0;
        while let Some(node) = path.pop() {
            row = self.row[node];
            let mut arcs = std::mem::take(&mut self.incoming[row]);
            if let Some((_, _, replaced)) = self.chosen[node] {
                arcs.iter_mut().for_each(|arc| arc.weight = arc.weight.minus(replaced));
            }
            merged = Some(match merged {
                Some(best) => best.into_iter().zip(arcs).map(|(a, b)| better(a, b)).collect(),
                None => arcs,
            });
            positions.append(&mut self.positions[row]);
            self.above[node] = cycle;
            if node == first {
                break;
            }
        }
        for &position in &positions {
            self.node_of[position] = cycle;
        }
        self.incoming[row] = merged.unwrap_or_default();
        self.positions[row] = positions;
        self.row.push(row);
        self.above.push(cycle);
        self.chosen.push(None);
        path.push(cycle);
        cycle
    }

    /// Opens the cycles again, the last first: the arc into a cycle replaces that of the member it ends in.
    fn expand(mut self) -> Vec<usize> {
        for cycle in (self.width..self.above.len()).rev() {
            let arc = self.chosen[cycle];
            let Some((_, dependent, _)) = arc else { continue };
            let mut member = dependent;
            while self.above[member] != cycle {
                member = self.above[member];
            }
            self.chosen[member] = arc;
        }
        self.chosen[..self.width].iter().map(|arc| arc.map_or(0, |(head, _, _)| head)).collect()
    }
}

fn better<W: Weight>(a: Incoming<W>, b: Incoming<W>) -> Incoming<W> {
    if !b.weight.is_absent() && (a.weight.is_absent() || b.weight.exceeds(a.weight)) { b } else { a }
}
