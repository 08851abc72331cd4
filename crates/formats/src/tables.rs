//! Tables: rows and named columns of text, from CSV, TSV and Arrow files.
//!
//! Whoever uses a table decides what its columns are; here a cell is a text, or missing. The delimiter is found in the
//! first line, Arrow files are known by their first bytes. Lines may end in LF, CR LF or CR, and a quoted cell may
//! hold delimiters, line ends and doubled quotes. Nothing is left out without a problem: short rows are filled with
//! missing cells, surplus cells and empty lines are reported, a quote that is never closed is read as a letter.
//!
//! ```
//! use formats::tables::{Delimiter, Options, read, write};
//! let found = read("name;size\nå;3,5\n\"a;b\";NA\n".as_bytes(), &Options::default())?;
//! let table = found.value;
//! assert_eq!((table.n_rows(), table.column_index("size")), (2, Some(1)));
//! assert_eq!((table.cell(0, 1), table.cell(1, 1)), (Some("3,5"), None));
//! let mut out = Vec::new();
//! write(&table, Delimiter::Comma, &mut out)?;
//! assert_eq!(out, "name,size\nå,\"3,5\"\na;b,\n".as_bytes());
//! # Ok::<(), std::io::Error>(())
//! ```

mod arrow;
mod delimited;
mod kind;
pub(crate) mod lexer;
mod names;
mod table;
mod texts;
mod window;
mod write;

pub use kind::{Delimiter, Kind};
pub use table::Table;
pub use write::{write, write_row};

use crate::Read;
use std::io::{self, BufRead};
use window::Window;

/// How a table is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// What the file is; `None` to find it out from its beginning.
    pub kind: Option<Kind>,
    /// Whether the first row of a text file names the columns. Without names they are `V1`, `V2` …
    pub has_header: bool,
    /// Whether a cell of a text file that begins with `"` goes on to the next `"`. Turn it off for files in which a
    /// quote is a letter like any other, such as lists of tokens.
    pub has_quotes: bool,
    /// Texts that mean that nothing is known, also between quotes and with spaces around them.
    ///
    /// By default nothing at all, `NA`, `N/A`, `#N/A`, `NaN`, `nan`, `NULL` and `null`. Single characters such as `.`
    /// and `?`, and `None`, are as often values, so they have to be asked for.
    pub missing: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        let missing = ["", "NA", "N/A", "#N/A", "NaN", "nan", "NULL", "null"].map(String::from).to_vec();
        Self { kind: None, has_header: true, has_quotes: true, missing }
    }
}

impl Options {
    fn is_missing(&self, text: &str) -> bool {
        let text = text.trim();
        self.missing.iter().any(|missing| missing == text)
    }
}

/// Reads a table. Text is read as it comes, of Arrow files the bytes are kept until the end.
///
/// `source` is decompressed and UTF-8, as [`crate::input::open`] gives it; only the stream itself can fail.
pub fn read(source: impl BufRead, options: &Options) -> io::Result<Read<Table>> {
    let mut window = Window::new(source);
    window.grow()?;
    match options.kind.unwrap_or_else(|| Kind::from_content(window.rest(), options.has_header)) {
        Kind::Text(delimiter) => delimited::read(window, delimiter, options),
        Kind::Arrow => Ok(arrow::read(&window.into_rest()?, options)),
    }
}
