//! The factor model for mixed-type tables: simulated and real.

pub(crate) mod calibration;
mod imputation;
mod speed;
mod table;

use clap::Subcommand;

pub(crate) use speed::run as speed;

/// What is measured.
#[derive(Debug, Subcommand)]
pub(crate) enum Factors {
    /// Table 4.1 of Sun (2016): error of latent values in simulated tables
    Table(table::SimulatedTables),
    /// A fifth of the cells of real tables predicted by column means, a Gaussian and a mixed factor model, and a stack of both
    Imputation(imputation::Imputation),
    /// Whether probabilities and intervals of hidden cells of real tables are what they say
    Calibration(calibration::Calibration),
}

/// Runs a measurement.
pub(crate) fn run(what: &Factors) -> anyhow::Result<()> {
    match what {
        Factors::Table(options) => table::run(options),
        Factors::Imputation(options) => imputation::run(options),
        Factors::Calibration(options) => calibration::run(options),
    }
}
