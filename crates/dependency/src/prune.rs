//! Which arcs the first order leaves to the second.

use arcs::{ArcScores, Marginals};
use serde::{Deserialize, Serialize};
use tree::Heads;

use super::example::{Example, Target};
use super::first_order::FirstOrderScratch;
use super::shape::{Engines, TreeShape};

/// Which arcs are kept.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Pruning {
    /// A head is kept if it is at least this probable beside the most probable one.
    pub threshold: f64,
    /// At most so many heads are kept for a word.
    pub heads: usize,
}

impl Default for Pruning {
    fn default() -> Self {
        Pruning { threshold: 1e-4, heads: 16 }
    }
}

impl Pruning {
    /// The arcs that are kept, those of the best tree among them; `None` if there is no tree.
    pub(super) fn arcs(
        &self,
        scores: &ArcScores,
        shape: TreeShape,
        engines: &mut Engines,
    ) -> Option<Vec<(usize, usize)>> {
        let (_, marginals) = shape.marginals(engines, scores)?;
        let best = shape.best(engines, scores)?;
        Some(self.around(scores, &marginals, &best))
    }

    fn around(&self, scores: &ArcScores, marginals: &Marginals, best: &Heads) -> Vec<(usize, usize)> {
        let words = (1..=scores.n_words()).filter(|&word| !scores.is_left_out(word));
        words
            .flat_map(|word| {
                let mut heads = self.heads_of(marginals.row(word), word);
                heads.push(best.head(word));
                heads.into_iter().map(move |head| (head, word))
            })
            .collect()
    }

    fn heads_of(&self, row: &[f64], word: usize) -> Vec<usize> {
        let largest = row.iter().copied().fold(0.0, f64::max);
        let is_kept =
            |&head: &usize| head != word && row[head] > 0.0 && row[head] >= largest * self.threshold;
        let mut heads: Vec<usize> = (0..row.len()).filter(is_kept).collect();
        heads.sort_by(|&a, &b| row[b].total_cmp(&row[a]));
        heads.truncate(self.heads);
        heads
    }

    /// The same for a sentence to learn from, whose scores stand in `scratch`: arcs that are probable with what is known of
    /// it are kept as well, or else nothing could be learned of them.
    pub(super) fn of_example(
        &self,
        example: &Example,
        shape: TreeShape,
        scratch: &mut FirstOrderScratch,
    ) -> Option<Vec<(usize, usize)>> {
        let mut arcs = self.arcs(&scratch.scores, shape, &mut scratch.engines)?;
        match &example.target {
            Target::Tree(heads) => {
                let words = (1..=heads.len()).filter(|&word| !example.left_out[word]);
                arcs.extend(words.map(|word| (heads[word - 1], word)));
            }
            Target::Cases(cases) => {
                for case in cases {
                    scratch.mask(case, &example.pull);
                    arcs.extend(
                        self.arcs(&scratch.masked, shape, &mut scratch.engines).into_iter().flatten(),
                    );
                }
            }
        }
        arcs.sort_unstable();
        arcs.dedup();
        Some(arcs)
    }
}
