//! Whose sentences are whose, how far they are, and which is next.

use super::Fault;
use super::desk::{Desk, Inner, MERGED, OnDesk, Overview};
use super::pace::Pace;
use super::store::AnalysisKey;
use super::view::tag;
use annotation::{Analysis, WordOrBlock};
use num::streams::Stream;
use serde::{Deserialize, Serialize};
use std::fmt;
use study::select::{Batch, Census};
use tree::{Sentence, Text};

/// Sentences that are looked at for what is gained by them.
const MOST_LOOKED_AT: usize = 200;

/// Sentences that belong to one annotator, or to all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Section {
    /// What it is called.
    pub name: String,
    /// Its number; 0 is common to all.
    pub number: i64,
    /// How many sentences it has.
    pub n_sentences: usize,
    /// Whether everybody annotates it.
    pub common: bool,
}

/// In which order sentences come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum QueueOrder {
    /// By what is learned from them in a second of work.
    #[default]
    Gain,
    /// As they stand in the file.
    Order,
    /// By chance, for studies.
    Random,
    /// Those that annotators disagree on.
    Disagreement,
}

/// Which sentences are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ShowOnly {
    /// All.
    #[default]
    All,
    /// Neither handed in nor left out.
    Open,
    /// Handed in.
    Submitted,
    /// Left out.
    Skipped,
    /// With a word that somebody is not sure of.
    Unsure,
    /// With remarks.
    Commented,
}

/// What is next.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Next {
    /// The sentence; nothing if none is left.
    pub id: Option<i64>,
    /// Why, in English.
    pub why: String,
    /// Why, for a door that has words of its own.
    pub because: NextBecause,
}

/// Why a sentence is next.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum NextBecause {
    /// All are done.
    AllDone,
    /// The order of the file.
    InOrder,
    /// Chance.
    ByChance,
    /// There is no model that could say more than the order of the file.
    NoModel,
    /// Nobody has disagreed, which leaves the order of the file.
    NobodyDisagrees,
    /// Its answers help most.
    Gain {
        /// How unsure the machine is of it.
        nats: f64,
        /// How many words it has.
        words: usize,
        /// What of that is new, for each second of work.
        rate: f64,
    },
    /// Annotators disagree.
    Disagreement {
        /// On how many words.
        words: usize,
    },
}

impl Next {
    fn new(id: Option<i64>, because: NextBecause) -> Self {
        Self { id, why: because.to_string(), because }
    }
}

impl fmt::Display for NextBecause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AllDone => f.write_str("every sentence is handed in or left out"),
            Self::InOrder => f.write_str("the next one in the file"),
            Self::ByChance => f.write_str("drawn by chance"),
            Self::NoModel => {
                f.write_str("the next one in the file; there is no model yet that could say more")
            }
            Self::NobodyDisagrees => f.write_str("the next one in the file; nobody has disagreed yet"),
            Self::Gain { nats, words, rate } => write!(
                f,
                "the machine is least sure here, for the time it takes and the answers it has: {nats:.1} nats in {words} words, \
                 {rate:.3} new ones a second"
            ),
            Self::Disagreement { words } => write!(f, "annotators disagree on {words} of its words"),
        }
    }
}

/// A page of a list of sentences.
#[derive(Clone, Debug, Serialize)]
pub struct SentenceRows {
    /// How many there are in all.
    pub total: usize,
    /// Those of this page.
    pub sentences: Vec<SentenceRow>,
}

/// A line of such a list.
#[derive(Clone, Debug, Serialize)]
pub struct SentenceRow {
    /// Its number in the project.
    pub id: i64,
    /// Its place.
    pub place: i64,
    /// What its file calls it.
    pub sent_id: Option<String>,
    /// Its words.
    pub text: String,
    /// How many.
    pub n_words: usize,
    /// How many heads were said.
    pub n_heads: usize,
    /// Whether it was handed in.
    pub submitted: bool,
    /// Whether it was left out.
    pub skipped: bool,
    /// Whether there is a word that somebody is not sure of.
    pub unsure: bool,
    /// Whether there are remarks.
    pub commented: bool,
    /// The stage.
    pub stage: u8,
}

impl Desk {
    /// The project as an annotator sees it first.
    pub fn overview(&self, annotator: i64) -> Result<Overview, Fault> {
        let annotator = self.annotator(annotator)?;
        let (model, model_file) = (self.model(), self.model_file()?);
        let mut inner = self.lock();
        let mine = inner.mine(annotator.id)?;
        let (mut n_submitted, mut n_skipped, mut n_words) = (0, 0, 0);
        for id in &mine {
            let work = inner.history(AnalysisKey { sentence: *id, annotator: annotator.id, slot: 0 })?.work();
            n_submitted += usize::from(work.submitted);
            n_skipped += usize::from(work.skipped);
            if !work.submitted && !work.skipped {
                n_words += inner.find(*id)?.sentence.n_words();
            }
        }
        let pace = inner.pace()?;
        let blind = inner.settings.blind;
        let annotators = inner.project.annotators()?.into_iter();
        let annotators = annotators
            .filter(|one| one.id != MERGED && (!blind || one.id == annotator.id || annotator.id == 1));
        let name = inner.project.path().file_stem().map(|name| name.to_string_lossy().into_owned());
        Ok(Overview {
            id: inner.project.meta("id")?.unwrap_or_default(),
            name: inner.project.meta("name")?.or(name).unwrap_or_default(),
            is_new: annotator.name.is_empty(),
            settings: inner.settings.clone(),
            n_sentences: mine.len(),
            n_submitted,
            n_skipped,
            sections: inner.sections(),
            model,
            model_file,
            pace,
            seconds_left: pace.seconds_for(n_words),
            demo: inner.project.meta("demo")?.is_some(),
            direction: inner.direction(),
            annotators: annotators.collect(),
            annotator,
        })
    }

