//! Columns with a label per word: part-of-speech tags, BIO entities, chunks.
//!
//! One word per line, columns separated by spaces or tabs, the label in the last column, an empty line
//! between sentences (CoNLL-2000, 2002, 2003, MasakhaNER). A line that begins with `-DOCSTART-` is a boundary between
//! documents, a sentence of its own without words. Lines are kept as written.

use crate::lines::{Lines, column, width};
use crate::{Problem, Read};
use std::io::{self, BufRead, Write};
use tree::sentence::UNSPECIFIED;
use tree::{Place, Sentence, Text};

/// What a boundary between documents begins with.
pub const BOUNDARY: &str = "-DOCSTART-";

/// A sentence of labelled words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labelled {
    /// The lines of the sentence.
    pub rows: Vec<BioRow>,
    /// Whether the next sentence follows without an empty line, as after a boundary or before one.
    pub runs_on: bool,
}

impl Labelled {
    /// Whether it is a boundary between documents and has no words.
    pub fn is_boundary(&self) -> bool {
        matches!(&self.rows[..], [row] if row.word() == BOUNDARY)
    }

    /// The words, and their labels as universal tags; a word without label has none. A boundary has no words.
    pub fn tagged(&self) -> Sentence {
        if self.is_boundary() {
            return Sentence::default();
        }
        let mut sentence = Sentence::from_forms(self.rows.iter().map(BioRow::word));
        for (token, row) in sentence.tokens.iter_mut().zip(&self.rows) {
            token.upos = if row.columns().count() < 2 { UNSPECIFIED } else { row.label().into() };
        }
        sentence
    }
}

/// One line as written, so that writing gives back what was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BioRow {
    pub(crate) line: Text,
}

impl BioRow {
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

    /// Puts another label in the last column, or in a new one if there is none.
    pub(crate) fn set_label(&mut self, label: &str) {
        let end = self.line.trim_ascii_end().len();
        let (row, rest) = self.line.split_at(end);
        let last = row.rfind(|char: char| char.is_ascii_whitespace()).map(|at| at + 1);
        self.line = match last {
            Some(start) if self.columns().count() > 1 => format!("{}{label}{rest}", &row[..start]).into(),
            _ => format!("{row} {label}{rest}").into(),
        };
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
pub struct BioReader<R> {
    lines: Lines<R>,
    n_columns: Option<usize>,
    reported_blank: bool,
    /// A line that was read and belongs to the next sentence.
    ahead: Option<(u32, Text)>,
}

impl<R: BufRead> BioReader<R> {
    /// The sentences of `source`.
    pub fn new(source: R) -> Self {
        Self { lines: Lines::new(source), n_columns: None, reported_blank: false, ahead: None }
    }

    /// The next sentence, or `None` at the end.
    pub fn read_sentence(&mut self) -> io::Result<Option<Read<Labelled>>> {
        let mut reading = Read { value: Labelled::default(), line: 0, problems: Vec::new() };
        let mut before = None;
        while let Some((number, line)) = self.next_line(&mut reading.problems)? {
            if line.trim_ascii().is_empty() {
                if reading.line != 0 {
                    return Ok(Some(reading));
                }
                if !std::mem::replace(&mut self.reported_blank, true) {
                    reading.problems.push(crate::rows::surplus_blank_line(number));
                }
                continue;
            }
            let row = BioRow { line };
            // A boundary ends the sentence before it, and nothing but an empty line belongs to it.
            if reading.line != 0 && (row.word() == BOUNDARY || reading.value.is_boundary()) {
                self.ahead = Some((number, row.line));
                reading.value.runs_on = true;
                return Ok(Some(reading));
            }
            if reading.line == 0 {
                reading.line = number;
            }
            if row.word() != BOUNDARY {
                check_columns(number, &row.line, &mut self.n_columns, &mut reading.problems);
                check_label(number, &row, before.as_deref(), &mut reading.problems);
            }
            before = Some(row.label().to_string());
            reading.value.rows.push(row);
        }
        Ok((reading.line != 0 || !reading.problems.is_empty()).then_some(reading))
    }
}

impl<R: BufRead> BioReader<R> {
    fn next_line(&mut self, problems: &mut Vec<Problem>) -> io::Result<Option<(u32, Text)>> {
        match self.ahead.take() {
            Some(line) => Ok(Some(line)),
            None => Ok(self.lines.next_line(problems)?.map(|(number, line)| (number, line.into()))),
        }
    }
}

impl<R: BufRead> Iterator for BioReader<R> {
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
    if sentence.runs_on { Ok(()) } else { writeln!(out) }
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
fn check_label(number: u32, row: &BioRow, before: Option<&str>, problems: &mut Vec<Problem>) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(text: &str) -> Vec<String> {
        let read = BioReader::new(text.as_bytes()).map(|reading| reading.expect("text can be read"));
        let shown = |read: Read<Labelled>| {
            assert_eq!(read.problems, [], "{text:?}");
            let sentence = read.value.tagged();
            sentence.words().map(|word| format!("{}/{}", word.form, word.upos)).collect::<Vec<_>>().join(" ")
        };
        read.map(shown).collect()
    }

    #[test]
    fn boundaries_of_documents_end_sentences_and_have_no_words() {
        for text in [
            "-DOCSTART- -X- O O\n\na X\nb Y\n\n-DOCSTART- -X- O O\n\nc X\n",
            "-DOCSTART-\na X\nb Y\n-DOCSTART-\nc X\n",
        ] {
            assert_eq!(sentences(text), ["", "a/X b/Y", "", "c/X"], "{text:?}");
        }
        assert_eq!(sentences("a\tnn\nb\tvb\n\nc\tnn\n"), ["a/nn b/vb", "c/nn"]);
    }

    #[test]
    fn boundaries_are_written_as_they_were_read() {
        for text in [
            "-DOCSTART- O\n\na X\nb Y\n\n-DOCSTART- O\n\nc X\n\n",
            "-DOCSTART- O\na X\nb Y\n\n-DOCSTART- O\nc X\n-DOCSTART- O\n\n",
        ] {
            let mut written = Vec::new();
            for read in BioReader::new(text.as_bytes()) {
                write(&read.expect("text can be read").value, &mut written)
                    .expect("memory can be written to");
            }
            assert_eq!(String::from_utf8_lossy(&written), text);
        }
    }

    #[test]
    fn a_word_without_label_has_no_tag() {
        let read =
            BioReader::new("a X\nb\n".as_bytes()).next().expect("a sentence").expect("text can be read");
        assert_eq!(read.problems[0].rule, "column-count");
        assert_eq!(
            read.value.tagged().words().map(|word| word.upos.as_str()).collect::<Vec<_>>(),
            ["X", "_"]
        );
    }
}
