//! The values of one column.

use serde::{Deserialize, Serialize};

use crate::Kind;

/// The code of a missing level.
pub const MISSING: u16 = u16::MAX;

/// The values of one column, as compact as its kind allows. Missing cells tell the model nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Cells {
    /// Numbers; NaN is missing.
    Numbers(Vec<f64>),
    /// Levels; [`MISSING`] is missing.
    Levels(Vec<u16>),
    /// Counts, of which most are 0.
    Counts(Counts),
}

/// Counts as a sparse column: memory grows with what is not 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// How many rows there are.
    pub n_rows: usize,
    /// (row, count) of all counts above 0, by row.
    pub positive: Vec<(u32, u32)>,
    /// The rows without a value, in order.
    pub missing: Vec<u32>,
}

impl Counts {
    /// Gathers counts, of which `None` are missing.
    pub fn gather(counts: impl IntoIterator<Item = Option<u32>>) -> Counts {
        let mut gathered = Counts::default();
        for count in counts {
            let row = gathered.n_rows as u32;
            match count {
                None => gathered.missing.push(row),
                Some(0) => {}
                Some(count) => gathered.positive.push((row, count)),
            }
            gathered.n_rows += 1;
        }
        gathered
    }

    /// The count of a row; `None` if it is missing.
    pub fn get(&self, row: usize) -> Option<u32> {
        let row = row as u32;
        if self.missing.binary_search(&row).is_ok() {
            return None;
        }
        let found = self.positive.binary_search_by_key(&row, |&(row, _)| row);
        Some(found.map_or(0, |at| self.positive[at].1))
    }
}

/// The value of one cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A level, from 0.
    Level(usize),
    /// A count.
    Count(u32),
}

impl Value {
    /// The value as a number: levels count from 0.
    pub fn number(self) -> f64 {
        match self {
            Value::Number(number) => number,
            Value::Level(level) => level as f64,
            Value::Count(count) => f64::from(count),
        }
    }
}

impl Cells {
    /// How many rows there are.
    pub fn n_rows(&self) -> usize {
        match self {
            Cells::Numbers(numbers) => numbers.len(),
            Cells::Levels(levels) => levels.len(),
            Cells::Counts(counts) => counts.n_rows,
        }
    }

    /// The value of a row; `None` if it is missing.
    pub fn get(&self, row: usize) -> Option<Value> {
        match self {
            Cells::Numbers(numbers) => numbers.get(row).filter(|x| !x.is_nan()).map(|&x| Value::Number(x)),
            Cells::Levels(levels) => {
                levels.get(row).filter(|&&l| l != MISSING).map(|&l| Value::Level(l.into()))
            }
            Cells::Counts(counts) => counts.get(row).map(Value::Count),
        }
    }

    /// The same column with the cells of these rows missing.
    pub fn without(&self, rows: &[usize]) -> Cells {
        let mut cells = self.clone();
        match &mut cells {
            Cells::Numbers(numbers) => rows.iter().for_each(|&row| numbers[row] = f64::NAN),
            Cells::Levels(levels) => rows.iter().for_each(|&row| levels[row] = MISSING),
            Cells::Counts(counts) => {
                counts.missing.extend(rows.iter().map(|&row| row as u32));
                counts.missing.sort_unstable();
                counts.missing.dedup();
                let missing = &counts.missing;
                counts.positive.retain(|(row, _)| missing.binary_search(row).is_err());
            }
        }
        cells
    }

    /// Whether these cells can belong to a column of that kind.
    pub fn fit(&self, kind: Kind) -> bool {
        match (self, kind) {
            (Cells::Numbers(numbers), Kind::Continuous) => numbers.iter().all(|x| !x.is_infinite()),
            (Cells::Counts(_), Kind::Count) => true,
            (Cells::Levels(levels), Kind::Binary | Kind::Ordinal(_) | Kind::Categorical(_)) => {
                levels.iter().all(|&l| l == MISSING || usize::from(l) < kind.n_levels())
            }
            _ => false,
        }
    }
}
