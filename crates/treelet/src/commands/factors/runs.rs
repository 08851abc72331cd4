//! The fits of `treelet factors fit`, one after the other: each saved while it goes on, and kept when it is done.

use super::tables::Loaded;
use crate::args::factors::Fit;
use crate::commands::train::{beside, cannot_write, goes_on};
use crate::interrupt;
use crate::models;
use crate::outcome::Usage;
use crate::progress::Steps;
use crate::table::plural;
use crate::terminal::Terminal;
use chain::container::{self, Header, crc64};
use chain::observe::{Checkpoints, Each, Every, Fan, StopFlag, Trace};
use chain::{Checkpoint, Progress, Schedule, Start, Stop, Workers, sample};
use factors::stack::{Done, Plan, Task};
use factors::{Draws, FactorModel, Reading, Stack, State};
use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What is traced besides the log joint density, which this model does not have.
const TRACED: [&str; 3] = ["log_likelihood", "loading_variance", "mean_dispersion"];

fn traced(state: &State) -> Vec<f64> {
    let k = state.variances.len() as f64;
    let pooled = state.pooled.map_or(f64::NAN, |pooled| pooled.mean);
    vec![state.log_likelihood, state.variances.iter().sum::<f64>() / k, pooled]
}

pub(super) type TraceOf = Trace<fn(&State) -> Vec<f64>>;

/// All that the fits have in common.
pub(super) struct Runs<'a> {
    pub(super) plan: &'a Plan<'a>,
    pub(super) schedule: &'a Schedule,
    pub(super) saved: &'a Saved,
    pub(super) loaded: &'a Loaded,
    pub(super) options: &'a Fit,
    pub(super) workers: &'a Workers,
    pub(super) terminal: &'a Terminal,
}

/// Where a run is saved: the fit that goes on, and what is left of those that are done.
pub(super) struct Saved {
    pub(super) checkpoint: PathBuf,
    finished: PathBuf,
}

impl Saved {
    pub(super) fn new(options: &Fit) -> Saved {
        let checkpoint = options.course.checkpoint.clone().unwrap_or_else(|| beside(&options.output));
        let mut finished = checkpoint.as_os_str().to_owned();
        finished.push(".fits");
        Saved { checkpoint, finished: finished.into() }
    }

    /// Whether the run goes on from what was saved.
    pub(super) fn goes_on(&self, resume: bool, terminal: &Terminal) -> anyhow::Result<bool> {
        let only_finished = self.finished.exists() && !self.checkpoint.exists();
        goes_on(if only_finished { &self.finished } else { &self.checkpoint }, resume, terminal)
    }

    /// The model is safe; what stays behind would only be in the way of the next run.
    pub(super) fn remove(&self) {
        let _ = std::fs::remove_file(&self.checkpoint);
        let _ = std::fs::remove_file(&self.finished);
    }
}

/// The kind and the layout of files of finished fits.
const KIND: &str = "checkpoint/factor-fits";
const VERSION: u32 = 2;

/// Why a fit has no draws.
enum Ended {
    Stopped,
    Failed(anyhow::Error),
}

impl From<factors::Error> for Ended {
    fn from(error: factors::Error) -> Ended {
        Ended::Failed(error.into())
    }
}

