//! Sentences as blocks of tab-separated rows: what CoNLL-U, CoNLL-X and CoNLL-2009 share.

use crate::lines::{Lines, column, width};
use crate::structure::{self, Rules};
use crate::{Problem, Read};
use std::io::{self, BufRead, Write};
use std::marker::PhantomData;
use tree::sentence::{Stray, UNSPECIFIED};
use tree::{Place, Sentence, Text, Token, TokenId};

/// How the columns of one format map to a [`Token`].
pub trait Layout {
    /// The fewest columns a row may have.
    const FEWEST: usize;
    /// The most columns a row may have; more are kept as extra columns and reported.
    const MOST: usize;
    /// What the format demands of a sentence as a whole.
    const RULES: Rules;
    /// The format's name, for messages.
    const NAME: &'static str;

    /// A token from a row of at least `FEWEST` columns.
    fn token(id: TokenId, row: &Row<'_>) -> Token;

    /// Writes a token as a row, without the line's end.
    fn write(token: &Token, out: &mut Vec<u8>);
}

/// The columns of one line.
#[derive(Debug)]
pub struct Row<'a> {
    line: &'a str,
    /// Byte offsets of the separators, and the line's length at the end.
    ends: &'a [usize],
}

impl<'a> Row<'a> {
    /// How many columns there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no column, which cannot be.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Column `index`, from 0; `_` beyond the last.
    pub fn get(&self, index: usize) -> &'a str {
        if index < self.len() { &self.line[self.start(index)..self.ends[index]] } else { "_" }
    }

    /// Column `index` as text of its own.
    pub fn text(&self, index: usize) -> Text {
        // About half of all columns are unspecified, and copying a constant is cheaper than looking.
        match self.get(index) {
            "_" => UNSPECIFIED,
            column => Text::new(column),
        }
    }

    /// The columns from `index` on.
    pub fn rest(&self, index: usize) -> Vec<Text> {
        (index..self.len()).map(|column| self.text(column)).collect()
    }

    fn start(&self, index: usize) -> usize {
        if index == 0 { 0 } else { self.ends[index - 1] + 1 }
    }

    fn place(&self, line: u32, index: usize) -> Place {
        Place::new(line, column(self.line, self.start(index)), width(self.get(index)).max(1))
    }
}

/// Reads sentences one by one.
#[derive(Debug)]
pub struct RowReader<R, L> {
    lines: Lines<R>,
    block: Block<L>,
    done: bool,
}

impl<R: BufRead, L: Layout> RowReader<R, L> {
    /// The sentences of `source`.
    pub fn new(source: R) -> Self {
        Self { lines: Lines::new(source), block: Block::new(), done: false }
    }

    /// The next sentence, or `None` at the end. What is wrong with the blank lines before it comes with it;
    /// what is wrong after the last sentence comes as one more reading without tokens.
    pub fn read_sentence(&mut self) -> io::Result<Option<Read<Sentence>>> {
        if self.done {
            return Ok(None);
        }
        while let Some((number, line)) = self.lines.next_line(&mut self.block.problems)? {
            if line.bytes().all(|byte| byte == b' ' || byte == b'\t') {
                if !line.is_empty() {
                    self.block.problems.push(blank_line_with_spaces(number));
                }
                if self.block.first_line != 0 {
                    return Ok(Some(self.block.finish()));
                }
                if line.is_empty() {
                    self.block.problems.push(surplus_blank_line(number));
                }
            } else {
                self.block.take(number, line);
            }
        }
        self.done = true;
        if self.block.first_line != 0 {
            self.block.problems.push(no_final_blank_line(self.block.last_line));
        }
        let something_left = self.block.first_line != 0 || !self.block.problems.is_empty();
        Ok(something_left.then(|| self.block.finish()))
    }
}

impl<R: BufRead, L: Layout> Iterator for RowReader<R, L> {
    type Item = io::Result<Read<Sentence>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_sentence().transpose()
    }
}

/// The sentence being read.
#[derive(Debug)]
struct Block<L> {
    sentence: Sentence,
    token_lines: Vec<u32>,
    problems: Vec<Problem>,
    first_line: u32,
    last_line: u32,
    ends: Vec<usize>,
    reported_spaces: bool,
    reported_columns: bool,
    layout: PhantomData<L>,
}

impl<L: Layout> Block<L> {
    fn new() -> Self {
        Self {
            sentence: Sentence::default(),
            token_lines: Vec::new(),
            problems: Vec::new(),
            first_line: 0,
            last_line: 0,
            ends: Vec::new(),
            reported_spaces: false,
            reported_columns: false,
            layout: PhantomData,
        }
    }

