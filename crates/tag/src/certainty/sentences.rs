//! Rehearsals with tagged sentences.

use std::cell::Cell;
use std::ops::ControlFlow;

use chain::Workers;

use super::judged::Judged;
use super::{Basis, Certainty};
use crate::crf::{Crf, CrfOptions, Decoders, Epoch, Further, Material};
use crate::{Choice, Tagged};

/// Sentences are held out in so many parts.
const PARTS: usize = 5;
/// Words that suffice: the parts that are left are not held out.
const ENOUGH: usize = 5000;
/// Held-out sentences with so many tags make a rehearsal superfluous.
const HELD_OUT: usize = 500;

/// How often the tags of a tagger are right that learned from tagged sentences.
///
/// If it had other sentences held out, these are asked about. Otherwise a fifth of its sentences is tagged by a tagger that
/// learned from the others, and then other fifths, until about 5,000 words were asked about.
pub fn of_sentences(
    crf: &Crf,
    material: Material<'_>,
    further: Further<'_>,
    options: &CrfOptions,
    workers: &Workers,
) -> Certainty {
    let watch = &mut |_: &Epoch| ControlFlow::Continue(());
    of_sentences_watched(crf, material, further, options, workers, watch).unwrap_or_default()
}

/// Like [`of_sentences`]; `watch` sees every epoch of the taggers that learn for it, and may end the rehearsal: then there is
/// nothing.
pub fn of_sentences_watched(
    crf: &Crf,
    material: Material<'_>,
    further: Further<'_>,
    options: &CrfOptions,
    workers: &Workers,
    watch: &mut dyn FnMut(&Epoch) -> ControlFlow<()>,
) -> Option<Certainty> {
    let held_out = judge(crf, material.held_out, further, workers);
    if held_out.n_words() >= HELD_OUT {
        return Some(held_out.certainty(Basis::Sentences));
    }
    let mut judged = Judged::default();
    let is_ended = Cell::new(false);
    let mut watch = |epoch: &Epoch| watch(epoch).map_break(|()| is_ended.set(true));
    for part in 0..PARTS.min(material.sentences.len()) {
        let (asked, learned) = split(material.sentences, part);
        let material = Material { sentences: &learned, held_out: &[], ..material };
        // A part without which nothing is known cannot be held out.
        let other = Crf::train_watched(material, further, options, workers, &mut watch);
        if is_ended.get() {
            return None;
        }
        if let Ok(other) = other {
            judged.append(judge(&other, &asked, further, workers));
        }
        if judged.n_words() >= ENOUGH {
            break;
        }
    }
    Some(judged.certainty(Basis::Sentences))
}

/// Every fifth sentence, and the others.
pub(super) fn split<T: Clone>(sentences: &[T], part: usize) -> (Vec<T>, Vec<T>) {
    let numbered = || sentences.iter().enumerate();
    let is_asked = |at: usize| at % PARTS == part;
    let asked = numbered().filter(|(at, _)| is_asked(*at)).map(|(_, sentence)| sentence.clone()).collect();
    (asked, numbered().filter(|(at, _)| !is_asked(*at)).map(|(_, sentence)| sentence.clone()).collect())
}

fn judge(crf: &Crf, sentences: &[Tagged], further: Further<'_>, workers: &Workers) -> Judged {
    let each = Decoders::new(crf, further, workers).map(sentences, workers, |decoder, sentence| {
        let mut judged = Judged::default();
        let posteriors = decoder.posteriors(&sentence.words, &[]);
        for (word, choice) in sentence.choices.iter().enumerate() {
            if let Choice::Known(tag) = choice {
                judged.add(&Choice::Any, posteriors.of(word), *tag);
            }
        }
        judged
    });
    each.into_iter().fold(Judged::default(), |mut all, judged| {
        all.append(judged);
        all
    })
}
