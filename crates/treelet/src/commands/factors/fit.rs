//! `treelet factors fit`.

use super::tables::{self, Loaded};
use crate::args::factors::Fit;
use crate::commands::train::{beside, cannot_write, goes_on};
use crate::interrupt;
use crate::models;
use crate::outcome::{Outcome, Usage};
use crate::progress::Steps;
use crate::table::plural;
use crate::terminal::Terminal;
use anyhow::Context;
use chain::observe::{Checkpoints, Each, Every, Fan, StopFlag, Trace};
use chain::{Checkpoint, Progress, RunError, Schedule, Start, Stop, Workers, sample};
use formats::output::AtomicFile;
use mixed::{Draws, FactorModel, FittedFactors, Posterior, State};
use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

pub(super) fn run(options: &Fit, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let begun = Instant::now();
    let checkpoint = options.course.checkpoint.clone().unwrap_or_else(|| beside(&options.output));
    check_paths(options, &checkpoint)?;
    let schedule = super::schedule(&options.sampling)?;
    let start = find_start(options, &checkpoint, terminal)?;
    let workers = models::workers(options.course.threads)?;
    let loaded = tables::load(&options.table, &options.messages, terminal)?;
    tables::note_types(&loaded, terminal);
    let settings = super::settings(&options.model, options.factors);
    let model = FactorModel::new(&loaded.data, settings.clone()).map_err(|error| Usage(error.to_string()))?;
    let mut trace = Trace::new("trace", &TRACED, traced as fn(&State) -> Vec<f64>);
    let sampled = sweep(&model, &schedule, start, &checkpoint, &mut trace, options, &workers, terminal);
    let sampled = sampled.map_err(|error| super::run_error(error, &loaded.data, &loaded.rows))?;
    let Some(chains) = sampled else { return Ok(Outcome::Files) };
    let posterior = Posterior::new(&loaded.data, settings, chains);
    let fitted = FittedFactors {
        columns: loaded.columns.clone(),
        rows: loaded.rows.clone(),
        cells: loaded.data.fingerprint(),
        notes: notes(options, &loaded, &schedule),
        posterior,
    };
    fitted.write(&options.output).map_err(|error| cannot_write(error, &options.output))?;
    if let Some(path) = &options.course.trace {
        write_trace(&trace, path)?;
    }
    // The model is safe; a checkpoint that stays behind would only be in the way of the next run.
    let _ = std::fs::remove_file(&checkpoint);
    if options.course.json {
        let summary = super::summary::json(&fitted, &workers);
        terminal.print(&format!("{summary:#}\n"))?;
    }
    ending(&fitted, options, begun.elapsed(), &workers, terminal);
    Ok(if loaded.has_problems { Outcome::Problems } else { Outcome::Fine })
}

fn check_paths(options: &Fit, checkpoint: &Path) -> anyhow::Result<()> {
    if options.output == Path::new("-") {
        return Err(Usage("a model is no text; give its file a name with -o".into()).into());
    }
    let inputs = [options.table.file.as_path(), options.table.types.as_path()];
    let mut outputs = vec![(options.output.as_path(), "the model"), (checkpoint, "the checkpoint")];
    outputs.extend(options.course.trace.as_deref().map(|path| (path, "the trace")));
    super::check_outputs(&outputs, &inputs)
}

fn find_start(options: &Fit, checkpoint: &Path, terminal: &Terminal) -> anyhow::Result<Start<State>> {
    if !goes_on(checkpoint, options.course.resume, terminal)? {
        return Ok(Start::Fresh);
    }
    let saved = Checkpoint::read::<FactorModel<'_>>(checkpoint).map_err(models::file_error)?;
    let (sweep, total) = (saved.sweep, saved.schedule.total());
    terminal.note(&format!("{}: goes on after sweep {sweep} of {total}", checkpoint.display()));
    Ok(Start::From(saved))
}

/// What is traced besides the log joint density, which this model does not have.
const TRACED: [&str; 3] = ["log_likelihood", "loading_variance", "mean_dispersion"];

