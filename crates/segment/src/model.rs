//! A trained model: words, how often they are in the corpus, and their morphs.

use serde::{Deserialize, Serialize};

/// A word and where it is cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Analysed {
    /// How often the word counts.
    pub count: u64,
    /// The word.
    pub word: String,
    /// Where morphs end inside the word, in bytes, ascending.
    pub cuts: Vec<u32>,
}

impl Analysed {
    /// A word made of morphs; empty ones are left out.
    pub fn new<M: AsRef<str>>(count: u64, morphs: &[M]) -> Analysed {
        let word: String = morphs.iter().map(AsRef::as_ref).collect();
        let mut end = 0;
        let mut cuts: Vec<u32> = Vec::new();
        for morph in morphs.iter().map(AsRef::as_ref).filter(|morph| !morph.is_empty()) {
            end += morph.len();
            cuts.push(end as u32);
        }
        cuts.pop();
        Analysed { count, word, cuts }
    }

    /// The morphs.
    pub fn morphs(&self) -> Vec<&str> {
        let ends = self.cuts.iter().map(|&cut| cut as usize).chain([self.word.len()]);
        let mut start = 0;
        let mut morph = |end| {
            let morph = &self.word[start..end];
            start = end;
            morph
        };
        ends.map(&mut morph).collect()
    }

    /// Whether the cuts lie between characters and ascend.
    pub(crate) fn is_sound(&self) -> bool {
        let inside = |&cut: &u32| {
            cut > 0 && (cut as usize) < self.word.len() && self.word.is_char_boundary(cut as usize)
        };
        self.count > 0
            && !self.word.is_empty()
            && self.cuts.iter().all(inside)
            && self.cuts.is_sorted_by(|a, b| a < b)
    }
}

/// A trained model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// Words in the order in which they came, each once.
    pub words: Vec<Analysed>,
    /// How much the cost of the corpus counted.
    pub corpus_weight: f64,
}
