//! A hidden Markov model with the words it knows.

use serde::{Deserialize, Serialize};
use tree::{Symbols, Text};

use super::Guesser;
use crate::crf::Further;
use crate::hmm::{Hmm, Lattice, Lexicon, Trellis};
use crate::{Choice, TagSet};

/// Tags sentences by the posteriors of a hidden Markov model.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "Parts")]
pub struct HmmTagger(Parts);

/// The parts of a tagger, which may not belong together.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Parts {
    tags: TagSet,
    forms: Symbols,
    lexicon: Lexicon,
    hmm: Hmm,
    guesser: Guesser,
    /// The power of guesses.
    trust: f64,
}

impl TryFrom<Parts> for HmmTagger {
    type Error = &'static str;

    fn try_from(parts: Parts) -> Result<HmmTagger, Self::Error> {
        let Parts { tags, forms, lexicon, hmm, guesser, .. } = &parts;
        let n = tags.len();
        let lengths_fit = hmm.n_tags == n
            && hmm.next.len() == hmm.order.n_transitions(n)
            && hmm.emit.len() == lexicon.len()
            && hmm.unseen.len() == n
            && hmm.shares.len() == n
            && lexicon.n_words() == forms.len();
        if n == 0 || !lengths_fit || !lexicon.is_whole(n) || !guesser.is_whole(n) {
            return Err("the hidden Markov model of a tagger is damaged");
        }
        Ok(HmmTagger(parts))
    }
}

impl HmmTagger {
    /// A model over the words of a lexicon. Other words are guessed about, and the guesses raised to the power of `trust`.
    pub fn new(
        tags: TagSet,
        forms: impl IntoIterator<Item = Text>,
        lexicon: Lexicon,
        hmm: Hmm,
        guesser: Guesser,
        trust: f64,
    ) -> HmmTagger {
        HmmTagger(Parts { tags, forms: forms.into_iter().collect(), lexicon, hmm, guesser, trust })
    }

    /// The tags.
    pub fn tags(&self) -> &TagSet {
        &self.0.tags
    }

    /// The model.
    pub fn hmm(&self) -> &Hmm {
        &self.0.hmm
    }

    /// ln p(next | tag) − ln p(next) of each tag that may come next, averaged over the tag before where that counts.
    pub fn followers(&self, tag: u32) -> Vec<f64> {
        let (n, tag) = (self.0.hmm.n_tags, tag as usize);
        let row = n + 1;
        // Transitions are rows of n + 1 numbers; in the second order the last of the two tags decides which rows are meant.
        let rows = self.0.hmm.next.chunks_exact(row).skip(tag).step_by(row);
        let mut sums = vec![0.0; n];
        rows.for_each(|row| sums.iter_mut().zip(row).for_each(|(sum, p)| *sum += p));
        let total: f64 = sums.iter().sum();
        let of =
            |(sum, share): (f64, &f64)| libm::log(f64::max(sum / total.max(LEAST), LEAST) / share.max(LEAST));
        sums.into_iter().zip(&self.0.hmm.shares).map(of).collect()
    }

    /// What words are, judged without their sentences.
    pub fn guesser(&self) -> &Guesser {
        &self.0.guesser
    }

    /// The most probable tag of each word.
    pub fn tag(&self, words: &[Text], known: &[Choice], further: Further<'_>) -> Vec<u32> {
        let rows = self.posteriors(words, known, further);
        let largest = |row: &Vec<(u32, f64)>| {
            let start = row.first().copied().unwrap_or((0, 0.0));
            row.iter().fold(start, |best, &now| if now.1 > best.1 { now } else { best }).0
        };
        rows.iter().map(largest).collect()
    }

    /// The probability of each tag that a word may have. What is known of tags is kept to; there may be nothing known.
    pub fn posteriors(&self, words: &[Text], known: &[Choice], further: Further<'_>) -> Vec<Vec<(u32, f64)>> {
        let mut lattice = Lattice::default();
        for (at, word) in words.iter().enumerate() {
            let mut weights = self.weights(word, at == 0, further);
            restrict(&mut weights, known.get(at).unwrap_or(&Choice::Any));
            lattice.push(weights.into_iter().map(|(tag, weight)| (tag, weight, None)));
        }
        let mut trellis = Trellis::new(self.0.hmm.order, self.0.hmm.n_tags);
        // Where no sequence is possible, words are judged one by one.
        let is_possible = trellis.fill(&lattice, &self.0.hmm.next).is_some();
        let even = vec![1.0; self.0.hmm.next.len()];
        let next = if is_possible { &self.0.hmm.next } else { &even };
        if !is_possible && trellis.fill(&lattice, next).is_none() {
            return words.iter().map(|_| Vec::new()).collect();
        }
        let all = trellis.posteriors(next);
        let row = |at: usize| {
            lattice.tags(at).iter().copied().zip(all[lattice.range(at)].iter().copied()).collect()
        };
        (0..words.len()).map(row).collect()
    }

    /// Possible tags with p(word | tag), up to a factor.
    fn weights(&self, word: &Text, first: bool, further: Further<'_>) -> Vec<(u32, f64)> {
        let lower = || Text::from(word.chars().flat_map(char::to_lowercase).collect::<String>());
        // The first word of a sentence may be known without its capital.
        let number = self.0.forms.number(word).or_else(|| first.then(|| self.0.forms.number(&lower()))?);
        if let Some(number) = number {
            let slots = self.0.lexicon.slots(number);
            let pairs = slots.map(|slot| (self.0.lexicon.tags()[slot], self.0.hmm.emit[slot]));
            let pairs: Vec<(u32, f64)> = pairs.collect();
            if pairs.iter().any(|pair| pair.1 > 0.0) {
                return pairs;
            }
        }
        // p(w | t) = p(t | w) p(w) / p(t), where transitions are surer of themselves than they should be.
        let guess = self.0.guesser.of_form(word, further);
        let of_tag = |tag: usize| match &guess {
            Some(guess) => libm::pow(guess[tag], self.0.trust) / f64::max(self.0.hmm.shares[tag], LEAST),
            None => self.0.hmm.unseen[tag],
        };
        (0..self.0.hmm.n_tags).map(|tag| (tag as u32, of_tag(tag))).collect()
    }
}

/// Tags that hardly occur do not become probable by that alone.
const LEAST: f64 = 1e-4;

fn restrict(weights: &mut Vec<(u32, f64)>, choice: &Choice) {
    let among: &[u32] = match choice {
        Choice::Any => return,
        Choice::Known(tag) => std::slice::from_ref(tag),
        Choice::Among(tags) => tags,
    };
    weights.retain(|(tag, weight)| among.contains(tag) && *weight > 0.0);
    if weights.is_empty() {
        weights.extend(among.iter().map(|&tag| (tag, 1.0)));
    }
}
