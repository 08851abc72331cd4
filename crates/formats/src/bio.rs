//! Columns with a label per word: part-of-speech tags, BIO entities, chunks.
//!
//! One word per line, columns separated by spaces or tabs, the label in the last column, an empty line
//! between sentences (CoNLL-2000, 2002, 2003, MasakhaNER). Lines are kept as written.

use crate::lines::{Lines, column, width};
use crate::{Problem, Read};
use std::io::{self, BufRead, Write};
use tree::{Place, Text};

/// A sentence of labelled words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labelled {
    /// The lines of the sentence.
    pub rows: Vec<Row>,
}

/// One line as written, so that writing gives back what was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    line: Text,
}

impl Row {
    /// A word and its label; white space in either becomes `_`.
    pub fn new(word: &str, label: &str) -> Self {
        let spaceless =
            |text: &str| if text.is_empty() { "_".into() } else { text.replace(char::is_whitespace, "_") };
        Self { line: format!("{} {}", spaceless(word), spaceless(label)).into() }
    }

    /// The columns from left to right.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.line.split_ascii_whitespace()
    }

    /// The first column.
    pub fn word(&self) -> &str {
        self.columns().next().unwrap_or_default()
    }

    /// The last column.
    pub fn label(&self) -> &str {
        self.columns().last().unwrap_or_default()
    }
}

/// Reads sentence by sentence.
#[derive(Debug)]
pub struct Reader<R> {
    lines: Lines<R>,
    n_columns: Option<usize>,
    reported_blank: bool,
}

impl<R: BufRead> Reader<R> {
    /// The sentences of `source`.
    pub fn new(source: R) -> Self {
        Self { lines: Lines::new(source), n_columns: None, reported_blank: false }
    }

    /// The next sentence, or `None` at the end.
    pub fn read_sentence(&mut self) -> io::Result<Option<Read<Labelled>>> {
        let mut reading = Read { value: Labelled::default(), line: 0, problems: Vec::new() };
        let mut before = None;
        while let Some((number, line)) = self.lines.next_line(&mut reading.problems)? {
            if line.trim_ascii().is_empty() {
                if reading.line != 0 {
                    return Ok(Some(reading));
                }
                if !std::mem::replace(&mut self.reported_blank, true) {
                    reading.problems.push(crate::rows::surplus_blank_line(number));
                }
                continue;
            }
            if reading.line == 0 {
                reading.line = number;
            }
            check_columns(number, line, &mut self.n_columns, &mut reading.problems);
            let row = Row { line: line.into() };
            check_label(number, &row, before.as_deref(), &mut reading.problems);
            before = Some(row.label().to_string());
            reading.value.rows.push(row);
        }
        Ok((reading.line != 0 || !reading.problems.is_empty()).then_some(reading))
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = io::Result<Read<Labelled>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_sentence().transpose()
    }
}

/// Writes one sentence.
pub fn write(sentence: &Labelled, out: &mut impl Write) -> io::Result<()> {
    for row in &sentence.rows {
        writeln!(out, "{}", row.line)?;
    }
    writeln!(out)
}

fn check_columns(number: u32, line: &str, n_columns: &mut Option<usize>, problems: &mut Vec<Problem>) {
    let n_here = line.split_ascii_whitespace().count();
    let expected = *n_columns.get_or_insert(n_here);
    let help = "separate word and label by one space or tab, and give every line the same columns";
    if n_here < 2 {
        let message = "a line with one column, so the word has no label";
        problems.push(Problem::error("column-count", Place::line(number), message, help));
    } else if n_here != expected {
        let message = format!("{n_here} columns where the first line has {expected}");
        problems.push(Problem::error("column-count", Place::line(number), message, help));
    }
}

/// `I-X` continues an `X`; after anything else it is a beginning spelled wrongly, which scorers read
/// leniently and people want to know.
fn check_label(number: u32, row: &Row, before: Option<&str>, problems: &mut Vec<Problem>) {
    let label = row.label();
    let Some(kind) = label.strip_prefix("I-") else { return };
    let continues = before.and_then(|before| before.split_once('-')).is_some_and(|(_, other)| other == kind);
    if !continues {
        let at = row.line.trim_ascii_end().len() - label.len();
        let place = Place::new(number, column(&row.line, at), width(label));
        let message = format!("{label} does not continue the label before it");
        problems.push(Problem::warning("inside-without-begin", place, message, format!("write B-{kind}")));
    }
}
