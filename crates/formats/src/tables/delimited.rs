//! Tables from rows of text.

use super::kind::{BYTE_ORDER_MARK, n_marks, said_delimiter};
use super::lexer::{Cell, Quoting, Syntax, closing_quote, lex_row};
use super::names::{self, Repair, default_name, unique_names};
use super::table::Builder;
use super::window::Window;
use super::{Delimiter, Options, Table};
use crate::lines::{byte_order_mark, control_character, invalid_utf8, width};
use crate::{Problem, Read};
use smol_str::SmolStr;
use std::borrow::Cow;
use std::io;
use tree::Place;

/// Reads the table of a text file from its beginning.
pub(super) fn read(
    mut window: Window<impl io::Read>,
    delimiter: Delimiter,
    options: &Options,
) -> io::Result<Read<Table>> {
    let syntax = Syntax { delimiter: delimiter.byte(), has_quotes: options.has_quotes };
    let mut reader = DelimitedReader {
        options,
        builder: None,
        start: 0,
        problems: Vec::new(),
        seen_control: false,
        empty: None,
    };
    let mut line = reader.skip_beginning(&mut window);
    let mut cells = Vec::new();
    while !(window.rest().is_empty() && window.is_end()) {
        let Some(n_bytes) = lex_row(window.rest(), window.is_end(), syntax, &mut cells) else {
            window.grow()?;
            continue;
        };
        let bytes = &window.rest()[..n_bytes];
        let row = TextRow { text: reader.decode(bytes, line), line };
        if let Cow::Owned(repaired) = &row.text {
            lex_row(repaired.as_bytes(), true, syntax, &mut cells);
        }
        reader.take(&row, &cells);
        line = line.saturating_add(n_line_ends(bytes));
        window.advance(n_bytes);
    }
    Ok(reader.finish(line))
}

/// A row with its line ends, and the line where it begins.
struct TextRow<'a> {
    text: Cow<'a, str>,
    line: u32,
}

struct DelimitedReader<'a> {
    options: &'a Options,
    /// Begun with the first row.
    builder: Option<Builder>,
    /// The line of the first row.
    start: u32,
    problems: Vec<Problem>,
    seen_control: bool,
    /// The first empty line, and how many there are.
    empty: Option<(u32, usize)>,
}

impl DelimitedReader<'_> {
    /// Goes past byte-order marks and a line such as `sep=;`, and gives the number of the next line.
    fn skip_beginning(&mut self, window: &mut Window<impl io::Read>) -> u32 {
        let n_marks = n_marks(window.rest());
        window.advance(n_marks * BYTE_ORDER_MARK.len());
        if n_marks > 0 {
            self.problems.push(byte_order_mark(1));
        }
        match said_delimiter(window.rest()) {
            None => 1,
            Some((_, n_bytes)) => {
                window.advance(n_bytes);
                2
            }
        }
    }

    fn decode<'b>(&mut self, bytes: &'b [u8], line: u32) -> Cow<'b, str> {
        let text = String::from_utf8_lossy(bytes);
        if let (Cow::Owned(_), Err(error)) = (&text, std::str::from_utf8(bytes)) {
            let at = error.valid_up_to();
            let before = String::from_utf8_lossy(&bytes[..at]);
            let place = place(&before, line, before.len(), 1);
            self.problems.push(Problem { place, ..invalid_utf8(line, bytes, at) });
        }
        if !self.seen_control {
            self.find_control_character(&text, line);
        }
        text
    }

    /// Characters that no text has, such as NUL; said once, they are kept.
    fn find_control_character(&mut self, text: &str, line: u32) {
        let is_control = |byte: u8| byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r');
        // Without an early exit the compiler looks at many bytes at a time.
        if !text.bytes().fold(false, |has, byte| has | is_control(byte)) {
            return;
        }
        let at = text.bytes().position(is_control).unwrap_or_default();
        self.problems.push(control_character(place(text, line, at, 1), text.as_bytes()[at]));
        self.seen_control = true;
    }

    fn take(&mut self, row: &TextRow, cells: &[Cell]) {
        if let [only] = cells
            && only.is_empty()
        {
            self.empty.get_or_insert((row.line, 0)).1 += 1;
            return;
        }
        for cell in cells.iter().filter(|cell| matches!(cell.shape, Quoting::Trailing | Quoting::Unclosed)) {
            self.problems.push(quote_problem(row, cell));
        }
        if self.builder.is_none() {
            self.start = row.line;
            self.builder = Some(Builder::new(self.names(row, cells)));
            if self.options.has_header {
                return;
            }
        }
        let Some(builder) = &mut self.builder else { return };
        self.problems.extend(length_problem(row, cells, builder.columns.len()));
        append(builder, row, cells, self.options);
    }

    fn names(&mut self, row: &TextRow, cells: &[Cell]) -> Vec<SmolStr> {
        if !self.options.has_header {
            return (0..cells.len()).map(default_name).collect();
        }
        let given: Vec<Cow<str>> = cells.iter().map(|cell| cell.text(&row.text)).collect();
        let (names, repairs) = unique_names(given.iter().map(AsRef::as_ref));
        for repair in repairs {
            let (Repair::Unnamed { column } | Repair::Duplicate { column }) = repair;
            self.problems.push(names::problem(
                repair,
                place_of(row, &cells[column]),
                &given[column],
                &names[column],
            ));
        }
        names
    }

    fn finish(mut self, last_line: u32) -> Read<Table> {
        let table = self.builder.take().map(Builder::finish);
        let n_columns = table.as_ref().map_or(0, Table::n_columns);
        self.problems.extend(self.empty.map(|(line, n_lines)| empty_lines(line, n_lines, n_columns)));
        match &table {
            None => self.problems.push(Problem::error(
                "empty-table",
                Place::line(last_line.max(1)),
                "there is nothing in the file, not even names of columns",
                "check that it is the right file, and that it was written to the end",
            )),
            Some(table) if table.n_rows() == 0 => self.problems.push(Problem::warning(
                "no-rows",
                Place::line(self.start),
                "the table has names of columns and no rows",
                "if the first row is no header, say that there is none",
            )),
            Some(_) => {}
        }
        Read { value: table.unwrap_or_default(), line: self.start, problems: self.problems }
    }
}

