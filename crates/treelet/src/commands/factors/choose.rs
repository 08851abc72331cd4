//! `treelet factors choose`: how many factors.

use super::tables;
use crate::args::factors::Choose;
use crate::models;
use crate::outcome::{Outcome, Usage};
use crate::progress::Steps;
use crate::table::render;
use crate::terminal::Terminal;
use chain::observe::Each;
use chain::observe::Fan;
use chain::{Progress, RunError, Schedule, Start, Stop, Stream, Workers, sample};
use factors::{Draws, FactorModel, LogScore, Posterior, State};
use serde_json::json;
use std::io;
use std::ops::ControlFlow;

/// The scores of one number of factors.
struct Judged {
    factors: u32,
    held_out: LogScore,
    within: Option<(LogScore, LogScore)>,
}

pub(super) fn run(options: &Choose, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let schedule = super::schedule(&options.sampling)?;
    let workers = models::workers(options.threads)?;
    let loaded = tables::load(&options.table, &options.messages, terminal)?;
    tables::note_types(&loaded, terminal);
    let mut rng = Stream::new(options.sampling.seed).purpose("hidden cells").rng();
    let hidden: Vec<(usize, usize)> =
        loaded.data.observed().filter(|_| rng.bernoulli(options.hide)).collect();
    if hidden.is_empty() {
        return Err(Usage("no cell is hidden, so nothing can be compared; raise --hide".into()).into());
    }
    let seen = loaded.data.without(&hidden);
    let mut judged = Vec::new();
    for &factors in &options.factors {
        let settings = super::settings(&options.model, factors);
        let model = FactorModel::new(&seen, settings.clone()).map_err(|error| Usage(error.to_string()))?;
        let chains = fit(&model, &schedule, &workers, terminal);
        let chains = chains.map_err(|error| super::run_error(error, &seen, &loaded.rows))?;
        let posterior = Posterior::new(&seen, settings, chains);
        judged.push(Judged {
            factors,
            held_out: posterior.held_out(&loaded.data, &hidden, &workers)?,
            within: match options.loo {
                true => Some((posterior.waic(&seen, &workers)?, posterior.loo(&seen, &workers)?)),
                false => None,
            },
        });
    }
    match options.json {
        true => terminal.print(&format!("{:#}\n", json(&judged, hidden.len())))?,
        false => terminal.print(&text(&judged))?,
    }
    Ok(if loaded.has_problems { Outcome::Problems } else { Outcome::Fine })
}

fn fit(
    model: &FactorModel<'_>,
    schedule: &Schedule,
    workers: &Workers,
    terminal: &Terminal,
) -> Result<Vec<Vec<State>>, RunError<factors::Error>> {
    let steps = Steps::new(terminal, schedule.total(), "sweep");
    let mut progress = Each(|at: &Progress, _: &State| -> io::Result<ControlFlow<Stop>> {
        steps.reach(at.sweep, || format!("{} factors", model.settings().n_factors));
        Ok(ControlFlow::Continue(()))
    });
    let mut draws = Draws::default();
    let mut all = Fan::new().with(&mut draws).with(&mut progress);
    sample::run(model, schedule, Start::Fresh, &mut all, workers)?;
    drop(all);
    Ok(draws.into_chains())
}

fn best(judged: &[Judged]) -> Option<u32> {
    judged.iter().max_by(|a, b| a.held_out.total.total_cmp(&b.held_out.total)).map(|judged| judged.factors)
}

fn text(judged: &[Judged]) -> String {
    let row = |j: &Judged| {
        let mut cells = vec![
            j.factors.to_string(),
            format!("{:.4}", j.held_out.mean()),
            format!("{:.4}", j.held_out.error / j.held_out.cells.max(1) as f64),
        ];
        for score in j.within.iter().flat_map(|(waic, loo)| [waic, loo]) {
            cells.push(format!("{:.1}", score.total));
            cells.push(format!("{:.1}", score.error));
            cells.push(score.doubtful.to_string());
        }
        cells
    };
    let mut headings = vec!["factors", "hidden cells", "se"];
    if judged.iter().any(|j| j.within.is_some()) {
        headings.extend(["WAIC (elpd)", "se", "doubtful", "LOO (elpd)", "se", "doubtful"]);
    }
    let mut text = render(&headings, &judged.iter().map(row).collect::<Vec<_>>());
    if let Some(best) = best(judged) {
        text.push_str(&format!(
            "\nHidden cells: mean log-probability, higher is better. Best: {best}. A smaller number within one standard error of it\n\
             predicts as well.\n"
        ));
    }
    text
}

fn json(judged: &[Judged], n_hidden: usize) -> serde_json::Value {
    let score =
        |s: &LogScore| json!({ "total": s.total, "se": s.error, "cells": s.cells, "doubtful": s.doubtful });
    let one = |j: &Judged| {
        json!({
            "factors": j.factors,
            "held_out": score(&j.held_out),
            "mean": j.held_out.mean(),
            "waic": j.within.as_ref().map(|(waic, _)| score(waic)),
            "loo": j.within.as_ref().map(|(_, loo)| score(loo)),
        })
    };
    json!({ "hidden": n_hidden, "best": best(judged), "models": judged.iter().map(one).collect::<Vec<_>>() })
}
