//! Dependency trees over scores of arcs: the best, the k best, the sum of all, and the probability of each arc.
//!
//! An [`ArcScores`] has a logarithm for every arc of a sentence, and a tree weighs exp(Σ score of its arcs). Of
//! projective trees ask [`best_projective`], [`k_best_projective`] and [`projective_marginals`], which take O(n³);
//! of all trees ask [`best_spanning`], O(n²), and [`spanning_marginals`], O(n³). Loops over many sentences keep a
//! [`Projective`] or a [`Spanning`], whose memory is used again.
//!
//! A word without any head is left out: the trees are over the others, whose arcs from it do not count, and it
//! comes back with head 0.
//!
//! ```
//! use arcs::{ArcScores, Roots, best_projective};
//!
//! let mut scores = ArcScores::new(3);
//! for (head, dependent, score) in [(2, 1, 1.0), (0, 2, 1.0), (2, 3, 0.5), (1, 3, 0.7)] {
//!     scores.set(head, dependent, score);
//! }
//! // 1 → 3 would cross the arc from the root to 2.
//! assert_eq!(best_projective(&scores, Roots::One).unwrap().as_slice(), [2, 0, 2]);
//! ```

mod algebra;
mod chart;
mod chu_liu;
pub mod dmv;
mod forest;
mod kept;
mod marginals;
mod matrix_tree;
mod projective;
pub mod rules;
pub mod second_order;

use tree::{Constraints, Heads};

pub use chu_liu::Spanning;
pub use forest::{ArcForest, k_best_projective};
pub use marginals::Marginals;
pub use projective::Projective;

/// Runs the README's example as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

/// How many words may hang from the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Roots {
    /// Exactly one.
    #[default]
    One,
    /// One or more.
    Many,
}

/// Where the heads of a word stand among those of all words; beyond the end for a word that does not exist.
#[inline]
fn row(n_words: usize, dependent: usize) -> std::ops::Range<usize> {
    let width = n_words + 1;
    let start = dependent.wrapping_sub(1).wrapping_mul(width);
    start..start.wrapping_add(width)
}

/// The logarithm of a weight for every arc of a sentence; −∞ for arcs that are absent.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ArcScores {
    n_words: usize,
    /// By dependent from 1, then by head from 0.
    values: Vec<f64>,
}

impl ArcScores {
    /// No arc is present.
    pub fn new(n_words: usize) -> ArcScores {
        ArcScores { n_words, values: vec![f64::NEG_INFINITY; n_words * (n_words + 1)] }
    }

    /// Every arc has score 0.
    pub fn zero(n_words: usize) -> ArcScores {
        let mut scores = ArcScores { n_words, values: vec![0.0; n_words * (n_words + 1)] };
        for word in 1..=n_words {
            scores.row_mut(word)[word] = f64::NEG_INFINITY;
        }
        scores
    }

    /// Makes the scores those of another sentence, no arc present, in the same memory.
    pub fn reset(&mut self, n_words: usize) {
        self.n_words = n_words;
        self.values.clear();
        self.values.resize(n_words * (n_words + 1), f64::NEG_INFINITY);
    }

    /// The number of words.
    pub fn n_words(&self) -> usize {
        self.n_words
    }

    /// The score of an arc from a head (0 for the root) to a dependent; −∞ if there is no such arc.
    pub fn get(&self, head: usize, dependent: usize) -> f64 {
        self.row(dependent).get(head).copied().unwrap_or(f64::NEG_INFINITY)
    }

    /// Sets the score of an arc; nothing happens to arcs that cannot exist.
    pub fn set(&mut self, head: usize, dependent: usize, score: f64) {
        if head != dependent
            && let Some(value) = self.row_mut(dependent).get_mut(head)
        {
            *value = score;
        }
    }

    /// The scores of all heads of a word, that of the root first; empty for a word that does not exist.
    pub fn row(&self, dependent: usize) -> &[f64] {
        self.values.get(row(self.n_words, dependent)).unwrap_or(&[])
    }

    /// The same, to be filled. What stands at the word itself does not matter.
    pub fn row_mut(&mut self, dependent: usize) -> &mut [f64] {
        self.values.get_mut(row(self.n_words, dependent)).unwrap_or(&mut [])
    }

    /// Takes away the arcs that are not allowed, and with them all arcs of words that are left out.
    pub fn restrict(&mut self, allowed: &Constraints) {
        for dependent in 1..=self.n_words {
            for (head, score) in self.row_mut(dependent).iter_mut().enumerate() {
                if !allowed.allows_arc(head, dependent) {
                    *score = f64::NEG_INFINITY;
                }
            }
        }
    }

    /// Σ score of the arcs of a tree, words that are left out not counted.
    pub fn of_tree(&self, heads: &Heads) -> f64 {
        let words = (1..=self.n_words.min(heads.len())).filter(|&word| !self.is_left_out(word));
        words.map(|word| self.get(heads.head(word), word)).sum()
    }

    /// Whether a word has no head at all.
    pub fn is_left_out(&self, word: usize) -> bool {
        let mut heads = self.row(word).iter().enumerate();
        !heads.any(|(head, score)| head != word && *score > f64::NEG_INFINITY)
    }
}

/// The best projective tree, `None` if there is no tree. Of equally good trees it is always the same one.
pub fn best_projective(scores: &ArcScores, roots: Roots) -> Option<Heads> {
    Projective::default().best(scores, roots)
}

/// The best tree, projective or not; `None` if there is none. Of equally good trees it is always the same one.
pub fn best_spanning(scores: &ArcScores, roots: Roots) -> Option<Heads> {
    Spanning::default().best(scores, roots)
}

/// ln Σ exp(score) over projective trees, and the probability of each arc; `None` if there is no tree.
pub fn projective_marginals(scores: &ArcScores, roots: Roots) -> Option<(f64, Marginals)> {
    Projective::default().marginals(scores, roots)
}

/// ln Σ exp(score) over all trees, and the probability of each arc; `None` if there is no tree.
pub fn spanning_marginals(scores: &ArcScores, roots: Roots) -> Option<(f64, Marginals)> {
    Spanning::default().marginals(scores, roots)
}
