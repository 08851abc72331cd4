//! SEMI-CRF: which spans cut a sentence into segments.

use forest::Semiring;
use forest::lattice::segments::{self, Ways};
use forest::semiring::{LogProb, Viterbi};

use super::Structured;
use super::trees::{largest_but_each, without_each};
use crate::{is_absent, is_required};

/// What becomes of words outside of all segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cover {
    /// Every word is in exactly one segment.
    Exact,
    /// A word is in at most one segment.
    Optional,
}

/// Spans that do not overlap.
///
/// ```text
/// α(k) = Σ α(i) u(i, k) [+ α(k − 1)]      β(i) = Σ u(i, k) β(k) [+ β(i + 1)]      p(i, k) = α(i) u(i, k) β(k) / α(n)
/// ```
///
/// with what is in brackets if words may be left out. Sums are of logarithms: odds may be as large as anybody likes.
#[derive(Debug, Clone)]
pub struct Segments {
    n_words: usize,
    spans: Vec<(u32, u32)>,
    cover: Cover,
}

impl Segments {
    /// A factor over spans of words, first and after last.
    pub fn new(n_words: usize, spans: Vec<(u32, u32)>, cover: Cover) -> Segments {
        Segments { n_words, spans, cover }
    }

    /// All spans of at most so many words, by start, then by end.
    pub fn all_spans(n_words: usize, most: usize) -> Vec<(u32, u32)> {
        let spans =
            (0..n_words).flat_map(|i| (i + 1..=n_words.min(i + most)).map(move |k| (i as u32, k as u32)));
        spans.collect()
    }

    /// The log-odds of spans that can be, with those that must be at 0, and which words can be skipped. `None` if two that
    /// must be overlap.
    fn allowed(&self, log_odds: &[f64]) -> Option<(Vec<f64>, Vec<bool>)> {
        let mut taken = vec![usize::MAX; self.n_words];
        for (place, &(start, end)) in self.spans.iter().enumerate() {
            if is_required(log_odds[place]) {
                for owner in &mut taken[start as usize..end as usize] {
                    if std::mem::replace(owner, place) != usize::MAX {
                        return None;
                    }
                }
            }
        }
        let odds = self.spans.iter().enumerate().map(|(place, &(start, end))| {
            let words = &taken[start as usize..end as usize];
            match log_odds[place] {
                odds if is_required(odds) => 0.0,
                odds if is_absent(odds) || words.iter().any(|&owner| owner != usize::MAX) => {
                    f64::NEG_INFINITY
                }
                odds => odds,
            }
        });
        let may_skip = taken.iter().map(|&owner| owner == usize::MAX && self.cover == Cover::Optional);
        Some((odds.collect(), may_skip.collect()))
    }

    /// α of every position, odds as `weight` makes them.
    fn forward<S: Semiring>(&self, odds: &[f64], may_skip: &[bool], weight: fn(f64) -> S) -> Vec<S> {
        let mut steps: Vec<Vec<(usize, S)>> = vec![Vec::new(); self.n_words + 1];
        for (&(start, end), &odds) in self.spans.iter().zip(odds) {
            steps[end as usize].push((start as usize, weight(odds)));
        }
        let steps = &steps;
        segments::forward(self.n_words, |end| {
            let skip = may_skip[end - 1].then_some((end - 1, S::one()));
            steps[end].iter().cloned().chain(skip)
        })
    }

    /// β of every position.
    fn backward<S: Semiring>(&self, odds: &[f64], may_skip: &[bool], weight: fn(f64) -> S) -> Vec<S> {
        let mut steps: Vec<Vec<(usize, S)>> = vec![Vec::new(); self.n_words + 1];
        for (&(start, end), &odds) in self.spans.iter().zip(odds) {
            steps[start as usize].push((end as usize, weight(odds)));
        }
        let steps = &steps;
        segments::backward(self.n_words, |start| {
            let skip = may_skip[start].then_some((start + 1, S::one()));
            steps[start].iter().cloned().chain(skip)
        })
    }

