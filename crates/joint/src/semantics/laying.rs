//! A graph while it is laid over a sentence: its features are looked up, or counted.

use bp::learn::Features;
use bp::{Graph, Scores};
use chain::descent::Weights;
use features::Index;

use super::census::{Census, Holds, Keep};
use crate::Error;

/// A graph with the features of its scores.
#[derive(Debug)]
pub(super) struct Laying<'a> {
    pub(super) graph: Graph,
    features: Features,
    rows: ScoreRows<'a>,
}

#[derive(Debug)]
enum ScoreRows<'a> {
    Looked(&'a Index),
    Census(&'a mut Census),
}

/// A graph with scores.
#[derive(Debug)]
pub(super) struct ScoredGraph {
    pub(super) graph: Graph,
    pub(super) features: Features,
}

impl<'a> Laying<'a> {
    /// Features are looked up.
    pub(super) fn looking(index: &'a Index) -> Laying<'a> {
        Laying { graph: Graph::new(), features: Features::new(), rows: ScoreRows::Looked(index) }
    }

    /// Features are counted.
    pub(super) fn counting(census: &'a mut Census) -> Laying<'a> {
        Laying { graph: Graph::new(), features: Features::new(), rows: ScoreRows::Census(census) }
    }

    /// Gives a block of scores features: a feature's row has a weight for each score.
    pub(super) fn score(&mut self, scores: Scores, keys: &[&[u64]], holds: Holds, keep: Keep) {
        let n = scores.range().len();
        self.score_parts(&[(scores, 0)], n, keys, holds, keep);
    }

    /// Gives several blocks the same features: the row of a feature has `n_weights`, and each block sees those that begin at
    /// its place in the row.
    pub(super) fn score_parts(
        &mut self,
        blocks: &[(Scores, u32)],
        n_weights: usize,
        keys: &[&[u64]],
        holds: Holds,
        keep: Keep,
    ) {
        let keys = keys.iter().flat_map(|keys| keys.iter().copied());
        match &mut self.rows {
            ScoreRows::Census(census) => keys.for_each(|key| census.count(key, n_weights, holds, keep)),
            ScoreRows::Looked(index) => {
                let rows: Vec<u32> = keys.filter_map(|key| index.get(key, n_weights)).collect();
                if !rows.is_empty() {
                    for &(scores, offset) in blocks {
                        self.features.push(scores, rows.iter().map(|row| row + offset));
                    }
                }
            }
        }
    }

    /// The finished graph, its scores made of weights.
    pub(super) fn finish(self, weights: &Weights) -> Result<ScoredGraph, Error> {
        let mut graph = self.graph.finish()?;
        let mut scores = graph.all_scores().to_vec();
        self.features.score(weights, &mut scores);
        graph.rescore(&scores)?;
        Ok(ScoredGraph { graph, features: self.features })
    }
}
