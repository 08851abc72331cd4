//! `treelet train constituency`: learn a grammar from trees.

mod data;
pub mod dependency;
mod settings;
mod summary;

use crate::models::{self, run_error};
use crate::options::train::Constituency;
use crate::outcome::{Outcome, Usage};
use crate::table::plural;
use crate::watch::Steps;
use crate::watch::Watch;
use anyhow::Context;
use chain::observe::{Checkpoints, Each, Every, Fan, StopFlag, Trace};
use chain::{Checkpoint, Progress, Start, Stop, Workers};
use constituency::sampler::{Annotated, Sampler};
use constituency::train::{TrainCheckpoint, TrainError, Trained};
use constituency::{Training, WatchedRule};
use data::Corpus;
use formats::output::AtomicFile;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use summary::Summary;

pub fn run(options: &Constituency, watch: &dyn Watch) -> anyhow::Result<Outcome> {
    let begun = Instant::now();
    let checkpoint = checkpoint_path(options);
    check_paths(options, &checkpoint)?;
    let start = find_start(options, &checkpoint, watch)?;
    let workers = models::workers(options.course.threads)?;
    let corpus = Corpus::read(options, watch)?;
    let train_options = settings::resolve(options);
    let prepared = Training::new(&corpus.trees, &corpus.partial, &corpus.raw, train_options, &workers);
    let (training, unusable) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => return Err(nothing_to_learn(error, &corpus, options, watch)),
    };
    let n_bad = corpus.report(&unusable, options, watch)?;
    let summary = Summary::new(options, &corpus, &training, &unusable, n_bad);
    let mut trace = trace(watched(&training, options)?);
    watch.note(&summary.beginning());
    let trained = sweep(&training, start, &checkpoint, &mut trace, options, &workers, watch)?;
    if trained.outcome.stop == Some(Stop::Interrupted) {
        return Ok(interrupted(&trained, &checkpoint, options, watch));
    }
    let summary = summary.finished(&trained, begun.elapsed());
    let model = training.model(trained.chains, summary.notes(options));
    model.write(&options.output).map_err(|error| cannot_write(error, &options.output))?;
    if let Some(path) = &options.course.trace {
        write_trace(&trace, path)?;
    }
    // The model is safe; a checkpoint that stays behind would only be in the way of the next run.
    let _ = std::fs::remove_file(&checkpoint);
    if options.course.json {
        watch.print(&format!("{:#}\n", summary.json()))?;
    }
    watch.note(&summary.ending(&options.output));
    Ok(if n_bad > 0 || corpus.has_errors() { Outcome::Problems } else { Outcome::Fine })
}

fn checkpoint_path(options: &Constituency) -> PathBuf {
    options.course.checkpoint.clone().unwrap_or_else(|| beside(&options.output))
}

/// Finds out what cannot be written before anything is read.
fn check_paths(options: &Constituency, checkpoint: &Path) -> anyhow::Result<()> {
    let data = &options.data;
    let extra = data.partial.iter().chain(&data.raw).chain(&data.transductive);
    let inputs: Vec<&PathBuf> = std::iter::once(&options.file).chain(extra).collect();
    crate::source::only_one_stdin(inputs.iter().copied())?;
    if options.output == Path::new("-") {
        return Err(Usage("a model is no text; give its file a name with -o".into()).into());
    }
    let outputs = [(&*options.output, "the model"), (checkpoint, "the checkpoint")];
    let trace = options.course.trace.as_deref().map(|path| (path, "the trace"));
    for (path, what) in outputs.into_iter().chain(trace) {
        models::refuse_same(path, inputs.iter().map(|input| input.as_path()))?;
        models::check_output(path, what)?;
    }
    Ok(())
}

fn find_start(
    options: &Constituency,
    checkpoint: &Path,
    watch: &dyn Watch,
) -> anyhow::Result<Start<Annotated>> {
    if !goes_on(checkpoint, options.course.resume, watch)? {
        return Ok(Start::Fresh);
    }
    let saved: TrainCheckpoint = Checkpoint::read::<Sampler<'_>>(checkpoint).map_err(models::file_error)?;
    watch.note(&format!(
        "{}: goes on after sweep {} of {}",
        checkpoint.display(),
        saved.sweep,
        saved.schedule.total()
    ));
    Ok(Start::From(saved))
}

/// Whether a run goes on from a checkpoint. One that is left over is never ignored without a word.
pub(crate) fn goes_on(checkpoint: &Path, resume: bool, watch: &dyn Watch) -> anyhow::Result<bool> {
    let shown = checkpoint.display();
    match (checkpoint.exists(), resume) {
        (true, false) => Err(Usage(format!(
            "{shown} is left from an earlier run; --resume goes on from there, and deleting it starts afresh"
        ))
        .into()),
        (false, true) => {
            watch.note(&format!("note: there is no checkpoint {shown}; the run starts from the beginning"));
            Ok(false)
        }
        (exists, _) => Ok(exists),
    }
}

/// Where a run is saved if nothing else is said.
pub(crate) fn beside(model: &Path) -> PathBuf {
    let mut name = model.as_os_str().to_owned();
    name.push(".checkpoint");
    PathBuf::from(name)
}

