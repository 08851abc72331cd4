//! A place in a source file.

use std::fmt;

/// Where something was said: line and column count from 1, the column in characters.
///
/// `Place::default()` (line 0) means "nowhere in a file", for values made by a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Line, from 1; 0 if the value does not come from a file.
    pub line: u32,
    /// Column of the first character, from 1; 0 if the whole line is meant.
    pub column: u32,
    /// Number of characters.
    pub length: u32,
}

impl Place {
    /// A whole line.
    pub fn line(line: u32) -> Self {
        Self { line, column: 0, length: 0 }
    }

    /// `length` characters from `column` on.
    pub fn new(line: u32, column: u32, length: u32) -> Self {
        Self { line, column, length }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) => f.write_str("not in a file"),
            (line, 0) => write!(f, "line {line}"),
            (line, column) => write!(f, "line {line}, column {column}"),
        }
    }
}
