//! Segmentation of any word with a trained model.

use crate::error::Error;
use crate::letters::Letter;
use crate::model::Model;
use crate::options::Viterbi;
use crate::pairs::NoSplit;
use crate::state::State;
use crate::train::MOST_TOKENS;
use crate::viterbi::{Path, best_paths};

/// A model made ready to cut words.
#[derive(Clone, Debug)]
pub struct Segmenter {
    state: State,
    no_split: NoSplit,
}

/// One way to cut a word.
#[derive(Clone, Debug, PartialEq)]
pub struct Segmentation<'a> {
    /// The morphs, which make up the word.
    pub morphs: Vec<&'a str>,
    /// − log of its probability, in nats.
    pub cost: f64,
}

impl Segmenter {
    /// Takes the lexicon out of a model; counts that cannot be added up are refused.
    pub fn new(model: &Model) -> Result<Segmenter, Error> {
        let mut state = State::new(model.corpus_weight);
        let mut buffer = Vec::new();
        for word in &model.words {
            let n_tokens = word.count.saturating_mul(word.cuts.len() as u64 + 1);
            if n_tokens.saturating_add(state.sizes.tokens) > MOST_TOKENS {
                return Err(Error::TooMuch { what: "the counts of morphs", most: MOST_TOKENS });
            }
            state.sizes.words += word.count;
            for morph in word.morphs() {
                let piece = state.piece(morph, &mut buffer);
                state.change(piece, word.count as i64);
            }
        }
        state.refresh_sums();
        Ok(Segmenter { state, no_split: NoSplit::default() })
    }

    /// The same, with pairs of characters that are never torn apart.
    pub fn with_no_split(mut self, no_split: NoSplit) -> Segmenter {
        self.no_split = no_split;
        self
    }

    /// The cost of the model's words and lexicon.
    pub fn cost(&self) -> crate::Cost {
        self.state.cost()
    }

    /// Morph types.
    pub fn n_morphs(&self) -> usize {
        self.state.sizes.types as usize
    }

    /// The count of a morph, 0 for anything else.
    pub fn count(&self, morph: &str) -> u64 {
        let letters = self.letters(morph);
        let mut hash = crate::substrings::Growing::default();
        let Some(hash) = letters.iter().map(|&letter| hash.push(letter)).last() else { return 0 };
        self.state.pieces.find(hash, &letters).map_or(0, |piece| self.state.morph_count(piece))
    }

    /// The most probable way to cut a word.
    pub fn segment<'w>(&self, word: &'w str, viterbi: &Viterbi) -> Segmentation<'w> {
        let mut best = self.n_best(word, 1, viterbi);
        best.swap_remove(0)
    }

    /// The `n` most probable ways to cut a word, best first; at least one, and fewer if there are no more.
    pub fn n_best<'w>(&self, word: &'w str, n: usize, viterbi: &Viterbi) -> Vec<Segmentation<'w>> {
        let places: Vec<(usize, char)> = word.char_indices().collect();
        let letters = self.letters(word);
        let forbids = |at: usize| self.no_split.matches(places[at - 1].1, places[at].1);
        let forbidden: Option<&dyn Fn(usize) -> bool> = (!self.no_split.is_empty()).then_some(&forbids);
        let byte = |at: usize| places.get(at).map_or(word.len(), |&(byte, _)| byte);
        let cut = |path: Path| {
            let starts = [0].into_iter().chain(path.ends.iter().copied());
            let morphs = starts.zip(&path.ends).map(|(start, &end)| &word[byte(start)..byte(end)]);
            Segmentation { morphs: morphs.collect(), cost: path.cost }
        };
        best_paths(&self.state, &letters, viterbi, n.max(1), forbidden).into_iter().map(cut).collect()
    }

    fn letters(&self, word: &str) -> Vec<Letter> {
        word.chars().map(|character| self.state.letters.find(character)).collect()
    }
}
