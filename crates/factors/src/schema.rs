//! From columns of text to columns with kinds: what is declared, what is inferred, and what is wrong.

mod declared;
mod encode;
mod infer;
#[cfg(test)]
mod tests;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Kind;

pub use declared::{Declared, Levels, read_types};

/// How a column of text is read, so that another table can be read in the same way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Described {
    /// The name of the column.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// The texts of the levels, in order; empty for numbers and counts.
    pub levels: Vec<String>,
    /// Continuous values are shifted and divided by these two, and predictions are taken back.
    pub centre: f64,
    /// See `centre`.
    pub scale: f64,
    /// Whether commas are decimal points.
    pub comma: bool,
    /// Whether the kind was inferred and not declared.
    pub inferred: bool,
}

/// What becomes of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Role {
    /// It is modelled.
    Modelled(Described),
    /// It names the rows.
    Names,
    /// It is left out, for a reason in words.
    LeftOut(String),
}

/// Something wrong with a column. Rows count from 1, without the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The column.
    pub column: String,
    /// The first row where it shows, if it is about single cells.
    pub row: Option<usize>,
    /// What is wrong and what to do.
    pub message: String,
    /// Whether the table cannot be used until it is mended.
    pub fatal: bool,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}", self.column)?;
        if let Some(row) = self.row {
            write!(f, ", row {row}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl Trouble {
    fn new(column: &str, row: Option<usize>, message: impl Into<String>, fatal: bool) -> Trouble {
        Trouble { column: column.to_owned(), row, message: message.into(), fatal }
    }
}

/// Describes a column from its texts (`None` is missing) and what was declared about it.
///
/// `standardise` shifts and scales continuous columns to mean 0 and standard deviation 1, which the priors expect.
pub fn describe(
    name: &str,
    cells: &[Option<&str>],
    declared: Option<&Declared>,
    standardise: bool,
) -> (Role, Vec<Trouble>) {
    infer::describe(name, cells, declared, standardise)
}

impl Described {
    /// The values of a column of text; what does not fit is trouble, and missing.
    pub fn encode(&self, cells: &[Option<&str>]) -> (crate::Cells, Vec<Trouble>) {
        encode::encode(self, cells)
    }

    /// The text of a predicted value, which the column can be read with again: the text of the most probable level, the
    /// median of a count, the mean of a number on the scale of the table.
    pub fn text(&self, prediction: &crate::Prediction) -> String {
        match prediction.level() {
            Some(level) => self.levels.get(level).cloned().unwrap_or_default(),
            None if self.kind == Kind::Count => prediction.median.to_string(),
            None => self.number_text(self.unscaled(prediction.mean)),
        }
    }

    /// A continuous value on the scale of the table, never infinite.
    pub fn unscaled(&self, value: f64) -> f64 {
        match self.kind {
            Kind::Continuous => (self.centre + self.scale * value).clamp(f64::MIN, f64::MAX),
            _ => value,
        }
    }

    /// The text of a number of the table: with an exponent where it would be longer than a person reads, and with a comma if
    /// the column has commas.
    pub fn number_text(&self, number: f64) -> String {
        let text = match number.abs() {
            size if size == 0.0 || (1e-7..1e17).contains(&size) => number.to_string(),
            _ => format!("{number:e}"),
        };
        if self.comma { text.replace('.', ",") } else { text }
    }

    /// The mean of levels that are numbers: Σ p · level. In a stack the mean of a level's place has weights of its own; what
    /// these make of it is carried over along the line between the two levels around it.
    pub fn level_mean(&self, prediction: &crate::Prediction) -> Option<f64> {
        let numbers: Option<Vec<f64>> = self.levels.iter().map(|level| self.number(level)).collect();
        let numbers = numbers.filter(|numbers| !numbers.is_empty())?;
        let p = &prediction.probabilities;
        let sum = |xs: &mut dyn Iterator<Item = f64>| p.iter().zip(xs).map(|(p, x)| p * x).sum::<f64>();
        let (mean, place) =
            (sum(&mut numbers.iter().copied()), sum(&mut (0..numbers.len()).map(|level| level as f64)));
        let along = |place: f64| {
            let last = numbers.len() - 1;
            let below = (place.max(0.0) as usize).min(last);
            let above = (below + 1).min(last);
            numbers[below] + (numbers[above] - numbers[below]) * (place - below as f64)
        };
        Some(mean + along(prediction.mean) - along(place))
    }

    /// A number of the table; `None` if the text is none.
    fn number(&self, text: &str) -> Option<f64> {
        number(text, self.comma)
    }
}

fn number(text: &str, comma: bool) -> Option<f64> {
    let text = text.trim();
    match comma {
        true if text.matches(',').count() == 1 => text.replace(',', ".").parse().ok(),
        _ => text.parse().ok(),
    }
}
