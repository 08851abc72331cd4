//! What takes long to count, kept as long as nothing changes.

use crate::committed::Committed;
use crate::project::desk::Desk;
use crate::project::voices::{SaidOf, Voice, Voices};
use crate::use_cases::agree::columns::Layer;
use crate::use_cases::agree::pairs::SentencePair;
use score::agreement::definite_heads;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use tree::Text;
use tree::provenance::Column;

/// KnownFigures that were counted, by the sentence, the annotators, and the versions they were counted of.
#[derive(Debug, Default)]
pub(crate) struct KnownFigures {
    of_voices: BTreeMap<(i64, i64), (u64, Arc<OfVoice>)>,
    of_pairs: BTreeMap<(i64, i64, i64), ([u64; 2], SentencePair)>,
}

/// What one annotator said of a sentence.
#[derive(Debug)]
pub(super) struct OfVoice {
    /// How far it narrows down the trees of the sentence.
    pub(super) committed: Option<Committed>,
    /// The heads that are certain.
    pub(super) heads: Vec<Option<usize>>,
    /// What is compared beyond chance: heads as distances, relations, and tags that she set herself.
    pub(super) labels: [Vec<Option<String>>; 3],
}

/// All figures of all sentences.
pub(super) struct Compared {
    pub(super) sentences: Vec<OfSentence>,
    /// The tags of every sentence: for each word the one that most annotators have.
    pub(super) tags: Vec<Vec<Text>>,
}

/// The figures of a sentence.
pub(super) struct OfSentence {
    /// In the order of the voices.
    pub(super) of_voices: Vec<Arc<OfVoice>>,
    /// By places in that list, the smaller first.
    pub(super) of_pairs: BTreeMap<(usize, usize), SentencePair>,
}

impl Desk {
    /// Counts what has changed since it was counted last; nobody who works has to wait for that.
    pub(super) fn compared(&self, voices: &Voices) -> Compared {
        let people = voices.as_people();
        Compared {
            sentences: voices.sentences.iter().map(|of| self.figures_of(voices, of)).collect(),
            tags: (0..voices.sentences.len()).map(|place| people.tags(place)).collect(),
        }
    }

    fn figures_of(&self, voices: &Voices, of: &SaidOf) -> OfSentence {
        let id = |voice: &Voice| voices.people[voice.who].id;
        let of_voices = of.voices.iter().map(|voice| {
            let key = (of.id, id(voice));
            let known = self.figures().of_voices.get(&key).cloned();
            match known.filter(|(version, _)| *version == voice.version) {
                Some((_, figures)) => figures,
                None => {
                    let figures = Arc::new(OfVoice::new(voice));
                    self.figures().of_voices.insert(key, (voice.version, figures.clone()));
                    figures
                }
            }
        });
        let of_voices = of_voices.collect();
        let mut of_pairs = BTreeMap::new();
        for (at, one) in of.voices.iter().enumerate() {
            for (behind, other) in of.voices.iter().enumerate().skip(at + 1) {
                let (key, versions) = ((of.id, id(one), id(other)), [one.version, other.version]);
                let known = self.figures().of_pairs.get(&key).copied();
                let pair = match known.filter(|(known, _)| *known == versions) {
                    Some((_, pair)) => pair,
                    None => {
                        let pair = SentencePair::new(&one.annotated.said, &other.annotated.said);
                        self.figures().of_pairs.insert(key, (versions, pair));
                        pair
                    }
                };
                of_pairs.insert((at, behind), pair);
            }
        }
        OfSentence { of_voices, of_pairs }
    }

    fn figures(&self) -> std::sync::MutexGuard<'_, KnownFigures> {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OfVoice {
    fn new(voice: &Voice) -> Self {
        let annotated = &voice.annotated;
        let relations = Layer::Of("relations", Column::Deprel);
        let words = 1..=voice.analysis.tokens().len() as u32;
        let tags = words.map(|word| voice.analysis.tag(word).map(Text::to_string));
        Self {
            committed: Committed::of(&annotated.said),
            heads: definite_heads(&annotated.said),
            labels: [
                Layer::Heads.labels(annotated, false),
                relations.labels(annotated, false),
                tags.collect(),
            ],
        }
    }
}