    /// A page of the list of sentences.
    pub fn sentences(
        &self,
        annotator: i64,
        only: ShowOnly,
        from: usize,
        n: usize,
    ) -> Result<SentenceRows, Fault> {
        let mut inner = self.lock();
        let mut rows = Vec::new();
        for (place, id) in (1..).zip(inner.mine(annotator)?) {
            let row = SentenceRow { place, ..inner.row(id, annotator)? };
            if is_shown(&row, only) {
                rows.push(row);
            }
        }
        Ok(SentenceRows { total: rows.len(), sentences: rows.into_iter().skip(from).take(n).collect() })
    }

    /// Which sentence is next, and why.
    pub fn next(&self, annotator: i64, order: QueueOrder, after: Option<i64>) -> Result<Next, Fault> {
        let (open, is_blind) = {
            let mut inner = self.lock();
            (inner.open(annotator, after)?, inner.settings.blind && annotator != 1)
        };
        // What others disagree on is not for those who are not to see it.
        let order = if is_blind && order == QueueOrder::Disagreement { QueueOrder::Order } else { order };
        let Some(&first) = open.first() else {
            return Ok(Next::new(None, NextBecause::AllDone));
        };
        Ok(match order {
            QueueOrder::Order => Next::new(Some(first), NextBecause::InOrder),
            QueueOrder::Random => {
                let mut rng = Stream::new(annotator as u64).purpose("queue").item(open.len()).rng();
                let drawn = num::dist::categorical(&mut rng, &vec![1.0; open.len()]).unwrap_or(0);
                Next::new(Some(open[drawn]), NextBecause::ByChance)
            }
            QueueOrder::Gain => {
                self.most_gained(annotator, &open)?.unwrap_or(Next::new(Some(first), NextBecause::NoModel))
            }
            QueueOrder::Disagreement => {
                self.most_disputed(&open)?.unwrap_or(Next::new(Some(first), NextBecause::NobodyDisagrees))
            }
        })
    }

    /// What a sentence adds to what is known, for a second of work: the uncertainty of its words, of which one counts the less the more
    /// words of its kind have an answer already. Without that long sentences came first, whose words tell the same again and again.
    fn most_gained(&self, annotator: i64, open: &[i64]) -> Result<Option<Next>, Fault> {
        let Some(suggester) = self.suggester() else { return Ok(None) };
        let (mut census, mut answered) = (Census::default(), Batch::default());
        let (pace, suggests, looked_at): (Pace, bool, Vec<(OnDesk, Analysis)>) = {
            let mut inner = self.lock();
            let lessons = inner.lessons()?;
            // What she has begun is still to be done, and is no answer yet.
            let is_done = |one: &OnDesk, said: &Analysis| !said.is_empty() && !open.contains(&one.id);
            for (one, (sentence, said)) in
                inner.sentences.iter().zip(&lessons).filter(|(one, (_, said))| is_done(one, said))
            {
                let counted = census.count(forms(sentence), &tags(sentence, said));
                let has_head = |&word: &usize| said.head(WordOrBlock::Word(word as u32)).is_some();
                let known = (1..=one.sentence.n_words()).filter(has_head);
                answered.add(&counted.traits(known.map(|word| (word, 0.0))));
            }
            let step = open.len().div_ceil(MOST_LOOKED_AT).max(1);
            let chosen: Vec<i64> = open.iter().copied().step_by(step).collect();
            let mut found = Vec::with_capacity(chosen.len());
            for id in chosen {
                let said =
                    inner.history(AnalysisKey { sentence: id, annotator, slot: 0 })?.analysis().clone();
                found.push((inner.find(id)?.clone(), said));
            }
            (inner.pace()?, inner.settings.suggestions, found)
        };
        let mut best: Option<(f64, f64, i64, usize)> = None;
        for (on_desk, said) in &looked_at {
            let sentence = &on_desk.sentence;
            let Some(suggestions) = suggester.suggest(sentence, said) else { continue };
            let n_words = sentence.n_words();
            let counted = census.count(forms(sentence), &tags(sentence, said));
            let worth = answered.gain(
                &counted.traits((1..).zip(suggestions.ranked.iter().map(|ranked| uncertainty(ranked)))),
            );
            let wrong: f64 =
                suggestions.ranked.iter().map(|ranked| 1.0 - ranked.first().map_or(0.0, |best| best.1)).sum();
            // Whoever sees no suggestions sets all heads.
            let seconds = if suggests { pace.seconds(n_words, wrong) } else { pace.seconds_for(n_words) };
            let gain = worth / seconds.max(1.0);
            if best.is_none_or(|(most, ..)| gain > most) {
                best = Some((gain, suggestions.entropy, on_desk.id, n_words));
            }
        }
        Ok(best.map(|(rate, nats, id, words)| Next::new(Some(id), NextBecause::Gain { nats, words, rate })))
    }