/// Adds a row; what it lacks is missing, what it has too much is left out.
fn append(builder: &mut Builder, row: &TextRow, cells: &[Cell], options: &Options) {
    let Builder { columns, interner, n_rows, lines, .. } = builder;
    for (column, cell) in columns.iter_mut().zip(cells) {
        let text = cell.text(&row.text);
        column.push(if options.is_missing(&text) { 0 } else { interner.intern(&text) });
    }
    columns.iter_mut().skip(cells.len()).for_each(|column| column.push(0));
    *n_rows += 1;
    lines.push(row.line);
}

/// Line ends in rows: LF, CR LF, or CR alone.
fn n_line_ends(bytes: &[u8]) -> u32 {
    let n_line_feeds = memchr::memchr_iter(b'\n', bytes).count();
    let returns = memchr::memchr_iter(b'\r', bytes);
    let n_alone = returns.filter(|&at| bytes.get(at + 1) != Some(&b'\n')).count();
    u32::try_from(n_line_feeds + n_alone).unwrap_or(u32::MAX)
}

/// The place of `length` characters from a byte of a row on, which may be several lines after its beginning.
fn place(text: &str, line: u32, at: usize, length: u32) -> Place {
    let before = &text[..at];
    let start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let line = line.saturating_add(n_line_ends(before.as_bytes()));
    Place::new(line, width(&before[start..]).saturating_add(1), length)
}

fn place_of(row: &TextRow, cell: &Cell) -> Place {
    place(&row.text, row.line, cell.range.start, width(&row.text[cell.range.clone()]))
}

fn quote_problem(row: &TextRow, cell: &Cell) -> Problem {
    let written = &row.text[cell.range.clone()];
    if cell.shape == Quoting::Unclosed {
        return Problem::error(
            "unclosed-quote",
            place(&row.text, row.line, cell.range.start, 1),
            "this quote is not closed before the end of the file; it was read as a letter",
            "close it, or double it within quotes, or read the file without quotes",
        );
    }
    let after = closing_quote(written) + 1;
    let (start, text) = (place_of(row, cell), shortened(&written[after..]));
    Problem::warning(
        "text-after-quote",
        place(&row.text, row.line, cell.range.start + after, width(&written[after..])),
        format!(
            "`{text}` follows after what closes the quote of line {}; it was added to the cell",
            start.line
        ),
        "double quotes that are part of a cell, and write nothing between quotes and delimiters",
    )
}

fn length_problem(row: &TextRow, cells: &[Cell], n_columns: usize) -> Option<Problem> {
    let n_cells = cells.len();
    if n_cells < n_columns {
        return Some(Problem::error(
            "short-row",
            Place::line(row.line),
            format!("{n_cells} cells where there are {n_columns} columns; the others are read as missing"),
            "write a delimiter for every cell, also for those that are missing",
        ));
    }
    let surplus = cells.get(n_columns..).filter(|surplus| !surplus.is_empty())?;
    let place = place_of(row, &surplus[0]);
    if surplus.iter().all(Cell::is_empty) {
        return Some(Problem::warning(
            "long-row",
            place,
            format!("{n_cells} cells where there are {n_columns} columns; the others are empty"),
            "remove the delimiters at the end",
        ));
    }
    let text = surplus[0].text(&row.text);
    Some(Problem::error(
        "long-row",
        place,
        format!(
            "{n_cells} cells where there are {n_columns} columns; they are left out from `{}` on",
            shortened(&text)
        ),
        "quote cells that have delimiters in them; if the first column holds names of rows, name it in the header",
    ))
}

fn empty_lines(line: u32, n_lines: usize, n_columns: usize) -> Problem {
    let help = if n_columns == 1 { "write NA where the only cell is missing" } else { "remove them" };
    Problem::warning(
        "empty-line",
        Place::line(line),
        format!(
            "{n_lines} empty line{} left out, this is the first",
            if n_lines == 1 { " is" } else { "s are" }
        ),
        help,
    )
}

/// The beginning of a text, as long as fits into a message.
fn shortened(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        None => text.into(),
        Some((end, _)) => format!("{}…", &text[..end]).into(),
    }
}
