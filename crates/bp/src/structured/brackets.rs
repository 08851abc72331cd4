//! CKY-TREE: which spans are the brackets of a binary tree.
//!
//! With u(i, k) the odds of a span, one word counting as present,
//!
//! ```text
//! α(i, i + 1) = 1      s(i, k) = Σ_j α(i, j) α(j, k)      α(i, k) = u(i, k) s(i, k)      Z = α(0, n)
//! β(i, j) += β(i, k) u(i, k) α(j, k)      β(j, k) += β(i, k) u(i, k) α(i, j)             p = α β / Z
//! ```
//!
//! which is a forest with one bundle for each span. Of a span that is all but certain, 1 − p is wanted to the last
//! digits. The smallest bracket around words i and k − 1 is (i, k) itself or larger, and it splits somewhere between
//! them; with P(a, b; j) the probability that (a, b) is there and splits at j,
//!
//! ```text
//! 1 − p(i, k) = Σ_{i<j<k} Σ P(a, b; j)   over a ≤ i, b ≥ k, (a, b) ≠ (i, k)
//! ```
//!
//! a sum of what is positive, found for all spans from running sums in O(n²) memory.

use std::ops::ControlFlow;

use forest::{Bundle, Forest, Item, Scaled, Semiring, Spans, Tails, Visit};

use super::Structured;
use crate::{is_absent, is_required};

/// Binary brackets over words.
#[derive(Debug, Clone)]
pub struct Brackets {
    n_words: usize,
    /// First word and word after the last of each literal, two words at least.
    spans: Vec<(u32, u32)>,
}

impl Brackets {
    /// A factor over some spans. Spans that have no literal are absent, but the whole sentence is always there.
    pub fn new(n_words: usize, spans: Vec<(u32, u32)>) -> Brackets {
        Brackets { n_words, spans }
    }

    /// All spans of two words and more, by start, then by end.
    pub fn all_spans(n_words: usize) -> Vec<(u32, u32)> {
        let n = n_words as u32;
        (0..n).flat_map(|start| (start + 2..=n).map(move |end| (start, end))).collect()
    }

    /// ln u by start and end; spans that cross what must be are −∞, and what must be is 0.
    fn allowed(&self, log_odds: &[f64]) -> Vec<f64> {
        let width = self.n_words + 1;
        let mut allowed = vec![f64::NEG_INFINITY; width * width];
        if self.n_words > 0 {
            allowed[self.n_words] = 0.0;
        }
        let mut needed = Vec::new();
        for (&(start, end), &value) in self.spans.iter().zip(log_odds) {
            let at = start as usize * width + end as usize;
            allowed[at] = match value {
                value if is_required(value) => {
                    needed.push((start as usize, end as usize));
                    0.0
                }
                value if is_absent(value) => f64::NEG_INFINITY,
                value => value,
            };
        }
        for &(start, end) in &needed {
            for inner in start + 1..end {
                // a < start < inner < end, and start < inner < end < b.
                (0..start).for_each(|a| allowed[a * width + inner] = f64::NEG_INFINITY);
                (end + 1..width).for_each(|b| allowed[inner * width + b] = f64::NEG_INFINITY);
            }
        }
        allowed
    }

    /// u, in the reach of floats.
    fn odds(&self, log_odds: &[f64]) -> Vec<f64> {
        let odds = |ln: f64| if ln == f64::NEG_INFINITY { 0.0 } else { libm::exp(ln.clamp(-650.0, 650.0)) };
        self.allowed(log_odds).into_iter().map(odds).collect()
    }

    /// The bracketing with the largest sum of values, which are by start and end; `None` if there is none.
    fn best_of(&self, mut value: Vec<f64>) -> Option<Vec<bool>> {
        let width = self.n_words + 1;
        let mut split = vec![0; width * width];
        for start in (0..self.n_words).rev() {
            value[start * width + start + 1] = 0.0;
            for end in start + 2..width {
                let at = |j: usize| value[start * width + j] + value[j * width + end];
                let mut best = start + 1;
                for j in start + 2..end {
                    if at(j) > at(best) {
                        best = j;
                    }
                }
                value[start * width + end] += at(best);
                split[start * width + end] = best;
            }
        }
        if self.n_words > 0 && value[self.n_words] == f64::NEG_INFINITY {
            return None;
        }
        let mut present = vec![false; width * width];
        let mut open = vec![(0, self.n_words)];
        while let Some((start, end)) = open.pop() {
            if end - start > 1 {
                present[start * width + end] = true;
                let at = split[start * width + end];
                open.extend([(start, at), (at, end)]);
            }
        }
        let set = self.spans.iter().map(|&(start, end)| present[start as usize * width + end as usize]);
        Some(set.collect())
    }
}

