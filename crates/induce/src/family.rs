//! Probabilistic grammars as families of multinomials (Cohen, Gimpel & Smith 2008, eq. 1).
//!
//! ```text
//! p(x, y | θ) = Π_k Π_i θ_{k,i}^{f_{k,i}(x, y)}
//! ```
//!
//! Events of all distributions are numbered in one list; a [`Rows`] says where each distribution begins. Parameters,
//! weights and counts are flat lists over that numbering. Whoever can sum over derivations and count events is
//! a [`Family`], and every estimator works for it.

use serde::{Deserialize, Serialize};

/// Which events each distribution is over: consecutive ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rows {
    /// The first event of each distribution, and the number of all events.
    bounds: Vec<usize>,
}

impl Rows {
    /// Distributions over so many events each.
    pub fn new(sizes: impl IntoIterator<Item = usize>) -> Rows {
        let mut bounds = vec![0];
        let mut end = 0;
        bounds.extend(sizes.into_iter().map(|size| {
            end += size;
            end
        }));
        Rows { bounds }
    }

    /// The number of distributions.
    pub fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Whether there is no distribution.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of events of all distributions.
    pub fn n_events(&self) -> usize {
        self.bounds[self.len()]
    }

    /// The events of one distribution.
    pub fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.bounds[row]..self.bounds[row + 1]
    }

    /// The events of every distribution in turn.
    pub fn ranges(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        self.bounds.windows(2).map(|pair| pair[0]..pair[1])
    }

    /// Turns counts into distributions; one without counts keeps what it is in `before`.
    pub fn normalise(&self, counts: &mut [f64], before: &[f64]) {
        for range in self.ranges() {
            let total: f64 = counts[range.clone()].iter().sum();
            if total > 0.0 {
                counts[range].iter_mut().for_each(|count| *count /= total);
            } else {
                counts[range.clone()].copy_from_slice(&before[range]);
            }
        }
    }

    /// Every distribution mixed with so much of the even one, so that no event is impossible.
    pub fn mixed(&self, grammar: &[f64], share: f64) -> Vec<f64> {
        grammar.iter().zip(self.even()).map(|(theta, even)| (1.0 - share) * theta + share * even).collect()
    }

    /// Every distribution even.
    pub fn even(&self) -> Vec<f64> {
        self.ranges().flat_map(|range| std::iter::repeat_n(1.0 / range.len() as f64, range.len())).collect()
    }
}

/// A grammar whose derivations can be summed over.
pub trait Family: Sync {
    /// What derivations are of: a sentence.
    type Item: Sync;
    /// Memory that is used again from item to item; it holds no information.
    type Memory: Default + Send;

    /// The distributions.
    fn rows(&self) -> &Rows;

    /// The distributions that derivations of an item may use, in rising order.
    fn rows_of(&self, item: &Self::Item) -> Vec<usize>;

    /// ln Σ_y Π w^f(x, y), and adds the expected number of each event under the distribution of y that is proportional
    /// to these weights. Weights need not sum to 1. −∞, and no counts, where every derivation has weight 0.
    fn expect(
        &self,
        item: &Self::Item,
        weights: &[f64],
        memory: &mut Self::Memory,
        counts: &mut [f64],
    ) -> f64;

    /// ln max_y Π w^f(x, y), and adds the events of that derivation.
    fn best(&self, item: &Self::Item, weights: &[f64], memory: &mut Self::Memory, counts: &mut [f64]) -> f64;
}