impl Runs<'_> {
    /// Does all fits, or those that are left; `None` if somebody stopped them. The trace is that of the first model.
    pub(super) fn all(&self, resume: bool) -> anyhow::Result<Option<(Stack, TraceOf)>> {
        let mut done = if resume { self.finished()? } else { Vec::new() };
        let mut trace = Trace::new("trace", &TRACED, traced as fn(&State) -> Vec<f64>);
        let stop = interrupt::flag("finishing this sweep and saving the run", self.terminal);
        let tasks = self.plan.tasks();
        let first = done.len();
        for (at, &task) in tasks.iter().enumerate().skip(first) {
            if tasks.len() > 1 {
                self.terminal.note(&format!("fit {} of {}: {}", at + 1, tasks.len(), self.words(task)));
            }
            let start = if resume && at == first { self.start()? } else { Start::Fresh };
            let trace = (at + 1 == tasks.len()).then_some(&mut trace);
            match self.plan.fit(task, self.workers, |model| self.sweep(model, start, trace, &stop)) {
                Ok(fitted) => done.push(fitted),
                Err(Ended::Stopped) => return Ok(None),
                Err(Ended::Failed(error)) => return Err(error),
            }
            if at + 1 < tasks.len() {
                self.keep(&done)?;
            }
        }
        Ok(Some((self.plan.stack(done, self.workers)?, trace)))
    }

    fn words(&self, task: Task) -> String {
        let candidate = &self.plan.candidates()[task.candidate];
        let model = model_words(candidate.reading, candidate.settings.n_factors);
        match self.plan.n_hidden(task) {
            0 => model,
            n => format!("{model}, {} hidden", plural(n, "cell")),
        }
    }

    fn start(&self) -> anyhow::Result<Start<State>> {
        let path = &self.saved.checkpoint;
        if !path.exists() {
            return Ok(Start::Fresh);
        }
        let saved = Checkpoint::read::<FactorModel<'_>>(path).map_err(models::file_error)?;
        let (sweep, total) = (saved.sweep, saved.schedule.total());
        self.terminal.note(&format!("{}: goes on after sweep {sweep} of {total}", path.display()));
        Ok(Start::From(saved))
    }

    /// A checksum of everything that finished fits depend on.
    fn fingerprint(&self) -> u64 {
        let schedule = crc64(format!("{:?}", self.schedule).as_bytes());
        crc64(&[self.plan.fingerprint().to_le_bytes(), schedule.to_le_bytes()].concat())
    }

    fn finished(&self) -> anyhow::Result<Vec<Done>> {
        let path = &self.saved.finished;
        if !path.exists() {
            return Ok(Vec::new());
        }
        let (_, (fingerprint, done)): (_, (u64, Vec<Done>)) =
            container::read(path, KIND, VERSION).map_err(models::file_error)?;
        match fingerprint == self.fingerprint() && done.len() < self.plan.tasks().len() {
            true => Ok(done),
            false => Err(Usage(format!(
                "{}: fits of other data or with other settings; give the same command, or delete the file to start afresh",
                path.display()
            ))
            .into()),
        }
    }

    /// Keeps what is left of the fits that are done. The checkpoint of the last one goes first: if the program ends just
    /// here, that fit is done again.
    fn keep(&self, done: &[Done]) -> anyhow::Result<()> {
        let _ = std::fs::remove_file(&self.saved.checkpoint);
        let header = Header { kind: KIND.to_owned(), version: VERSION, notes: BTreeMap::new() };
        container::write(&self.saved.finished, &header, &(self.fingerprint(), done))
            .map_err(|error| cannot_write(error, &self.saved.finished))
    }

    fn sweep(
        &self,
        model: &FactorModel<'_>,
        start: Start<State>,
        trace: Option<&mut TraceOf>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Vec<Vec<State>>, Ended> {
        let every = match self.options.course.checkpoint_every {
            0 => Every::Sweeps(1),
            seconds => Every::Time(Duration::from_secs(seconds)),
        };
        let mut checkpoints = Checkpoints::new(&self.saved.checkpoint, every);
        let mut stop = StopFlag(Arc::clone(stop));
        let steps = Steps::new(self.terminal, self.schedule.total(), "sweep");
        let mut progress = Each(|at: &Progress, state: &State| -> io::Result<ControlFlow<Stop>> {
            if at.chain + 1 == at.chains {
                steps.reach(at.sweep, || format!("log likelihood {:.1}", state.log_likelihood));
            }
            Ok(ControlFlow::Continue(()))
        });
        let mut draws = Draws::default();
        let mut all = Fan::new();
        if let Some(trace) = trace {
            all = all.with(trace);
        }
        all = all.with(&mut draws).with(&mut progress).with(&mut checkpoints).with(&mut stop);
        let outcome = sample::run(model, self.schedule, start, &mut all, self.workers);
        let outcome = outcome
            .map_err(|error| Ended::Failed(super::run_error(error, model.data(), &self.loaded.rows)))?;
        drop(all);
        drop(steps);
        if outcome.stop == Some(Stop::Interrupted) {
            self.say_stopped(outcome.checkpoint.sweep);
            return Err(Ended::Stopped);
        }
        Ok(draws.into_chains())
    }

    fn say_stopped(&self, sweep: u64) {
        let (output, checkpoint): (&Path, &Path) = (&self.options.output, &self.saved.checkpoint);
        self.terminal.stderr(&format!(
            "stopped after sweep {sweep} of {}; {} was not written. The same command with --resume goes on from {}",
            self.schedule.total(),
            output.display(),
            checkpoint.display()
        ));
    }
}

/// A model of a stack, in words.
pub(super) fn model_words(reading: Reading, n_factors: usize) -> String {
    let reading = match reading {
        Reading::ByKind => "columns by their types",
        Reading::AsNumbers => "columns as numbers",
    };
    format!("{reading}, {}", plural(n_factors, "factor"))
}