impl Structured for Brackets {
    fn name(&self) -> &'static str {
        "CKY-TREE"
    }

    fn n_literals(&self) -> usize {
        self.spans.len()
    }

    fn marginals(&self, log_odds: &[f64], p: &mut [f64], ln_complement: &mut [f64]) -> f64 {
        if self.n_words == 0 {
            return 0.0;
        }
        let odds = self.odds(log_odds);
        let Some(spans) = Spans::new(self.n_words as u32, 1) else { return f64::NEG_INFINITY };
        let forest = Bracketings { n_words: self.n_words as u32, spans, odds: &odds, absent: 0.0, word: 1.0 };
        let inside = Scaled::inside(&forest);
        let total = inside.ln_total();
        if total == f64::NEG_INFINITY {
            return total;
        }
        let outside = inside.outside();
        let posteriors = outside.items();
        let complements = without_each_span(
            self.n_words,
            0.0,
            |a, b| a + b,
            |start, end, shares| {
                let item = spans.item(0, start as u32, end as u32);
                _ = forest.bundles_into(item, |bundle| {
                    outside.edges(item, &bundle, shares);
                    ControlFlow::Continue(())
                });
            },
        );
        for (place, &(start, end)) in self.spans.iter().enumerate() {
            p[place] = posteriors[spans.item(0, start, end).index()].min(1.0);
            ln_complement[place] = libm::log(complements[start as usize * (self.n_words + 1) + end as usize]);
        }
        total
    }

    fn best(&self, values: &[f64]) -> Vec<bool> {
        let width = self.n_words + 1;
        let mut value = vec![f64::NEG_INFINITY; width * width];
        if self.n_words > 0 {
            value[self.n_words] = 0.0;
        }
        for (&(start, end), &one) in self.spans.iter().zip(values) {
            value[start as usize * width + end as usize] = one;
        }
        self.best_of(value).unwrap_or_default()
    }

    fn most_probable(&self, log_odds: &[f64]) -> Option<Vec<bool>> {
        self.best_of(self.allowed(log_odds))
    }

    fn max_marginals(&self, log_odds: &[f64], with: &mut [f64], without: &mut [f64]) -> f64 {
        let (n_words, width) = (self.n_words as u32, self.n_words + 1);
        if n_words == 0 {
            return 0.0;
        }
        let Some(spans) = Spans::new(n_words, 1) else { return f64::NEG_INFINITY };
        let allowed = self.allowed(log_odds);
        let forest = Bracketings { n_words, spans, odds: &allowed, absent: f64::NEG_INFINITY, word: 0.0 };
        let inside = forest::inside::<MaxPlus>(&forest);
        let total = inside[forest.goal().index()].0;
        if total == f64::NEG_INFINITY {
            return total;
        }
        let outside = forest::outside(&forest, &inside);
        let inner = |start: usize, end: usize| inside[spans.item(0, start as u32, end as u32).index()].0;
        let outer = |start: usize, end: usize| outside[spans.item(0, start as u32, end as u32).index()].0;
        let others = without_each_span(self.n_words, f64::NEG_INFINITY, f64::max, |start, end, shares| {
            let rest = outer(start, end) + allowed[start * width + end];
            if rest > f64::NEG_INFINITY {
                shares.extend((start + 1..end).map(|j| rest + inner(start, j) + inner(j, end)));
            }
        });
        for (place, &(start, end)) in self.spans.iter().enumerate() {
            let (start, end) = (start as usize, end as usize);
            with[place] = inner(start, end) + outer(start, end);
            without[place] = others[start * width + end];
        }
        total
    }
}

/// Logarithms, which weights are already, and maxima of them.
#[derive(Debug, Clone, Copy)]
struct MaxPlus(f64);

impl Semiring for MaxPlus {
    fn zero() -> MaxPlus {
        MaxPlus(f64::NEG_INFINITY)
    }

    fn one() -> MaxPlus {
        MaxPlus(0.0)
    }

    fn from_weight(weight: f64) -> MaxPlus {
        MaxPlus(weight)
    }

    fn plus(&self, other: &MaxPlus) -> MaxPlus {
        MaxPlus(self.0.max(other.0))
    }

    fn times(&self, other: &MaxPlus) -> MaxPlus {
        MaxPlus(self.0 + other.0)
    }

    fn is_zero(&self) -> bool {
        self.0 == f64::NEG_INFINITY
    }
}

