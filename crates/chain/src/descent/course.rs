//! Weights on their way through the epochs.

use serde::{Deserialize, Serialize};

use super::{Averaged, Batch, Method};
use num::packed;

/// Weights, what their steps remember, and the sum of which the mean is taken in the end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Course<W, S> {
    /// The weights now.
    pub weights: W,
    memory: S,
    /// Σ of the weights after the epochs that count for the mean; empty before the first of them.
    #[serde(with = "packed::list")]
    sums: Vec<f32>,
    n_summed: u32,
    done: u32,
}

impl<W: Averaged, S> Course<W, S> {
    /// The beginning.
    pub fn new<M: Method<W, Memory = S>>(weights: W, method: &M) -> Course<W, S> {
        let memory = method.memory(&weights);
        Course { weights, memory, sums: Vec::new(), n_summed: 0, done: 0 }
    }

    /// How many epochs are over.
    pub fn done(&self) -> usize {
        self.done as usize
    }

    /// The mean of the weights after the epochs that count, `None` if none does yet.
    ///
    /// By default it is the second half that counts: the last weights jump about the minimum, their mean does less.
    pub fn mean(&self) -> Option<Vec<f32>> {
        let n = self.n_summed as f32;
        (self.n_summed > 0).then(|| self.sums.iter().map(|sum| sum / n).collect())
    }

    pub(super) fn step<M: Method<W, Memory = S>>(&mut self, method: &M, batch: &Batch, n_examples: usize) {
        method.step(&mut self.weights, &mut self.memory, batch, n_examples);
    }

    pub(super) fn end_epoch<M: Method<W, Memory = S>>(&mut self, method: &M) {
        self.done += 1;
        if method.counts(self.done()) {
            self.sums.resize(self.weights.n_weights(), 0.0);
            self.weights.add_to(&mut self.sums);
            self.n_summed += 1;
        }
    }
}
