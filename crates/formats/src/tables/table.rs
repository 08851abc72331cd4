//! The table itself.

use super::names::unique_names;
use super::texts::{Interner, Texts};
use smol_str::SmolStr;

/// Named columns of texts, any of which may be missing.
///
/// Names are unique and not empty, and all columns have the same length. Each different text is kept once, and a
/// cell is its number, so a table needs four bytes for each cell besides its different texts. Two tables are equal
/// if their names and texts are.
#[derive(Clone, Debug, Default)]
pub struct Table {
    names: Vec<SmolStr>,
    columns: Vec<Vec<u32>>,
    texts: Texts,
    n_rows: usize,
    /// Where rows begin in the file; empty if they are not from a text file.
    lines: Vec<u32>,
}

impl Table {
    /// A table of these columns; shorter ones are filled up with missing cells.
    ///
    /// Spaces around names are dropped, empty names become `V1`, `V2` …, and the second `x` becomes `x.2`. Columns
    /// without names get one, names without a column an empty one.
    pub fn from_columns<N: AsRef<str>>(names: &[N], columns: Vec<Vec<Option<String>>>) -> Self {
        let n_columns = names.len().max(columns.len());
        let given = (0..n_columns).map(|column| names.get(column).map_or("", AsRef::as_ref));
        let mut builder = Builder::new(unique_names(given).0);
        builder.n_rows = columns.iter().map(Vec::len).max().unwrap_or(0);
        for (ids, cells) in builder.columns.iter_mut().zip(&columns) {
            let interner = &mut builder.interner;
            ids.extend(cells.iter().map(|cell| cell.as_ref().map_or(0, |text| interner.intern(text))));
        }
        builder.finish()
    }

    /// Names of the columns.
    pub fn names(&self) -> &[SmolStr] {
        &self.names
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Number of columns.
    pub fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// Number of different texts: their ids are 1 to this number, each in some cell.
    pub fn n_texts(&self) -> usize {
        self.texts.len()
    }

    /// Ids of the cells of column `column`, counted from 0; 0 is a missing cell.
    pub fn column(&self, column: usize) -> &[u32] {
        &self.columns[column]
    }

    /// The text of an id; `None` for 0, and for what is no id of this table.
    pub fn text(&self, id: u32) -> Option<&str> {
        self.texts.get(id)
    }

    /// The text in a row and column, both counted from 0; `None` if it is missing.
    pub fn cell(&self, row: usize, column: usize) -> Option<&str> {
        self.text(self.columns[column][row])
    }

    /// The cells of a row, counted from 0.
    pub fn row(&self, row: usize) -> impl Iterator<Item = Option<&str>> {
        self.columns.iter().map(move |column| self.text(column[row]))
    }

    /// The line of the file where a row begins, from 1; the number of the row, from 1, if it is not from a text file.
    pub fn line(&self, row: usize) -> u32 {
        let number = || u32::try_from(row).unwrap_or(u32::MAX).saturating_add(1);
        self.lines.get(row).copied().unwrap_or_else(number)
    }

    /// The column of this name.
    pub fn column_index(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        let same_cell = |(a, b): (&u32, &u32)| self.text(*a) == other.text(*b);
        let same_column = |(a, b): (&Vec<u32>, &Vec<u32>)| a.iter().zip(b).all(same_cell);
        (self.n_rows, &self.names) == (other.n_rows, &other.names)
            && self.columns.iter().zip(&other.columns).all(same_column)
    }
}

impl Eq for Table {}

/// A table that still grows: by rows, or column after column.
#[derive(Debug)]
pub(super) struct Builder {
    names: Vec<SmolStr>,
    pub(super) columns: Vec<Vec<u32>>,
    pub(super) interner: Interner,
    pub(super) n_rows: usize,
    pub(super) lines: Vec<u32>,
}

impl Builder {
    pub(super) fn new(names: Vec<SmolStr>) -> Self {
        let columns = vec![Vec::new(); names.len()];
        Self { names, columns, interner: Interner::default(), n_rows: 0, lines: Vec::new() }
    }

    /// The table, with short columns filled up.
    pub(super) fn finish(mut self) -> Table {
        for column in &mut self.columns {
            column.resize(self.n_rows, 0);
            column.shrink_to_fit();
        }
        let Self { names, columns, interner, n_rows, lines } = self;
        Table { names, columns, texts: interner.freeze(), n_rows, lines }
    }
}
