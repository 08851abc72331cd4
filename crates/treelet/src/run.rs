//! A run that is saved while it goes on: where its checkpoint lies, what resuming demands, what an interrupt leaves behind.

use crate::models;
use crate::options::Saving;
use crate::outcome::{Stopped, Usage};
use crate::source::only_one_stdin;
use crate::watch::{Steps, Watch};
use anyhow::Context;
use chain::container::{self, Header};
use chain::observe::{Checkpoints, Every, StopFlag, Trace};
use chain::{Checkpoint, Kernel, Start};
use formats::output::AtomicFile;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A run that makes a model.
pub(crate) struct Run<'a> {
    /// The model to write.
    pub(crate) output: &'a Path,
    /// Where the run is saved.
    pub(crate) checkpoint: PathBuf,
    saving: &'a Saving,
    begun: Instant,
    pub(crate) watch: &'a dyn Watch,
}

impl<'a> Run<'a> {
    /// Finds out what cannot be written before anything is read.
    pub(crate) fn new(
        output: &'a Path,
        saving: &'a Saving,
        inputs: &[&PathBuf],
        trace: Option<&Path>,
        watch: &'a dyn Watch,
    ) -> anyhow::Result<Run<'a>> {
        only_one_stdin(inputs.iter().copied())?;
        if output == Path::new("-") {
            return Err(Usage("a model is no text; give its file a name with -o".into()).into());
        }
        let checkpoint = saving.checkpoint.clone().unwrap_or_else(|| beside(output));
        let mut outputs = vec![(output, "the model"), (&checkpoint, "the checkpoint")];
        outputs.extend(trace.map(|path| (path, "the trace")));
        let inputs: Vec<&Path> = inputs.iter().map(|input| input.as_path()).collect();
        models::check_outputs(&outputs, &inputs)?;
        Ok(Run { output, checkpoint, saving, begun: Instant::now(), watch })
    }

    /// Whether the run goes on from its checkpoint.
    pub(crate) fn goes_on(&self) -> anyhow::Result<bool> {
        self.goes_on_from(&self.checkpoint)
    }

    /// Whether the run goes on from a file. One that is left over is never ignored without a word.
    pub(crate) fn goes_on_from(&self, checkpoint: &Path) -> anyhow::Result<bool> {
        let shown = checkpoint.display();
        match (checkpoint.exists(), self.saving.resume) {
            (true, false) => Err(Usage(format!(
                "{shown} is left from an earlier run; --resume goes on from there, and deleting it starts afresh"
            ))
            .into()),
            (false, true) => {
                let text = format!("note: there is no checkpoint {shown}; the run starts from the beginning");
                self.watch.note(&text);
                Ok(false)
            }
            (exists, _) => Ok(exists),
        }
    }

    /// Where a sampler starts.
    pub(crate) fn start<K: Kernel>(&self) -> anyhow::Result<Start<K::State>> {
        match self.goes_on()? {
            true => self.saved::<K>(),
            false => Ok(Start::Fresh),
        }
    }

    /// The checkpoint as a start, and where that is.
    pub(crate) fn saved<K: Kernel>(&self) -> anyhow::Result<Start<K::State>> {
        self.goes_on_with(Checkpoint::read::<K>(&self.checkpoint), "sweep")
    }

    /// A checkpoint that was read as a start, and where that is: after so many sweeps, or what else they are called.
    pub(crate) fn goes_on_with<S>(
        &self,
        read: Result<Checkpoint<S>, chain::Error>,
        unit: &str,
    ) -> anyhow::Result<Start<S>> {
        let saved = read.map_err(models::file_error)?;
        let (path, total) = (self.checkpoint.display(), saved.schedule.total());
        self.watch.note(&format!("{path}: goes on after {unit} {} of {total}", saved.sweep));
        Ok(Start::From(saved))
    }

    /// The bytes of the checkpoint that the run goes on from, for a learner that knows them by itself.
    pub(crate) fn saved_bytes(&self) -> anyhow::Result<Option<Vec<u8>>> {
        if !self.goes_on()? {
            return Ok(None);
        }
        let path = &self.checkpoint;
        std::fs::read(path).map(Some).with_context(|| format!("cannot read {}", path.display()))
    }

    /// How often the run is saved.
    pub(crate) fn every(&self) -> Every {
        match self.saving.checkpoint_every {
            0 => Every::Sweeps(1),
            seconds => Every::Time(Duration::from_secs(seconds)),
        }
    }

    /// Saves a sampler.
    pub(crate) fn checkpoints(&self) -> Checkpoints {
        Checkpoints::new(&self.checkpoint, self.every())
    }

    /// Stops a sampler when the watch asks for it.
    pub(crate) fn stop(&self) -> StopFlag {
        StopFlag(self.watch.stop_flag("finishing this sweep and saving the run"))
    }

    /// Shows, saves and stops a learner that walks through its data in epochs.
    pub(crate) fn epochs(&'a self, total: u64) -> Epochs<'a> {
        Epochs {
            run: self,
            steps: Some(Steps::new(self.watch, total, "epoch")),
            stop: self.watch.stop_flag("finishing this epoch and saving the run"),
            last: Instant::now(),
            failed: None,
        }
    }

    /// Saves and stops such a learner, which shows by itself how far it is.
    pub(crate) fn unseen_epochs(&'a self) -> Epochs<'a> {
        let stop = self.watch.stop_flag("finishing this epoch and saving the run");
        Epochs { run: self, steps: None, stop, last: Instant::now(), failed: None }
    }

    /// Writes the trace of a sampler.
    pub(crate) fn write_trace<R>(&self, trace: &Trace<R>, path: &Path) -> anyhow::Result<()> {
        let write = || -> io::Result<()> {
            let mut file = AtomicFile::create(path)?;
            trace.write_tsv(&mut file)?;
            file.finish()
        };
        write().with_context(|| format!("cannot write {}", path.display()))
    }

    /// Ends the run when its model is written, or could not be.
    pub(crate) fn written(&self, written: Result<(), chain::Error>) -> anyhow::Result<()> {
        written.map_err(|error| cannot_write(error, self.output))?;
        // The model is safe; a checkpoint that stays behind would only be in the way of the next run.
        let _ = std::fs::remove_file(&self.checkpoint);
        Ok(())
    }

    /// The run was stopped, after so many of all sweeps if that is known.
    pub(crate) fn stopped(&self, after: Option<(u64, u64)>) -> anyhow::Error {
        let when = after.map_or(String::new(), |(done, total)| format!(" after sweep {done} of {total}"));
        Stopped(format!(
            "stopped{when}; {} was not written. The same command with --resume goes on from {}",
            self.output.display(),
            self.checkpoint.display()
        ))
        .into()
    }

    /// The run was stopped before there was anything to save that was not there before.
    pub(crate) fn stopped_before_saving(&self) -> anyhow::Error {
        if self.checkpoint.exists() { self.stopped(None) } else { models::stopped(self.output) }
    }

    /// Seconds since the run began.
    pub(crate) fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }
}

