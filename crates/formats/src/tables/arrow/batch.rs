//! Batches of rows and of values of dictionaries.

use super::super::Options;
use super::super::texts::Interner;
use super::Wrong;
use super::buffer::{Packing, unpacked};
use super::cells::{Cells, LaidCells};
use super::flat::FlatTable;
use super::message::Message;
use super::schema::{ArrowColumn, ArrowLayout, Buffers, Schema, Values};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A batch that is cut into its columns, from the first to the last.
pub(super) struct Cut<'a> {
    pub(super) n_rows: usize,
    /// Rows and missing cells of columns and their parts.
    nodes: std::vec::IntoIter<[i64; 2]>,
    /// Where buffers begin, and how long they are.
    buffers: std::vec::IntoIter<[i64; 2]>,
    /// How many buffers the texts of views lie in.
    n_view_buffers: std::vec::IntoIter<i64>,
    packing: Option<Packing>,
    is_before_version_5: bool,
    data: &'a [u8],
}

impl<'a> Cut<'a> {
    pub(super) fn new(batch: &FlatTable<'a>, message: &Message<'a>) -> Result<Self, Wrong> {
        let unclear = || Wrong::from("the description of a batch is broken");
        let n_rows = usize::try_from(batch.long(0).unwrap_or(0)).map_err(|_| unclear())?;
        let nodes = batch.pairs(1).ok_or_else(unclear)?;
        check_sizes(n_rows, &nodes, message.data)?;
        let packing = batch.table(3).map(|packing| Packing::of(packing.byte(0).unwrap_or(0))).transpose()?;
        Ok(Self {
            n_rows,
            nodes: nodes.into_iter(),
            buffers: batch.pairs(2).ok_or_else(unclear)?.into_iter(),
            n_view_buffers: batch.longs(4).ok_or_else(unclear)?.into_iter(),
            packing,
            is_before_version_5: message.version < 4,
            data: message.data,
        })
    }

    fn node(&mut self) -> Result<(usize, usize), Wrong> {
        let [n_cells, n_missing] = self.nodes.next().ok_or_else(contradicts)?;
        let size = |number| usize::try_from(number).map_err(|_| contradicts());
        Ok((size(n_cells)?, size(n_missing)?))
    }

    fn buffer(&mut self) -> Result<&'a [u8], Wrong> {
        let [start, length] = self.buffers.next().ok_or_else(contradicts)?;
        let (Ok(start), Ok(length)) = (usize::try_from(start), usize::try_from(length)) else {
            return Err("a buffer has a negative length".into());
        };
        let bytes = self.data.get(start..).and_then(|bytes| bytes.get(..length));
        bytes.ok_or_else(|| "a buffer is not in its batch".into())
    }

    fn unpacked(&mut self) -> Result<Cow<'a, [u8]>, Wrong> {
        unpacked(self.buffer()?, self.packing)
    }

    fn view_buffers(&mut self) -> Result<usize, Wrong> {
        let n_buffers = self.n_view_buffers.next().ok_or_else(contradicts)?;
        usize::try_from(n_buffers).map_err(|_| contradicts())
    }

    /// The cells of a column whose values have texts.
    fn laid(&mut self, values: Values) -> Result<LaidCells<'a>, Wrong> {
        let (n_cells, n_missing) = self.node()?;
        if values == Values::Missing {
            return Ok(LaidCells::all_missing(n_cells));
        }
        let present = Some(self.unpacked()?).filter(|_| n_missing > 0);
        let first = self.unpacked()?;
        let texts = match values {
            Values::Text(_) => vec![self.unpacked()?],
            Values::View => (0..self.view_buffers()?).map(|_| self.unpacked()).collect::<Result<_, _>>()?,
            _ => Vec::new(),
        };
        Ok(LaidCells { n_cells, values, present, first, texts })
    }

    /// Passes over a column with all its parts.
    fn skip(&mut self, column: &ArrowColumn) -> Result<(), Wrong> {
        let mut open = vec![column];
        while let Some(column) = open.pop() {
            self.node()?;
            let n_buffers = match (column.dictionary, column.layout) {
                (Some(_), _) => 2,
                (None, ArrowLayout::Other { buffers: Buffers::Count(n_buffers), .. }) => n_buffers,
                (None, ArrowLayout::Other { buffers: Buffers::Union(n_buffers), .. }) => {
                    n_buffers + usize::from(self.is_before_version_5)
                }
                (None, ArrowLayout::Other { buffers: Buffers::Views, .. })
                | (None, ArrowLayout::Readable(Values::View)) => 2 + self.view_buffers()?,
                (None, ArrowLayout::Readable(Values::Missing)) => 0,
                (None, ArrowLayout::Readable(Values::Text(_))) => 3,
                (None, ArrowLayout::Readable(_)) => 2,
            };
            for _ in 0..n_buffers {
                self.buffer()?;
            }
            open.extend(column.parts().iter().rev());
        }
        Ok(())
    }
}

