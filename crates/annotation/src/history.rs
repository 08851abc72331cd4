//! What stands there after everything that happened.

use crate::{Analysis, Change, Event, Happening, Refusal, Via};
use std::collections::BTreeMap;
use std::sync::Arc;
use tree::Text;

/// A gap between two events that is longer, in milliseconds, was no work on the sentence.
const LONGEST_GAP: i64 = 60_000;
/// The number of stages.
const STAGES: u8 = 4;

/// The events of one annotator on one sentence, folded.
///
/// Undo has no end: steps are kept, and what stands there is made anew from those that were not taken back. A step that is made
/// after some were taken back takes their place.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    start: Analysis,
    now: Analysis,
    steps: Vec<MadeStep>,
    /// How many steps stand; those behind were taken back.
    n_standing: usize,
    work: Work,
    /// The windows that changed it, one for each version.
    changed_in: Vec<Arc<str>>,
    clocks: BTreeMap<String, i64>,
    stretches: Vec<WorkStretch>,
    changed_at: Option<i64>,
}

/// Changes that are one step for undo.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MadeStep {
    pub(crate) via: Via,
    pub(crate) changes: Vec<Change>,
}

/// Some work on a sentence, without idle time and pauses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorkStretch {
    /// When it ended, in milliseconds since 1970.
    pub until: i64,
    /// How long it was.
    pub seconds: f64,
}

/// How far the work on a sentence has come, and what it cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Work {
    /// The stage, 1 to 4; 0 before the first was named.
    pub stage: u8,
    /// Whether it was handed in.
    pub submitted: bool,
    /// Whether it was left out.
    pub skipped: bool,
    /// Seconds of work on it.
    pub seconds: f64,
    /// Steps that were made by each means.
    pub n_steps: BTreeMap<Via, usize>,
    /// Suggestions that were taken over.
    pub n_accepted: usize,
    /// Suggestions that were turned down.
    pub n_refused: usize,
}

impl History {
    /// Nothing has happened yet to a sentence with these words.
    pub fn new(tokens: Vec<Text>) -> Self {
        Self::from(Analysis::new(tokens))
    }

    /// What stands there.
    pub fn analysis(&self) -> &Analysis {
        &self.now
    }

    /// What stood there before anything happened.
    pub(crate) fn start(&self) -> &Analysis {
        &self.start
    }

    /// The steps that were made and not taken back.
    pub(crate) fn standing(&self) -> &[MadeStep] {
        &self.steps[..self.n_standing]
    }

    /// By what means what stands there was said, each once, the last first.
    pub fn means(&self) -> Vec<Via> {
        let mut means = Vec::new();
        for step in self.standing().iter().rev() {
            if !means.contains(&step.via) {
                means.push(step.via);
            }
        }
        means
    }

    /// How far the work has come.
    pub fn work(&self) -> &Work {
        &self.work
    }

    /// The work on it, piece by piece, as its events came in.
    pub fn stretches(&self) -> &[WorkStretch] {
        &self.stretches
    }

    /// When it was changed or handed in last, in milliseconds since 1970.
    pub fn changed_at(&self) -> Option<i64> {
        self.changed_at
    }

    /// How many events changed anything.
    pub fn version(&self) -> u64 {
        self.changed_in.len() as u64
    }

    /// Whether all changes since a version were made in this window, so that it knows of them.
    pub fn is_known_to(&self, window: &str, since: u64) -> bool {
        let rest = usize::try_from(since).ok().and_then(|since| self.changed_in.get(since..));
        rest.is_some_and(|rest| rest.iter().all(|other| **other == *window))
    }

    /// Whether a step can be taken back.
    pub fn can_undo(&self) -> bool {
        self.n_standing > 0
    }

    /// Whether a step that was taken back can be done again.
    pub fn can_redo(&self) -> bool {
        self.n_standing < self.steps.len()
    }

    /// One more event, in the only window; if it is refused nothing has changed.
    pub fn push(&mut self, event: &Event) -> Result<(), Refusal> {
        self.push_from("", event)
    }

