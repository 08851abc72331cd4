//! Another project is brought in: its sentences, its people, and everything that they did.
//!
//! Of the other file nothing is changed, and of this one nothing either: sentences, people and events are only added. Two sentences
//! are the same if their rows are, since what was done to a sentence means the same only where it began the same. Two people are the
//! same if their names are; who has no name must be given one. An event is known by the window it happened in, its number there, its
//! time and all that it says, so that what was brought in once is not brought in again.
//!
//! Where the same person did different things to the same sentence in both files, neither history can go on from the other. The
//! one of the other file then stands under a name of its own, in whole.

use super::Fault;
use super::bring::start;
use super::desk::MERGED;
use super::store::{AnalysisKey, Annotator, Project, RawEvent};
use crate::outcome::Usage;
use crate::table::plural;
use crate::watch::Watch;
use annotation::Event;
use anyhow::Context;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::path::Path;

/// So many histories that differ are named.
const MOST_SHOWN: usize = 20;
/// So many letters of a project's number tell it apart.
const SHORT: usize = 8;

/// What came of bringing another project in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct BroughtProject {
    /// Sentences that were not here.
    pub sentences: usize,
    /// Sentences that were here already.
    pub known: usize,
    /// People who were not here.
    pub annotators: Vec<String>,
    /// People who are taken for those of the same name.
    pub same: Vec<String>,
    /// Events that were not here.
    pub events: usize,
    /// What somebody did differently in both files, and under which name it stands.
    pub apart: Vec<HistoryApart>,
}

/// A history that stands beside another of the same person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HistoryApart {
    /// The sentence, by its number in this project.
    pub sentence: i64,
    /// Who did it.
    pub annotator: String,
    /// The name it stands under.
    pub under: String,
}

/// Everything that is known while another project is brought in.
struct Joining<'a> {
    here: &'a Project,
    there: &'a Project,
    /// What the other file is called.
    name: String,
    /// What is put behind the names of its windows, so that they are not taken for those of this project.
    mark: String,
    sentences: BTreeMap<i64, i64>,
    /// Names and numbers of those who do what the annotators of the other project did.
    people: BTreeMap<i64, (String, i64)>,
    /// Analyses that are now what they are in the other project.
    whole: BTreeSet<AnalysisKey>,
    /// Sentences of which something is said here that was not said there.
    own: BTreeSet<i64>,
    /// Sentences of which several analyses are one here.
    merged: BTreeSet<i64>,
    done: BroughtProject,
}

/// An event with what it says.
struct KnownEvent {
    event: Event,
    raw: RawEvent,
}

impl Project {
    /// Brings in another project, all of it or nothing. Who has no name there is called `unnamed`; `token` makes secrets.
    pub fn bring_project(
        &self,
        path: &Path,
        unnamed: Option<&str>,
        token: &dyn Fn() -> anyhow::Result<String>,
        watch: &dyn Watch,
    ) -> anyhow::Result<BroughtProject> {
        if path.canonicalize().is_ok_and(|other| self.path().canonicalize().is_ok_and(|own| own == other)) {
            return Err(Usage(format!("{} is the project itself", path.display())).into());
        }
        let there = Project::open_to_read(path)?;
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mark = there.meta("id")?.unwrap_or_default().chars().take(SHORT).collect();
        let done = self.at_once(|here| {
            let mut joining = Joining {
                here,
                there: &there,
                name,
                mark,
                sentences: BTreeMap::new(),
                people: BTreeMap::new(),
                whole: BTreeSet::new(),
                own: BTreeSet::new(),
                merged: BTreeSet::new(),
                done: BroughtProject::default(),
            };
            joining
                .all(unnamed, token)
                .with_context(|| format!("{}: nothing was brought in", path.display()))?;
            Ok(joining.done)
        })?;
        done.tell(path, watch);
        Ok(done)
    }
}

impl BroughtProject {
    fn tell(&self, path: &Path, watch: &dyn Watch) {
        let (path, known) = (path.display(), plural(self.known, "sentence"));
        let (sentences, events) = (plural(self.sentences, "sentence"), plural(self.events, "event"));
        watch.note(&format!("{path}: {sentences} and {events} brought in; {known} were here already"));
        if !self.annotators.is_empty() {
            watch.note(&format!("{path}: new here: {}", self.annotators.join(", ")));
        }
        if !self.same.is_empty() {
            let names = self.same.join(", ");
            watch.note(&format!("{path}: taken for those of the same name here: {names}"));
        }
        for HistoryApart { sentence, annotator, under } in self.apart.iter().take(MOST_SHOWN) {
            watch.remark(&format!(
                "warning: sentence {sentence}: what {annotator} did in {path} is not what {annotator} did here; it stands \
                 under the name `{under}`, and what was here is as it was"
            ));
        }
        if self.apart.len() > MOST_SHOWN {
            watch.remark(&format!(
                "warning: … and so in {} more",
                plural(self.apart.len() - MOST_SHOWN, "sentence")
            ));
        }
    }
}

