//! Factor analysis of tables with columns of different types.

mod choose;
mod fit;
mod plot;
mod predict;
mod runs;
mod simulate;
mod summary;
mod tables;

pub use choose::{CellScore, FactorChoice, JudgedModel, choose_factors};
pub use fit::fit_factors;
pub use plot::{FactorPicture, plot_factors};
pub use predict::{PredictedCell, PredictedCells, predict_cells};
pub use simulate::{SimulatedTable, simulate_table};
pub use summary::{
    FactorColumn, FactorStack, FactorSummary, LatentValue, LikelihoodFigures, RowScores, StackWeights,
    StackedModel, WeightFigures, summarise_factors,
};

use crate::models;
use crate::options::factors::{DispersionChoice, IdentifyChoice, LinkChoice, ModelChoices, Sampling};
use crate::outcome::Usage;
use crate::watch::Watch;
use anyhow::Context;
use chain::{RunError, Schedule};
use factors::{Data, Dispersions, Identification, Link};
use formats::output::AtomicFile;
use std::io::Write as _;
use std::path::Path;

fn settings(choices: &ModelChoices, n_factors: u32) -> factors::Options {
    factors::Options {
        n_factors: n_factors as usize,
        link: match choices.link {
            LinkChoice::Logit => Link::Logit,
            LinkChoice::Probit => Link::Probit,
        },
        identification: match choices.identify {
            IdentifyChoice::Free => Identification::Free,
            IdentifyChoice::Triangular => Identification::Triangular,
        },
        sparse: choices.sparse,
        tails: choices.tails,
        dispersions: match choices.dispersions {
            DispersionChoice::Pooled => Dispersions::Pooled,
            DispersionChoice::Own => Dispersions::Own,
        },
        ..factors::Options::default()
    }
}

fn schedule(sampling: &Sampling) -> anyhow::Result<Schedule> {
    let Sampling { chains, sweeps, thin, chance, .. } = *sampling;
    let burn_in = sampling.burn_in.unwrap_or(sweeps / 4);
    let samples = sweeps.saturating_sub(burn_in) / thin;
    if samples < 2 {
        return Err(Usage(format!(
            "of {sweeps} sweeps {burn_in} are thrown away and one of {thin} is kept, which leaves {samples}; raise --sweeps, or \
             lower --burn-in or --thin"
        ))
        .into());
    }
    Ok(Schedule { burn_in, samples, thin, seed: chance.seed, chains })
}

/// The error of a run, with names for the places that the model knows only by number.
fn run_error(error: RunError<factors::Error>, data: &Data, rows: &[String]) -> anyhow::Error {
    let names = match &error {
        RunError::Kernel { source: factors::Error::Diverged { column }, .. } => {
            data.columns().get(*column).map(|column| format!("column {}", column.name))
        }
        RunError::Kernel { source: factors::Error::DivergedRow { row }, .. } => {
            rows.get(*row).map(|row| format!("row {row}"))
        }
        _ => None,
    };
    let advice = "its numbers have become too large to go on; standardise (without --raw-scale), or declare other types";
    match names {
        Some(name) => anyhow::anyhow!("{name}: {advice}"),
        None => models::run_error(error),
    }
}

/// Writes a file in one step, or prints it if its name is `-`.
pub(crate) fn write(path: &Path, bytes: &[u8], watch: &dyn Watch) -> anyhow::Result<()> {
    if path == Path::new("-") {
        return Ok(watch.write(bytes)?);
    }
    let write = || -> std::io::Result<()> {
        let mut file = AtomicFile::create(path)?;
        file.write_all(bytes)?;
        file.finish()
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}
