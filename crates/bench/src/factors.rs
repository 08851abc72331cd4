//! The factor model for mixed-type tables: simulated and real.

mod table;

use clap::Subcommand;

/// What is measured.
#[derive(Debug, Subcommand)]
pub(crate) enum Factors {
    /// Table 4.1 of Sun (2016): error of latent values in simulated tables
    Table(table::Table),
}

/// Runs a measurement.
pub(crate) fn run(what: &Factors) -> anyhow::Result<()> {
    match what {
        Factors::Table(options) => table::run(options),
    }
}
