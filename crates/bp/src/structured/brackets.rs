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
//! a sum of what is positive, found for all spans from running sums, one table for each j.

use std::ops::ControlFlow;

use forest::{Bundle, Forest, Item, Scaled, Spans, Tails, Visit};

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

    /// u by start and end; spans that cross what must be are 0, and what must be is 1.
    fn odds(&self, log_odds: &[f64]) -> Vec<f64> {
        let width = self.n_words + 1;
        let mut odds = vec![0.0; width * width];
        if self.n_words > 0 {
            odds[self.n_words] = 1.0;
        }
        let mut needed = Vec::new();
        for (&(start, end), &value) in self.spans.iter().zip(log_odds) {
            let at = start as usize * width + end as usize;
            odds[at] = match value {
                value if is_required(value) => {
                    needed.push((start as usize, end as usize));
                    1.0
                }
                value if is_absent(value) => 0.0,
                value => libm::exp(value.clamp(-650.0, 650.0)),
            };
        }
        for &(start, end) in &needed {
            for inner in start + 1..end {
                // a < start < inner < end, and start < inner < end < b.
                (0..start).for_each(|a| odds[a * width + inner] = 0.0);
                (end + 1..width).for_each(|b| odds[inner * width + b] = 0.0);
            }
        }
        odds
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
        let forest = Bracketings { n_words: self.n_words as u32, spans, odds: &odds };
        let inside = Scaled::inside(&forest);
        let total = inside.ln_total();
        if total == f64::NEG_INFINITY {
            return total;
        }
        let outside = inside.outside();
        let posteriors = outside.items();
        let complements = self.complements(&forest, |item, bundle, into| outside.edges(item, bundle, into));
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
        if self.n_words == 0 || value[self.n_words] == f64::NEG_INFINITY {
            return Vec::new();
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
        self.spans.iter().map(|&(start, end)| present[start as usize * width + end as usize]).collect()
    }
}

impl Brackets {
    /// 1 − p by start and end.
    fn complements(
        &self,
        forest: &Bracketings<'_>,
        edges: impl Fn(Item, &Bundle<f64>, &mut Vec<f64>),
    ) -> Vec<f64> {
        let (n, width) = (self.n_words, self.n_words + 1);
        // P(a, b; j) by j, then by a, then by b.
        let mut splits = vec![0.0; width * width * width];
        let mut posteriors = Vec::new();
        for item in forest.items() {
            let (_, start, end) = forest.spans.locate(item);
            let _ = forest.bundles_into(item, |bundle| {
                if matches!(bundle.tails, Tails::Two(_)) {
                    edges(item, &bundle, &mut posteriors);
                    for (offset, &posterior) in posteriors.iter().enumerate() {
                        let j = start as usize + 1 + offset;
                        splits[(j * width + start as usize) * width + end as usize] = posterior;
                    }
                }
                ControlFlow::Continue(())
            });
        }
        let mut complements = vec![0.0; width * width];
        let mut wider = vec![0.0; width];
        for j in 1..n {
            // wider[k]: Σ P(a, b; j) over a < i and b ≥ k.
            wider.fill(0.0);
            for i in 0..j {
                let row = &splits[(j * width + i) * width..][..width];
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
}

/// The bracketings as a forest.
#[derive(Debug)]
struct Bracketings<'a> {
    n_words: u32,
    spans: Spans,
    odds: &'a [f64],
}

impl Forest for Bracketings<'_> {
    type Weight = f64;

    forest::items_of_spans!(spans);

    fn bundles_into(&self, head: Item, mut visit: impl Visit<f64>) -> ControlFlow<()> {
        let (_, start, end) = self.spans.locate(head);
        if end - start == 1 {
            return visit(Bundle { rule: 0, weight: 1.0, tails: Tails::Leaf });
        }
        let weight = self.odds[start as usize * (self.n_words as usize + 1) + end as usize];
        if weight == 0.0 {
            return ControlFlow::Continue(());
        }
        visit(Bundle { rule: 0, weight, tails: Tails::Two(self.spans.splits(0, 0, start, end)) })
    }

    fn spans(&self) -> Option<Spans> {
        Some(self.spans)
    }
}
