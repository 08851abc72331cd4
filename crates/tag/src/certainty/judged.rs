//! Words that taggers were asked about.

use num::confidence::{Confidence, Guess};

use super::{Basis, Certainty, LISTED, soften};
use crate::Choice;

/// Guesses about words, and how often the dictionary had their tags.
#[derive(Debug, Clone, Default)]
pub(super) struct Judged {
    pub(super) free: Vec<Guess>,
    pub(super) among: Vec<Guess>,
    n_listed: usize,
    n_right: usize,
}

/// A group of fewer words is not corrected: one that is sure and wrong would say too much.
const FEWEST: usize = 30;
/// So many words count for what is expected of a dictionary.
const PRIOR: f64 = 50.0;

impl Judged {
    /// Takes down what was said of a word whose tag is known.
    pub(super) fn add(&mut self, choice: &Choice, row: &[f64], tag: u32) {
        let mut row = row.to_vec();
        soften(choice, &mut row);
        let guess = Guess::of_row(&row, tag as usize);
        match choice {
            Choice::Any => self.free.push(guess),
            Choice::Known(known) => self.look_up(*known == tag),
            Choice::Among(tags) => {
                self.look_up(tags.contains(&tag));
                // Where the dictionary lacks the tag, that is its fault, not the tagger's.
                if tags.len() > 1 && tags.contains(&tag) {
                    self.among.push(guess);
                }
            }
        }
    }

    fn look_up(&mut self, is_right: bool) {
        self.n_listed += 1;
        self.n_right += usize::from(is_right);
    }

    pub(super) fn append(&mut self, mut other: Judged) {
        self.free.append(&mut other.free);
        self.among.append(&mut other.among);
        self.n_listed += other.n_listed;
        self.n_right += other.n_right;
    }

    /// Forgets how often the dictionary was right, where it was asked about its own words.
    pub(super) fn without_lookups(self) -> Judged {
        Judged { n_listed: 0, n_right: 0, ..self }
    }

    /// The words that were asked about.
    pub(super) fn n_words(&self) -> usize {
        self.free.len() + self.among.len()
    }

    /// The corrections that make what was said most probable.
    pub(super) fn certainty(&self, basis: Basis) -> Certainty {
        let fit = |guesses: &[Guess]| (guesses.len() >= FEWEST).then(|| Confidence::fit(guesses));
        let (free, among) = (fit(&self.free), fit(&self.among));
        if free.is_none() && among.is_none() {
            return Certainty::default();
        }
        let listed = (self.n_right as f64 + PRIOR * LISTED) / (self.n_listed as f64 + PRIOR);
        Certainty { basis, n_words: self.n_words(), free, among, listed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_that_the_dictionary_lacks_is_no_fault_of_the_tagger() {
        let (mut judged, choice) = (Judged::default(), Choice::Among([0, 1].into()));
        judged.add(&choice, &[0.7, 0.3, 0.0], 2);
        assert_eq!((judged.among.len(), judged.n_listed, judged.n_right), (0, 1, 0));
        judged.add(&choice, &[0.7, 0.3, 0.0], 0);
        assert_eq!((judged.among.len(), judged.n_listed, judged.n_right), (1, 2, 1));
    }
}
