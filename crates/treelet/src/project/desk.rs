//! An open project, as doors use it.

use super::bring::start;
use super::compare::KnownFigures;
use super::model::{Learned, ModelChoice};
use super::pace::Pace;
use super::queue::Section;
use super::store::{AnalysisKey, Project, StoredEvent};
use super::suggest::{Studies, Suggester};
use super::view::{Moment, Shown, View, moment};
use super::{Annotator, Fault};
use crate::watch::Watch;
use annotation::{Analysis, Event, History};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use study::timing::Timed;
use tree::Sentence;

/// The annotator in whose name analyses are made one.
pub(crate) const MERGED: i64 = 0;
/// The longest name of a window.
const LONGEST_TAB: usize = 64;
/// The most events at a time.
const MOST_EVENTS: usize = 2_000;
/// Constructions that are counted where nobody says which, in tags of Universal Dependencies.
const CONSTRUCTIONS: &str = "determiner–noun: DET > NOUN|PROPN\nauxiliary–verb: AUX > VERB\n";
/// An annotator keeps two analyses of a sentence.
const SLOTS: std::ops::Range<i64> = 0..2;

/// An open project: shows sentences, takes down events, suggests, and says what is next.
///
/// All methods can be called from several threads. What was said is written one after the other; suggestions are made beside it.
#[derive(Debug)]
pub struct Desk {
    pub(super) inner: Mutex<Inner>,
    suggester: RwLock<Option<Arc<Suggester>>>,
    pub(super) figures: Mutex<KnownFigures>,
    stop: Arc<AtomicBool>,
}

/// What lies on the desk.
#[derive(Debug)]
pub(super) struct Inner {
    pub(super) project: Project,
    pub(super) sentences: Vec<OnDesk>,
    at: HashMap<i64, usize>,
    histories: HashMap<AnalysisKey, History>,
    /// What sentences took that were handed in, and the versions of which that is so.
    pub(super) timed: HashMap<AnalysisKey, (u64, Timed<3>)>,
    pub(super) settings: Settings,
}

/// A sentence on the desk.
#[derive(Clone, Debug)]
pub(super) struct OnDesk {
    pub(super) id: i64,
    pub(super) place: i64,
    pub(super) section: i64,
    pub(super) sentence: Arc<Sentence>,
    pub(super) start: Analysis,
}

/// How a project is worked on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Whether a machine suggests heads; off for studies.
    pub suggestions: bool,
    /// Which model does.
    pub model: ModelChoice,
    /// How probable a suggestion must be to be accepted with all others.
    pub threshold: f64,
    /// Whether annotators do not see one another.
    pub blind: bool,
    /// Whether the four stages are shown.
    pub stages: bool,
    /// Whether arcs have relations.
    pub labels: bool,
    /// The relations that are offered.
    pub relations: Vec<String>,
    /// The tags that are offered.
    pub tags: Vec<String>,
    /// Constructions that are counted, as [`study::statistics::read_definitions`] reads them.
    pub constructions: String,
}

/// The project as it is shown first.
#[derive(Clone, Debug, Serialize)]
pub struct Overview {
    /// What it is known by, whatever its file is called.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Who asks.
    pub annotator: Annotator,
    /// Whether she has not said who she is.
    pub is_new: bool,
    /// How it is worked on.
    pub settings: Settings,
    /// All sentences that are hers.
    pub n_sentences: usize,
    /// Those that were handed in.
    pub n_submitted: usize,
    /// Those that were left out.
    pub n_skipped: usize,
    /// The sections, if it has any.
    pub sections: Vec<Section>,
    /// The model that suggests, if there is one.
    pub model: Option<Learned>,
    /// The name of the model file that could suggest, if the project knows one.
    pub model_file: Option<String>,
    /// How fast the project is worked on.
    pub pace: Pace,
    /// Seconds that what is left to this annotator will take at that pace.
    pub seconds_left: f64,
    /// Whether it is the tutorial.
    pub demo: bool,
    /// `rtl` where most sentences run from right to left.
    pub direction: &'static str,
    /// Who annotates, as far as that is to be seen.
    pub annotators: Vec<Annotator>,
}

/// Events from a window.
#[derive(Clone, Debug, Deserialize)]
pub struct Posted {
    /// Which of two analyses.
    #[serde(default)]
    pub slot: i64,
    /// The version that the window has seen.
    pub base: u64,
    /// The name of the window.
    pub tab: String,
    /// What happened there.
    pub events: Vec<Event>,
}

/// What a machine is to suggest.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wanted {
    heads: bool,
    relations: bool,
}

impl Settings {
    fn wanted(&self) -> Wanted {
        Wanted { heads: self.suggestions, relations: self.labels }
    }
}

