//! How far a tag dictionary reaches, and which words to annotate next.

use crate::pipeline::Learned;
use crate::{Corpus, Dictionary, Tagged};
use tree::PutInOrder;
use tree::Text;

/// A dictionary against tagged text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Words of the text whose tag is known.
    pub n_tokens: usize,
    /// Those that are in the dictionary.
    pub n_covered: usize,
    /// Those that are there with their tag.
    pub n_right: usize,
    /// Different pairs of word and tag.
    pub n_pairs: usize,
    /// Those that are in the dictionary.
    pub n_pairs_right: usize,
}

impl Coverage {
    /// Compares a dictionary with sentences, whose tags are numbered by its tag set.
    pub fn new(dictionary: &Dictionary, sentences: &[Tagged]) -> Coverage {
        let mut pairs = Dictionary::new(dictionary.tags().clone());
        pairs.count_tokens(sentences);
        let mut coverage = Coverage::default();
        for (word, tags) in pairs.iter() {
            let known = dictionary.get(word);
            for &(tag, count) in tags {
                let is_right = known.is_some_and(|known| known.iter().any(|&(other, _)| other == tag));
                coverage.add(count as usize, known.is_some(), is_right);
            }
        }
        coverage
    }

    fn add(&mut self, count: usize, is_covered: bool, is_right: bool) {
        self.n_tokens += count;
        self.n_covered += count * usize::from(is_covered);
        self.n_right += count * usize::from(is_right);
        self.n_pairs += 1;
        self.n_pairs_right += usize::from(is_right);
    }

    /// The share of tokens whose word is in the dictionary.
    pub fn coverage(&self) -> f64 {
        share(self.n_covered, self.n_tokens)
    }

    /// The share of tokens whose word is in the dictionary with their tag.
    pub fn token_recall(&self) -> f64 {
        share(self.n_right, self.n_tokens)
    }

    /// The share of different pairs of word and tag that are in the dictionary: tag-dictionary recall.
    pub fn recall(&self) -> f64 {
        share(self.n_pairs_right, self.n_pairs)
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A word that is not in the dictionary.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// The word.
    pub word: Text,
    /// How often it occurs.
    pub count: u32,
    /// How uncertain its tag is, in nats.
    pub entropy: f64,
    /// Its tags with their probabilities, the most probable first.
    pub tags: Vec<(u32, f64)>,
}

impl Wanted {
    /// What an annotation is worth: the count times the uncertainty.
    pub fn value(&self) -> f64 {
        f64::from(self.count) * self.entropy
    }
}

/// The words whose annotation is worth most, that first; of equal ones the first in the text.
pub fn wanted(learned: &Learned, n: usize) -> Vec<Wanted> {
    let corpus = &learned.corpus;
    let unknown =
        (0..corpus.n_types() as u32).filter(|&word| learned.dictionary.get(corpus.form(word)).is_none());
    let mut all: Vec<Wanted> = unknown.map(|word| want(learned, corpus, word)).collect();
    all.order_by(|a, b| b.value().total_cmp(&a.value()));
    all.truncate(n);
    all
}

fn want(learned: &Learned, corpus: &Corpus, word: u32) -> Wanted {
    let n_tags = learned.dictionary.tags().len();
    let even = || vec![1.0 / n_tags as f64; n_tags];
    let row = learned.tagger.guesser().of_type(word).unwrap_or_else(even);
    let mut tags: Vec<(u32, f64)> = (0..).zip(row).filter(|&(_, p)| p > 0.0).collect();
    tags.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let entropy = -tags.iter().map(|(_, p)| p * libm::log(*p)).sum::<f64>();
    Wanted { word: corpus.form(word).clone(), count: corpus.count(word), entropy, tags }
}
