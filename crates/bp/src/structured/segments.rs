//! SEMI-CRF: which spans cut a sentence into segments.

use forest::Semiring;
use forest::lattice::segments::{self, Ways};
use forest::semiring::LogProb;

use super::Structured;
use super::trees::without_each;
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

    /// ln α of every position.
    fn forward(&self, odds: &[f64], may_skip: &[bool]) -> Vec<LogProb> {
        let mut steps: Vec<Vec<(usize, LogProb)>> = vec![Vec::new(); self.n_words + 1];
        for (&(start, end), &odds) in self.spans.iter().zip(odds) {
            steps[end as usize].push((start as usize, LogProb(odds)));
        }
        let steps = &steps;
        segments::forward(self.n_words, |end| {
            let skip = may_skip[end - 1].then_some((end - 1, LogProb::one()));
            steps[end].iter().copied().chain(skip)
        })
    }

    /// ln β of every position.
    fn backward(&self, odds: &[f64], may_skip: &[bool]) -> Vec<LogProb> {
        let mut steps: Vec<Vec<(usize, LogProb)>> = vec![Vec::new(); self.n_words + 1];
        for (&(start, end), &odds) in self.spans.iter().zip(odds) {
            steps[start as usize].push((end as usize, LogProb(odds)));
        }
        let steps = &steps;
        segments::backward(self.n_words, |start| {
            let skip = may_skip[start].then_some((start + 1, LogProb::one()));
            steps[start].iter().copied().chain(skip)
        })
    }

    /// 1 − p(i, k) as the sum of all else that can happen to word i: other segments over it, and none.
    fn complements(&self, p: &[f64], skipped: &[f64], ln_complement: &mut [f64]) {
        let mut over: Vec<Vec<usize>> = vec![Vec::new(); self.n_words];
        for (place, &(start, end)) in self.spans.iter().enumerate() {
            (start..end).for_each(|word| over[word as usize].push(place));
        }
        for (word, places) in over.iter().enumerate() {
            let events: Vec<f64> = places.iter().map(|&place| p[place]).chain([skipped[word]]).collect();
            for (&place, rest) in places.iter().zip(without_each(&events)) {
                if self.spans[place].0 as usize == word {
                    ln_complement[place] = libm::log(rest);
                }
            }
        }
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
        let (alpha, beta) = (self.forward(&odds, &may_skip), self.backward(&odds, &may_skip));
        let total = alpha[self.n_words].0;
        if total == f64::NEG_INFINITY {
            return total;
        }
        for ((p, &(start, end)), odds) in p.iter_mut().zip(&self.spans).zip(&odds) {
            *p = libm::exp(alpha[start as usize].0 + odds + beta[end as usize].0 - total);
        }
        let skipped = (0..self.n_words).map(|word| match may_skip[word] {
            true => libm::exp(alpha[word].0 + beta[word + 1].0 - total),
            false => 0.0,
        });
        self.complements(p, &skipped.collect::<Vec<f64>>(), ln_complement);
        total
    }

    fn best(&self, values: &[f64]) -> Vec<bool> {
        // Costs are values with the sign changed; a word that is skipped has no place among the spans.
        let mut ways = Ways::new(self.n_words, 1, None);
        let mut by_end: Vec<Vec<usize>> = vec![Vec::new(); self.n_words + 1];
        self.spans.iter().enumerate().for_each(|(place, &(_, end))| by_end[end as usize].push(place));
        for (end, places) in by_end.iter().enumerate().skip(1) {
            if self.cover == Cover::Optional {
                ways.extend(end - 1, end, 0.0, None);
            }
            for &place in places.iter().filter(|&&place| values[place] > f64::NEG_INFINITY) {
                ways.extend(self.spans[place].0 as usize, end, -values[place], Some(place));
            }
        }
        if ways.to(self.n_words).is_empty() {
            return Vec::new();
        }
        let mut chosen = vec![false; self.spans.len()];
        ways.path(0).iter().filter_map(|(_, arrival)| arrival.label).for_each(|place| chosen[place] = true);
        chosen
    }
}
