//! A table read as numbers: levels by their numbers, categories as one column of 0 and 1 for each level.

use std::borrow::Cow;

use libm::sqrt;
use serde::{Deserialize, Serialize};

use crate::numbers::{Guesses, Normal, RoundedCount, RoundedLevel};
use crate::predictive::Predictive;
use crate::response::Foreign;
use crate::state::{Shape, State, dot_with_one};
use crate::{Cells, Column, Data, Error, Kind, Value};

/// How a model reads columns that are not continuous.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reading {
    /// Each by its kind.
    ByKind,
    /// All as continuous ones. This is wrong as a model, but a level that counts as a number tells a factor where it is,
    /// while one that is read by its kind only tells on which side of something it is.
    AsNumbers,
}

/// How columns become numbers with mean 0 and standard deviation 1, and back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coding {
    columns: Vec<Coded>,
}

/// One column: the place of its first number, and the scale of each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Coded {
    kind: Kind,
    first: usize,
    scales: Vec<Scale>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Scale {
    mean: f64,
    sd: f64,
}

impl Coding {
    /// The coding in which the cells of this table that have a value have mean 0 and standard deviation 1.
    pub fn new(data: &Data) -> Coding {
        let mut first = 0;
        let mut coded = |column: &Column| {
            let n_parts = n_parts(column.kind);
            let scales = (0..n_parts).map(|part| Scale::of(numbers(column, part))).collect();
            let at = first;
            first += n_parts;
            Coded { kind: column.kind, first: at, scales }
        };
        Coding { columns: data.columns().iter().map(&mut coded).collect() }
    }

    /// The table as numbers. The columns must be those that the coding was made for.
    pub fn table(&self, data: &Data) -> Result<Data, Error> {
        let parts = data.columns().iter().zip(&self.columns).flat_map(|(column, coded)| {
            let part = |(part, scale): (usize, &Scale)| Column {
                name: column.name.clone(),
                kind: Kind::Continuous,
                cells: Cells::Numbers(numbers(column, part).map(|x| (x - scale.mean) / scale.sd).collect()),
            };
            coded.scales.iter().enumerate().map(part).collect::<Vec<_>>()
        });
        Data::new(parts.collect())
    }

    /// The kind that a column has in the table.
    pub(crate) fn kind(&self, column: usize) -> Kind {
        self.columns[column].kind
    }

    /// How many columns the table has.
    pub(crate) fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// Whether the columns have these kinds, and their numbers, one after the other, are all columns of a model of so many.
    pub(crate) fn covers(&self, kinds: &[Kind], n_numbers: usize) -> bool {
        let mut next = 0;
        let follows = |coded: &Coded| {
            let at = next;
            next += n_parts(coded.kind);
            coded.first == at && coded.scales.len() == n_parts(coded.kind)
        };
        let all = self.columns.iter().all(follows) && next == n_numbers;
        all && self.columns.iter().map(|coded| coded.kind).eq(kinds.iter().copied())
    }

    /// What a draw says of one cell, on the scale of the table.
    pub(crate) fn predictive(
        &self,
        draw: &State,
        column: usize,
        factors: &[f64],
    ) -> Result<Box<dyn Predictive>, Foreign> {
        let kind = self.kind(column);
        let number = |part| self.normal(draw, column, part, factors);
        Ok(match kind {
            Kind::Continuous => Box::new(number(0)?),
            Kind::Count => Box::new(RoundedCount(number(0)?)),
            Kind::Binary | Kind::Ordinal(_) => {
                Box::new(RoundedLevel { normal: number(0)?, n_levels: kind.n_levels() })
            }
            Kind::Categorical(levels) => {
                Box::new(Guesses((0..levels).map(number).collect::<Result<_, _>>()?))
            }
        })
    }

    /// What a draw says of one number of a cell.
    fn normal(&self, draw: &State, column: usize, part: usize, factors: &[f64]) -> Result<Normal, Foreign> {
        let Coded { first, scales, .. } = &self.columns[column];
        let (Some(state), Some(scale)) = (draw.columns.get(first + part), scales.get(part)) else {
            return Err(Foreign);
        };
        let Shape::Noise(variance) = state.shape else { return Err(Foreign) };
        let z = dot_with_one(&state.weights, factors);
        Ok(Normal { mean: scale.mean + scale.sd * z, sd: scale.sd * sqrt(variance) })
    }
}

impl Reading {
    /// The table as a model with this reading sees it, and the coding that was made for it.
    pub fn table(self, data: &Data) -> Result<(Cow<'_, Data>, Option<Coding>), Error> {
        match self {
            Reading::ByKind => Ok((Cow::Borrowed(data), None)),
            Reading::AsNumbers => {
                let coding = Coding::new(data);
                Ok((Cow::Owned(coding.table(data)?), Some(coding)))
            }
        }
    }
}

impl Scale {
    /// Columns without two different values are only shifted.
    fn of(values: impl Iterator<Item = f64>) -> Scale {
        let values: Vec<f64> = values.filter(|x| !x.is_nan()).collect();
        let n = values.len().max(1) as f64;
        let mean = values.iter().sum::<f64>() / n;
        let sd = sqrt(values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n);
        Scale { mean, sd: if sd > 0.0 { sd } else { 1.0 } }
    }
}

/// The standard deviation of each column's numbers; 1 for columns without two different values, and for categories.
pub(crate) fn deviations(data: &Data) -> Vec<f64> {
    let deviation = |column: &Column| match column.kind {
        Kind::Categorical(_) => 1.0,
        _ => Scale::of(numbers(column, 0)).sd,
    };
    data.columns().iter().map(deviation).collect()
}

fn n_parts(kind: Kind) -> usize {
    if let Kind::Categorical(levels) = kind { levels } else { 1 }
}

/// One number of each row; NaN where there is no value.
fn numbers(column: &Column, part: usize) -> impl Iterator<Item = f64> {
    (0..column.cells.n_rows()).map(move |row| match (column.kind, column.cells.get(row)) {
        (_, None) => f64::NAN,
        (Kind::Categorical(_), Some(value)) => f64::from(value == Value::Level(part)),
        (Kind::Continuous | Kind::Binary | Kind::Count | Kind::Ordinal(_), Some(value)) => value.number(),
    })
}