    /// What is left without each segment: all else that can happen to its first word, other segments over it, and none.
    fn without_each(
        &self,
        shares: &[f64],
        skipped: impl Fn(usize) -> f64,
        but_each: fn(&[f64]) -> Vec<f64>,
    ) -> Vec<f64> {
        let mut without = vec![0.0; self.spans.len()];
        let mut over: Vec<Vec<usize>> = vec![Vec::new(); self.n_words];
        for (place, &(start, end)) in self.spans.iter().enumerate() {
            (start..end).for_each(|word| over[word as usize].push(place));
        }
        for (word, places) in over.iter().enumerate() {
            let events: Vec<f64> = places.iter().map(|&place| shares[place]).chain([skipped(word)]).collect();
            for (&place, rest) in places.iter().zip(but_each(&events)) {
                if self.spans[place].0 as usize == word {
                    without[place] = rest;
                }
            }
        }
        without
    }

    /// The best segments; `None` if there are none.
    fn best_of(&self, values: &[f64], may_skip: impl Fn(usize) -> bool) -> Option<Vec<bool>> {
        // Costs are values with the sign changed; a word that is skipped has no place among the spans.
        let mut ways = Ways::new(self.n_words, 1, None);
        let mut by_end: Vec<Vec<usize>> = vec![Vec::new(); self.n_words + 1];
        self.spans.iter().enumerate().for_each(|(place, &(_, end))| by_end[end as usize].push(place));
        for (end, places) in by_end.iter().enumerate().skip(1) {
            if may_skip(end - 1) {
                ways.extend(end - 1, end, 0.0, None);
            }
            for &place in places.iter().filter(|&&place| values[place] > f64::NEG_INFINITY) {
                ways.extend(self.spans[place].0 as usize, end, -values[place], Some(place));
            }
        }
        if ways.to(self.n_words).is_empty() {
            return None;
        }
        let mut chosen = vec![false; self.spans.len()];
        ways.path(0).iter().filter_map(|(_, arrival)| arrival.label).for_each(|place| chosen[place] = true);
        Some(chosen)
    }
}

impl Structured for Segments {
    fn name(&self) -> &'static str {
        "SEMI-CRF"
    }

    fn n_literals(&self) -> usize {
        self.spans.len()
    }

    fn marginals(&self, log_odds: &[f64], p: &mut [f64], ln_complement: &mut [f64]) -> f64 {
        let Some((odds, may_skip)) = self.allowed(log_odds) else { return f64::NEG_INFINITY };
        let alpha = self.forward(&odds, &may_skip, LogProb);
        let beta = self.backward(&odds, &may_skip, LogProb);
        let total = alpha[self.n_words].0;
        if total == f64::NEG_INFINITY {
            return total;
        }
        for ((p, &(start, end)), odds) in p.iter_mut().zip(&self.spans).zip(&odds) {
            *p = libm::exp(alpha[start as usize].0 + odds + beta[end as usize].0 - total);
        }
        let skipped = |word: usize| match may_skip[word] {
            true => libm::exp(alpha[word].0 + beta[word + 1].0 - total),
            false => 0.0,
        };
        let complements = self.without_each(p, skipped, without_each);
        ln_complement.iter_mut().zip(complements).for_each(|(ln, complement)| *ln = libm::log(complement));
        total
    }

    fn best(&self, values: &[f64]) -> Vec<bool> {
        self.best_of(values, |_| self.cover == Cover::Optional).unwrap_or_default()
    }

    fn most_probable(&self, log_odds: &[f64]) -> Option<Vec<bool>> {
        let (odds, may_skip) = self.allowed(log_odds)?;
        self.best_of(&odds, |word| may_skip[word])
    }

    fn max_marginals(&self, log_odds: &[f64], with: &mut [f64], without: &mut [f64]) -> f64 {
        let Some((odds, may_skip)) = self.allowed(log_odds) else { return f64::NEG_INFINITY };
        let alpha = self.forward(&odds, &may_skip, Viterbi);
        let beta = self.backward(&odds, &may_skip, Viterbi);
        for ((with, &(start, end)), odds) in with.iter_mut().zip(&self.spans).zip(&odds) {
            *with = alpha[start as usize].0 + odds + beta[end as usize].0;
        }
        let skipped = |word: usize| match may_skip[word] {
            true => alpha[word].0 + beta[word + 1].0,
            false => f64::NEG_INFINITY,
        };
        without.copy_from_slice(&self.without_each(with, skipped, largest_but_each));
        alpha[self.n_words].0
    }
}
