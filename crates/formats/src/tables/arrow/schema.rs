//! What the columns of an Arrow file are.

use super::Wrong;
use super::flat::FlatTable;

/// Columns may lie in columns no deeper than this, so that nothing recurses without end.
const DEEPEST: usize = 64;

/// The columns of a file.
pub(super) struct Schema {
    pub(super) columns: Vec<ArrowColumn>,
}

/// A column, or a part of one.
pub(super) struct ArrowColumn {
    pub(super) name: String,
    pub(super) layout: ArrowLayout,
    /// The id of a dictionary, and how places in it are written, if cells are such places.
    pub(super) dictionary: Option<(i64, Values)>,
    parts: Vec<ArrowColumn>,
}

/// How values are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArrowLayout {
    /// As cells that have an obvious text.
    Readable(Values),
    /// As buffers that are passed over, with the name of the type.
    Other { name: &'static str, buffers: Buffers },
}

/// Values that have an obvious text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Values {
    Missing,
    Logical,
    /// Whole numbers of so many bytes.
    Whole {
        n_bytes: usize,
        is_signed: bool,
    },
    /// Floats of so many bytes.
    Float(usize),
    /// Texts whose ends are numbers of so many bytes.
    Text(usize),
    /// Texts that are short or else lie elsewhere.
    View,
}

/// How many buffers values take that are passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Buffers {
    Count(usize),
    /// Two, and as many as the batch says.
    Views,
    /// None in version 5, one more before.
    Union(usize),
}

impl Schema {
    pub(super) fn read(schema: &FlatTable<'_>) -> Result<Self, Wrong> {
        if schema.short(0).unwrap_or(0) != 0 {
            return Err("its numbers begin with the greatest byte, which is not read".into());
        }
        let fields = schema.tables(1).ok_or_else(unclear)?;
        let columns: Result<_, _> =
            fields.into_iter().map(|field| ArrowColumn::read(field, DEEPEST)).collect();
        Ok(Self { columns: columns? })
    }

    /// The values of a dictionary.
    pub(super) fn dictionary(&self, id: i64) -> Option<&ArrowColumn> {
        let mut open: Vec<&ArrowColumn> = self.columns.iter().collect();
        while let Some(column) = open.pop() {
            if column.dictionary.is_some_and(|(other, _)| other == id) {
                return Some(column);
            }
            open.extend(&column.parts);
        }
        None
    }
}

impl ArrowColumn {
    fn read(field: FlatTable<'_>, deepest: usize) -> Result<Self, Wrong> {
        let deepest = deepest.checked_sub(1).ok_or_else(unclear)?;
        let parts = field.tables(5).ok_or_else(unclear)?;
        let parts: Result<_, _> = parts.into_iter().map(|part| Self::read(part, deepest)).collect();
        // The places in a dictionary are numbers of four bytes unless something else is said.
        let places = |encoding: FlatTable<'_>| encoding.table(1).map_or(Some(INT), whole);
        let dictionary = match field.table(4) {
            None => None,
            Some(encoding) => Some((encoding.long(0).unwrap_or(0), places(encoding).ok_or_else(unclear)?)),
        };
        Ok(Self {
            name: field.text(0).ok_or_else(unclear)?.to_owned(),
            layout: layout(field.byte(2).unwrap_or(0), field.table(3)).ok_or_else(unclear)?,
            dictionary,
            parts: parts?,
        })
    }

    /// Its values, if they have an obvious text.
    pub(super) fn values(&self) -> Option<Values> {
        match self.layout {
            ArrowLayout::Readable(values) => Some(values),
            ArrowLayout::Other { .. } => None,
        }
    }

    /// The columns of which it consists. A dictionary has them, not the column that refers to it.
    pub(super) fn parts(&self) -> &[ArrowColumn] {
        if self.dictionary.is_some() { &[] } else { &self.parts }
    }

    /// The name of its type.
    pub(super) fn type_name(&self) -> &'static str {
        match self.layout {
            ArrowLayout::Readable(_) => "",
            ArrowLayout::Other { name, .. } => name,
        }
    }
}

const INT: Values = Values::Whole { n_bytes: 4, is_signed: true };

fn unclear() -> Wrong {
    "the description of the columns is broken".into()
}

fn whole(int: FlatTable<'_>) -> Option<Values> {
    let n_bytes = match int.int(0)? {
        8 => 1,
        16 => 2,
        32 => 4,
        64 => 8,
        _ => return None,
    };
    Some(Values::Whole { n_bytes, is_signed: int.byte(1).is_some_and(|is_signed| is_signed != 0) })
}

fn float(float: FlatTable<'_>) -> Option<Values> {
    match float.short(0).unwrap_or(0) {
        0 => Some(Values::Float(2)),
        1 => Some(Values::Float(4)),
        2 => Some(Values::Float(8)),
        _ => None,
    }
}

/// The layout of a type, by its number in Arrow's `Schema.fbs`.
fn layout(number: u8, details: Option<FlatTable<'_>>) -> Option<ArrowLayout> {
    let other = |name, n_buffers| ArrowLayout::Other { name, buffers: Buffers::Count(n_buffers) };
    Some(match number {
        1 => ArrowLayout::Readable(Values::Missing),
        2 => ArrowLayout::Readable(whole(details?)?),
        3 => ArrowLayout::Readable(float(details?)?),
        4 => other("Binary", 3),
        5 => ArrowLayout::Readable(Values::Text(4)),
        6 => ArrowLayout::Readable(Values::Logical),
        7 => other("Decimal", 2),
        8 => other("Date", 2),
        9 => other("Time", 2),
        10 => other("Timestamp", 2),
        11 => other("Interval", 2),
        12 => other("List", 2),
        13 => other("Struct", 1),
        14 => {
            let is_dense = details?.short(0).unwrap_or(0) == 1;
            ArrowLayout::Other { name: "Union", buffers: Buffers::Union(if is_dense { 2 } else { 1 }) }
        }
        15 => other("FixedSizeBinary", 2),
        16 => other("FixedSizeList", 1),
        17 => other("Map", 2),
        18 => other("Duration", 2),
        19 => other("LargeBinary", 3),
        20 => ArrowLayout::Readable(Values::Text(8)),
        21 => other("LargeList", 2),
        22 => other("RunEndEncoded", 0),
        23 => ArrowLayout::Other { name: "BinaryView", buffers: Buffers::Views },
        24 => ArrowLayout::Readable(Values::View),
        25 => other("ListView", 3),
        26 => other("LargeListView", 3),
        _ => return None,
    })
}
