//! How probable each arc is.

use crate::row;

/// P(head | dependent) for every arc of a sentence. The rows of a distribution over trees sum to 1; a word that is left out has
/// the root.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Marginals {
    n_words: usize,
    /// By dependent from 1, then by head from 0.
    values: Vec<f64>,
}

impl Marginals {
    /// All zero.
    pub fn zero(n_words: usize) -> Marginals {
        Marginals { n_words, values: vec![0.0; n_words * (n_words + 1)] }
    }

    /// The number of words.
    pub fn n_words(&self) -> usize {
        self.n_words
    }

    /// The probability of an arc, heads from 0, the root, and dependents from 1; 0 if it cannot exist.
    pub fn of(&self, head: usize, dependent: usize) -> f64 {
        self.row(dependent).get(head).copied().unwrap_or(0.0)
    }

    /// The probabilities of all heads of a word, that of the root first; empty for a word that does not exist.
    pub fn row(&self, dependent: usize) -> &[f64] {
        self.values.get(row(self.n_words, dependent)).unwrap_or(&[])
    }

    /// The same, to be filled.
    pub fn row_mut(&mut self, dependent: usize) -> &mut [f64] {
        self.values.get_mut(row(self.n_words, dependent)).unwrap_or(&mut [])
    }

    /// The probabilities by dependent from 1, then by head from 0.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The entropy of a word's head in nats: −Σ p ln p.
    pub fn entropy(&self, dependent: usize) -> f64 {
        let terms = self.row(dependent).iter().filter(|&&p| p > 0.0).map(|&p| -p * libm::log(p));
        terms.sum::<f64>().max(0.0)
    }

    /// Σ over words of the entropy of the head: an upper bound of the tree's entropy.
    pub fn total_entropy(&self) -> f64 {
        (1..=self.n_words).map(|word| self.entropy(word)).sum()
    }

    /// The heads of a word from the most to the least probable, those of probability 0 left out; ties by number.
    pub fn ranked(&self, dependent: usize) -> Vec<(usize, f64)> {
        let mut heads: Vec<(usize, f64)> =
            self.row(dependent).iter().copied().enumerate().filter(|&(_, p)| p > 0.0).collect();
        heads.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        heads
    }

    pub(super) fn set(&mut self, head: usize, dependent: usize, value: f64) {
        self.values[(dependent - 1) * (self.n_words + 1) + head] = value.clamp(0.0, 1.0);
    }
}