    fn take(&mut self, number: u32, line: &str) {
        if self.first_line == 0 {
            self.first_line = number;
        }
        self.last_line = number;
        // A row may start with `#` where that is the word: CoNLL-X has no comments, and ids are numbers.
        let before_rows = self.sentence.tokens.is_empty() && self.sentence.stray.is_empty();
        if line.starts_with('#') && before_rows {
            self.sentence.comments.push(line.into());
        } else {
            self.take_row(number, line);
        }
    }

    fn take_row(&mut self, number: u32, line: &str) {
        let has_empty_column = self.find_columns(line);
        if self.ends.len() == 1 && L::FEWEST > 1 && !line.starts_with('#') {
            let tabbed = line.split_whitespace().collect::<Vec<_>>().join("\t");
            if tabbed.bytes().filter(|&byte| byte == b'\t').count() + 1 >= L::FEWEST {
                if !std::mem::replace(&mut self.reported_spaces, true) {
                    self.problems.push(spaces_for_tabs(number));
                }
                return self.take_row(number, &tabbed);
            }
        }
        let row = Row { line, ends: &self.ends };
        let id = match row.get(0).parse::<TokenId>() {
            Ok(id) if row.len() >= L::FEWEST => id,
            outcome => {
                let problem = match outcome {
                    _ if line.starts_with('#') => comment_inside(number),
                    Ok(_) => too_few_columns::<L>(number, &row),
                    Err(()) if row.len() < L::FEWEST => too_few_columns::<L>(number, &row),
                    Err(()) => unreadable_id(number, &row),
                };
                self.problems.push(problem);
                self.sentence.stray.push(Stray { after: self.sentence.tokens.len(), line: line.into() });
                return;
            }
        };
        if row.len() < L::MOST && L::MOST < usize::MAX && !std::mem::replace(&mut self.reported_columns, true)
        {
            self.problems.push(short_rows::<L>(number, &row));
        }
        // A file with extra columns has them everywhere.
        if row.len() > L::MOST && !std::mem::replace(&mut self.reported_columns, true) {
            self.problems.push(too_many_columns::<L>(number, &row));
        }
        if has_empty_column {
            let index = (0..row.len()).find(|&index| row.get(index).is_empty()).unwrap_or_default();
            self.problems.push(empty_column(number, &row, index));
        }
        self.sentence.tokens.push(L::token(id, &row));
        self.token_lines.push(number);
    }

    /// Notes where the columns end, and tells whether one of them is empty.
    fn find_columns(&mut self, line: &str) -> bool {
        self.ends.clear();
        let mut start = 0;
        let mut has_empty_column = false;
        let ends = &mut self.ends;
        each_tab(line.as_bytes(), |at| {
            has_empty_column |= at == start;
            ends.push(at);
            start = at + 1;
        });
        self.ends.push(line.len());
        has_empty_column || start == line.len()
    }

    fn finish(&mut self) -> Read<Sentence> {
        // The next sentence is probably about as long.
        let tokens = Vec::with_capacity(self.sentence.tokens.len());
        let value = std::mem::replace(&mut self.sentence, Sentence { tokens, ..Sentence::default() });
        let mut problems = std::mem::take(&mut self.problems);
        if value.tokens.is_empty() && self.first_line != 0 {
            problems.push(no_tokens(self.first_line));
        }
        structure::check(&value, &self.token_lines, &L::RULES, &mut problems);
        let reading = Read { value, line: self.first_line, problems };
        self.token_lines.clear();
        (self.first_line, self.last_line) = (0, 0);
        reading
    }
}

/// Visits the offsets of all tabs, eight bytes at a time. Columns are short, so a search that has to be set
/// up anew for each would spend its time on that.
fn each_tab(bytes: &[u8], mut visit: impl FnMut(usize)) {
    const LOW: u64 = u64::from_ne_bytes([0x7F; 8]);
    const TABS: u64 = u64::from_ne_bytes([b'\t'; 8]);
    let chunks = bytes.chunks_exact(8);
    let tail = chunks.remainder();
    for (index, chunk) in chunks.enumerate() {
        let word = u64::from_le_bytes(chunk.try_into().unwrap_or_default());
        // A byte of `difference` is zero where there is a tab. Adding 0x7F to its low bits sets the high bit of
        // every other byte without a carry into the next, so what is left unset marks the tabs, exactly.
        let difference = word ^ TABS;
        let mut tabs = !(((difference & LOW) + LOW) | difference | LOW);
        while tabs != 0 {
            visit(8 * index + tabs.trailing_zeros() as usize / 8);
            tabs &= tabs - 1;
        }
    }
    let offset = bytes.len() - tail.len();
    tail.iter().enumerate().filter(|(_, byte)| **byte == b'\t').for_each(|(at, _)| visit(offset + at));
}

