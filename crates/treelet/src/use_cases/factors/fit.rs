//! `treelet factors fit`.

use super::runs::{Runs, Saved, TraceOf};
use super::tables::{self, Loaded};
use crate::models;
use crate::options::factors::Fit;
use crate::outcome::{Outcome, Usage};
use crate::table::plural;
use crate::use_cases::train::cannot_write;
use crate::watch::Watch;
use anyhow::Context;
use chain::{Schedule, Workers};
use factors::stack::{Candidate, Hiding, Plan};
use factors::{FactorModel, FittedFactors, Reading};
use formats::output::AtomicFile;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

pub(super) fn run(options: &Fit, watch: &dyn Watch) -> anyhow::Result<Outcome> {
    let begun = Instant::now();
    let saved = Saved::new(options);
    check_paths(options, &saved.checkpoint)?;
    let schedule = super::schedule(&options.sampling)?;
    let resume = saved.goes_on(options.course.resume, watch)?;
    let workers = models::workers(options.course.threads)?;
    let loaded = tables::load(&options.table, &options.messages, watch)?;
    tables::note_types(&loaded, watch);
    let plan = plan(options, &loaded)?;
    let runs = Runs {
        plan: &plan,
        schedule: &schedule,
        saved: &saved,
        loaded: &loaded,
        options,
        workers: &workers,
        watch,
    };
    let Some((stack, trace)) = runs.all(resume)? else { return Ok(Outcome::Files) };
    let fitted = FittedFactors {
        columns: loaded.columns.clone(),
        rows: loaded.rows.clone(),
        cells: loaded.data.fingerprint(),
        notes: notes(options, &loaded, &schedule, plan.candidates().len()),
        stack,
    };
    fitted.write(&options.output).map_err(|error| cannot_write(error, &options.output))?;
    if let Some(path) = &options.course.trace {
        write_trace(&trace, path)?;
    }
    saved.remove();
    if options.course.json {
        let summary = super::summary::json(&fitted, &workers);
        watch.print(&format!("{summary:#}\n"))?;
    }
    ending(&fitted, options, begun.elapsed(), &workers, watch);
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

/// The model with K factors that reads columns by their types is the first, and without `--stack` the only one.
fn plan<'a>(options: &Fit, loaded: &'a Loaded) -> anyhow::Result<Plan<'a>> {
    let mut numbers = vec![options.factors];
    for &k in options.stack.iter().flatten() {
        if !numbers.contains(&k) {
            numbers.push(k);
        }
    }
    let mut candidates = Vec::new();
    for k in numbers {
        let settings = super::settings(&options.model, k);
        FactorModel::new(&loaded.data, settings.clone()).map_err(|error| Usage(error.to_string()))?;
        candidates.push(Candidate::new(Reading::ByKind, settings.clone()));
        if options.stack.is_some() {
            candidates.push(Candidate::new(Reading::AsNumbers, settings));
        }
    }
    let hiding = Hiding { seed: options.sampling.seed, ..Hiding::default() };
    Ok(Plan::new(&loaded.data, candidates, &hiding))
}

fn notes(options: &Fit, loaded: &Loaded, schedule: &Schedule, n_models: usize) -> BTreeMap<String, String> {
    let pairs = [
        ("data", loaded.fingerprint.clone()),
        ("rows", loaded.data.n_rows().to_string()),
        ("columns", loaded.data.columns().len().to_string()),
        ("factors", options.factors.to_string()),
        ("models", n_models.to_string()),
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

fn ending(fitted: &FittedFactors, options: &Fit, elapsed: Duration, workers: &Workers, watch: &dyn Watch) {
    let output = options.output.display();
    let posterior = fitted.posterior();
    watch.note(&super::summary::convergence(fitted, workers));
    if let Some(words) = super::summary::stack_words(fitted) {
        watch.note(&words);
    }
    watch.note(&format!(
        "{output}: {}, {}, {}, {} draws, {:.1} s; next: treelet factors summary {output}, treelet factors plot {output} -o PAGE.html",
        plural(fitted.rows.len(), "row"),
        plural(posterior.kinds.len(), "column"),
        plural(posterior.n_factors(), "factor"),
        posterior.n_draws(),
        elapsed.as_secs_f64(),
    ));
}
