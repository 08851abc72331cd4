//! Rehearsals of taggers that learn from a dictionary.

use chain::Workers;
use tree::Text;

use super::judged::Judged;
use super::sentences::split;
use super::stand_ins::{Masks, PARTS};
use super::{Basis, Certainty};
use crate::crf::Further;
use crate::pipeline::{Options, Supervision, TrainedPipeline, train};
use crate::{Choice, Tagged};

/// Tags of sentences that suffice to ask about these.
const KNOWN: usize = 200;
/// Words of each sort that suffice.
const ENOUGH: usize = 3000;

/// How often the tags of a tagger are right that learned from a dictionary and has tagged the text itself.
///
/// If there are tagged sentences, taggers of the other sentences are asked about a part of them. Otherwise they are asked
/// about words of the dictionary with one tag: rare ones, which are hidden as if they were not in the dictionary, and others that
/// are written alike, as if they were one word with several tags. A part of the text is kept from them too, and there they are
/// asked.
pub fn of_dictionary(
    supervision: &Supervision,
    auto_tagged: &[Tagged],
    further: Further<'_>,
    options: &Options,
    workers: &Workers,
) -> Certainty {
    let known = supervision.tagged.iter().flat_map(|sentence| &sentence.choices);
    let by_sentences = known.filter(|choice| matches!(choice, Choice::Known(_))).count() >= KNOWN;
    let masks = if by_sentences { Masks::default() } else { Masks::new(supervision, auto_tagged) };
    let mut judged = Judged::default();
    for part in 0..PARTS {
        let rehearsal = Rehearsal::new(supervision, &masks, part);
        // A part without which nothing is known cannot be held out.
        if let Ok(trained) = train(&rehearsal.learned, further, options, workers) {
            judged.append(rehearsal.ask(&trained, further, workers));
        }
        if judged.free.len() >= ENOUGH && judged.among.len() >= ENOUGH {
            break;
        }
    }
    match by_sentences {
        true => judged.certainty(Basis::Sentences),
        false => judged.without_lookups().certainty(Basis::Dictionary),
    }
}

/// What a tagger may learn from, and what it is asked about.
struct Rehearsal {
    learned: Supervision,
    asked: Vec<(Vec<Text>, Vec<Option<u32>>)>,
}

impl Rehearsal {
    fn new(supervision: &Supervision, masks: &Masks, part: usize) -> Rehearsal {
        let (asked, tagged) = split(&supervision.tagged, part);
        let (text, raw) = split(&supervision.raw, part);
        let of_tagged = asked.into_iter().map(|sentence| {
            let known = |choice: &Choice| match choice {
                Choice::Known(tag) => Some(*tag),
                _ => None,
            };
            let tags = sentence.choices.iter().map(known).collect();
            (sentence.words, tags)
        });
        let of_raw = text.into_iter().map(|words| {
            let tags = words.iter().map(|word| masks.tag(word, part)).collect();
            (masks.written(&words, part), tags)
        });
        let raw = raw.iter().map(|words| masks.written(words, part)).collect();
        let dictionary = masks.dictionary(&supervision.dictionary, part);
        let asked = match masks.is_empty() {
            true => of_tagged.collect(),
            false => of_raw.collect(),
        };
        Rehearsal { learned: Supervision { dictionary, tagged, raw }, asked }
    }

    fn ask(&self, trained: &TrainedPipeline, further: Further<'_>, workers: &Workers) -> Judged {
        let n_tags = self.learned.dictionary.tags().len();
        let each = workers.map(&self.asked, |_, (words, tags)| {
            let mut judged = Judged::default();
            if tags.iter().all(Option::is_none) {
                return judged;
            }
            for ((word, row), tag) in words.iter().zip(trained.posteriors(words, further)).zip(tags) {
                let Some(tag) = tag else { continue };
                let mut dense = vec![0.0; n_tags];
                row.iter().for_each(|&(tag, p)| dense[tag as usize] = p);
                judged.add(&trained.choice(word), &dense, *tag);
            }
            judged
        });
        each.into_iter().fold(Judged::default(), |mut all, judged| {
            all.append(judged);
            all
        })
    }
}
