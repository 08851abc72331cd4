//! Rows of text cut into cells.

use memchr::memchr;
use std::borrow::Cow;
use std::ops::Range;

/// What separates and encloses cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Syntax {
    pub(crate) delimiter: u8,
    pub(crate) has_quotes: bool,
}

/// A cell of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Its bytes in the row, with quotes.
    pub(crate) range: Range<usize>,
    pub(crate) shape: Quoting,
}

/// How a cell is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quoting {
    Plain,
    /// Between quotes, without quotes in it.
    Quoted,
    /// Between quotes, with doubled quotes in it.
    Doubled,
    /// Something follows after the closing quote.
    Trailing,
    /// It begins with a quote that is never closed, and is read as if that were a letter.
    Unclosed,
}

/// Finds the cells of the row that `bytes` begin with, and gives its length with the end of the line; `None` if the
/// row may go on after the last byte.
///
/// Only one quote of a file can lack a partner: between it and the end there are only pairs. So looking for the
/// partner again for every later cell takes no more than one pass.
pub(crate) fn lex_row(bytes: &[u8], is_end: bool, syntax: Syntax, cells: &mut Vec<Cell>) -> Option<usize> {
    cells.clear();
    let mut start = 0;
    loop {
        let (shape, end) = match bytes.get(start) {
            Some(b'"') if syntax.has_quotes => quoted(bytes, start, is_end, syntax.delimiter)?,
            _ => (Quoting::Plain, plain_end(bytes, start, syntax.delimiter)),
        };
        cells.push(Cell { range: start..end, shape });
        match bytes[end..] {
            [] => return is_end.then_some(end),
            [b'\r'] if !is_end => return None,
            [b'\r', b'\n', ..] => return Some(end + 2),
            [b'\r' | b'\n', ..] => return Some(end + 1),
            _ => start = end + 1,
        }
    }
}

fn plain_end(bytes: &[u8], start: usize, delimiter: u8) -> usize {
    let ends = |&byte: &u8| byte == delimiter || byte == b'\n' || byte == b'\r';
    bytes[start..].iter().position(ends).map_or(bytes.len(), |length| start + length)
}

/// The shape and the end of a cell that begins with a quote.
fn quoted(bytes: &[u8], start: usize, is_end: bool, delimiter: u8) -> Option<(Quoting, usize)> {
    let mut shape = Quoting::Quoted;
    let mut at = start + 1;
    loop {
        let Some(quote) = memchr(b'"', &bytes[at..]).map(|offset| at + offset) else {
            return is_end.then(|| (Quoting::Unclosed, plain_end(bytes, start, delimiter)));
        };
        match bytes.get(quote + 1) {
            Some(b'"') => shape = Quoting::Doubled,
            None if !is_end => return None,
            _ => {
                let end = plain_end(bytes, quote + 1, delimiter);
                return Some((if end == quote + 1 { shape } else { Quoting::Trailing }, end));
            }
        }
        at = quote + 2;
    }
}

impl Cell {
    /// The text of the cell of a row.
    pub(crate) fn text<'a>(&self, row: &'a str) -> Cow<'a, str> {
        let written = &row[self.range.clone()];
        match self.shape {
            Quoting::Plain | Quoting::Unclosed => written.into(),
            Quoting::Quoted => written[1..written.len() - 1].into(),
            Quoting::Doubled => written[1..written.len() - 1].replace("\"\"", "\"").into(),
            Quoting::Trailing => {
                let end = closing_quote(written);
                (written[1..end].replace("\"\"", "\"") + &written[end + 1..]).into()
            }
        }
    }

    /// Whether there is nothing between two delimiters, not even quotes.
    pub(crate) fn is_empty(&self) -> bool {
        self.range.is_empty()
    }
}

/// The byte of the quote that closes the one at the beginning.
pub(crate) fn closing_quote(written: &str) -> usize {
    let bytes = written.as_bytes();
    let mut at = 1;
    while at < bytes.len() && (bytes[at] != b'"' || bytes.get(at + 1) == Some(&b'"')) {
        at += if bytes[at] == b'"' { 2 } else { 1 };
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use Quoting::*;

    fn cells(row: &str) -> Vec<(String, Quoting)> {
        let mut cells = Vec::new();
        let syntax = Syntax { delimiter: b',', has_quotes: true };
        lex_row(row.as_bytes(), true, syntax, &mut cells).expect("the end is known");
        cells.iter().map(|cell| (cell.text(row).into_owned(), cell.shape)).collect()
    }

    #[test]
    fn cells_have_their_texts_and_shapes() {
        let cell = |text: &str, shape| (text.to_owned(), shape);
        assert_eq!(cells("a,,\"b\"\nc"), [cell("a", Plain), cell("", Plain), cell("b", Quoted)]);
        assert_eq!(cells("\"x,\ny\",\"\""), [cell("x,\ny", Quoted), cell("", Quoted)]);
        assert_eq!(cells("\"\"\"\",\"a\"\"b\""), [cell("\"", Doubled), cell("a\"b", Doubled)]);
        assert_eq!(cells("\"a\"\"b\"c\"d,e"), [cell("a\"bc\"d", Trailing), cell("e", Plain)]);
        assert_eq!(cells("a,\"b,c\nd"), [cell("a", Plain), cell("\"b", Unclosed), cell("c", Plain)]);
        assert_eq!(cells("a\"b\",c\rd"), [cell("a\"b\"", Plain), cell("c", Plain)]);
    }

    #[test]
    fn a_row_that_may_go_on_is_not_cut() {
        let syntax = Syntax { delimiter: b',', has_quotes: true };
        let text = b"a,\"b\"\"\r\n\",c\r\nd";
        for end in 0..text.len() {
            let found = lex_row(&text[..end], false, syntax, &mut Vec::new());
            assert_eq!(found, (end >= text.len() - 1).then_some(text.len() - 1), "{end}");
        }
    }
}