impl Default for Settings {
    fn default() -> Self {
        let names = |names: &str| names.split_whitespace().map(String::from).collect();
        Self {
            suggestions: true,
            model: ModelChoice::default(),
            threshold: 0.9,
            blind: true,
            stages: true,
            labels: true,
            relations: names(
                "nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse aux cop mark nmod appos \
                 nummod acl amod det clf case conj cc fixed flat list parataxis compound orphan goeswith reparandum punct root dep",
            ),
            constructions: CONSTRUCTIONS.into(),
            tags: names("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"),
        }
    }
}

impl Desk {
    /// Lays a project on the desk.
    pub fn new(project: Project) -> Result<Self, Fault> {
        let settings = match project.meta("settings")? {
            Some(text) => serde_json::from_str(&text).map_err(anyhow::Error::from)?,
            None => Settings::default(),
        };
        let stored = project.sentences()?;
        let mut sentences = Vec::with_capacity(stored.len());
        for one in stored {
            let (sentence, start) = start(&one.rows)?;
            sentences.push(OnDesk {
                id: one.id,
                place: one.place,
                section: one.section,
                sentence: Arc::new(sentence),
                start,
            });
        }
        let at = sentences.iter().enumerate().map(|(at, one)| (one.id, at)).collect();
        let inner =
            Inner { project, sentences, at, histories: HashMap::new(), timed: HashMap::new(), settings };
        Ok(Self {
            inner: Mutex::new(inner),
            suggester: RwLock::new(None),
            figures: Mutex::default(),
            stop: Arc::default(),
        })
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The model that suggests, if there is one and it is to.
    pub(super) fn suggester(&self) -> Option<Arc<Suggester>> {
        self.suggester.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Who is let in by a token.
    pub fn annotator_of(&self, token: &str) -> Result<Option<Annotator>, Fault> {
        let found = self
            .lock()
            .project
            .annotators()?
            .into_iter()
            .find(|one| one.id != MERGED && one.has_access() && same(&one.token, token));
        Ok(found)
    }

    /// Who annotates.
    pub fn annotator(&self, id: i64) -> Result<Annotator, Fault> {
        let found = self.lock().project.annotators()?.into_iter().find(|one| one.id == id);
        found.ok_or_else(|| Fault::Missing(format!("annotator {id}")))
    }

    /// What an annotator says of herself.
    pub fn introduce(
        &self,
        id: i64,
        name: Option<String>,
        level: Option<String>,
        experience: Option<String>,
    ) -> Result<(), Fault> {
        let mut annotator = self.annotator(id)?;
        for (field, given) in [
            (&mut annotator.name, name),
            (&mut annotator.level, level),
            (&mut annotator.experience, experience),
        ] {
            if let Some(text) = given {
                *field = one_line(&text)?;
            }
        }
        self.lock().project.change_annotator(&annotator)
    }

    /// Everybody who is let in.
    pub fn people(&self) -> Result<Vec<Annotator>, Fault> {
        let people = self.lock().project.annotators()?;
        Ok(people.into_iter().filter(|one| one.id != MERGED && one.has_access()).collect())
    }

    /// How the project is worked on.
    pub fn settings(&self) -> Settings {
        self.lock().settings.clone()
    }

    /// Changes some of how it is worked on; what is not named stays.
    pub fn change_settings(
        &self,
        annotator: i64,
        changed: &serde_json::Map<String, serde_json::Value>,
    ) -> Result<(), Fault> {
        if annotator != 1 {
            return Err(Fault::NotYours("whoever opened the project says how it is worked on".into()));
        }
        let mut all = serde_json::to_value(self.settings()).map_err(anyhow::Error::from)?;
        for (name, value) in changed {
            all[name] = value.clone();
        }
        let settings = serde_json::from_value(all)
            .map_err(|error| Fault::Wrong(format!("these are no settings: {error}")))?;
        self.set_settings(settings)
    }

    /// Changes how it is worked on.
    pub fn set_settings(&self, settings: Settings) -> Result<(), Fault> {
        if !(0.0..=1.0).contains(&settings.threshold) {
            return Err(Fault::Wrong(format!("the threshold {} is not between 0 and 1", settings.threshold)));
        }
        let names = settings.relations.iter().chain(&settings.tags);
        if let Some(name) =
            names.into_iter().find(|name| name.is_empty() || name.chars().any(char::is_whitespace))
        {
            return Err(Fault::Wrong(format!("`{name}` cannot be the name of a relation or a tag")));
        }
        if settings.model == ModelChoice::File && self.model_file()?.is_none() {
            let text = "this project knows no model file; `treelet annotate PROJECT --model FILE` names one";
            return Err(Fault::Wrong(text.into()));
        }
        let (_, misread) = study::statistics::read_definitions(&settings.constructions);
        if !misread.is_empty() {
            let told = misread
                .iter()
                .map(|one| format!("line {}, column {}: {}", one.place.line, one.place.column, one.message));
            return Err(Fault::Wrong(told.collect::<Vec<String>>().join("; ")));
        }
        let text = serde_json::to_string(&settings).map_err(anyhow::Error::from)?;
        let mut inner = self.lock();
        inner.project.set_meta("settings", &text)?;
        inner.settings = settings;
        Ok(())
    }

    /// A sentence as it stands.
    pub fn view(&self, annotator: i64, sentence: i64, slot: i64) -> Result<View, Fault> {
        let key = AnalysisKey { sentence, annotator, slot };
        let (on_desk, history, wanted) = {
            let mut inner = self.lock();
            (inner.of(annotator, sentence)?, inner.history(key)?.clone(), inner.settings.wanted())
        };
        Ok(self.show(&on_desk, key, &history, wanted, false))
    }

    fn show(
        &self,
        on_desk: &OnDesk,
        key: AnalysisKey,
        history: &History,
        wanted: Wanted,
        read_only: bool,
    ) -> View {
        let suggester = self.suggester().filter(|_| wanted.heads);
        let suggestions =
            suggester.as_ref().and_then(|suggester| suggester.suggest(&on_desk.sentence, history.analysis()));
        let shown = Shown {
            id: on_desk.id,
            place: on_desk.place,
            slot: key.slot,
            sentence: &on_desk.sentence,
            history,
            suggestions: suggestions.as_ref(),
            relations: wanted.relations,
            model: suggester.as_ref().map(|suggester| &suggester.learned),
            read_only,
        };
        shown.view()
    }

    /// Takes down what happened: all of it, or nothing if some of it makes no sense.
    pub fn post(&self, annotator: i64, sentence: i64, posted: &Posted) -> Result<View, Fault> {
        let Posted { slot, base, tab, events } = posted;
        if !SLOTS.contains(slot) {
            return Err(Fault::Missing(format!("analysis {slot}; there are two, 0 and 1")));
        }
        if tab.is_empty() || tab.len() > LONGEST_TAB || events.len() > MOST_EVENTS {
            return Err(Fault::Wrong("this window has no name, or sends too much at a time".into()));
        }
        let key = AnalysisKey { sentence, annotator, slot: *slot };
        let (on_desk, history, wanted) = {
            let mut inner = self.lock();
            inner.take_down(key, *base, tab, events)?;
            (inner.of(annotator, sentence)?, inner.history(key)?.clone(), inner.settings.wanted())
        };
        Ok(self.show(&on_desk, key, &history, wanted, false))
    }

    /// Everything that happened to a sentence.
    pub fn moments(&self, annotator: i64, sentence: i64, slot: i64) -> Result<Vec<Moment>, Fault> {
        let events = self.lock().project.events(AnalysisKey { sentence, annotator, slot })?;
        Ok((1..).zip(&events).map(|(n, stored)| moment(n, &stored.event)).collect())
    }

    /// A sentence as it stood after so many events.
    pub fn view_after(
        &self,
        annotator: i64,
        sentence: i64,
        slot: i64,
        n_events: usize,
    ) -> Result<View, Fault> {
        let key = AnalysisKey { sentence, annotator, slot };
        let (on_desk, events) = {
            let inner = self.lock();
            (inner.find(sentence)?.clone(), inner.project.events(key)?)
        };
        let history = folded(&on_desk.start, events.iter().take(n_events));
        Ok(self.show(&on_desk, key, &history, Wanted::default(), true))
    }

    /// Learns a new model from everything that was said, and suggests by it from then on; `None` if it was stopped, or if there is
    /// nothing to learn, since the model of a file suggests that knows all there is to suggest.
    pub fn train(&self, at: i64, watch: &dyn Watch) -> Result<Option<Learned>, Fault> {
        let (lessons, chosen) = {
            let mut inner = self.lock();
            (inner.lessons()?, inner.chosen_model()?)
        };
        if lessons.is_empty() {
            return Err(Fault::Wrong("there are no sentences to learn from".into()));
        }
        let before = self.suggester();
        if before.as_ref().is_some_and(|before| before.is_settled(&chosen)) {
            return Ok(None);
        }
        let (before, stop) = (before.as_deref(), &self.stop);
        let studies = Studies { lessons: &lessons, chosen: &chosen, before, at, stop, watch };
        let Some(learned) = Suggester::learn(&studies)? else { return Ok(None) };
        let about = learned.learned.clone();
        self.begin_with(learned);
        Ok(Some(about))
    }

    /// Suggests by this model from now on.
    pub(super) fn begin_with(&self, suggester: Suggester) {
        *self.suggester.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(suggester));
    }

    /// What suggests now.
    pub fn model(&self) -> Option<Learned> {
        Some(self.suggester()?.learned.clone())
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Ends what is being learned.
    pub fn stop(&self) {
        self.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    }
}

impl Inner {
    pub(super) fn find(&self, id: i64) -> Result<&OnDesk, Fault> {
        let found = self.at.get(&id).and_then(|&at| self.sentences.get(at));
        found.ok_or_else(|| Fault::Missing(format!("sentence {id}")))
    }

    /// A sentence with its place among those of an annotator.
    fn of(&self, annotator: i64, id: i64) -> Result<OnDesk, Fault> {
        let mut on_desk = self.find(id)?.clone();
        if let Some(at) = self.mine(annotator)?.iter().position(|&mine| mine == id) {
            on_desk.place = at as i64 + 1;
        }
        Ok(on_desk)
    }

    /// What stands there, folded from the file the first time.
    pub(super) fn history(&mut self, key: AnalysisKey) -> Result<&History, Fault> {
        if !self.histories.contains_key(&key) {
            let events = self.project.events(key)?;
            let history = folded(&self.find(key.sentence)?.start, &events);
            self.histories.insert(key, history);
        }
        self.histories.get(&key).ok_or_else(|| Fault::Missing("history".into()))
    }

    pub(super) fn take_down(
        &mut self,
        key: AnalysisKey,
        base: u64,
        tab: &str,
        events: &[Event],
    ) -> Result<(), Fault> {
        let mut history = self.history(key)?.clone();
        let mut new = Vec::new();
        for event in events {
            // What is sent once more after the network was lost is there already.
            let is_new = new.iter().all(|other: &Event| other.n != event.n);
            if is_new && !self.project.has_event(key.annotator, tab, event.n)? {
                new.push(event.clone());
            }
        }
        let changes = new.iter().any(|event| event.kind.is_change());
        if changes && !history.is_known_to(tab, base) {
            return Err(Fault::ChangedElsewhere);
        }
        for event in &new {
            history.push_from(tab, event).map_err(|refusal| Fault::Refused { n: event.n, refusal })?;
        }
        // On the disk first; then it counts. After a failure the disk says what is there.
        let written = self.project.add_events(key, tab, &new);
        match written {
            Ok(_) => self.histories.insert(key, history),
            Err(_) => self.histories.remove(&key),
        };
        written.map(|_| ())
    }

    /// Every sentence with what was said of it: by the one who handed it in, or else by whoever said anything.
    pub(super) fn lessons(&mut self) -> Result<Vec<(Arc<Sentence>, Analysis)>, Fault> {
        let mut by_sentence: BTreeMap<i64, Vec<AnalysisKey>> = BTreeMap::new();
        for key in self.project.keys()? {
            by_sentence.entry(key.sentence).or_default().push(key);
        }
        let mut lessons = Vec::with_capacity(self.sentences.len());
        for at in 0..self.sentences.len() {
            let OnDesk { id, sentence, start, .. } = self.sentences[at].clone();
            let mut said = start;
            for &key in by_sentence.get(&id).into_iter().flatten() {
                let history = self.history(key)?;
                let is_fine = super::suggest::possible(history.analysis()).is_ok();
                let is_better = said.is_empty() || history.work().submitted;
                if is_fine && is_better && !history.work().skipped {
                    said = history.analysis().clone();
                }
            }
            lessons.push((sentence, said));
        }
        Ok(lessons)
    }
}

/// Whether an event hands a sentence in.
pub fn hands_in(event: &Event) -> bool {
    matches!(event.kind, annotation::Happening::Submit)
}

/// What stands there after these events. They were accepted once; one that makes no sense any more, because it was written by another
/// program, is left out here and stays in the file.
pub(super) fn folded<'a>(start: &Analysis, events: impl IntoIterator<Item = &'a StoredEvent>) -> History {
    let mut history = History::from(start.clone());
    for StoredEvent { tab, event } in events {
        let _ = history.push_from(tab, event);
    }
    history
}

/// Whether two secrets are the same, in a time that does not tell where they differ.
fn same(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    !one.is_empty() && one.len() == other.len() && differences == 0
}

fn one_line(text: &str) -> Result<String, Fault> {
    let text = text.trim();
    if text.chars().count() > 200 || text.chars().any(char::is_control) {
        return Err(Fault::Wrong("names and descriptions are one line of up to 200 characters".into()));
    }
    Ok(text.to_string())
}