pub(super) fn contradicts() -> Wrong {
    "a batch contradicts the description of the columns".into()
}

/// Whether the numbers in the description of a batch can be true of its data.
fn check_sizes(n_rows: usize, nodes: &[[i64; 2]], data: &[u8]) -> Result<(), Wrong> {
    // Eight rows fit into a byte, and compression makes it up to some hundred times smaller. Columns of nothing but
    // missing cells need no bytes at all.
    let most_rows = data.len().saturating_mul(8 * 256).saturating_add(1 << 16);
    let is_possible = |n: i64| usize::try_from(n).is_ok_and(|n| n <= most_rows);
    if n_rows > most_rows || nodes.iter().any(|&[n_cells, _]| !is_possible(n_cells)) {
        return Err("a batch claims more rows than its bytes can hold".into());
    }
    if !is_possible(nodes.iter().fold(0_i64, |sum, [n_cells, _]| sum.saturating_add(*n_cells))) {
        return Err("a batch claims more cells than its bytes can hold".into());
    }
    if nodes.iter().any(|[n_cells, n_missing]| !(0..=*n_cells).contains(n_missing)) {
        return Err("a batch claims more missing cells than it has rows".into());
    }
    Ok(())
}

/// What the messages so far define.
pub(super) struct Batches<'a> {
    schema: &'a Schema,
    options: &'a Options,
    /// Cells for the values of dictionaries.
    dictionaries: BTreeMap<i64, Vec<u32>>,
}

impl<'a> Batches<'a> {
    pub(super) fn new(schema: &'a Schema, options: &'a Options) -> Self {
        Self { schema, options, dictionaries: BTreeMap::new() }
    }

    /// Takes up a dictionary, or more values of it. Each value is looked at once.
    pub(super) fn define(
        &mut self,
        id: i64,
        is_more: bool,
        mut cut: Cut<'_>,
        interner: &mut Interner,
    ) -> Result<(), Wrong> {
        let column = self.schema.dictionary(id).ok_or("a dictionary belongs to no column")?;
        let Some(values) = column.values() else { return Ok(()) };
        let values = Cells { interner, options: self.options }.ids(&cut.laid(values)?)?;
        let known = self.dictionaries.entry(id).or_default();
        if !is_more {
            known.clear();
        }
        known.extend(values);
        Ok(())
    }

    /// The columns of a batch that can be read, with the ids of their cells.
    pub(super) fn columns(
        &self,
        mut cut: Cut<'_>,
        interner: &mut Interner,
    ) -> Result<Vec<(usize, Vec<u32>)>, Wrong> {
        let mut columns = Vec::new();
        let n_rows = cut.n_rows;
        for (place, column) in self.schema.columns.iter().enumerate() {
            let Some(values) = column.values() else {
                cut.skip(column)?;
                continue;
            };
            let mut cells = Cells { interner: &mut *interner, options: self.options };
            let ids = match column.dictionary {
                None => cells.ids(&cut.laid(values)?)?,
                Some((id, ids)) => {
                    let laid = cut.laid(ids)?;
                    // A column of which every cell is missing may have a dictionary that is never sent.
                    let values = self.dictionaries.get(&id).map_or(&[][..], Vec::as_slice);
                    laid.looked_up(values)?
                }
            };
            if ids.len() != n_rows {
                return Err(contradicts());
            }
            columns.push((place, ids));
        }
        Ok(columns)
    }
}