/// What is left of bracketings without each span, by start and end:
///
/// ```text
/// Σ_{i<j<k} Σ P(a, b; j)   over a ≤ i, b ≥ k, (a, b) ≠ (i, k)
/// ```
///
/// where `splits` lists P(i, k; j) for the j between i and k, or nothing where all are nothing. Spans come by rising start and
/// falling end, so that two running sums suffice in place of all P(a, b; j):
///
/// ```text
/// longer(j) = Σ_{b>k} P(i, b; j)      wider(k, j) = Σ_{a<i, b≥k} P(a, b; j)
/// ```
fn without_each_span(
    n_words: usize,
    nothing: f64,
    plus: impl Fn(f64, f64) -> f64,
    mut splits: impl FnMut(usize, usize, &mut Vec<f64>),
) -> Vec<f64> {
    let width = n_words + 1;
    let mut without = vec![nothing; width * width];
    let mut all_wider = vec![nothing; width * width];
    let mut all_longer = vec![nothing; width];
    let mut shares = Vec::new();
    for i in 0..n_words {
        all_longer.fill(nothing);
        for k in (i + 2..width).rev() {
            shares.clear();
            splits(i, k, &mut shares);
            shares.resize(k - i - 1, nothing);
            let wider = &mut all_wider[k * width + i + 1..k * width + k];
            let longer = &mut all_longer[i + 1..k];
            let mut rest = nothing;
            for ((wider, longer), share) in wider.iter_mut().zip(longer).zip(&shares) {
                rest = plus(rest, plus(*wider, *longer));
                *longer = plus(*longer, *share);
                *wider = plus(*wider, *longer);
            }
            without[i * width + k] = rest;
        }
    }
    without
}

/// The bracketings as a forest.
#[derive(Debug)]
struct Bracketings<'a> {
    n_words: u32,
    spans: Spans,
    odds: &'a [f64],
    /// The odds of spans that cannot be.
    absent: f64,
    /// The odds of a word.
    word: f64,
}

impl Forest for Bracketings<'_> {
    type Weight = f64;

    forest::items_of_spans!(spans);

    fn bundles_into(&self, head: Item, mut visit: impl Visit<f64>) -> ControlFlow<()> {
        let (_, start, end) = self.spans.locate(head);
        if end - start == 1 {
            return visit(Bundle { rule: 0, weight: self.word, tails: Tails::Leaf });
        }
        let weight = self.odds[start as usize * (self.n_words as usize + 1) + end as usize];
        if weight == self.absent {
            return ControlFlow::Continue(());
        }
        visit(Bundle { rule: 0, weight, tails: Tails::Two(self.spans.splits(0, 0, start, end)) })
    }

    fn spans(&self) -> Option<Spans> {
        Some(self.spans)
    }
}

#[cfg(test)]
mod tests {
    use num::streams::Stream;

    use super::*;

    /// Complements from all P(a, b; j) at once, in n³ memory.
    fn complements_of_all_splits(n_words: usize, splits: impl Fn(usize, usize, &mut Vec<f64>)) -> Vec<f64> {
        let width = n_words + 1;
        let mut all = vec![0.0; width * width * width];
        let mut shares = Vec::new();
        for (start, end) in Brackets::all_spans(n_words) {
            let (start, end) = (start as usize, end as usize);
            splits(start, end, &mut shares);
            for (offset, &share) in shares.iter().enumerate() {
                all[((start + 1 + offset) * width + start) * width + end] = share;
            }
        }
        let mut complements = vec![0.0; width * width];
        for j in 1..n_words {
            let mut wider = vec![0.0; width];
            for i in 0..j {
                let row = &all[(j * width + i) * width..][..width];
                let mut longer = 0.0;
                for k in (j + 1..width).rev() {
                    complements[i * width + k] += wider[k] + longer;
                    longer += row[k];
                    wider[k] += longer;
                }
            }
        }
        complements
    }

    #[test]
    fn running_sums_are_those_of_all_splits_to_the_last_bit() {
        for (seed, spread) in [(1, 4.0), (2, 60.0), (3, 400.0)] {
            let rng = &mut Stream::new(seed).rng();
            let n_words = 30;
            let width = n_words + 1;
            let odds: Vec<f64> = (0..width * width)
                .map(|_| match rng.below(6) {
                    0 => 0.0,
                    _ => libm::exp(spread * (rng.uniform() - 0.5)),
                })
                .collect();
            let mut odds = odds;
            // All right-branching spans, so that there is a tree.
            (0..n_words).for_each(|start| odds[start * width + n_words] = 1.0);
            let spans = Spans::new(n_words as u32, 1).unwrap();
            let forest = Bracketings { n_words: n_words as u32, spans, odds: &odds, absent: 0.0, word: 1.0 };
            let inside = Scaled::inside(&forest);
            let outside = inside.outside();
            let splits = |start: usize, end: usize, shares: &mut Vec<f64>| {
                shares.clear();
                let item = spans.item(0, start as u32, end as u32);
                _ = forest.bundles_into(item, |bundle| {
                    outside.edges(item, &bundle, shares);
                    ControlFlow::Continue(())
                });
            };
            let found = without_each_span(n_words, 0.0, |a, b| a + b, splits);
            let expected = complements_of_all_splits(n_words, splits);
            assert!(found.iter().any(|complement| *complement > 0.0));
            for (at, (a, b)) in found.iter().zip(&expected).enumerate() {
                assert_eq!(a.to_bits(), b.to_bits(), "{at}: {a} {b}");
            }
        }
    }
}
