//! The tagger that a parser takes along.

use crate::use_cases::tag::forms::Forms;
use dependency::TagColumn;
use serde::{Deserialize, Serialize};
use tag::crf::{Crf, Decoder, NOTHING_FURTHER};
use tag::{Certainty, Choice, TagSet};
use tree::sentence::UNSPECIFIED;
use tree::{Sentence, Token};

/// A tagger as `treelet tag train` makes it of tagged sentences.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct OwnTagger {
    /// The column that it fills.
    pub(crate) column: TagColumn,
    pub(crate) crf: Crf,
    /// How sure tags are.
    pub(crate) certainty: Certainty,
}

impl OwnTagger {
    /// The tags it knows.
    pub(crate) fn tags(&self) -> &TagSet {
        self.crf.tags()
    }

    /// Whether it is known how often its tags are right.
    pub(crate) fn is_calibrated(&self) -> bool {
        self.certainty.is_calibrated()
    }

    /// Fills an empty column of tags from the other one where most of those tags are known, and says for which words.
    pub(crate) fn borrow(&self, sentence: &mut Sentence) -> Vec<bool> {
        let (column, other) = (self.column, self.column.other());
        let is_empty = sentence.words().all(|word| *column.of(word) == UNSPECIFIED);
        let n_known = sentence.words().filter(|word| self.tags().number(other.of(word)).is_some()).count();
        let borrows = is_empty && 2 * n_known > sentence.n_words();
        let borrow = |word: &mut Token| {
            let tag = other.of(word).clone();
            let is_borrowed = borrows && tag != UNSPECIFIED;
            if is_borrowed {
                *column.of_mut(word) = tag;
            }
            is_borrowed
        };
        sentence.words_mut().map(borrow).collect()
    }

    /// The tagger at work.
    pub(crate) fn tagging(&self) -> SentenceTagger<'_> {
        SentenceTagger { tagger: self, decoder: self.crf.decoder(NOTHING_FURTHER), forms: Forms::default() }
    }
}

/// A tagger at work, in one thread. It remembers the words it has met.
pub(crate) struct SentenceTagger<'t> {
    tagger: &'t OwnTagger,
    decoder: Decoder<'t>,
    forms: Forms,
}

impl SentenceTagger<'_> {
    /// Gives a tag to every word without one, or to every word; says how probable the tags are that it gave. Tags that stay
    /// tell of those beside them.
    pub(crate) fn tag(&mut self, sentence: &mut Sentence, all: bool) -> Vec<Option<f64>> {
        let OwnTagger { column, crf, certainty } = self.tagger;
        let is_asked = |token: &Token| all || *column.of(token) == UNSPECIFIED;
        if !sentence.words().any(is_asked) {
            return vec![None; sentence.n_words()];
        }
        let stays = |token: &Token| crf.tags().number(column.of(token)).filter(|_| !is_asked(token));
        let choices: Vec<Choice> =
            sentence.words().map(|token| stays(token).map_or(Choice::Any, Choice::Known)).collect();
        let posteriors = self.decoder.posteriors(&self.forms.of(sentence), &choices);
        let tag = |(word, token): (usize, &mut Token)| {
            let best = is_asked(token).then(|| posteriors.best(word).0)?;
            let mut row = posteriors.of(word).to_vec();
            certainty.correct(&Choice::Any, &mut row);
            *column.of_mut(token) = crf.tags().name(best).clone();
            Some(row[best as usize].min(1.0))
        };
        sentence.words_mut().enumerate().map(tag).collect()
    }
}