impl Joining<'_> {
    fn all(
        &mut self,
        unnamed: Option<&str>,
        token: &dyn Fn() -> anyhow::Result<String>,
    ) -> anyhow::Result<()> {
        self.match_sentences()?;
        let keys = self.there.keys()?;
        self.match_people(&keys, unnamed, token)?;
        // What became of several analyses is judged when these are here.
        let (merged, own): (Vec<AnalysisKey>, Vec<AnalysisKey>) =
            keys.into_iter().partition(|key| key.annotator == MERGED);
        own.into_iter().try_for_each(|key| self.bring_history(key))?;
        for key in self.here.keys()? {
            match key.annotator {
                MERGED => self.merged.insert(key.sentence),
                _ => !self.whole.contains(&key) && self.own.insert(key.sentence),
            };
        }
        merged.into_iter().try_for_each(|key| self.bring_history(key))?;
        // A file that was brought in there has its sentences here now, too.
        for key in self.there.meta_keys("brought in: ")? {
            self.here.set_meta(&key, "1")?;
        }
        Ok(())
    }

    /// Finds each sentence here, or adds it. Of sentences with the same rows the first is the first, and so on.
    fn match_sentences(&mut self) -> anyhow::Result<()> {
        let mut here: HashMap<String, VecDeque<i64>> = HashMap::new();
        for stored in self.here.sentences()? {
            here.entry(stored.rows).or_default().push_back(stored.id);
        }
        let (origins, mut place) = (self.there.origins()?, self.here.next_place()?);
        for stored in self.there.sentences()? {
            let known = here.get_mut(&stored.rows).and_then(VecDeque::pop_front);
            let id = match known {
                Some(id) => {
                    self.done.known += 1;
                    id
                }
                None => {
                    // What cannot be read would keep all of this project from being opened.
                    start(&stored.rows)?;
                    self.done.sentences += 1;
                    let origin = origins.get(&stored.id).map_or("", String::as_str);
                    place += 1;
                    self.here.add_sentence(place - 1, origin, &stored.rows)?
                }
            };
            self.sentences.insert(stored.id, id);
        }
        Ok(())
    }

    fn match_people(
        &mut self,
        keys: &[AnalysisKey],
        unnamed: Option<&str>,
        token: &dyn Fn() -> anyhow::Result<String>,
    ) -> anyhow::Result<()> {
        let (here, there) = (self.here.annotators()?, self.there.annotators()?);
        let has_worked = |one: &Annotator| keys.iter().any(|key| key.annotator == one.id);
        let n_unnamed = there.iter().filter(|one| one.name.is_empty() && has_worked(one)).count();
        for one in &there {
            let has_worked = has_worked(one);
            let called = if one.name.is_empty() { unnamed.unwrap_or_default() } else { &one.name };
            if one.id == MERGED || (one.name.is_empty() && !has_worked) {
                continue;
            }
            let n_there = there.iter().filter(|other| other.id != MERGED && other.name == called).count();
            let same: Vec<&Annotator> =
                here.iter().filter(|other| other.id != MERGED && other.name == called).collect();
            let n_unnamed = if one.name.is_empty() { n_unnamed } else { 0 };
            let is_one = n_there + n_unnamed <= 1 && same.len() <= 1;
            let id = match same.first() {
                _ if called.is_empty() => {
                    return Err(Usage(
                        "somebody has worked there without saying a name; say with --as NAME who that is"
                            .into(),
                    )
                    .into());
                }
                _ if !is_one => {
                    return Err(Usage(format!(
                        "several people are called `{called}`; nobody can tell whose work is whose. Let them say different names \
                         in the page first"
                    ))
                    .into());
                }
                Some(same) => {
                    self.done.same.push(called.into());
                    self.fill_in(same, one)?;
                    same.id
                }
                None => {
                    self.done.annotators.push(called.into());
                    let id = match one.has_access() {
                        true => self.here.add_annotator(called, 0, &token()?)?,
                        false => self.here.add_without_access(called)?,
                    };
                    let added = self.here.annotators()?.into_iter().find(|other| other.id == id);
                    added.map_or(Ok(()), |added| self.fill_in(&added, one))?;
                    id
                }
            };
            self.people.insert(one.id, (called.to_string(), id));
        }
        Ok(())
    }

    /// What somebody has said of herself there and not here.
    fn fill_in(&self, here: &Annotator, there: &Annotator) -> anyhow::Result<()> {
        let mut filled = here.clone();
        for (field, said) in [(&mut filled.level, &there.level), (&mut filled.experience, &there.experience)]
        {
            if field.is_empty() {
                field.clone_from(said);
            }
        }
        if filled != *here {
            self.here.change_annotator(&filled)?;
        }
        Ok(())
    }

    /// Adds what is not here of one analysis, to that of the same person or to one that stands beside it.
    fn bring_history(&mut self, key: AnalysisKey) -> anyhow::Result<()> {
        let Some(&sentence) = self.sentences.get(&key.sentence) else { return Ok(()) };
        let (name, own) = match (self.people.get(&key.annotator), key.annotator) {
            (Some((name, id)), _) => (name.clone(), Some(*id)),
            (None, MERGED) => ("merged".to_string(), self.merger(sentence)?),
            (None, _) => return Ok(()),
        };
        let theirs = known(self.there, key)?;
        let mut under = name.clone();
        let mut candidate = own;
        for n in 1.. {
            if let Some(annotator) = candidate {
                let at = AnalysisKey { sentence, annotator, ..key };
                let ours = known(self.here, at)?;
                if let Some(missing) = missing(&ours, &theirs) {
                    self.done.events += missing.len();
                    self.add(at, &ours, missing)?;
                    if ours.iter().all(|one| is_among(one, &theirs)) {
                        self.whole.insert(at);
                    }
                    break;
                }
            }
            // The next name that the history can stand under.
            under = format!("{name} of {}{}", self.name, if n > 1 { format!(" {n}") } else { String::new() });
            let known = self.here.annotators()?.into_iter().find(|one| one.name == under);
            candidate = Some(match known {
                Some(one) => one.id,
                None => self.here.add_without_access(&under)?,
            });
        }
        if under != name {
            self.done.apart.push(HistoryApart { sentence, annotator: name, under });
        }
        Ok(())
    }

    /// In whose name several analyses are one: only where all that is said here of the sentence is what was said there, since
    /// it takes the place of all of them.
    fn merger(&self, sentence: i64) -> anyhow::Result<Option<i64>> {
        if !self.merged.contains(&sentence) && self.own.contains(&sentence) {
            return Ok(None);
        }
        if !self.here.annotators()?.iter().any(|one| one.id == MERGED) {
            self.here.add_merger()?;
        }
        Ok(Some(MERGED))
    }

    /// Adds events under names of windows that nothing else happened in.
    fn add(&self, at: AnalysisKey, ours: &[KnownEvent], missing: Vec<&KnownEvent>) -> anyhow::Result<()> {
        let mut windows: BTreeMap<&str, String> = BTreeMap::new();
        for one in &missing {
            let tab = one.raw.tab.as_str();
            if windows.contains_key(tab) {
                continue;
            }
            let is_free = |name: &str| -> Result<bool, Fault> {
                for other in missing.iter().filter(|other| other.raw.tab == tab) {
                    if self.here.has_event(at.annotator, name, other.event.n)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            };
            // What goes on in a window that is known here goes on there, so that its clock does.
            let before = ours.iter().find(|other| is_window(&other.raw.tab, tab));
            let mut name =
                before.map_or_else(|| format!("{tab} of {}", self.mark), |known| known.raw.tab.clone());
            let mut n = 1;
            while !is_free(&name)? {
                n += 1;
                name = format!("{tab} of {} {n}", self.mark);
            }
            windows.insert(tab, name);
        }
        for one in &missing {
            let tab = windows.get(one.raw.tab.as_str()).unwrap_or(&one.raw.tab).clone();
            self.here.add_raw_event(at, &one.event, &RawEvent { tab, text: one.raw.text.clone() })?;
        }
        Ok(())
    }
}

