//! How sure a tag may be of itself.
//!
//! A tagger that learned from few sentences doubts too much, one that learned from text which another tagger has tagged doubts
//! too little. [`Certainty`] corrects both after a rehearsal: taggers learn from a part of what is known and are asked about
//! the rest ([`of_sentences`], [`of_dictionary`]).

mod dictionary;
mod judged;
mod sentences;
mod stand_ins;

use num::confidence::Confidence;
use serde::{Deserialize, Serialize};

pub use dictionary::of_dictionary;
pub use sentences::{of_sentences, of_sentences_watched};

use crate::Choice;

/// How often tags are right, by how sure a tagger is and by what a dictionary says of the word.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Certainty {
    /// What was asked about.
    pub basis: Basis,
    /// How many words were asked about.
    pub n_words: usize,
    /// Words that may have any tag; `None` if too few of them were asked about.
    pub free: Option<Confidence>,
    /// Words that may have several tags but not all; `None` if too few of them were asked about.
    pub among: Option<Confidence>,
    /// How often a word has one of the tags that the dictionary gives it.
    pub listed: f64,
}

/// What a rehearsal asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Basis {
    /// Nothing: probabilities are as the tagger has them.
    Nothing,
    /// Words of tagged sentences, which the tagger did not see.
    Sentences,
    /// Words whose entry in the dictionary was hidden, or made to look like that of another word.
    Dictionary,
}

/// How often words have a tag of the dictionary where nothing else is known. In dev files of ten languages of MasakhaPOS, words that the
/// training file has with one tag had it in 0.950 to 0.997 of the cases, 0.975 on average; most dictionaries are made with less care.
const LISTED: f64 = 0.965;
/// No tag that is possible is less probable, so that no other is certain.
const LEAST: f64 = 1e-6;

impl Default for Certainty {
    /// Nothing is corrected.
    fn default() -> Certainty {
        Certainty { basis: Basis::Nothing, n_words: 0, free: None, among: None, listed: 1.0 }
    }
}

impl Certainty {
    /// Corrects the probabilities of the tags of a word, of which the dictionary says `choice`.
    ///
    /// What is missing to 1 then is the probability that the dictionary lacks the tag. The order of tags stays what it was.
    pub fn correct(&self, choice: &Choice, row: &mut [f64]) {
        if self.basis == Basis::Nothing {
            return;
        }
        soften(choice, row);
        match choice {
            Choice::Any => self.free.unwrap_or_default().correct(row),
            _ => {
                self.among.unwrap_or_default().correct(row);
                row.iter_mut().for_each(|p| *p *= self.listed);
            }
        }
    }

    /// Whether the probabilities of words that may have any tag are corrected.
    pub fn is_calibrated(&self) -> bool {
        self.free.is_some()
    }
}

/// Leaves every tag that a choice allows a little; one that is the only one stays certain.
fn soften(choice: &Choice, row: &mut [f64]) {
    let allowed = |tag: usize| match choice {
        Choice::Any => true,
        Choice::Known(known) => *known as usize == tag,
        Choice::Among(tags) => tags.contains(&(tag as u32)),
    };
    (0..row.len()).filter(|&tag| allowed(tag)).for_each(|tag| row[tag] = row[tag].max(LEAST));
    let total: f64 = row.iter().sum();
    row.iter_mut().for_each(|p| *p /= total);
}
