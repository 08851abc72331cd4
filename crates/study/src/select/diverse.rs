//! A batch whose parts do not tell the same.
//!
//! Whoever annotates twenty sentences at once learns little from the second of two that are alike. The worth of a batch S is
//!
//! worth(S) = Σ over kinds k of Σ over words of kind k in S, the i-th of them, of hᵢ / i,
//!
//! where h is the uncertainty of a word. A word is worth less the more of its kind were chosen before, so that taking the best
//! candidate again and again comes near the best batch (Nemhauser, Wolsey & Fisher 1978). Sentences that share most of their
//! words with a chosen one are worth nothing.

use super::{Choice, place};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A sentence of which so many words are those of a chosen one, of all words that either has, tells nothing new.
const ALIKE: f64 = 0.8;

/// What a candidate is made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Traits {
    /// Its words that would be annotated: the number of the kind, and how uncertain the word is.
    pub words: Vec<(usize, f64)>,
    /// Numbers of all forms of the sentence, sorted; empty for a single word, which has no near-duplicates.
    pub forms: Vec<usize>,
}

/// A candidate that waits, with what it was worth when that was last looked at.
struct Waiting {
    choice: Choice,
    at: usize,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    /// The better is the greater; of equals the first in the corpus.
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (&self.choice, &other.choice);
        a.score.total_cmp(&b.score).then(place(b).cmp(&place(a)))
    }
}

/// What was chosen so far, and what more would add to it.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    counts: Vec<usize>,
    forms: Vec<Vec<usize>>,
}

/// Takes the best candidates one after another, until `take` has enough; it tells whether one was taken, or `None` to end.
///
/// Worths only fall as the batch grows. So the best of the waiting is looked at again, and if it is still the best by
/// its new worth, it is the best of all.
pub(super) fn greedy(
    choices: Vec<Choice>,
    traits: &[Traits],
    mut worth: impl FnMut(&Choice, f64) -> f64,
    mut take: impl FnMut(&Choice) -> Option<bool>,
) -> Vec<Choice> {
    let mut batch = Batch::default();
    let mut waiting: BinaryHeap<Waiting> = BinaryHeap::new();
    for (at, mut choice) in choices.into_iter().enumerate() {
        choice.score = worth(&choice, batch.gain(&traits[at]));
        waiting.push(Waiting { choice, at });
    }
    let mut chosen = Vec::new();
    while let Some(mut best) = waiting.pop() {
        best.choice.score = worth(&best.choice, batch.gain(&traits[best.at]));
        if waiting.peek().is_some_and(|next| *next > best) {
            waiting.push(best);
            continue;
        }
        match take(&best.choice) {
            None => break,
            Some(false) => {}
            Some(true) => {
                batch.add(&traits[best.at]);
                chosen.push(best.choice);
            }
        }
    }
    chosen
}

impl Batch {
    /// What a candidate adds to the worth of the batch.
    pub fn gain(&self, traits: &Traits) -> f64 {
        if self.forms.iter().any(|forms| alike(forms, &traits.forms)) {
            return 0.0;
        }
        let mut own: Vec<(usize, usize)> = Vec::new();
        let mut gain = 0.0;
        for &(kind, uncertainty) in &traits.words {
            let before = match own.iter_mut().find(|(other, _)| *other == kind) {
                Some((_, count)) => {
                    *count += 1;
                    *count - 1
                }
                None => {
                    own.push((kind, 1));
                    0
                }
            };
            let nth = self.counts.get(kind).copied().unwrap_or(0) + before + 1;
            gain += uncertainty / nth as f64;
        }
        gain
    }

    /// One more was chosen.
    pub fn add(&mut self, traits: &Traits) {
        for &(kind, _) in &traits.words {
            self.counts.resize(self.counts.len().max(kind + 1), 0);
            self.counts[kind] += 1;
        }
        if !traits.forms.is_empty() {
            self.forms.push(traits.forms.clone());
        }
    }
}

/// Whether two sorted lists share most of what either has.
fn alike(one: &[usize], other: &[usize]) -> bool {
    let (mut a, mut b, mut shared) = (0, 0, 0);
    while a < one.len() && b < other.len() {
        match one[a].cmp(&other[b]) {
            Ordering::Less => a += 1,
            Ordering::Greater => b += 1,
            Ordering::Equal => (a, b, shared) = (a + 1, b + 1, shared + 1),
        }
    }
    let either = one.len() + other.len() - shared;
    shared > 0 && shared as f64 >= ALIKE * either as f64
}

#[cfg(test)]
mod tests {
    use super::super::{Candidate, Options, Strategy as By, Unit, select_diverse};
    use super::*;
    use proptest::prelude::*;

