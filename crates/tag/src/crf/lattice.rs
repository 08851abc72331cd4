//! Sums over all sequences of tags: a [`Chain`] whose rows sum to 1, forwards and then backwards.

use forest::lattice::{Chain, States, Steps};
use forest::scale::Sums;

use crate::Choice;

/// Weights of pairs of neighbouring tags, as numbers to multiply with.
#[derive(Debug, Clone, Default)]
pub(super) struct Transitions {
    n_tags: usize,
    /// exp(w_ab − m), a row for each tag a.
    exps: Vec<f64>,
    /// m, the largest weight.
    largest: f64,
}

impl Transitions {
    /// From a row of weights for each tag.
    pub(super) fn new(n_tags: usize, weights: &[f32]) -> Transitions {
        let mut transitions = Transitions::default();
        transitions.fill(n_tags, weights);
        transitions
    }

    /// The same in memory that is there already.
    pub(super) fn fill(&mut self, n_tags: usize, weights: &[f32]) {
        self.n_tags = n_tags;
        self.largest = f64::from(weights.iter().copied().fold(f32::NEG_INFINITY, f32::max));
        self.exps.clear();
        self.exps.extend(weights.iter().map(|&w| libm::exp(f64::from(w) - self.largest)));
    }
}

impl Steps for Transitions {
    fn weights(&self) -> &[f64] {
        &self.exps
    }

    #[inline]
    fn first(&self, _: usize, last: usize) -> usize {
        last * self.n_tags
    }
}

/// The lattice of a sentence.
#[derive(Debug, Clone, Default)]
pub(super) struct Lattice {
    n_tags: usize,
    /// The tags that are allowed, with e_i(a) = exp(s_i(a) − max_b s_i(b)).
    states: States,
    chain: Chain<Sums>,
    /// A row for each word, zero for tags that are not allowed.
    marginals: Vec<f64>,
}

impl Lattice {
    /// ln Σ exp(score) over the sequences that are allowed, and all marginals; `None` if the sum is zero or no number. Scores
    /// are a row for each word; `choices` is empty if everything is allowed.
    pub(super) fn run(
        &mut self,
        scores: &[f32],
        transitions: &Transitions,
        choices: &[Choice],
    ) -> Option<f64> {
        self.n_tags = transitions.n_tags;
        let shift = self.exponentiate(scores, choices);
        self.marginals.clear();
        self.marginals.resize(scores.len(), 0.0);
        let filled = self.chain.fill(&self.states, transitions);
        if self.states.is_empty() {
            return Some(0.0);
        }
        let ln_scales = filled?;
        self.chain.backward(&self.states, transitions);
        self.spread_out();
        let n_pairs = (self.states.len() - 1) as f64;
        Some(shift + ln_scales + n_pairs * transitions.largest)
    }

    /// The marginals of words that have nothing to do with one another; all tags are as probable where scores are no numbers.
    pub(super) fn run_apart(&mut self, n_tags: usize, scores: &[f32], choices: &[Choice]) {
        self.n_tags = n_tags;
        self.exponentiate(scores, choices);
        self.marginals.clear();
        self.marginals.resize(scores.len(), 0.0);
        for (at, row) in self.marginals.chunks_exact_mut(n_tags).enumerate() {
            let sum: f64 = self.states.weights(at).iter().sum();
            if sum > 0.0 && sum.is_finite() {
                let exps = self.states.of(at).iter().zip(self.states.weights(at));
                exps.for_each(|(&tag, exp)| row[tag as usize] = exp / sum);
            } else {
                row.fill(1.0 / n_tags as f64);
            }
        }
    }

    /// All marginals, a row for each word.
    pub(super) fn marginals(&self) -> &[f64] {
        &self.marginals
    }

    /// Adds weight · p(a, b) to the sum of each pair of neighbouring tags.
    pub(super) fn add_pairs(&mut self, transitions: &Transitions, weight: f64, sums: &mut [f64]) {
        self.chain.add_steps(&self.states, transitions, weight, sums);
    }

    /// Fills e; returns Σ of what was taken off the scores.
    fn exponentiate(&mut self, scores: &[f32], choices: &[Choice]) -> f64 {
        let k = self.n_tags;
        self.states.clear();
        let mut shift = 0.0;
        for (i, row) in scores.chunks_exact(k).enumerate() {
            let exp = |score: f32, most: f32| libm::exp(f64::from(score) - f64::from(most));
            let most = match choices.get(i).filter(|choice| restricts(choice, k)) {
                None => {
                    let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                    self.states.push_all(row.iter().map(|&score| exp(score, most)));
                    most
                }
                Some(choice) => {
                    let listed = (0u32..).zip(row).filter(|(tag, _)| allows(choice, *tag as usize));
                    let most = listed.clone().map(|(_, &score)| score).fold(f32::NEG_INFINITY, f32::max);
                    self.states.push(listed.map(|(tag, &score)| (tag, exp(score, most))));
                    most
                }
            };
            shift += f64::from(most);
        }
        shift
    }

    /// Puts a number for each tag that is listed in its place among the marginals.
    fn spread_out(&mut self) {
        for (at, row) in self.marginals.chunks_exact_mut(self.n_tags).enumerate() {
            let listed = &self.chain.posteriors()[self.states.range(at)];
            self.states.scatter(at, listed, row);
        }
    }
}

/// Whether a choice excludes any tag and leaves one.
pub(super) fn restricts(choice: &Choice, n_tags: usize) -> bool {
    match choice {
        Choice::Any => false,
        Choice::Known(tag) => (*tag as usize) < n_tags,
        Choice::Among(tags) => tags.iter().any(|&tag| (tag as usize) < n_tags),
    }
}

/// Whether a choice leaves a tag.
pub(super) fn allows(choice: &Choice, tag: usize) -> bool {
    match choice {
        Choice::Any => true,
        Choice::Known(known) => *known as usize == tag,
        Choice::Among(tags) => tags.contains(&(tag as u32)),
    }
}
