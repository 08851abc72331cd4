//! The best sequence of tags.

use super::lattice::{allows, restricts};
use crate::Choice;

/// Memory of the search.
#[derive(Debug, Clone, Default)]
pub(super) struct Viterbi {
    best: Vec<f32>,
    before: Vec<f32>,
    /// For each word and tag the best tag before it.
    from: Vec<u32>,
}

impl Viterbi {
    /// The tags whose scores and transitions add up to the most among those that are allowed; of equally good ones those with
    /// lower numbers, from the end.
    pub(super) fn run(
        &mut self,
        n_tags: usize,
        scores: &[f32],
        transitions: &[f32],
        choices: &[Choice],
    ) -> Vec<u32> {
        self.from.clear();
        for (i, row) in scores.chunks_exact(n_tags).enumerate() {
            std::mem::swap(&mut self.best, &mut self.before);
            self.best.clear();
            if i == 0 {
                self.best.extend_from_slice(row);
                self.from.resize(n_tags, 0);
            } else {
                self.step(n_tags, row, transitions);
            }
            if let Some(choice) = choices.get(i).filter(|choice| restricts(choice, n_tags)) {
                let excluded = self.best.iter_mut().enumerate().filter(|(tag, _)| !allows(choice, *tag));
                excluded.for_each(|(_, best)| *best = f32::NEG_INFINITY);
            }
        }
        self.trace_back(n_tags)
    }

    /// v_i(b) = s_i(b) + max_a v_{i−1}(a) + w_ab
    fn step(&mut self, n_tags: usize, row: &[f32], transitions: &[f32]) {
        self.best.resize(n_tags, f32::NEG_INFINITY);
        let start = self.from.len();
        self.from.resize(start + n_tags, 0);
        let from = &mut self.from[start..];
        for (a, (before, weights)) in self.before.iter().zip(transitions.chunks_exact(n_tags)).enumerate() {
            for ((best, from), weight) in self.best.iter_mut().zip(from.iter_mut()).zip(weights) {
                let score = before + weight;
                if score > *best {
                    (*best, *from) = (score, a as u32);
                }
            }
        }
        self.best.iter_mut().zip(row).for_each(|(best, score)| *best += score);
    }

    fn trace_back(&self, n_tags: usize) -> Vec<u32> {
        let n_words = self.from.len() / n_tags;
        let mut tags = vec![0; n_words];
        let better = |best: usize, tag: usize| if self.best[tag] > self.best[best] { tag } else { best };
        let mut tag = (0..self.best.len()).reduce(better).unwrap_or(0);
        for i in (0..n_words).rev() {
            tags[i] = tag as u32;
            tag = self.from[i * n_tags + tag] as usize;
        }
        tags
    }
}
