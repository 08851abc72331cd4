//! Tables as text.

use super::{Delimiter, Table};
use std::io::{self, Write};

/// Writes a table with its names in the first row; lines end in LF, and missing cells are empty.
///
/// [`super::read`] gives the same table back, as long as no text is one of its missing texts.
pub fn write(table: &Table, delimiter: Delimiter, out: &mut impl Write) -> io::Result<()> {
    if table.n_columns() == 0 {
        return Ok(());
    }
    write_cells(table.names().iter().map(|name| (name.as_str(), is_misleading(name))), delimiter, out)?;
    (0..table.n_rows()).try_for_each(|row| write_row(table.row(row), delimiter, out))
}

/// Writes one row. Cells with delimiters, quotes or line ends in them are quoted.
pub fn write_row<'a>(
    cells: impl IntoIterator<Item = Option<&'a str>>,
    delimiter: Delimiter,
    out: &mut impl Write,
) -> io::Result<()> {
    write_cells(cells.into_iter().map(|cell| (cell.unwrap_or_default(), false)), delimiter, out)
}

/// Writes texts, those that are marked between quotes in any case.
fn write_cells<'a>(
    cells: impl Iterator<Item = (&'a str, bool)>,
    delimiter: Delimiter,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut cells = cells.peekable();
    let mut is_first = true;
    while let Some((text, is_marked)) = cells.next() {
        // An empty cell alone would be an empty line, which readers skip, and nothing in the header of a single column
        // tells the delimiter.
        let is_alone = is_first && cells.peek().is_none();
        if !is_first {
            out.write_all(&[delimiter.byte()])?;
        }
        is_first = false;
        let is_special = is_marked || is_alone && (text.is_empty() || is_misleading(text));
        if is_special || needs_quotes(text, delimiter) {
            write!(out, "\"{}\"", text.replace('"', "\"\""))?;
        } else {
            out.write_all(text.as_bytes())?;
        }
    }
    out.write_all(b"\n")
}

fn needs_quotes(text: &str, delimiter: Delimiter) -> bool {
    text.bytes().any(|byte| byte == delimiter.byte() || matches!(byte, b'"' | b'\n' | b'\r'))
}

/// Whether a name, or a cell alone, could be taken for something that tells the kind of a file.
fn is_misleading(name: &str) -> bool {
    let is_delimiter = |byte: u8| Delimiter::ALL.iter().any(|delimiter| delimiter.byte() == byte);
    name.starts_with(['\u{feff}', '\0'])
        || name.starts_with("sep=")
        || name.bytes().any(|byte| byte == 0 || is_delimiter(byte))
}
