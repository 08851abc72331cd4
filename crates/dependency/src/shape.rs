//! Which trees a parser builds.

use arcs::{ArcScores, Marginals, Projective, Roots, Spanning};
use serde::{Deserialize, Serialize};
use tree::Heads;

/// Which trees are built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeShape {
    /// Whether arcs may not cross.
    pub projective: bool,
    /// How many words may hang from the root.
    pub roots: Roots,
}

impl Default for TreeShape {
    fn default() -> Self {
        TreeShape { projective: true, roots: Roots::One }
    }
}

/// Memory for questions about trees.
#[derive(Debug, Clone, Default)]
pub(super) struct Engines {
    projective: Projective,
    spanning: Spanning,
}

impl TreeShape {
    /// The best tree; `None` if there is none.
    pub(super) fn best(self, engines: &mut Engines, scores: &ArcScores) -> Option<Heads> {
        if self.projective {
            engines.projective.best(scores, self.roots)
        } else {
            engines.spanning.best(scores, self.roots)
        }
    }

    /// ln Z and the probability of each arc; `None` if there is no tree.
    pub(super) fn marginals(self, engines: &mut Engines, scores: &ArcScores) -> Option<(f64, Marginals)> {
        if self.projective {
            engines.projective.marginals(scores, self.roots)
        } else {
            engines.spanning.marginals(scores, self.roots)
        }
    }

    /// Whether a tree is of this shape; words that are left out are no part of it.
    pub(super) fn admits(self, heads: &[usize], left_out: &[bool]) -> bool {
        let n_roots = (1..=heads.len()).filter(|&word| heads[word - 1] == 0 && !left_out[word]).count();
        if self.roots == Roots::One && n_roots > 1 {
            return false;
        }
        let arcs = || (1..=heads.len()).filter(|&word| !left_out[word]).map(|word| (heads[word - 1], word));
        !self.projective || arcs().all(|a| arcs().all(|b| !cross(a, b)))
    }
}

/// Whether one end of an arc lies strictly between the ends of the other, and the other end strictly outside.
pub(super) fn cross(a: (usize, usize), b: (usize, usize)) -> bool {
    let ((a, b), (c, d)) = ((a.0.min(a.1), a.0.max(a.1)), (b.0.min(b.1), b.0.max(b.1)));
    a < c && c < b && b < d || c < a && a < d && d < b
}
