//! Possible tags of all words with their weights, and the counts that EM starts from.

use chain::Workers;

use super::Guesser;
use crate::hmm::{HmmPrior, Lattice, Lexicon, Order, TagCounts, expect};
use crate::minimise::Pairs;
use crate::{Choice, Corpus, Dictionary};

/// What was said about words.
#[derive(Clone, Copy)]
pub(super) struct Dictionaries<'a> {
    /// By annotators of types.
    pub(super) types: &'a Dictionary,
    /// By annotators of types and of tokens.
    pub(super) all: &'a Dictionary,
}

/// What words may be, before any sequence was looked at.
pub(super) struct Start<'a> {
    corpus: &'a Corpus,
    guesser: &'a Guesser,
    n_tags: usize,
    pub(super) lexicon: Lexicon,
    /// How probable each tag is for its word, by slot.
    pub(super) weights: Vec<f64>,
    /// Whether the dictionary prefers some tags of each word to others, and the weights are its shares.
    preferred: Vec<bool>,
}

impl<'a> Start<'a> {
    /// Words that were annotated as types have the tags that were given. Other words have the tags that are guessed, or
    /// all, and those that their tokens were given.
    pub(super) fn new(
        corpus: &'a Corpus,
        dictionaries: Dictionaries<'_>,
        guesser: &'a Guesser,
        [cutoff, trust]: [f64; 2],
    ) -> Start<'a> {
        let dictionary = dictionaries.all;
        let n_tags = dictionary.tags().len();
        let of_type = |word: u32| guesser.of_type(word);
        let tags = |word: u32| -> Vec<u32> {
            let form = corpus.form(word);
            let given = |dictionary: &Dictionary| -> Vec<u32> {
                dictionary.get(form).into_iter().flatten().map(|&(tag, _)| tag).collect()
            };
            let types = given(dictionaries.types);
            if !types.is_empty() {
                return types;
            }
            let mut tags =
                of_type(word).map_or_else(|| (0..n_tags as u32).collect(), |row| above(&row, cutoff));
            tags.extend(given(dictionary));
            tags.sort_unstable();
            tags.dedup();
            tags
        };
        let lexicon = Lexicon::new((0..corpus.n_types() as u32).map(tags));
        let open = open(dictionary);
        let mut start =
            Start { corpus, guesser, n_tags, lexicon, weights: Vec::new(), preferred: Vec::new() };
        for word in 0..corpus.n_types() as u32 {
            let preference = dictionaries.types.preference(corpus.form(word));
            start.preferred.push(preference.is_some());
            if let Some(shares) = preference {
                let row = shares.iter().fold(vec![0.0; n_tags], |mut row, &(tag, share)| {
                    row[tag as usize] = libm::pow(share, trust);
                    row
                });
                let weights = start.restricted(word, Some(row));
                start.weights.extend(weights);
                continue;
            }
            let is_known = dictionary.get(corpus.form(word)).is_some();
            let row = of_type(word).or_else(|| (!is_known).then(|| open.clone()));
            let weights = start.restricted(word, row);
            start.weights.extend(weights);
        }
        start
    }

    /// Shares of a word's possible tags; equal ones if nothing is known.
    fn restricted(&self, word: u32, row: Option<Vec<f64>>) -> Vec<f64> {
        let slots = self.lexicon.slots(word);
        let n = slots.len() as f64;
        let tags = &self.lexicon.tags()[slots];
        let shares: Option<Vec<f64>> =
            row.map(|row| tags.iter().map(|&tag| f64::max(row[tag as usize], LEAST)).collect());
        let total: f64 = shares.iter().flatten().sum();
        match shares {
            Some(shares) if total > 0.0 => shares.into_iter().map(|share| share / total).collect(),
            _ => tags.iter().map(|_| 1.0 / n).collect(),
        }
    }

    /// Every sentence, weighted by the labels of its tokens.
    pub(super) fn lattices(&self, workers: &Workers) -> Vec<Lattice> {
        let numbers: Vec<usize> = (0..self.corpus.n_sentences()).collect();
        workers.map(&numbers, |_, &number| {
            let mut lattice = Lattice::default();
            for place in self.corpus.sentence(number) {
                let word = self.corpus.words()[place];
                let of_type = || self.weights[self.lexicon.slots(word)].to_vec();
                let guess = self.guesser.of_token(place, word).filter(|_| !self.preferred[word as usize]);
                let weights = guess.map_or_else(of_type, |row| self.restricted(word, Some(row)));
                self.push(place, &weights, &mut lattice);
            }
            lattice
        })
    }

    /// Adds the weights of words that are not in the dictionary to a prior, and those of words whose tags it prefers one to the
    /// other: so many tokens for each token.
    ///
    /// EM alone would soon forget what words look like, while it is good at finding out which tags of a known word are the
    /// frequent ones.
    pub(super) fn hold(&self, dictionary: &Dictionary, [guessed, preferred]: [f64; 2], prior: &mut HmmPrior) {
        for word in 0..self.corpus.n_types() as u32 {
            let share = match dictionary.get(self.corpus.form(word)) {
                None => guessed,
                Some(_) if self.preferred[word as usize] => preferred,
                Some(_) => continue,
            };
            let count = f64::from(self.corpus.count(word));
            self.lexicon
                .slots(word)
                .for_each(|slot| prior.emissions[slot] += share * count * self.weights[slot]);
        }
    }

    /// A sentence, weighted by emissions.
    pub(super) fn lay(&self, number: usize, emit: &[f64], lattice: &mut Lattice) {
        for place in self.corpus.sentence(number) {
            let slots = self.lexicon.slots(self.corpus.words()[place]);
            self.push(place, &emit[slots], lattice);
        }
    }

    /// Adds a position with the tags that its word may have here, with weights by slot.
    fn push(&self, place: usize, weights: &[f64], lattice: &mut Lattice) {
        let slots = self.lexicon.slots(self.corpus.words()[place]);
        let all = slots
            .clone()
            .zip(weights)
            .map(|(slot, &weight)| (self.lexicon.tags()[slot], weight, Some(slot as u32)));
        match self.corpus.choice(place) {
            Choice::Any => lattice.push(all),
            Choice::Known(tag) => push_among(&[*tag], all, lattice),
            Choice::Among(tags) => push_among(tags, all, lattice),
        }
    }

    /// Expected counts, when every chosen pair is as good as any other.
    pub(super) fn counts(
        &self,
        lattices: &[Lattice],
        pairs: Option<&Pairs>,
        order: Order,
        workers: &Workers,
    ) -> TagCounts {
        let n_tags = self.n_tags;
        let first =
            pairs.map_or_else(|| vec![1.0; Order::First.n_transitions(n_tags)], |pairs| pairs.weights(0.0));
        let next = first.repeat(order.n_transitions(n_tags) / first.len());
        let lay = |number: usize, lattice: &mut Lattice| lattice.clone_from(&lattices[number]);
        expect(lattices.len(), &lay, (order, n_tags, &next), self.lexicon.len(), workers).0
    }
}

