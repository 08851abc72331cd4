//! What can go wrong.

use crate::Kind;

/// Why a model cannot be fitted or used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A column whose values do not fit its kind or the other columns.
    #[error("column {name}: not {kind}, or not as long as the others")]
    Column {
        /// The column.
        name: String,
        /// What it should be.
        kind: Kind,
    },
    /// There is nothing to learn from.
    #[error("the table has no cell with a value")]
    Empty,
    /// Too many factors.
    #[error(
        "{wanted} factors for {latent} latent values a row: at most {latent} can be told apart; lower -k"
    )]
    Factors {
        /// How many were wanted.
        wanted: usize,
        /// How many latent values a row has.
        latent: usize,
    },
    /// A setting out of its range.
    #[error("{what} must be a number above 0, not {value}")]
    Setting {
        /// Its name.
        what: &'static str,
        /// What it was.
        value: f64,
    },
    /// A table and a model, or a table and a state of the sampler, whose columns are not of the same kinds.
    #[error(
        "column {column}: not of the kind that the model has there; give it the table that it was fitted to"
    )]
    Foreign {
        /// The place of the column.
        column: usize,
    },
    /// A cell without a value that was to be scored.
    #[error("row {row}, column {column}: there is no value to compare with")]
    NoValue {
        /// The place of the row.
        row: usize,
        /// The place of the column.
        column: usize,
    },
    /// A posterior without draws says nothing.
    #[error("the model has no draws; fit it with at least one sample")]
    NoDraws,
    /// Fits that are not those of the plan, in their order.
    #[error("the fits are not those that the stack needs; fit them again")]
    OtherFits,
    /// A hidden cell about which a model has no number.
    #[error(
        "column {column}: the log-probability of a hidden cell is not a number, since numbers have become too large; scale its values"
    )]
    NotANumber {
        /// The place of the column.
        column: usize,
    },
    /// Numbers that grew beyond all bounds.
    #[error(
        "column {column}: the loadings cannot be drawn, since numbers have become too large; scale its values"
    )]
    Diverged {
        /// The place of the column.
        column: usize,
    },
    /// Numbers that grew beyond all bounds.
    #[error("row {row}: the factors cannot be drawn, since numbers have become too large; scale the columns")]
    DivergedRow {
        /// The place of the row.
        row: usize,
    },
}
