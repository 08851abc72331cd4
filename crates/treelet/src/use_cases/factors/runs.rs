//! The fits of a stack, one after the other: each saved while it goes on, and kept when it is done.

use super::tables::Loaded;
use crate::models;
use crate::outcome::Usage;
use crate::run::{Run, cannot_write};
use crate::table::plural;
use crate::watch::Steps;
use crate::watch::Watch;
use chain::container::{self, Header, crc64};
use chain::observe::{Each, Fan, StopFlag, Trace};
use chain::{Progress, Schedule, Start, Stop, Workers, sample};
use factors::stack::{Done, FitTask, Plan};
use factors::{Draws, FactorModel, Reading, Stack, State};
use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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
    pub(super) run: &'a Run<'a>,
    pub(super) loaded: &'a Loaded,
    pub(super) workers: &'a Workers,
    pub(super) watch: &'a dyn Watch,
}

/// Where finished fits are kept, beside the checkpoint of the one that goes on.
pub(super) fn finished(run: &Run<'_>) -> PathBuf {
    let mut finished = run.checkpoint.as_os_str().to_owned();
    finished.push(".fits");
    finished.into()
}

/// The kind and the layout of files of finished fits.
const KIND: &str = "checkpoint/factor-fits";
const VERSION: u32 = 2;

impl Runs<'_> {
    /// Does all fits, or those that are left. The trace is that of the first model.
    pub(super) fn all(&self, resume: bool) -> anyhow::Result<(Stack, TraceOf)> {
        let mut done = if resume { self.finished()? } else { Vec::new() };
        let mut trace = Trace::new("trace", &TRACED, traced as fn(&State) -> Vec<f64>);
        let stop = self.watch.stop_flag("finishing this sweep and saving the run");
        let tasks = self.plan.tasks();
        let first = done.len();
        for (at, &task) in tasks.iter().enumerate().skip(first) {
            if tasks.len() > 1 {
                self.watch.note(&format!("fit {} of {}: {}", at + 1, tasks.len(), self.words(task)));
            }
            let start = if resume && at == first { self.start()? } else { Start::Fresh };
            let trace = (at + 1 == tasks.len()).then_some(&mut trace);
            let sweep = |model: &FactorModel<'_>| self.sweep(model, start, trace, &stop);
            done.push(self.plan.fit(task, self.workers, sweep)?);
            if at + 1 < tasks.len() {
                self.keep(&done)?;
            }
        }
        Ok((self.plan.stack(done, self.workers)?, trace))
    }

    fn words(&self, task: FitTask) -> String {
        let candidate = &self.plan.candidates()[task.candidate];
        let model = model_words(candidate.reading, candidate.settings.n_factors);
        match self.plan.n_hidden(task) {
            0 => model,
            n => format!("{model}, {} hidden", plural(n, "cell")),
        }
    }

    fn start(&self) -> anyhow::Result<Start<State>> {
        match self.run.checkpoint.exists() {
            true => self.run.saved::<FactorModel<'_>>(),
            false => Ok(Start::Fresh),
        }
    }

    /// A checksum of everything that finished fits depend on.
    fn fingerprint(&self) -> u64 {
        let schedule = crc64(format!("{:?}", self.schedule).as_bytes());
        crc64(&[self.plan.fingerprint().to_le_bytes(), schedule.to_le_bytes()].concat())
    }

    fn finished(&self) -> anyhow::Result<Vec<Done>> {
        let path = &finished(self.run);
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
        let _ = std::fs::remove_file(&self.run.checkpoint);
        let header = Header { kind: KIND.to_owned(), version: VERSION, notes: BTreeMap::new() };
        let path = finished(self.run);
        container::write(&path, &header, &(self.fingerprint(), done))
            .map_err(|error| cannot_write(error, &path))
    }

    fn sweep(
        &self,
        model: &FactorModel<'_>,
        start: Start<State>,
        trace: Option<&mut TraceOf>,
        stop: &Arc<AtomicBool>,
    ) -> anyhow::Result<Vec<Vec<State>>> {
        let mut checkpoints = self.run.checkpoints();
        let mut stop = StopFlag(Arc::clone(stop));
        let steps = Steps::new(self.watch, self.schedule.total(), "sweep");
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
        let outcome = outcome.map_err(|error| super::run_error(error, model.data(), &self.loaded.rows))?;
        drop(all);
        drop(steps);
        if outcome.stop == Some(Stop::Interrupted) {
            return Err(self.run.stopped(Some((outcome.checkpoint.sweep, self.schedule.total()))));
        }
        Ok(draws.into_chains())
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