    /// One more event in a window; if it is refused nothing has changed.
    pub fn push_from(&mut self, window: &str, event: &Event) -> Result<(), Refusal> {
        match &event.kind {
            Happening::Edit { via, changes } => self.edit(*via, changes)?,
            Happening::Undo => self.undo()?,
            Happening::Redo => self.redo()?,
            Happening::Stage { stage } if !(1..=STAGES).contains(stage) => {
                return Err(Refusal::NoStage(*stage));
            }
            Happening::Stage { stage } => self.work.stage = *stage,
            Happening::Submit => (self.work.submitted, self.work.skipped) = (true, false),
            Happening::Skip => (self.work.submitted, self.work.skipped) = (false, true),
            Happening::Reopen => (self.work.submitted, self.work.skipped) = (false, false),
            Happening::Refused { .. } => self.work.n_refused += 1,
            Happening::Open
            | Happening::Close
            | Happening::Pause
            | Happening::Resume
            | Happening::Idle { .. }
            | Happening::Shown { .. } => {}
        }
        self.pass_time(window, event);
        if event.kind.is_change() {
            self.changed_in.push(window.into());
            self.changed_at = Some(event.at);
        }
        Ok(())
    }

    fn edit(&mut self, via: Via, changes: &[Change]) -> Result<(), Refusal> {
        let mut changed = self.now.clone();
        changes.iter().try_for_each(|change| changed.apply(change))?;
        self.now = changed;
        self.steps.truncate(self.n_standing);
        self.steps.push(MadeStep { via, changes: changes.to_vec() });
        self.n_standing += 1;
        *self.work.n_steps.entry(via).or_default() += 1;
        let accepted = |change: &Change| match change {
            Change::Accept { heads } => heads.len(),
            _ => 0,
        };
        self.work.n_accepted += changes.iter().map(accepted).sum::<usize>();
        Ok(())
    }

    /// Where there is nothing to take back, nothing happens.
    fn undo(&mut self) -> Result<(), Refusal> {
        let Some(n_standing) = self.n_standing.checked_sub(1) else { return Ok(()) };
        self.n_standing = n_standing;
        let mut now = self.start.clone();
        for change in self.steps[..self.n_standing].iter().flat_map(|step| &step.changes) {
            // It could be made when it was made, and all before it is the same.
            now.apply(change)?;
        }
        self.now = now;
        Ok(())
    }

    fn redo(&mut self) -> Result<(), Refusal> {
        let Some(step) = self.steps.get(self.n_standing) else { return Ok(()) };
        step.changes.iter().try_for_each(|change| self.now.apply(change))?;
        self.n_standing += 1;
        Ok(())
    }

    /// Time counts from one event to the next in the same window, as long as the sentence is on the screen there. A window that is
    /// closed without a word stops its clock by itself: a long gap does not count.
    fn pass_time(&mut self, window: &str, event: &Event) {
        if let Some(last) = self.clocks.get(window) {
            let idle = match event.kind {
                Happening::Idle { seconds } if seconds.is_finite() && seconds > 0.0 => {
                    (seconds * 1000.0) as i64
                }
                _ => 0,
            };
            let gap = event.at.saturating_sub(*last).saturating_sub(idle);
            if (0..=LONGEST_GAP).contains(&gap) {
                let seconds = gap as f64 / 1000.0;
                self.work.seconds += seconds;
                if gap > 0 {
                    self.stretches.push(WorkStretch { until: event.at, seconds });
                }
            }
        }
        match event.kind {
            Happening::Close | Happening::Pause => self.clocks.remove(window),
            _ => self.clocks.insert(window.to_string(), event.at),
        };
    }
}

impl From<Analysis> for History {
    /// A sentence of which something was said before the first event, in the file it came from.
    fn from(start: Analysis) -> Self {
        let now = start.clone();
        Self {
            start,
            now,
            steps: Vec::new(),
            n_standing: 0,
            work: Work::default(),
            changed_in: Vec::new(),
            clocks: BTreeMap::new(),
            stretches: Vec::new(),
            changed_at: None,
        }
    }
}
