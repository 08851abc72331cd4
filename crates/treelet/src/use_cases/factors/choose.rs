//! How many factors.

use super::tables;
use crate::models;
use crate::options::factors::Choose;
use crate::outcome::{Done, Usage};
use crate::watch::Steps;
use crate::watch::Watch;
use chain::observe::Each;
use chain::observe::Fan;
use chain::{Progress, RunError, Schedule, Start, Stop, Stream, Workers, sample};
use factors::{Draws, FactorModel, LogScore, Posterior, State};
use serde::Serialize;
use std::io;
use std::ops::ControlFlow;

/// Numbers of factors that were compared.
#[derive(Debug, Clone, Serialize)]
pub struct FactorChoice {
    /// Cells that were hidden from each fit.
    pub hidden: usize,
    /// The number of factors that predicts them best.
    pub best: Option<u32>,
    /// What each number of factors is worth.
    pub models: Vec<JudgedModel>,
}

/// What one number of factors is worth.
#[derive(Debug, Clone, Serialize)]
pub struct JudgedModel {
    /// How many factors.
    pub factors: u32,
    /// How well hidden cells are predicted.
    pub held_out: CellScore,
    /// The mean log-probability of a hidden cell.
    pub mean: f64,
    /// How well seen cells are predicted by WAIC, if asked for.
    pub waic: Option<CellScore>,
    /// How well seen cells are predicted if each is left out in turn, if asked for.
    pub loo: Option<CellScore>,
}

/// The log-probability of cells.
#[derive(Debug, Clone, Serialize)]
pub struct CellScore {
    /// The sum.
    pub total: f64,
    /// Its standard error.
    pub se: f64,
    /// How many cells.
    pub cells: usize,
    /// Of these, how many are hard to judge.
    pub doubtful: usize,
}

impl From<LogScore> for CellScore {
    fn from(LogScore { total, error, cells, doubtful }: LogScore) -> Self {
        Self { total, se: error, cells, doubtful }
    }
}

/// Compares numbers of factors by how well hidden cells of a table are predicted.
pub fn choose_factors(options: &Choose, watch: &dyn Watch) -> anyhow::Result<Done<FactorChoice>> {
    let schedule = super::schedule(&options.sampling)?;
    let workers = models::workers(options.threads)?;
    let loaded = tables::load(&options.table, &options.messages, watch)?;
    tables::note_types(&loaded, watch);
    let mut rng = Stream::new(options.sampling.chance.seed).purpose("hidden cells").rng();
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
        let chains = fit(&model, &schedule, &workers, watch);
        let chains = chains.map_err(|error| super::run_error(error, &seen, &loaded.rows))?;
        let posterior = Posterior::new(&seen, settings, chains);
        let held_out = posterior.held_out(&loaded.data, &hidden, &workers)?;
        judged.push(JudgedModel {
            factors,
            mean: held_out.mean(),
            held_out: held_out.into(),
            waic: options.loo.then(|| posterior.waic(&seen, &workers)).transpose()?.map(CellScore::from),
            loo: options.loo.then(|| posterior.loo(&seen, &workers)).transpose()?.map(CellScore::from),
        });
    }
    let result = FactorChoice { hidden: hidden.len(), best: best(&judged), models: judged };
    Ok(Done { result, has_problems: loaded.has_problems })
}

fn fit(
    model: &FactorModel<'_>,
    schedule: &Schedule,
    workers: &Workers,
    watch: &dyn Watch,
) -> Result<Vec<Vec<State>>, RunError<factors::Error>> {
    let steps = Steps::new(watch, schedule.total(), "sweep");
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

fn best(judged: &[JudgedModel]) -> Option<u32> {
    let best = judged.iter().max_by(|a, b| a.held_out.total.total_cmp(&b.held_out.total));
    best.map(|judged| judged.factors)
}
