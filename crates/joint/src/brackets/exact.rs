//! Beliefs in brackets and labels, exactly.
//!
//! Once labels are summed out, a span has the odds Σ_λ e^{score(λ)} / e^{score(none)}, and CKY-TREE does the rest: P(span)
//! from its marginals and P(λ) = P(span) · e^{score(λ)} / Σ e^{score}. These are the beliefs that messages come to on the
//! graph of [`super::net`], which has no cycles; they are found here without the messages.
//!
//! A span without labels has one score, that of being there. One with labels has a score for not being there and then one
//! for each label.

use bp::structured::{Brackets, Structured};

use super::binary::Bracket;
use super::labels::Labels;
use super::spans::Spans;

/// What values spans have.
#[derive(Debug, Clone, Copy)]
pub(super) struct SpanValues<'a> {
    /// `None` if brackets have no labels.
    pub(super) labels: Option<&'a Labels>,
}

impl SpanValues<'_> {
    /// How many scores a span can have.
    pub(super) fn stride(self) -> usize {
        self.labels.map_or(1, |labels| labels.len() + 1)
    }

    /// How many scores a span of a width has.
    pub(super) fn n_values(self, width: usize) -> usize {
        self.labels.map_or(1, |labels| labels.n_at(width) + 1)
    }

    /// The scores of a span.
    pub(super) fn block(self, place: usize, width: usize) -> std::ops::Range<usize> {
        let start = place * self.stride();
        start..start + self.n_values(width)
    }
}

/// Beliefs, and memory for them.
#[derive(Debug, Clone, Default)]
pub(super) struct Exact {
    /// Log-odds of the spans that are open to question, labels summed out.
    pub(super) log_odds: Vec<f64>,
    /// How probable each span is.
    pub(super) p: Vec<f64>,
    ln_complement: Vec<f64>,
    /// How probable each label is at a span that is there, in the places of scores.
    pub(super) shares: Vec<f64>,
    /// ln Σ exp of the scores of all labelled trees.
    pub(super) ln_z: f64,
}

impl Exact {
    /// From scores to beliefs, over the trees that have the `known` brackets; `None` if there is none.
    pub(super) fn run(
        &mut self,
        shape: SpanValues<'_>,
        spans: Spans,
        scores: &[f64],
        known: &[Bracket<Option<u32>>],
    ) -> Option<()> {
        let n = spans.n_words;
        let all = spans.all();
        self.shares.clear();
        self.shares.resize(scores.len(), 0.0);
        self.log_odds.clear();
        self.ln_z = 0.0;
        for (place, &(start, end)) in all.iter().enumerate() {
            let block = shape.block(place, (end - start) as usize);
            let is_whole = place == spans.n_open();
            let odds = self.sum_out(shape, &scores[block.clone()], block.start, is_whole);
            self.log_odds.push(odds);
        }
        let whole = self.log_odds.pop().unwrap_or(0.0);
        self.ln_z += if shape.labels.is_some() { whole } else { 0.0 };
        let mut log_odds = self.log_odds.clone();
        for bracket in known {
            self.require(shape, spans, bracket, &mut log_odds)?;
        }
        self.p.clear();
        self.p.resize(log_odds.len(), 0.0);
        self.ln_complement.clear();
        self.ln_complement.resize(log_odds.len(), 0.0);
        let open = all[..spans.n_open()].to_vec();
        let ln_z = Brackets::new(n, open).marginals(&log_odds, &mut self.p, &mut self.ln_complement);
        self.ln_z += ln_z;
        self.p.push(1.0);
        (ln_z > f64::NEG_INFINITY).then_some(())
    }

    /// The log-odds of a span. The whole sentence is always there, never a stand-in, and its sum stands alone.
    fn sum_out(&mut self, shape: SpanValues<'_>, scores: &[f64], at: usize, is_whole: bool) -> f64 {
        let Some(labels) = shape.labels else { return scores[0] };
        let shares = &mut self.shares[at + 1..at + scores.len()];
        shares.copy_from_slice(&scores[1..]);
        if is_whole {
            let stand_ins = shares.iter_mut().enumerate().filter(|(label, _)| labels.is_stand_in(*label));
            stand_ins.for_each(|(_, share)| *share = f64::NEG_INFINITY);
        }
        let top = shares.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        shares.iter_mut().for_each(|share| *share -= top);
        num::special::exp_slice(shares);
        let sum: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= sum);
        let total = top + libm::log(sum);
        if is_whole {
            return total;
        }
        self.ln_z += scores[0];
        total - scores[0]
    }

    /// Makes a bracket certain.
    fn require(
        &mut self,
        shape: SpanValues<'_>,
        spans: Spans,
        bracket: &Bracket<Option<u32>>,
        log_odds: &mut [f64],
    ) -> Option<()> {
        let place = spans.place(bracket.start as usize, bracket.end as usize);
        let block = shape.block(place, (bracket.end - bracket.start) as usize);
        let mut odds = self.log_odds.get(place).copied();
        if let (Some(label), Some(_)) = (bracket.label, shape.labels) {
            let at = block.start + 1 + label as usize;
            if at >= block.end {
                return None;
            }
            let gained = libm::log(self.shares[at]);
            self.shares[block.clone()].fill(0.0);
            self.shares[at] = 1.0;
            match &mut odds {
                Some(odds) => *odds += gained,
                None => self.ln_z += gained,
            }
        }
        if let Some(odds) = odds.filter(|_| log_odds[place] < bp::HARD) {
            self.ln_z += odds;
            log_odds[place] = bp::HARD;
        }
        Some(())
    }

    /// Adds `sign` times how probable each value of each span is.
    pub(super) fn add_expected(&self, shape: SpanValues<'_>, spans: Spans, sign: f64, gradients: &mut [f64]) {
        for (place, &(start, end)) in spans.all().iter().enumerate() {
            let block = shape.block(place, (end - start) as usize);
            let is_open = place < spans.n_open();
            if shape.labels.is_none() {
                gradients[block.start] += if is_open { sign * self.p[place] } else { 0.0 };
                continue;
            }
            if is_open {
                gradients[block.start] += sign * libm::exp(self.ln_complement[place]);
            }
            let shares = &self.shares[block.start + 1..block.end];
            let p = sign * self.p[place];
            gradients[block.start + 1..block.end]
                .iter_mut()
                .zip(shares)
                .for_each(|(derivative, share)| *derivative += p * share);
        }
    }
}

/// The score of a whole tree, and 1 in the gradients of all scores in it.
pub(super) fn add_gold(
    shape: SpanValues<'_>,
    spans: Spans,
    scores: &[f64],
    brackets: &[Bracket<Option<u32>>],
    gradients: &mut [f64],
) -> f64 {
    let mut ln = 0.0;
    let mut count = |at: usize, derivative: f64, gradients: &mut [f64]| {
        ln += derivative * scores[at];
        gradients[at] += derivative;
    };
    if shape.labels.is_some() {
        (0..spans.n_open()).for_each(|place| count(place * shape.stride(), 1.0, gradients));
    }
    for bracket in brackets {
        let place = spans.place(bracket.start as usize, bracket.end as usize);
        let at = place * shape.stride();
        match (shape.labels, bracket.label) {
            (Some(_), Some(label)) => {
                count(at + 1 + label as usize, 1.0, gradients);
                if place < spans.n_open() {
                    count(at, -1.0, gradients);
                }
            }
            _ if place < spans.n_open() => count(at, 1.0, gradients),
            _ => {}
        }
    }
    ln
}
