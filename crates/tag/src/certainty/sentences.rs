//! Rehearsals with tagged sentences.

use chain::Workers;

use super::judged::Judged;
use super::{Basis, Certainty};
use crate::crf::{Crf, CrfOptions, Decoders, Further, Material};
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
    let held_out = judge(crf, material.held_out, further, workers);
    if held_out.n_words() >= HELD_OUT {
        return held_out.certainty(Basis::Sentences);
    }
    let mut judged = Judged::default();
    for part in 0..PARTS.min(material.sentences.len()) {
        let (asked, learned) = split(material.sentences, part);
        let material = Material { sentences: &learned, held_out: &[], ..material };
        // A part without which nothing is known cannot be held out.
        if let Ok(crf) = Crf::train(material, further, options, workers) {
            judged.append(judge(&crf, &asked, further, workers));
        }
        if judged.n_words() >= ENOUGH {
            break;
        }
    }
    judged.certainty(Basis::Sentences)
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
