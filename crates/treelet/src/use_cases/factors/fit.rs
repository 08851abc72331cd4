//! A factor model fitted to a table.

use super::runs::{self, Runs};
use super::summary::FactorSummary;
use super::tables::{self, Loaded};
use crate::models;
use crate::options::factors::Fit;
use crate::outcome::{Done, Usage};
use crate::run::Run;
use crate::table::plural;
use crate::watch::Watch;
use chain::Schedule;
use factors::stack::{Candidate, Hiding, Plan};
use factors::{FactorModel, FittedFactors, Reading};
use std::collections::BTreeMap;

/// Fits a factor model to a table, writes it, and says what it says.
pub fn fit_factors(options: &Fit, watch: &dyn Watch) -> anyhow::Result<Done<FactorSummary>> {
    let inputs = [&options.table.file, &options.table.types];
    let trace_file = options.course.trace.as_deref();
    let run = Run::new(&options.output, &options.course.run.saving, &inputs, trace_file, watch)?;
    let schedule = super::schedule(&options.sampling)?;
    let finished = runs::finished(&run);
    let only_finished = finished.exists() && !run.checkpoint.exists();
    let resume = run.goes_on_from(if only_finished { &finished } else { &run.checkpoint })?;
    let workers = models::workers(options.course.run.threads)?;
    let loaded = tables::load(&options.table, &options.messages, watch)?;
    tables::note_types(&loaded, watch);
    let plan = plan(options, &loaded)?;
    let runs =
        Runs { plan: &plan, schedule: &schedule, run: &run, loaded: &loaded, workers: &workers, watch };
    let (stack, trace) = runs.all(resume)?;
    let fitted = FittedFactors {
        columns: loaded.columns.clone(),
        rows: loaded.rows.clone(),
        cells: loaded.data.fingerprint(),
        notes: notes(options, &loaded, &schedule, plan.candidates().len()),
        stack,
    };
    run.written(fitted.write(&options.output))?;
    if let Some(path) = trace_file {
        run.write_trace(&trace, path)?;
    }
    // The model is safe; what stays behind would only be in the way of the next run.
    let _ = std::fs::remove_file(&finished);
    let summary = FactorSummary::new(&fitted, &workers);
    note_ending(&summary, options, run.seconds(), watch);
    Ok(Done { result: summary, has_problems: loaded.has_problems })
}

/// The model with K factors that reads columns by their types is the first, and without `--stack` the only one.
fn plan<'a>(options: &Fit, loaded: &'a Loaded) -> anyhow::Result<Plan<'a>> {
    let mut numbers = vec![options.size.factors];
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
    let hiding = Hiding { seed: options.sampling.chance.seed, ..Hiding::default() };
    Ok(Plan::new(&loaded.data, candidates, &hiding))
}

fn notes(options: &Fit, loaded: &Loaded, schedule: &Schedule, n_models: usize) -> BTreeMap<String, String> {
    let pairs = [
        ("data", loaded.fingerprint.clone()),
        ("rows", loaded.data.n_rows().to_string()),
        ("columns", loaded.data.columns().len().to_string()),
        ("factors", options.size.factors.to_string()),
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

fn note_ending(summary: &FactorSummary, options: &Fit, seconds: f64, watch: &dyn Watch) {
    let output = options.output.display();
    watch.note(&summary.convergence());
    if let Some(stack) = &summary.stack {
        watch.note(&stack.words());
    }
    watch.note(&format!(
        "{output}: {}, {}, {}, {} draws, {:.1} s; next: treelet factors summary {output}, treelet factors plot {output} -o PAGE.html",
        plural(summary.scores.len(), "row"),
        plural(summary.n_modelled(), "column"),
        plural(summary.factors, "factor"),
        summary.draws,
        seconds,
    ));
}
