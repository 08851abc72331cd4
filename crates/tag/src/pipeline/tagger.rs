//! A hidden Markov model with the words it knows.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use tree::Text;

use super::Guesser;
use crate::crf::Further;
use crate::hmm::{Hmm, Lattice, Lexicon, Trellis};
use crate::{Choice, TagSet};

/// Tags sentences by the posteriors of a hidden Markov model.
#[derive(Debug, Clone)]
pub struct HmmTagger {
    tags: TagSet,
    forms: IndexSet<Text, FxBuildHasher>,
    lexicon: Lexicon,
    hmm: Hmm,
    guesser: Guesser,
    /// The power of guesses.
    trust: f64,
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
        HmmTagger { tags, forms: forms.into_iter().collect(), lexicon, hmm, guesser, trust }
    }

    /// The tags.
    pub fn tags(&self) -> &TagSet {
        &self.tags
    }

    /// The model.
    pub fn hmm(&self) -> &Hmm {
        &self.hmm
    }

    /// What words are, judged without their sentences.
    pub fn guesser(&self) -> &Guesser {
        &self.guesser
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
        let mut trellis = Trellis::new(self.hmm.order, self.hmm.n_tags);
        // Where no sequence is possible, words are judged one by one.
        let is_possible = trellis.fill(&lattice, &self.hmm.next).is_some();
        let even = vec![1.0; self.hmm.next.len()];
        let next = if is_possible { &self.hmm.next } else { &even };
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
        let number =
            self.forms.get_index_of(word).or_else(|| first.then(|| self.forms.get_index_of(&lower()))?);
        if let Some(number) = number {
            let slots = self.lexicon.slots(number as u32);
            let pairs = slots.map(|slot| (self.lexicon.tags()[slot], self.hmm.emit[slot]));
            let pairs: Vec<(u32, f64)> = pairs.collect();
            if pairs.iter().any(|pair| pair.1 > 0.0) {
                return pairs;
            }
        }
        // p(w | t) = p(t | w) p(w) / p(t), where transitions are surer of themselves than they should be.
        let guess = self.guesser.of_form(word, further);
        let of_tag = |tag: usize| match &guess {
            Some(guess) => libm::pow(guess[tag], self.trust) / f64::max(self.hmm.shares[tag], LEAST),
            None => self.hmm.unseen[tag],
        };
        (0..self.hmm.n_tags).map(|tag| (tag as u32, of_tag(tag))).collect()
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