/// How many words of the dictionary have each tag, as shares: what a word that is not there is expected to be.
fn open(dictionary: &Dictionary) -> Vec<f64> {
    let mut shares = vec![0.0; dictionary.tags().len()];
    for (_, tags) in dictionary.iter() {
        tags.iter().for_each(|&(tag, _)| shares[tag as usize] += 1.0 / dictionary.n_entries() as f64);
    }
    shares
}

/// No possible tag weighs less, so that what the labels did not reach stays possible.
const LEAST: f64 = 1e-3;

/// The tags whose share is near enough the largest.
fn above(row: &[f64], cutoff: f64) -> Vec<u32> {
    let most = row.iter().copied().fold(0.0, f64::max);
    (0..)
        .zip(row)
        .filter(|(_, share)| **share > 0.0 && **share >= cutoff * most)
        .map(|(tag, _)| tag)
        .collect()
}

/// Adds those tags that are listed; if the word may have none of them, all that are listed.
fn push_among(
    tags: &[u32],
    all: impl Iterator<Item = (u32, f64, Option<u32>)> + Clone,
    lattice: &mut Lattice,
) {
    if all.clone().any(|(tag, ..)| tags.contains(&tag)) {
        lattice.push(all.filter(|(tag, ..)| tags.contains(tag)));
    } else {
        lattice.push(tags.iter().map(|&tag| (tag, 1.0, None)));
    }
}