/// Writes a sentence with its comments, unread lines and the blank line after it.
pub fn write_sentence<L: Layout>(sentence: &Sentence, out: &mut impl Write) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(64 * (sentence.tokens.len() + 1));
    for comment in &sentence.comments {
        bytes.extend_from_slice(comment.as_bytes());
        bytes.push(b'\n');
    }
    let mut stray = sentence.stray.iter().peekable();
    for index in 0..=sentence.tokens.len() {
        while let Some(kept) = stray.next_if(|kept| kept.after <= index) {
            bytes.extend_from_slice(kept.line.as_bytes());
            bytes.push(b'\n');
        }
        if let Some(token) = sentence.tokens.get(index) {
            L::write(token, &mut bytes);
            bytes.push(b'\n');
        }
    }
    bytes.push(b'\n');
    out.write_all(&bytes)
}

/// Appends each column with a tab before it.
pub(crate) fn write_columns<'a>(columns: impl IntoIterator<Item = &'a Text>, out: &mut Vec<u8>) {
    for column in columns {
        out.push(b'\t');
        match column.as_bytes() {
            [byte] => out.push(*byte),
            bytes => out.extend_from_slice(bytes),
        }
    }
}

fn blank_line_with_spaces(line: u32) -> Problem {
    let message = "a line of spaces stands where an empty line ends the sentence";
    Problem::warning("blank-line-with-spaces", Place::line(line), message, "empty it")
}

pub(crate) fn surplus_blank_line(line: u32) -> Problem {
    let message = "more than one empty line between sentences, or one before the first";
    Problem::warning("surplus-blank-line", Place::line(line), message, "remove it; written files have none")
}

fn no_final_blank_line(line: u32) -> Problem {
    let message = "no empty line after the last sentence";
    let help = "add one; if the file was cut off, the last sentence is incomplete";
    Problem::warning("no-final-blank-line", Place::line(line), message, help)
}

fn no_tokens(line: u32) -> Problem {
    let help = "remove the comments, or add the rows of the sentence";
    Problem::error("no-tokens", Place::line(line), "a block without any token", help)
}

fn spaces_for_tabs(line: u32) -> Problem {
    let message = "columns are separated by spaces, not tabs; they were split at every space";
    let help = "replace the spaces by tabs; a form that contains a space is split wrongly";
    Problem::error("spaces-for-tabs", Place::line(line), message, help)
}

fn comment_inside(line: u32) -> Problem {
    let help = "move it before the first token; it is kept where it is";
    Problem::error("comment-inside", Place::line(line), "a comment in the middle of a sentence", help)
}

fn too_few_columns<L: Layout>(line: u32, row: &Row<'_>) -> Problem {
    let message = format!("{} columns where {} has at least {}", row.len(), L::NAME, L::FEWEST);
    let help = "fill the missing columns with _ (tabs between columns); the line is kept as it is";
    Problem::error("column-count", row.place(line, row.len() - 1), message, help)
}

fn too_many_columns<L: Layout>(line: u32, row: &Row<'_>) -> Problem {
    let message = format!("{} columns where {} has at most {}", row.len(), L::NAME, L::MOST);
    let help = "remove the surplus tabs; the columns are kept";
    Problem::error("column-count", row.place(line, L::MOST), message, help)
}

fn short_rows<L: Layout>(line: u32, row: &Row<'_>) -> Problem {
    let message = format!("{} columns where {} has {}", row.len(), L::NAME, L::MOST);
    let help = "nothing to do: the missing ones are read as _ and written so";
    Problem::warning("short-rows", row.place(line, row.len() - 1), message, help)
}

fn empty_column(line: u32, row: &Row<'_>, index: usize) -> Problem {
    let message = format!("column {} is empty", index + 1);
    Problem::error("empty-column", row.place(line, index), message, "write _ for an unspecified value")
}

fn unreadable_id(line: u32, row: &Row<'_>) -> Problem {
    let message = format!("`{}` is no token id", row.get(0));
    let help = "write a number, a range such as 3-4, or an empty node such as 3.1; the line is kept as it is";
    Problem::error("unreadable-id", row.place(line, 0), message, help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tabs_are_found_where_a_plain_loop_finds_them(bytes in prop::collection::vec(prop::sample::select(vec![b'\t', b'\t', 0, 8, 10, 0x89, 0x80, 0xFF, b'a']), 0..60)) {
            let mut found = Vec::new();
            each_tab(&bytes, |at| found.push(at));
            let expected: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'\t').collect();
            prop_assert_eq!(found, expected);
        }
    }
}