fn traced(state: &State) -> Vec<f64> {
    let k = state.variances.len() as f64;
    let pooled = state.pooled.map_or(f64::NAN, |pooled| pooled.mean);
    vec![state.log_likelihood, state.variances.iter().sum::<f64>() / k, pooled]
}

type TraceOf = Trace<fn(&State) -> Vec<f64>>;

/// Samples; `None` if somebody stopped it.
#[allow(clippy::too_many_arguments, reason = "a run has so many parts")]
fn sweep(
    model: &FactorModel<'_>,
    schedule: &Schedule,
    start: Start<State>,
    checkpoint: &Path,
    trace: &mut TraceOf,
    options: &Fit,
    workers: &Workers,
    terminal: &Terminal,
) -> Result<Option<Vec<Vec<State>>>, RunError<mixed::Error>> {
    let every = match options.course.checkpoint_every {
        0 => Every::Sweeps(1),
        seconds => Every::Time(Duration::from_secs(seconds)),
    };
    let mut checkpoints = Checkpoints::new(checkpoint, every);
    let mut stop = StopFlag(interrupt::flag("finishing this sweep and saving the run", terminal));
    let steps = Steps::new(terminal, schedule.total(), "sweep");
    let mut progress = Each(|at: &Progress, state: &State| -> io::Result<ControlFlow<Stop>> {
        if at.chain + 1 == at.chains {
            steps.reach(at.sweep, || format!("log likelihood {:.1}", state.log_likelihood));
        }
        Ok(ControlFlow::Continue(()))
    });
    let mut draws = Draws::default();
    let mut all =
        Fan::new().with(trace).with(&mut draws).with(&mut progress).with(&mut checkpoints).with(&mut stop);
    let outcome = sample::run(model, schedule, start, &mut all, workers)?;
    drop(all);
    drop(steps);
    if outcome.stop == Some(Stop::Interrupted) {
        terminal.stderr(&format!(
            "stopped after sweep {} of {}; {} was not written. The same command with --resume goes on from {}",
            outcome.checkpoint.sweep,
            schedule.total(),
            options.output.display(),
            checkpoint.display()
        ));
        return Ok(None);
    }
    Ok(Some(draws.into_chains()))
}

fn notes(options: &Fit, loaded: &Loaded, schedule: &Schedule) -> BTreeMap<String, String> {
    let pairs = [
        ("data", loaded.fingerprint.clone()),
        ("rows", loaded.data.n_rows().to_string()),
        ("columns", loaded.data.columns().len().to_string()),
        ("factors", options.factors.to_string()),
        ("sweeps", schedule.total().to_string()),
        ("burn-in", schedule.burn_in.to_string()),
        ("thin", schedule.thin.to_string()),
        ("chains", schedule.chains.to_string()),
        ("seed", schedule.seed.to_string()),
        ("made-by", format!("treelet {}", env!("CARGO_PKG_VERSION"))),
    ];
    pairs.map(|(name, value)| (name.to_owned(), value)).into()
}

fn write_trace(trace: &TraceOf, path: &Path) -> anyhow::Result<()> {
    let write = || -> io::Result<()> {
        let mut file = AtomicFile::create(path)?;
        trace.write_tsv(&mut file)?;
        file.finish()
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

fn ending(fitted: &FittedFactors, options: &Fit, elapsed: Duration, workers: &Workers, terminal: &Terminal) {
    let output = options.output.display();
    let posterior = &fitted.posterior;
    terminal.note(&super::summary::convergence(fitted, workers));
    terminal.note(&format!(
        "{output}: {}, {}, {}, {} draws, {:.1} s; next: treelet factors summary {output}, treelet factors plot {output} -o PAGE.html",
        plural(fitted.rows.len(), "row"),
        plural(posterior.kinds.len(), "column"),
        plural(posterior.n_factors(), "factor"),
        posterior.n_draws(),
        elapsed.as_secs_f64(),
    ));
}
