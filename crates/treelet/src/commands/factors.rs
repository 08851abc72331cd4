//! `treelet factors`: factor analysis of tables with columns of different types.

mod choose;
mod fit;
mod plot;
mod predict;
mod simulate;
mod summary;
mod tables;

use crate::args::factors::{DispersionChoice, Factors, IdentifyChoice, LinkChoice, ModelChoices, Sampling};
use crate::outcome::{Outcome, Usage};
use crate::terminal::Terminal;
use anyhow::Context;
use chain::Schedule;
use formats::output::AtomicFile;
use mixed::{Dispersions, Identification, Link, Settings};
use std::io::Write as _;
use std::path::Path;

pub(crate) fn run(what: &Factors, terminal: &Terminal) -> anyhow::Result<Outcome> {
    match what {
        Factors::Fit(options) => fit::run(options, terminal),
        Factors::Choose(options) => choose::run(options, terminal),
        Factors::Summary(options) => summary::run(options, terminal),
        Factors::Predict(options) => predict::run(options, terminal),
        Factors::Plot(options) => plot::run(options, terminal),
        Factors::Simulate(options) => simulate::run(options, terminal),
    }
}

fn settings(choices: &ModelChoices, n_factors: u32) -> Settings {
    Settings {
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
        ..Settings::default()
    }
}

fn schedule(sampling: &Sampling) -> anyhow::Result<Schedule> {
    let Sampling { chains, sweeps, thin, seed, .. } = *sampling;
    let burn_in = sampling.burn_in.unwrap_or(sweeps / 4);
    let samples = sweeps.saturating_sub(burn_in) / thin;
    if samples < 2 {
        return Err(Usage(format!(
            "of {sweeps} sweeps {burn_in} are thrown away and one of {thin} is kept, which leaves {samples}; raise --sweeps, or \
             lower --burn-in or --thin"
        ))
        .into());
    }
    Ok(Schedule { burn_in, samples, thin, seed, chains })
}

/// Writes a file in one step, or prints it if its name is `-`.
fn write(path: &Path, bytes: &[u8], terminal: &Terminal) -> anyhow::Result<()> {
    if path == Path::new("-") {
        return terminal.print_bytes(bytes);
    }
    let write = || -> std::io::Result<()> {
        let mut file = AtomicFile::create(path)?;
        file.write_all(bytes)?;
        file.finish()
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}
