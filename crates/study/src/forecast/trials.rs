//! Which sentences are learned from and which are held out, when a learning curve is measured.

use crate::Error;
use chain::Stream;
use serde::{Deserialize, Serialize};
use tree::PutInOrder;

/// How a learning curve is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Course {
    /// Parts that are held out in turn.
    pub n_folds: usize,
    /// Amounts of annotation to learn from.
    pub n_amounts: usize,
}

impl Default for Course {
    fn default() -> Self {
        Self { n_folds: 5, n_amounts: 6 }
    }
}

/// The smallest amount is this share of what there is to learn from.
const SMALLEST: f64 = 1.0 / 6.0;

/// One training: sentences to learn from, and others to be scored on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The part that is held out, from 0.
    pub fold: usize,
    /// The amount that is learned from, from 0 for the smallest.
    pub amount: usize,
    /// Sentences to learn from, from 0.
    pub used: Vec<usize>,
    /// Sentences to be scored on.
    pub held: Vec<usize>,
    /// Annotated heads of the sentences to learn from.
    pub n_heads: usize,
}

/// All trainings for a learning curve; `n_heads` is how many heads are annotated in each sentence.
///
/// Sentences without any take no part. The others are put into an order that the stream decides, and every one is held out
/// once. Amounts grow by the same factor from a sixth to all of what is not held out, and each holds those before it: on a
/// logarithmic axis, on which curves are nearly straight, such points are spread evenly.
pub fn trials(n_heads: &[usize], course: &Course, stream: Stream) -> Result<Vec<Trial>, Error> {
    let order = shuffled(n_heads, stream);
    let n_folds = course.n_folds.min(order.len());
    if n_folds < 2 {
        return Err(Error::TooFewSentences { found: order.len(), needed: 2 });
    }
    let mut trials = Vec::new();
    for fold in 0..n_folds {
        let (mut held, mut rest) = (Vec::new(), Vec::new());
        for (at, &sentence) in order.iter().enumerate() {
            if at % n_folds == fold { held.push(sentence) } else { rest.push(sentence) }
        }
        // Small amounts of different folds begin at different sentences, so that they do not all have the same luck.
        let begin = fold * rest.len() / n_folds;
        rest.rotate_left(begin);
        for amount in 0..course.n_amounts {
            let (used, sum) = first(&rest, n_heads, share(amount, course.n_amounts));
            trials.push(Trial { fold, amount, used, held: held.clone(), n_heads: sum });
        }
    }
    Ok(trials)
}

/// The share of an amount: the last is 1, the first `SMALLEST`.
fn share(amount: usize, n_amounts: usize) -> f64 {
    let steps_down = (n_amounts - 1 - amount) as f64;
    libm::pow(SMALLEST, steps_down / (n_amounts.max(2) - 1) as f64)
}

/// The first sentences that have a share of the heads, and how many these are.
fn first(rest: &[usize], n_heads: &[usize], share: f64) -> (Vec<usize>, usize) {
    let total: usize = rest.iter().map(|&at| n_heads[at]).sum();
    let wanted = (total as f64 * share).round() as usize;
    let (mut used, mut sum) = (Vec::new(), 0);
    for &at in rest {
        if sum >= wanted.max(1) {
            break;
        }
        sum += n_heads[at];
        used.push(at);
    }
    (used, sum)
}

/// The annotated sentences in an order that the stream decides.
fn shuffled(n_heads: &[usize], stream: Stream) -> Vec<usize> {
    let mut order: Vec<(f64, usize)> = (0..n_heads.len())
        .filter(|&at| n_heads[at] > 0)
        .map(|at| (stream.item(at).rng().uniform(), at))
        .collect();
    order.order_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    order.into_iter().map(|(_, at)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn amounts_grow_by_the_same_factor() {
        let trials = trials(&[1; 72], &Course { n_folds: 2, n_amounts: 3 }, Stream::new(1)).unwrap();
        // Of 36 heads: a sixth, 6^-½ = 0.408, all.
        assert_eq!(trials.iter().map(|trial| trial.n_heads).collect::<Vec<_>>(), [6, 15, 36, 6, 15, 36]);
    }

    #[test]
    fn one_sentence_cannot_be_held_out() {
        assert!(trials(&[0, 9, 0], &Course::default(), Stream::new(1)).is_err());
        assert_eq!(trials(&[1, 9, 0], &Course::default(), Stream::new(1)).unwrap().len(), 12);
    }

    proptest! {
        #[test]
        fn every_sentence_is_held_out_once_and_never_learned_from_then(
            n_heads in prop::collection::vec(0usize..9, 3..40),
            n_folds in 2usize..6,
            n_amounts in 2usize..7,
        ) {
            prop_assume!(n_heads.iter().filter(|&&n| n > 0).count() >= n_folds);
            let course = Course { n_folds, n_amounts };
            let trials = trials(&n_heads, &course, Stream::new(7)).unwrap();
            for amount in 0..n_amounts {
                let of_amount = || trials.iter().filter(|trial| trial.amount == amount);
                let mut held: Vec<usize> = of_amount().flat_map(|trial| trial.held.clone()).collect();
                held.sort_unstable();
                let annotated: Vec<usize> = (0..n_heads.len()).filter(|&at| n_heads[at] > 0).collect();
                prop_assert_eq!(held, annotated);
                for trial in of_amount() {
                    prop_assert!(trial.used.iter().all(|at| !trial.held.contains(at)));
                    prop_assert_eq!(trial.used.iter().map(|&at| n_heads[at]).sum::<usize>(), trial.n_heads);
                }
            }
            for pair in trials.windows(2).filter(|pair| pair[0].fold == pair[1].fold) {
                prop_assert!(pair[1].used.starts_with(&pair[0].used));
            }
        }
    }
}
