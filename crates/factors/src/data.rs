//! A table whose columns have kinds.

use chain::container::crc64;
use serde::{Deserialize, Serialize};

use crate::{Cells, Error, Kind};

/// One column: its name, its kind and its values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// The name in the table.
    pub name: String,
    /// What its values are.
    pub kind: Kind,
    /// The values.
    pub cells: Cells,
}

/// A table of observations: rows are persons, texts or languages, columns are what was asked or counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Data {
    n_rows: usize,
    columns: Vec<Column>,
}

impl Data {
    /// Puts columns together; they must have the same length, and values that fit their kinds.
    pub fn new(columns: Vec<Column>) -> Result<Data, Error> {
        let n_rows = columns.first().map_or(0, |column| column.cells.n_rows());
        let wrong = columns
            .iter()
            .find(|c| c.cells.n_rows() != n_rows || !c.cells.fit(c.kind) || matches!(c.kind.n_levels(), 1));
        match wrong {
            Some(column) => Err(Error::Column { name: column.name.clone(), kind: column.kind }),
            None => Ok(Data { n_rows, columns }),
        }
    }

    /// How many rows there are.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// How many latent values a row has: one for each column, more for categories.
    pub fn n_latent(&self) -> usize {
        self.columns.iter().map(|column| column.kind.n_latent()).sum()
    }

    /// All cells that have a value, as (row, column), column by column.
    pub fn observed(&self) -> impl Iterator<Item = (usize, usize)> {
        let rows = self.n_rows;
        let cells = move |(j, column): (usize, &Column)| {
            (0..rows).filter(|&i| column.cells.get(i).is_some()).map(|i| (i, j)).collect::<Vec<_>>()
        };
        self.columns.iter().enumerate().flat_map(cells)
    }

    /// The columns in which a row has no value.
    pub(crate) fn empty(&self, row: usize) -> Vec<usize> {
        (0..self.columns.len()).filter(|&j| self.columns[j].cells.get(row).is_none()).collect()
    }

    /// A checksum of names, kinds and values. The text of a column names everything in it, and numbers to the last bit.
    pub fn fingerprint(&self) -> u64 {
        let columns = self.columns.iter().map(|column| crc64(format!("{column:?}").as_bytes()));
        crc64(&columns.flat_map(u64::to_le_bytes).collect::<Vec<u8>>())
    }

    /// The same table with some cells missing.
    pub fn without(&self, cells: &[(usize, usize)]) -> Data {
        let mut rows = vec![Vec::new(); self.columns.len()];
        cells.iter().for_each(|&(row, column)| rows[column].push(row));
        let columns = self.columns.iter().zip(&rows);
        let columns =
            columns.map(|(column, rows)| Column { cells: column.cells.without(rows), ..column.clone() });
        Data { n_rows: self.n_rows, columns: columns.collect() }
    }
}
