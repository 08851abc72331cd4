//! What was measured: right heads by amount of annotation and by sentence.

use super::Point;
use super::trials::Trial;
use serde::{Deserialize, Serialize};

/// Right heads of held-out sentences, by amount of annotation.
///
/// Every sentence was held out once, so that all amounts were scored on the same heads. That makes the scores go up and
/// down together: if the sentences are easy, they are easy at every amount.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Annotated heads that were learned from, on average over the parts held out.
    pub amounts: Vec<f64>,
    /// Heads in each sentence that were scored.
    pub n_heads: Vec<usize>,
    /// Right heads, by amount and by sentence.
    pub right: Vec<Vec<usize>>,
}

impl Measured {
    /// Runs all trials: `score` learns from a trial and tells how many heads of each held-out sentence it found. `None` as
    /// soon as it has nothing to tell.
    pub fn run<E>(
        n_heads: &[usize],
        trials: &[Trial],
        mut score: impl FnMut(&Trial) -> Result<Option<Vec<usize>>, E>,
    ) -> Result<Option<Self>, E> {
        let n_amounts = trials.iter().map(|trial| trial.amount + 1).max().unwrap_or(0);
        let n_folds = trials.iter().filter(|trial| trial.amount == 0).count().max(1) as f64;
        let mut measured = Self {
            amounts: vec![0.0; n_amounts],
            n_heads: n_heads.to_vec(),
            right: vec![vec![0; n_heads.len()]; n_amounts],
        };
        for trial in trials {
            let Some(right) = score(trial)? else { return Ok(None) };
            measured.amounts[trial.amount] += trial.n_heads as f64 / n_folds;
            for (&sentence, right) in trial.held.iter().zip(right) {
                measured.right[trial.amount][sentence] = right;
            }
        }
        Ok(Some(measured))
    }

    /// All heads that were scored.
    pub fn total(&self) -> usize {
        self.n_heads.iter().sum()
    }

    /// The share of right heads at each amount.
    pub fn points(&self) -> Vec<Point> {
        let total = self.total().max(1) as f64;
        let score = |right: &Vec<usize>| right.iter().sum::<usize>() as f64 / total;
        self.amounts.iter().zip(&self.right).map(|(&x, right)| Point { x, score: score(right) }).collect()
    }

    /// How the scores would vary together if other sentences had been held out, row by row.
    ///
    /// A score is the ratio yᵢ = Σ rᵢₛ / Σ tₛ over sentences s, whose covariance is estimated by
    ///
    /// cov(yᵢ, yⱼ) = n / (n − 1) · Σₛ (rᵢₛ − yᵢ tₛ)(rⱼₛ − yⱼ tₛ) / (Σ tₛ)².
    pub fn covariance(&self) -> Vec<f64> {
        let scores: Vec<f64> = self.points().iter().map(|point| point.score).collect();
        let sentences: Vec<usize> = (0..self.n_heads.len()).filter(|&at| self.n_heads[at] > 0).collect();
        let n = sentences.len() as f64;
        let scale = n / (n - 1.0).max(1.0) / (self.total().max(1) as f64 * self.total().max(1) as f64);
        let off = |amount: usize, sentence: usize| {
            self.right[amount][sentence] as f64 - scores[amount] * self.n_heads[sentence] as f64
        };
        let m = scores.len();
        let entry = |at: usize| {
            sentences.iter().map(|&sentence| off(at / m, sentence) * off(at % m, sentence)).sum::<f64>()
        };
        (0..m * m).map(|at| scale * entry(at)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forecast::{Course, trials};
    use chain::Stream;

    #[test]
    fn scores_and_covariances_are_those_of_a_hand_count() {
        let measured = Measured {
            amounts: vec![1.0, 2.0],
            n_heads: vec![4, 0, 2, 2],
            right: vec![vec![1, 0, 1, 0], vec![2, 0, 2, 0]],
        };
        let scores: Vec<f64> = measured.points().iter().map(|point| point.score).collect();
        assert_eq!(scores, [0.25, 0.5]);
        // Off by (0, ½, −½) and (0, 1, −1) heads, of 8 heads in 3 sentences.
        let expected = [0.5, 1.0, 1.0, 2.0].map(|sum| 1.5 * sum / 64.0);
        assert_eq!(measured.covariance(), expected);
    }

    #[test]
    fn every_trial_is_put_where_it_belongs() {
        let n_heads = [3, 0, 5, 2, 4];
        let trials = trials(&n_heads, &Course { n_folds: 2, n_amounts: 3 }, Stream::new(3)).unwrap();
        let right = |trial: &Trial| -> Result<Option<Vec<usize>>, ()> {
            Ok(Some(trial.held.iter().map(|&at| n_heads[at].min(trial.amount + 1)).collect()))
        };
        let measured = Measured::run(&n_heads, &trials, right).unwrap().unwrap();
        assert_eq!(measured.right, [[1, 0, 1, 1, 1], [2, 0, 2, 2, 2], [3, 0, 3, 2, 3]]);
        // All but what is held out: each head takes part in every fold but one.
        assert_eq!(measured.amounts[2], 14.0 / 2.0);
        let stopped = Measured::run(&n_heads, &trials, |_| Ok::<_, ()>(None)).unwrap();
        assert_eq!(stopped, None);
    }
}