    fn sentence(number: usize, words: &[(usize, f64)]) -> (Candidate, Traits) {
        let entropy = words.iter().map(|(_, entropy)| entropy).sum();
        let candidate =
            Candidate { sentence: number, entropy, cost: words.len() as f64, ..Candidate::default() };
        // Forms that nobody else has.
        let forms = (0..words.len()).map(|word| 1000 * (number + 1) + word).collect();
        (candidate, Traits { words: words.to_vec(), forms })
    }

    fn chosen(sentences: &[(Candidate, Traits)], options: &Options) -> Vec<(usize, f64)> {
        let (candidates, traits): (Vec<Candidate>, Vec<Traits>) = sentences.iter().cloned().unzip();
        let choices = select_diverse(&candidates, &traits, options).unwrap();
        choices.iter().map(|choice| (choice.candidate.sentence, choice.score)).collect()
    }

    #[test]
    fn a_kind_that_was_asked_is_worth_half_the_second_time_and_a_third_the_third() {
        let sentences = [
            sentence(0, &[(0, 1.0)]),
            sentence(1, &[(0, 1.0)]),
            sentence(2, &[(1, 0.6)]),
            sentence(3, &[(0, 1.0)]),
        ];
        let found = chosen(&sentences, &Options::default());
        assert_eq!(found, [(0, 1.0), (2, 0.6), (1, 0.5), (3, 1.0 / 3.0)]);
        // Within a sentence, too: (1 + ½) / 2.
        assert_eq!(chosen(&[sentence(0, &[(0, 1.0), (0, 1.0)])], &Options::default())[0].1, 0.75);
    }

    #[test]
    fn near_duplicates_come_last_and_are_worth_nothing() {
        let mut sentences = [sentence(0, &[(0, 9.0)]), sentence(1, &[(1, 9.0)]), sentence(2, &[(2, 0.1)])];
        sentences[0].1.forms = vec![1, 2, 3, 4, 5, 6, 7, 8, 9];
        // Nine of ten words are the same.
        sentences[1].1.forms = vec![1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
        assert_eq!(chosen(&sentences, &Options::default()), [(0, 9.0), (2, 0.1), (1, 0.0)]);
        assert!(!alike(&[], &[]) && alike(&[4], &[4]) && !alike(&[1, 1, 2], &[1, 2, 3]));
    }

    /// The same by looking at all candidates every time.
    fn by_looking_at_all(sentences: &[(Candidate, Traits)], options: &Options) -> Vec<(usize, f64)> {
        let mut left: Vec<&(Candidate, Traits)> = sentences.iter().collect();
        let (mut batch, mut found) = (Batch::default(), Vec::new());
        let mut budget = options.budget.unwrap_or(f64::INFINITY);
        while found.len() < options.n && !left.is_empty() {
            let score = |(candidate, traits): &(Candidate, Traits)| {
                let gain = batch.gain(traits);
                if options.strategy == By::Entropy { gain } else { gain / candidate.cost }
            };
            let best = left.iter().map(|one| score(one)).fold(f64::NEG_INFINITY, f64::max);
            let at = left.iter().position(|one| score(one) == best).unwrap();
            let one = left.remove(at);
            if one.0.cost <= budget {
                budget -= one.0.cost;
                batch.add(&one.1);
                found.push((one.0.sentence, best));
            }
        }
        found
    }

    proptest! {
        #[test]
        fn the_lazy_search_finds_what_looking_at_all_finds(
            words in prop::collection::vec(prop::collection::vec((0usize..4, 0u8..4), 1..5), 1..12),
            n in 1usize..12,
            budget in prop::option::of(1u8..12),
            by_entropy: bool,
        ) {
            let sentences: Vec<(Candidate, Traits)> = words.iter().enumerate().map(|(number, words)| {
                let words: Vec<(usize, f64)> = words.iter().map(|&(kind, h)| (kind, f64::from(h))).collect();
                let (candidate, mut traits) = sentence(number, &words);
                traits.forms = words.iter().map(|&(kind, h)| 10 * kind + h as usize).collect();
                traits.forms.sort_unstable();
                (candidate, traits)
            }).collect();
            let strategy = if by_entropy { By::Entropy } else { By::EntropyPerCost };
            let options = Options { strategy, n, budget: budget.map(f64::from), unit: Unit::Sentence };
            let found = chosen(&sentences, &options);
            prop_assert!(found.is_sorted_by(|a, b| a.1 >= b.1));
            prop_assert_eq!(found, by_looking_at_all(&sentences, &options));
        }
    }
}
