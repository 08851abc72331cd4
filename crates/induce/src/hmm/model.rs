//! An induced hidden Markov model, the file it is kept in, and tagging with it.

use std::collections::BTreeMap;
use std::path::Path;

use chain::container::{self, Header};
use grammar::hmm::Dictionary;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use tree::Symbols;

use super::{Hmm, HmmMemory, HmmSentence};
use crate::family::Family;

/// The kind of model files.
pub const KIND: &str = "model/hmm";
/// The layout of model files; raised when it changes.
pub const VERSION: u32 = 1;

/// So much of every distribution is even when sentences are tagged.
const EVEN: f64 = 1e-3;

/// The words of a corpus, in lower case. The last number stands for all that were seen less than twice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    numbers: Symbols,
}

impl Words {
    /// The words that occur at least twice, or that `known` names.
    pub fn new<'a>(words: impl IntoIterator<Item = &'a str>, known: impl Fn(&str) -> bool) -> Words {
        let mut counts: indexmap::IndexMap<SmolStr, u32> = indexmap::IndexMap::new();
        for word in words {
            *counts.entry(folded(word)).or_default() += 1;
        }
        let kept = counts.into_iter().filter(|(word, count)| *count > 1 || known(word));
        Words { numbers: kept.map(|(word, _)| word).collect() }
    }

    /// The number of symbols, with the one for all others.
    pub fn len(&self) -> usize {
        self.numbers.len() + 1
    }

    /// Whether no word has a number of its own.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The number of a word, if it has one of its own.
    pub fn get(&self, word: &str) -> Option<u32> {
        self.numbers.number(&folded(word))
    }

    /// A sentence as models see it.
    pub fn number<'a>(&self, words: impl IntoIterator<Item = &'a str>) -> HmmSentence {
        let number = |word: &str| self.get(word).unwrap_or(self.numbers.len() as u32);
        HmmSentence { symbols: words.into_iter().map(number).collect() }
    }
}

fn folded(word: &str) -> SmolStr {
    word.to_lowercase().into()
}

/// A model and what is known of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HmmModel {
    /// The words.
    pub words: Words,
    /// The names of the states.
    pub states: Vec<SmolStr>,
    /// Words that may have some states only.
    pub dictionary: BTreeMap<u32, Vec<u32>>,
    /// θ, by event.
    pub grammar: Vec<f64>,
    /// How the model came about.
    pub notes: BTreeMap<String, String>,
}

impl HmmModel {
    /// The family of a model with these words, states and dictionary.
    pub fn family_of(words: &Words, n_states: usize, dictionary: &BTreeMap<u32, Vec<u32>>) -> Hmm {
        let hmm = Hmm::new(n_states, words.len());
        let mut allowed = Dictionary::free(hmm.shape());
        for (&word, states) in dictionary {
            allowed.restrict(word, states.iter().copied());
        }
        hmm.with_dictionary(allowed)
    }

    /// The family.
    pub fn family(&self) -> Hmm {
        HmmModel::family_of(&self.words, self.states.len(), &self.dictionary)
    }

    /// The parameters that sentences are tagged with: no event is impossible.
    pub fn smoothed(&self, family: &Hmm) -> Vec<f64> {
        family.rows().mixed(&self.grammar, EVEN)
    }

    /// The states of a sentence: the best sequence, or with `mbr` the most probable state of each word.
    pub fn tag(
        &self,
        family: &Hmm,
        weights: &[f64],
        sentence: &HmmSentence,
        mbr: bool,
        memory: &mut HmmMemory,
    ) -> Option<Vec<&str>> {
        let states = match mbr {
            true => family.mbr(sentence, weights, memory)?,
            false => family.viterbi(sentence, weights, memory)?.0,
        };
        Some(states.iter().map(|&state| self.states[state as usize].as_str()).collect())
    }

    /// Writes the model.
    pub fn write(&self, path: &Path) -> Result<(), chain::Error> {
        let header = Header { kind: KIND.into(), version: VERSION, notes: self.notes.clone() };
        container::write(path, &header, self)
    }

    /// Reads a model.
    pub fn read(path: &Path) -> Result<HmmModel, chain::Error> {
        container::read(path, KIND, VERSION).map(|(_, model): (_, HmmModel)| model)
    }
}
