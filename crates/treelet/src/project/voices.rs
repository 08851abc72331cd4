//! Who said what of which sentence, and when.

use super::desk::{Desk, Inner, MERGED};
use super::export::rows_of;
use super::store::AnalysisKey;
use super::{Annotator, Fault};
use crate::imputation::annotated::AnnotatedSentence;
use crate::use_cases::agree::people::People;
use annotation::Analysis;
use std::collections::BTreeMap;
use study::working_time::{WorkPiece, WorkingTime};
use tree::PutInOrder;
use tree::Text;

/// Everything that annotators said, each by themselves.
pub(super) struct Voices {
    pub(super) people: Vec<Annotator>,
    /// In the order of the project; those of which nobody has said anything are left out.
    pub(super) sentences: Vec<SaidOf>,
    /// The work of each annotator.
    pub(super) times: Vec<WorkingTime>,
}

/// What annotators said of a sentence, in their order.
pub(super) struct SaidOf {
    pub(super) id: i64,
    pub(super) forms: Vec<Text>,
    pub(super) voices: Vec<Voice>,
}

/// What one annotator said of it.
pub(super) struct Voice {
    /// Who, counted from 0.
    pub(super) who: usize,
    /// How many events have changed it.
    pub(super) version: u64,
    pub(super) analysis: Analysis,
    /// The same as rows, as they are written out.
    pub(super) annotated: AnnotatedSentence,
    /// When it was changed last.
    pub(super) changed_at: Option<i64>,
}

impl Desk {
    /// What everybody said. Others can go on working while it is gathered.
    pub(super) fn everybody(&self) -> Result<Voices, Fault> {
        let (people, ids, keys) = {
            let inner = self.lock();
            let people = inner.project.annotators()?.into_iter().filter(|one| one.id != MERGED);
            let ids: Vec<i64> = inner.sentences.iter().map(|one| one.id).collect();
            (people.collect::<Vec<Annotator>>(), ids, inner.project.keys()?)
        };
        let who = |key: &AnalysisKey| people.iter().position(|one| one.id == key.annotator);
        let mut pieces: Vec<Vec<WorkPiece>> = vec![Vec::new(); people.len()];
        let mut voices: BTreeMap<i64, Vec<Voice>> = BTreeMap::new();
        for key in keys {
            let Some(who) = who(&key) else { continue };
            let mut inner = self.lock();
            let history = inner.history(key)?;
            pieces[who].extend(history.stretches().iter().map(|stretch| WorkPiece {
                until: stretch.until,
                seconds: stretch.seconds,
                sentence: key.sentence,
            }));
            if let Some(voice) = inner.voice(key, who)? {
                voices.entry(key.sentence).or_default().push(voice);
            }
        }
        let mut sentences = Vec::new();
        for id in ids {
            let Some(mut voices) = voices.remove(&id) else { continue };
            voices.order_by_key(|voice| voice.who);
            let forms = voices[0].analysis.tokens().to_vec();
            sentences.push(SaidOf { id, forms, voices });
        }
        Ok(Voices { people, sentences, times: pieces.into_iter().map(WorkingTime::new).collect() })
    }
}

impl Inner {
    /// An analysis of an annotator's, if it is the one that counts and anything was said in it: a sentence that was only looked at, or only
    /// skipped, was not annotated.
    fn voice(&mut self, key: AnalysisKey, who: usize) -> Result<Option<Voice>, Fault> {
        if !self.has_spoken(key)? {
            return Ok(None);
        }
        let history = self.history(key)?;
        let (version, changed_at) = (history.version(), history.changed_at());
        let (analysis, seconds) = (history.analysis().clone(), history.work().seconds);
        let rows = rows_of(&self.find(key.sentence)?.sentence, &analysis);
        let annotated = AnnotatedSentence {
            said: analysis.said(),
            seconds: Some(seconds),
            ..AnnotatedSentence::unannotated(rows, 0)
        };
        Ok(Some(Voice { who, version, analysis, annotated, changed_at }))
    }

    /// Whether an annotator handed a sentence in or said something of it that its file does not say.
    pub(super) fn has_spoken(&mut self, key: AnalysisKey) -> Result<bool, Fault> {
        if key.slot != 0 || key.annotator == MERGED {
            return Ok(false);
        }
        let start = self.find(key.sentence)?.start.clone();
        let history = self.history(key)?;
        Ok(history.work().submitted || (history.version() > 0 && *history.analysis() != start))
    }
}

impl Voices {
    /// The same as `treelet agree` has it.
    pub(super) fn as_people(&self) -> People<'_> {
        let names = self.people.iter().map(called).collect();
        let annotations = self
            .sentences
            .iter()
            .map(|of| of.voices.iter().map(|voice| (voice.who, &voice.annotated)).collect());
        People::of(names, annotations.collect())
    }
}

/// What an annotator is called.
pub(super) fn called(annotator: &Annotator) -> String {
    match annotator.name.is_empty() {
        true => format!("annotator {}", annotator.id),
        false => annotator.name.clone(),
    }
}
