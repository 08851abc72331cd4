//! Sentences without the words that are left out.

use tree::Heads;

use super::{ArcScores, Marginals};

/// Scores no algorithm stumbles over lie within ± this.
const LARGEST: f64 = 1e200;

/// The words that trees are over, renumbered, and the scores of the arcs between them.
#[derive(Debug, Clone, Default)]
pub(super) struct Kept {
    n_words: usize,
    /// The word at each position; position 0 is the root.
    words: Vec<usize>,
    /// By dependent from 0, then by head from 0; the dependent 0 has none.
    scores: Vec<f64>,
}

impl Kept {
    /// Takes over a sentence; what is no number counts as absent.
    pub(super) fn fill(&mut self, scores: &ArcScores) {
        self.n_words = scores.n_words();
        self.words.clear();
        self.words.push(0);
        self.words.extend((1..=scores.n_words()).filter(|&word| !scores.is_left_out(word)));
        self.scores.clear();
        self.scores.resize(self.width(), f64::NEG_INFINITY);
        for &dependent in &self.words[1..] {
            let row = scores.row(dependent);
            self.scores.extend(self.words.iter().map(|&head| {
                let absent = head == dependent || row[head].is_nan() || row[head] == f64::NEG_INFINITY;
                if absent { f64::NEG_INFINITY } else { row[head].clamp(-LARGEST, LARGEST) }
            }));
        }
    }

    /// The number of words that are kept.
    pub(super) fn len(&self) -> usize {
        self.words.len() - 1
    }

    /// The number of positions, the root included.
    pub(super) fn width(&self) -> usize {
        self.words.len()
    }

    #[inline]
    pub(super) fn score(&self, head: usize, dependent: usize) -> f64 {
        self.scores[dependent * self.width() + head]
    }

    /// The scores of all heads of a position.
    pub(super) fn row(&self, dependent: usize) -> &[f64] {
        &self.scores[dependent * self.width()..][..self.width()]
    }

    /// The largest score of each position's heads; 0 for the root.
    pub(super) fn largest(&self) -> Vec<f64> {
        let of = |position| self.row(position).iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (0..self.width()).map(|position| if position == 0 { 0.0 } else { of(position) }).collect()
    }

    /// The score of a tree's arc into a position.
    pub(super) fn best_score(&self, tree: &Heads, dependent: usize) -> f64 {
        let head = tree.head(self.words[dependent]);
        let at = self.words.binary_search(&head);
        at.map_or(f64::NEG_INFINITY, |head| self.score(head, dependent))
    }

    /// The tree with these heads, by position; `None` if they form a cycle.
    pub(super) fn tree(&self, heads: &[usize]) -> Option<Heads> {
        let mut all = vec![0; self.n_words];
        for (position, &word) in self.words.iter().enumerate().skip(1) {
            all[word - 1] = self.words[heads[position]] as u32;
        }
        Heads::new(all).ok()
    }

    /// Marginals of the sentence from those of positions; words that are left out have the root.
    pub(super) fn marginals(&self, of: impl Fn(usize, usize) -> f64) -> Marginals {
        let mut marginals = Marginals::zero(self.n_words);
        for word in 1..=self.n_words {
            marginals.set(0, word, 1.0);
        }
        for (position, &dependent) in self.words.iter().enumerate().skip(1) {
            for (at, &head) in self.words.iter().enumerate() {
                marginals.set(head, dependent, if at == position { 0.0 } else { of(at, position) });
            }
        }
        marginals
    }
}
