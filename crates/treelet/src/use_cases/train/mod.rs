//! `treelet train constituency`: learn a grammar from trees.

mod data;
pub mod dependency;
mod settings;
mod summary;

use crate::models::{self, run_error};
use crate::options::train::Constituency;
use crate::outcome::{Done, Figures, Stopped, Usage};
use crate::run::Run;
use crate::table::plural;
use crate::watch::{Steps, Watch};
use chain::observe::{Each, Fan, StopFlag, Trace};
use chain::{Progress, Start, Stop, Workers};
use constituency::sampler::{AnnotatedTrees, Sampler};
use constituency::train::{TrainError, Trained};
use constituency::{Training, WatchedRule};
use data::Corpus;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use summary::RunSummary;

/// Learns a grammar from trees, whole or partial, and writes it.
pub fn train_constituency(options: &Constituency, watch: &dyn Watch) -> anyhow::Result<Done<Figures>> {
    let data = &options.data;
    let extra = data.partial.iter().chain(&data.raw).chain(&data.transductive);
    let inputs: Vec<&PathBuf> = std::iter::once(&options.file).chain(extra).collect();
    let trace_file = options.course.trace.as_deref();
    let run = Run::new(&options.new_model.output, &options.course.run.saving, &inputs, trace_file, watch)?;
    let start = run.start::<Sampler<'_>>()?;
    let workers = models::workers(options.course.run.threads)?;
    let corpus = Corpus::read(options, watch)?;
    let train_options = settings::resolve(options);
    let prepared = Training::new(&corpus.trees, &corpus.partial, &corpus.raw, train_options, &workers);
    let (training, unusable) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => return Err(nothing_to_learn(error, &corpus, options, watch)),
    };
    let n_bad = corpus.report(&unusable, options, watch)?;
    let summary = RunSummary::new(options, &corpus, &training, &unusable, n_bad);
    let mut trace = trace(watched(&training, options)?);
    watch.note(&summary.beginning());
    let trained = sweep(&training, start, &mut trace, &run, &workers)?;
    if trained.outcome.stop == Some(Stop::Interrupted) {
        return Err(interrupted(&trained, &run));
    }
    let summary = summary.finished(&trained, run.seconds());
    let model = training.model(trained.chains, summary.notes(options));
    run.written(model.write(&options.new_model.output))?;
    if let Some(path) = trace_file {
        run.write_trace(&trace, path)?;
    }
    watch.note(&summary.ending(&options.new_model.output));
    Ok(Done { result: summary.json().into(), has_problems: n_bad > 0 || corpus.has_errors() })
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

type TraceOf = Trace<Box<dyn FnMut(&AnnotatedTrees) -> Vec<f64>>>;

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
    let read = move |state: &AnnotatedTrees| {
        let c = &state.concentrations;
        let mut values = vec![c.rules, c.words, c.annotations];
        values.extend(rules.iter().map(|rule| rule.share(state)));
        values
    };
    Trace::new::<AnnotatedTrees>("trace", &columns, Box::new(read))
}

/// The column of a rule: `P(NP[0] → DT NN)`.
fn share_of(rule: &WatchedRule) -> String {
    format!("P({})", rule.name().replacen(" →", "[0] →", 1))
}

fn sweep(
    training: &Training,
    start: Start<AnnotatedTrees>,
    trace: &mut TraceOf,
    run: &Run<'_>,
    workers: &Workers,
) -> anyhow::Result<Trained> {
    let mut checkpoints = run.checkpoints();
    let mut stop = run.stop();
    let steps = Steps::new(run.watch, training.schedule().total(), "sweep");
    let mut sum = 0.0;
    let mut progress = Each(|at: &Progress, _: &AnnotatedTrees| -> io::Result<ControlFlow<Stop>> {
        sum = if at.chain == 0 { 0.0 } else { sum } + at.log_joint.unwrap_or(f64::NAN);
        if at.chain + 1 == at.chains {
            let mean = sum / f64::from(at.chains);
            steps.reach(at.sweep, || format!("log likelihood {mean:.1}"));
        }
        Ok(ControlFlow::Continue(()))
    });
    let jump_steps =
        training.jump_schedule().map(|schedule| Steps::new(run.watch, schedule.total(), "jump-start"));
    let mut jump_progress = Each(|at: &Progress, _: &AnnotatedTrees| -> io::Result<ControlFlow<Stop>> {
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

fn interrupted(trained: &Trained, run: &Run<'_>) -> anyhow::Error {
    let saved = &trained.outcome.checkpoint;
    if trained.jumped {
        return run.stopped(Some((saved.sweep, saved.schedule.total())));
    }
    Stopped(format!(
        "stopped in the jump-start, of which nothing is kept; {} was not written. The same command starts afresh",
        run.output.display()
    ))
    .into()
}

/// "3 trees were", "1 tree was".
fn were(number: usize, noun: &str) -> String {
    format!("{} {}", plural(number, noun), if number == 1 { "was" } else { "were" })
}
