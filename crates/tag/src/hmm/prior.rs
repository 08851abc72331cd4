//! Smoothing as counts that are there before any others, so that EM climbs a fixed objective.

use super::{Lexicon, Order, TagCounts};

/// How probability is kept for what was not counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Smoothing {
    /// Everything counts δ more.
    Add(f64),
    /// The more things were counted once only, the more goes to what is expected without the context: 1 + the number of
    /// singletons, times this factor. After Chen & Goodman's one-count smoothing.
    OneCount(f64),
}

impl Smoothing {
    /// Adds counts to a row in proportion to expectations, which sum to 1.
    fn spread(self, counts: &[f64], expected: &[f64], row: &mut [f64]) {
        match self {
            Smoothing::Add(delta) => row.iter_mut().for_each(|value| *value += delta),
            Smoothing::OneCount(factor) => {
                let total = factor * (1.0 + singletons(counts.iter().copied()));
                row.iter_mut().zip(expected).for_each(|(value, expected)| *value += total * expected);
            }
        }
    }
}

/// How many things were counted once: what was counted less is in parts.
fn singletons(counts: impl Iterator<Item = f64>) -> f64 {
    counts.filter(|&count| count <= 1.0).sum()
}

/// Counts that are added to those of every iteration.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HmmPrior {
    /// By transition.
    pub transitions: Vec<f64>,
    /// By slot of the lexicon.
    pub emissions: Vec<f64>,
    /// By tag: words that are not in the lexicon.
    pub unseen: Vec<f64>,
}

impl HmmPrior {
    /// Smooths counts, of which the singletons and what is expected without context are taken.
    pub fn new(
        order: Order,
        n_tags: usize,
        lexicon: &Lexicon,
        counts: &TagCounts,
        transitions: Smoothing,
        emissions: Smoothing,
    ) -> HmmPrior {
        let mut prior = HmmPrior {
            transitions: of_transitions(order, n_tags, &counts.transitions, transitions),
            emissions: vec![0.0; lexicon.len()],
            unseen: vec![0.0; n_tags],
        };
        match emissions {
            Smoothing::Add(delta) => {
                prior.emissions.fill(delta);
                prior.unseen.fill(delta);
            }
            Smoothing::OneCount(factor) => prior.one_count(lexicon, &counts.emissions, factor),
        }
        prior
    }

    /// p(w) = (n(w) + 1) / (N + V + 1) is what is expected of a word without its tag.
    fn one_count(&mut self, lexicon: &Lexicon, counts: &[f64], factor: f64) {
        let mut once = vec![1.0; self.unseen.len()];
        for (&tag, &count) in lexicon.tags().iter().zip(counts).filter(|(_, count)| **count <= 1.0) {
            once[tag as usize] += count;
        }
        let total: f64 = counts.iter().sum::<f64>() + lexicon.n_words() as f64 + 1.0;
        for word in 0..lexicon.n_words() as u32 {
            let slots = lexicon.slots(word);
            let expected = (counts[slots.clone()].iter().sum::<f64>() + 1.0) / total;
            for slot in slots {
                self.emissions[slot] += factor * once[lexicon.tags()[slot] as usize] * expected;
            }
        }
        self.unseen.iter_mut().zip(once).for_each(|(unseen, once)| *unseen += factor * once / total);
    }
}

/// A transition from two tags expects what one tag does, and one from one tag what none does.
fn of_transitions(order: Order, n_tags: usize, counts: &[f64], smoothing: Smoothing) -> Vec<f64> {
    let base = n_tags + 1;
    let pairs = match order {
        Order::First => counts.to_vec(),
        Order::Second => sum_blocks(counts, base * base),
    };
    let single: Vec<f64> =
        shares(&sum_blocks(&pairs, base).iter().map(|count| count + 0.1).collect::<Vec<_>>());
    let of_pairs = smoothed(&pairs, base, smoothing, |_| single.clone());
    if order == Order::First {
        return of_pairs;
    }
    let next: Vec<f64> = pairs.iter().zip(&of_pairs).map(|(count, prior)| count + prior).collect();
    smoothed(counts, base, smoothing, |row| shares(&next[row % base * base..][..base]))
}

fn smoothed(
    counts: &[f64],
    base: usize,
    smoothing: Smoothing,
    expected: impl Fn(usize) -> Vec<f64>,
) -> Vec<f64> {
    let mut prior = vec![0.0; counts.len()];
    for (number, (row, counts)) in prior.chunks_mut(base).zip(counts.chunks(base)).enumerate() {
        smoothing.spread(counts, &expected(number), row);
    }
    prior
}

/// Adds up blocks of this length.
fn sum_blocks(counts: &[f64], length: usize) -> Vec<f64> {
    let mut sum = vec![0.0; length];
    for block in counts.chunks(length) {
        sum.iter_mut().zip(block).for_each(|(sum, count)| *sum += count);
    }
    sum
}

fn shares(row: &[f64]) -> Vec<f64> {
    let total: f64 = row.iter().sum();
    row.iter().map(|value| if total > 0.0 { value / total } else { 0.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_spread_evenly_or_by_what_is_expected() {
        let (counts, expected) = ([3.0, 1.0, 0.5], [0.5, 0.25, 0.25]);
        let mut row = [0.0, 2.0, 0.0];
        Smoothing::Add(0.1).spread(&counts, &expected, &mut row);
        assert_eq!(row, [0.1, 2.1, 0.1]);
        // One thing was counted once and another half a time: 1 + 1.5, doubled.
        let mut row = [0.0, 2.0, 0.0];
        Smoothing::OneCount(2.0).spread(&counts, &expected, &mut row);
        assert_eq!(row, [2.5, 3.25, 1.25]);
    }
}