/// What happens between epochs.
pub(crate) struct Epochs<'a> {
    run: &'a Run<'a>,
    steps: Option<Steps>,
    stop: Arc<AtomicBool>,
    last: Instant,
    failed: Option<anyhow::Error>,
}

impl Epochs<'_> {
    /// So many epochs are done; `save` writes the run to a file when it is time.
    pub(crate) fn after(
        &mut self,
        done: u64,
        message: impl Fn() -> String,
        save: impl FnOnce(&Path) -> anyhow::Result<()>,
    ) -> ControlFlow<()> {
        if let Some(steps) = &self.steps {
            steps.reach(done, message);
        }
        let ends = self.stop.load(Ordering::Relaxed);
        let every = Duration::from_secs(self.run.saving.checkpoint_every);
        if ends || self.last.elapsed() >= every {
            self.failed = save(&self.run.checkpoint).err();
            self.last = Instant::now();
        }
        if ends || self.failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// All epochs are done, or the run was stopped, which is an error, as is a checkpoint that could not be written.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        match self.failed {
            Some(error) => Err(error),
            None if self.stop.load(Ordering::Relaxed) => Err(self.run.stopped(None)),
            None => Ok(()),
        }
    }
}

/// How a learner is saved that is no sampler: what its checkpoints are, and what they must agree with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Marked<'a> {
    /// The kind of the file.
    pub(crate) kind: &'static str,
    /// The layout of its payload.
    pub(crate) version: u32,
    /// Names, sizes and checksums of the files, and all settings.
    pub(crate) mark: &'a str,
}

impl Marked<'_> {
    /// The checkpoint that the run goes on from.
    pub(crate) fn find<T: DeserializeOwned>(&self, run: &Run<'_>) -> anyhow::Result<Option<T>> {
        let Some(bytes) = run.saved_bytes()? else { return Ok(None) };
        let path = &run.checkpoint;
        let (header, saved): (Header, T) = container::decode(&bytes, self.kind, self.version)
            .map_err(|problem| models::file_error(chain::Error::File { path: path.clone(), problem }))?;
        if header.notes.get("run").is_none_or(|run| run != self.mark) {
            return Err(Usage(format!(
                "{} is of a run with other files or other settings; give the same ones, or remove it to start again",
                path.display()
            ))
            .into());
        }
        Ok(Some(saved))
    }

    /// Writes a checkpoint.
    pub(crate) fn save(&self, path: &Path, saved: &impl Serialize) -> anyhow::Result<()> {
        let notes = BTreeMap::from([("run".to_string(), self.mark.to_string())]);
        let header = Header { kind: self.kind.into(), version: self.version, notes };
        container::write(path, &header, saved).map_err(|error| cannot_write(error, path))
    }
}

/// Where a run is saved if nothing else is said.
fn beside(model: &Path) -> PathBuf {
    let mut name = model.as_os_str().to_owned();
    name.push(".checkpoint");
    PathBuf::from(name)
}

/// A file that could not be written.
pub(crate) fn cannot_write(error: chain::Error, path: &Path) -> anyhow::Error {
    match error {
        chain::Error::Io { source, .. } => {
            anyhow::Error::from(source).context(format!("cannot write {}", path.display()))
        }
        error => error.into(),
    }
}
