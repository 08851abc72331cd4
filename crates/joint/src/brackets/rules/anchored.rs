//! Where rules could be, going by beliefs without them.

use super::Symbols;
use crate::brackets::exact::{Exact, SpanValues};
use crate::brackets::spans::Spans;

/// What rules need to know of a sentence.
#[derive(Debug, Clone)]
pub(super) struct Coarse {
    /// Log-odds of the spans that are open to question.
    pub(super) log_odds: Vec<f64>,
    /// Brackets with a label that is believed in.
    pub(super) likely: Vec<Likely>,
    /// Rules at places.
    pub(super) rules: Vec<Anchored>,
}

/// A bracket with labels that are believed in.
#[derive(Debug, Clone)]
pub(super) struct Likely {
    pub(super) place: usize,
    start: usize,
    end: usize,
    /// Labels, how probable they are, and how probable if the span is there.
    labels: Vec<(u32, f64, f64)>,
}

/// Where a rule is: the first word, the word after the left part, the word after the last.
pub(super) type Where = [usize; 3];

/// A rule at a place: its symbols, and for each that is a label the number of the likely bracket and of the label in its
/// list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Anchored {
    pub(super) place: Where,
    pub(super) symbols: Symbols,
    pub(super) labels: [Option<(usize, usize)>; 3],
}

impl Likely {
    /// ln of how probable each likely label and then all others are if the span is there.
    pub(super) fn ln_shares(&self) -> impl Iterator<Item = f64> {
        let rest = 1.0 - self.labels.iter().map(|(_, _, share)| share).sum::<f64>();
        self.labels.iter().map(|(_, _, share)| libm::log(*share)).chain([libm::log(rest.max(1e-9))])
    }

    /// Writes how probable labels are if the span is there, from what is believed of the likely ones and of all others.
    pub(super) fn spread(&self, shape: SpanValues<'_>, values: &[f64], shares: &mut [f64]) {
        let block = shape.block(self.place, self.end - self.start);
        let shares = &mut shares[block.start + 1..block.end];
        let total: f64 = values.iter().sum();
        let Some((&others, values)) = values.split_last().filter(|_| total > 0.0) else { return };
        let before = 1.0 - self.labels.iter().map(|(_, _, share)| share).sum::<f64>();
        let factor = others / total / before.max(1e-9);
        shares.iter_mut().for_each(|share| *share *= factor);
        self.labels
            .iter()
            .zip(values)
            .for_each(|((label, _, _), value)| shares[*label as usize] = value / total);
    }
}

/// A symbol that is believed in: what it is, how much, and where its literal is.
type Part = (u32, f64, Option<(usize, usize)>);

impl Coarse {
    /// Looks for rules whose three symbols are believed in: the product is above a threshold.
    pub(super) fn new(
        shape: SpanValues<'_>,
        spans: Spans,
        tags: &[u32],
        beliefs: &Exact,
        threshold: f64,
    ) -> Coarse {
        let mut likely = Vec::new();
        let mut at = vec![usize::MAX; spans.len()];
        for (place, &(start, end)) in spans.all().iter().enumerate() {
            let (start, end) = (start as usize, end as usize);
            let p = beliefs.p[place];
            if p <= threshold {
                continue;
            }
            let block = shape.block(place, end - start);
            let shares = beliefs.shares[block.start + 1..block.end].iter().enumerate();
            let labels: Vec<(u32, f64, f64)> = shares
                .filter(|(_, share)| p * **share > threshold)
                .map(|(label, share)| (label as u32, p * share, *share))
                .collect();
            if !labels.is_empty() {
                at[place] = likely.len();
                likely.push(Likely { place, start, end, labels });
            }
        }
        let first_tag = shape.labels.map_or(0, |labels| labels.len()) as u32;
        let parts = |start: usize, end: usize| -> Vec<Part> {
            if end - start == 1 {
                return vec![(first_tag + tags[start], 1.0, None)];
            }
            let number = at[spans.place(start, end)];
            let labels = likely.get(number).map_or(&[][..], |likely: &Likely| &likely.labels);
            let part = |(at, (label, p, _)): (usize, &(u32, f64, f64))| (*label, *p, Some((number, at)));
            labels.iter().enumerate().map(part).collect()
        };
        let mut rules = Vec::new();
        for (number, whole) in likely.iter().enumerate() {
            for split in whole.start + 1..whole.end {
                let left = parts(whole.start, split);
                let right = if left.is_empty() { Vec::new() } else { parts(split, whole.end) };
                for (y, p_left, left) in &left {
                    for (z, p_right, right) in &right {
                        for (at, (x, p, _)) in whole.labels.iter().enumerate() {
                            if p * p_left * p_right > threshold {
                                let labels = [Some((number, at)), *left, *right];
                                let place = [whole.start, split, whole.end];
                                rules.push(Anchored { place, symbols: [*x, *y, *z], labels });
                            }
                        }
                    }
                }
            }
        }
        Coarse { log_odds: beliefs.log_odds.clone(), likely, rules }
    }
}
