//! Probabilities of transitions and words.

use serde::{Deserialize, Serialize};

use super::{HmmPrior, Lexicon, Order};

/// How often things happened, or are expected to have happened.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TagCounts {
    /// By transition, the tag that is gone to last; the edge of a sentence counts as the tag after all others.
    pub transitions: Vec<f64>,
    /// By slot of the lexicon.
    pub emissions: Vec<f64>,
}

impl TagCounts {
    /// Nothing happened.
    pub fn zero(order: Order, n_tags: usize, n_slots: usize) -> TagCounts {
        TagCounts { transitions: vec![0.0; order.n_transitions(n_tags)], emissions: vec![0.0; n_slots] }
    }

    /// Adds `share` times other counts.
    pub fn add(&mut self, other: &TagCounts, share: f64) {
        let add =
            |to: &mut [f64], from: &[f64]| to.iter_mut().zip(from).for_each(|(to, from)| *to += share * from);
        add(&mut self.transitions, &other.transitions);
        add(&mut self.emissions, &other.emissions);
    }
}

/// A hidden Markov model over the words of a lexicon.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hmm {
    /// How many tags before it a tag depends on.
    pub order: Order,
    /// The number of tags.
    pub n_tags: usize,
    /// The probability of each transition.
    pub next: Vec<f64>,
    /// The probability of a word given its tag, by slot.
    pub emit: Vec<f64>,
    /// The probability of a word that is not in the lexicon, by tag.
    pub unseen: Vec<f64>,
    /// How frequent each tag is.
    pub shares: Vec<f64>,
}

impl Hmm {
    /// The most probable model, given counts and a prior: both are added and scaled to sum to 1.
    pub fn estimate(order: Order, lexicon: &Lexicon, counts: &TagCounts, prior: &HmmPrior) -> Hmm {
        let n_tags = prior.unseen.len();
        let mut next: Vec<f64> = sum(&counts.transitions, &prior.transitions);
        for row in next.chunks_mut(n_tags + 1) {
            normalise(row);
        }
        let mut emit = sum(&counts.emissions, &prior.emissions);
        let mut totals = prior.unseen.clone();
        let mut shares = vec![0.0; n_tags];
        for ((&tag, value), count) in lexicon.tags().iter().zip(&emit).zip(&counts.emissions) {
            totals[tag as usize] += value;
            shares[tag as usize] += count;
        }
        normalise(&mut shares);
        let over = |value: f64, tag: usize| if totals[tag] > 0.0 { value / totals[tag] } else { 0.0 };
        emit.iter_mut().zip(lexicon.tags()).for_each(|(value, &tag)| *value = over(*value, tag as usize));
        let unseen = prior.unseen.iter().enumerate().map(|(tag, &value)| over(value, tag)).collect();
        Hmm { order, n_tags, next, emit, unseen, shares }
    }

    /// The logarithm of the prior's density at this model, up to a constant.
    pub fn ln_prior(&self, prior: &HmmPrior) -> f64 {
        let of = |counts: &[f64], p: &[f64]| -> f64 {
            let used = counts.iter().zip(p).filter(|(count, _)| **count > 0.0);
            used.map(|(count, p)| count * libm::log(*p)).sum()
        };
        of(&prior.transitions, &self.next)
            + of(&prior.emissions, &self.emit)
            + of(&prior.unseen, &self.unseen)
    }
}

fn sum(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

fn normalise(row: &mut [f64]) {
    let total: f64 = row.iter().sum();
    if total > 0.0 {
        row.iter_mut().for_each(|value| *value /= total);
    }
}