/// Problems of the file come first: they are often the reason.
fn nothing_to_learn(
    error: TrainError,
    corpus: &Corpus,
    options: &Constituency,
    watch: &dyn Watch,
) -> anyhow::Error {
    if let Err(error) = corpus.report(&[], options, watch) {
        return error;
    }
    match error {
        TrainError::NoTrees => anyhow::Error::new(error).context(corpus.trees_name.clone()),
        error => Usage(error.to_string()).into(),
    }
}

type TraceOf = Trace<Box<dyn FnMut(&Annotated) -> Vec<f64>>>;

/// The rules of `--trace-rule`, each once.
fn watched(training: &Training, options: &Constituency) -> anyhow::Result<Vec<WatchedRule>> {
    let mut rules: Vec<WatchedRule> = Vec::new();
    for text in &options.course.trace_rule {
        let found = WatchedRule::find(&training.bank().inventory, text);
        let rule = found.map_err(|error| Usage(format!("--trace-rule: {error}")))?;
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    Ok(rules)
}

/// What `treelet diagnose` looks at; always kept, so that a resumed run can write it whether or not the first
/// part was asked to.
fn trace(rules: Vec<WatchedRule>) -> TraceOf {
    let concentrations = ["concentration_rules", "concentration_words", "concentration_annotations"];
    let shares: Vec<String> = rules.iter().map(share_of).collect();
    let columns: Vec<&str> = concentrations.into_iter().chain(shares.iter().map(String::as_str)).collect();
    let read = move |state: &Annotated| {
        let c = &state.concentrations;
        let mut values = vec![c.rules, c.words, c.annotations];
        values.extend(rules.iter().map(|rule| rule.share(state)));
        values
    };
    Trace::new::<Annotated>("trace", &columns, Box::new(read))
}

/// The column of a rule: `P(NP[0] → DT NN)`.
fn share_of(rule: &WatchedRule) -> String {
    format!("P({})", rule.name().replacen(" →", "[0] →", 1))
}

fn sweep(
    training: &Training,
    start: Start<Annotated>,
    checkpoint: &Path,
    trace: &mut TraceOf,
    options: &Constituency,
    workers: &Workers,
    watch: &dyn Watch,
) -> anyhow::Result<Trained> {
    let every = match options.course.checkpoint_every {
        0 => Every::Sweeps(1),
        seconds => Every::Time(Duration::from_secs(seconds)),
    };
    let mut checkpoints = Checkpoints::new(checkpoint, every);
    let mut stop = StopFlag(watch.stop_flag("finishing this sweep and saving the run"));
    let steps = Steps::new(watch, training.schedule().total(), "sweep");
    let mut sum = 0.0;
    let mut progress = Each(|at: &Progress, _: &Annotated| -> io::Result<ControlFlow<Stop>> {
        sum = if at.chain == 0 { 0.0 } else { sum } + at.log_joint.unwrap_or(f64::NAN);
        if at.chain + 1 == at.chains {
            let mean = sum / f64::from(at.chains);
            steps.reach(at.sweep, || format!("log likelihood {mean:.1}"));
        }
        Ok(ControlFlow::Continue(()))
    });
    let jump_steps =
        training.jump_schedule().map(|schedule| Steps::new(watch, schedule.total(), "jump-start"));
    let mut jump_progress = Each(|at: &Progress, _: &Annotated| -> io::Result<ControlFlow<Stop>> {
        if let Some(steps) = jump_steps.as_ref().filter(|_| at.chain + 1 == at.chains) {
            steps.reach(at.sweep, || format!("log likelihood {:.1}", at.log_joint.unwrap_or(f64::NAN)));
        }
        Ok(ControlFlow::Continue(()))
    });
    let mut jump_stop = StopFlag(stop.0.clone());
    let mut jump = Fan::new().with(&mut jump_progress).with(&mut jump_stop);
    let mut all = Fan::new().with(trace).with(&mut progress).with(&mut checkpoints).with(&mut stop);
    training.run_watched(start, &mut jump, &mut all, workers).map_err(run_error)
}

fn interrupted(trained: &Trained, checkpoint: &Path, options: &Constituency, watch: &dyn Watch) -> Outcome {
    let run = &trained.outcome.checkpoint;
    if !trained.jumped {
        watch.remark(&format!(
            "stopped in the jump-start, of which nothing is kept; {} was not written. The same command starts afresh",
            options.output.display()
        ));
        return Outcome::Files;
    }
    watch.remark(&format!(
        "stopped after sweep {} of {}; {} was not written. The same command with --resume goes on from {}",
        run.sweep,
        run.schedule.total(),
        options.output.display(),
        checkpoint.display()
    ));
    Outcome::Files
}

fn write_trace(trace: &TraceOf, path: &Path) -> anyhow::Result<()> {
    let write = || -> io::Result<()> {
        let mut file = AtomicFile::create(path)?;
        trace.write_tsv(&mut file)?;
        file.finish()
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

pub(crate) fn cannot_write(error: chain::Error, path: &Path) -> anyhow::Error {
    match error {
        chain::Error::Io { source, .. } => {
            anyhow::Error::from(source).context(format!("cannot write {}", path.display()))
        }
        error => error.into(),
    }
}

/// "3 trees were", "1 tree was".
fn were(number: usize, noun: &str) -> String {
    format!("{} {}", plural(number, noun), if number == 1 { "was" } else { "were" })
}
