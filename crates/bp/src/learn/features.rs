//! What scores are made of.

use chain::descent::Weights;

use crate::Scores;

/// The features of blocks of scores. A feature of a block of n scores is a row of n weights, one for each score, and a score
/// is the sum of its features' weights: score(k) = Σ_feature w(row + k).
#[derive(Debug, Clone, Default)]
pub struct Features {
    blocks: Vec<FeatureBlock>,
    rows: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct FeatureBlock {
    start: u32,
    len: u32,
    /// Its rows are those before this one, from the end of the block before.
    end: u32,
}

impl Features {
    /// Nothing has features yet.
    pub fn new() -> Features {
        Features::default()
    }

    /// Forgets all blocks, for another graph.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.rows.clear();
    }

    /// The features of a block, as the starts of their rows.
    pub fn push(&mut self, scores: Scores, rows: impl IntoIterator<Item = u32>) {
        self.rows.extend(rows);
        self.blocks.push(FeatureBlock { start: scores.start, len: scores.len, end: self.rows.len() as u32 });
    }

    fn walk(&self, mut visit: impl FnMut(std::ops::Range<usize>, &[u32])) {
        let mut first = 0;
        for block in &self.blocks {
            let scores = block.start as usize..(block.start + block.len) as usize;
            visit(scores, &self.rows[first..block.end as usize]);
            first = block.end as usize;
        }
    }

    /// Writes the scores of all blocks; those that belong to no block stay as they are.
    pub fn score(&self, weights: &Weights, scores: &mut [f64]) {
        self.walk(|range, rows| weights.add_rows(rows, &mut scores[range]));
    }

    /// The gradient of the loss in weights, each as often as it counts, from the gradients of the likelihood in scores. Gradients
    /// that are next to nothing are left out: a graph has many scores, of which few matter.
    pub fn descend(&self, gradients: &[f64], entries: &mut Vec<(u32, f32)>) {
        self.walk(|range, rows| {
            for (k, &derivative) in gradients[range]
                .iter()
                .enumerate()
                .filter(|(_, derivative)| derivative.abs() > NEXT_TO_NOTHING)
            {
                entries.extend(rows.iter().map(|&row| (row + k as u32, -derivative as f32)));
            }
        });
    }
}

const NEXT_TO_NOTHING: f64 = 1e-6;