fn known(project: &Project, key: AnalysisKey) -> anyhow::Result<Vec<KnownEvent>> {
    let read = |raw: RawEvent| {
        let event = serde_json::from_str(&raw.text).context("an event of the project cannot be read")?;
        Ok(KnownEvent { event, raw })
    };
    project.raw_events(key)?.into_iter().map(read).collect()
}

/// Whether a window here is one there, under its own name or the one that it was given when it was brought in.
fn is_window(here: &str, there: &str) -> bool {
    here.strip_prefix(there).is_some_and(|rest| rest.is_empty() || rest.starts_with(" of "))
}

fn is_same(here: &KnownEvent, there: &KnownEvent) -> bool {
    here.raw.text == there.raw.text && is_window(&here.raw.tab, &there.raw.tab)
}

fn is_among(here: &KnownEvent, theirs: &[KnownEvent]) -> bool {
    theirs.iter().any(|there| is_same(here, there))
}

/// The events that are not here, if ours can go on with them: one of the two histories must have no change that the other does not
/// know of, and the changes that both know of come first.
fn missing<'a>(ours: &[KnownEvent], theirs: &'a [KnownEvent]) -> Option<Vec<&'a KnownEvent>> {
    let is_here = |there: &KnownEvent| ours.iter().any(|here| is_same(here, there));
    let is_change = |one: &KnownEvent| one.event.kind.is_change();
    let missing: Vec<&KnownEvent> = theirs.iter().filter(|there| !is_here(there)).collect();
    let is_new = missing.iter().any(|one| is_change(one));
    let is_own = ours.iter().any(|here| is_change(here) && !is_among(here, theirs));
    let mut changes = theirs.iter().filter(|one| is_change(one)).skip_while(|one| is_here(one));
    let goes_on = !changes.any(is_here);
    (!is_new || (!is_own && goes_on)).then_some(missing)
}