    fn most_disputed(&self, open: &[i64]) -> Result<Option<Next>, Fault> {
        let mut inner = self.lock();
        let mut best: Option<(usize, i64)> = None;
        for &id in open {
            let n = inner.different_words(id)?.len();
            if n > 0 && best.is_none_or(|(most, _)| n > most) {
                best = Some((n, id));
            }
        }
        Ok(best.map(|(words, id)| Next::new(Some(id), NextBecause::Disagreement { words })))
    }
}

impl Inner {
    /// The sentences of an annotator: her section and what is common to all.
    pub(super) fn mine(&self, annotator: i64) -> Result<Vec<i64>, Fault> {
        let found = self.project.annotators()?.into_iter().find(|one| one.id == annotator);
        let section = found.map_or(0, |annotator| annotator.section);
        let is_mine = |one: &&OnDesk| section == 0 || one.section == 0 || one.section == section;
        Ok(self.sentences.iter().filter(is_mine).map(|one| one.id).collect())
    }

    /// Those of them that are not done, beginning behind a sentence.
    fn open(&mut self, annotator: i64, after: Option<i64>) -> Result<Vec<i64>, Fault> {
        let mut mine = self.mine(annotator)?;
        if let Some(at) = after.and_then(|after| mine.iter().position(|&id| id == after)) {
            mine.rotate_left(at + 1);
            // The one that she comes from is last.
        }
        let mut open = Vec::new();
        for id in mine {
            let work = self.history(AnalysisKey { sentence: id, annotator, slot: 0 })?.work();
            if !work.submitted && !work.skipped {
                open.push(id);
            }
        }
        Ok(open)
    }

    fn row(&mut self, id: i64, annotator: i64) -> Result<SentenceRow, Fault> {
        let on_desk = self.find(id)?.clone();
        let history = self.history(AnalysisKey { sentence: id, annotator, slot: 0 })?;
        let (said, work) = (history.analysis(), history.work());
        let n_words = on_desk.sentence.n_words();
        let words = || 1..=n_words as u32;
        Ok(SentenceRow {
            id,
            place: on_desk.place,
            sent_id: on_desk.sentence.id().map(str::to_string),
            text: on_desk.sentence.detokenised(),
            n_words,
            n_heads: words().filter(|&word| said.head(WordOrBlock::Word(word)).is_some()).count(),
            submitted: work.submitted,
            skipped: work.skipped,
            unsure: words().any(|word| said.is_unsure(word)),
            commented: !said.comments().is_empty(),
            stage: work.stage,
        })
    }

    fn sections(&self) -> Vec<Section> {
        let mut numbers: Vec<i64> = self.sentences.iter().map(|one| one.section).collect();
        numbers.sort_unstable();
        numbers.dedup();
        if numbers.len() < 2 {
            return Vec::new();
        }
        let section = |number: i64| Section {
            name: if number == 0 { "common".into() } else { number.to_string() },
            number,
            n_sentences: self.sentences.iter().filter(|one| one.section == number).count(),
            common: number == 0,
        };
        numbers.into_iter().map(section).collect()
    }

    fn direction(&self) -> &'static str {
        let is_rtl = |one: &&OnDesk| {
            let forms: Vec<&str> = one.sentence.words().map(|word| word.form.as_str()).collect();
            draw::is_rtl(&forms)
        };
        let n_rtl = self.sentences.iter().take(50).filter(is_rtl).count();
        if 2 * n_rtl > self.sentences.len().min(50) { "rtl" } else { "ltr" }
    }
}

fn forms(sentence: &Sentence) -> impl Iterator<Item = &str> {
    sentence.words().map(|word| word.form.as_str())
}

/// The tags that the page shows.
fn tags(sentence: &Sentence, said: &Analysis) -> Vec<Text> {
    (1..).zip(sentence.words()).map(|(n, token)| tag(said, n, token).0.into()).collect()
}

/// How uncertain a head is, in nats.
fn uncertainty(ranked: &[(usize, f64)]) -> f64 {
    ranked.iter().map(|&(_, p)| if p > 0.0 { -p * p.ln() } else { 0.0 }).sum()
}

fn is_shown(row: &SentenceRow, only: ShowOnly) -> bool {
    match only {
        ShowOnly::All => true,
        ShowOnly::Open => !row.submitted && !row.skipped,
        ShowOnly::Submitted => row.submitted,
        ShowOnly::Skipped => row.skipped,
        ShowOnly::Unsure => row.unsure,
        ShowOnly::Commented => row.commented,
    }
}
