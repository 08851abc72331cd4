//! CoNLL04: entities and how they are related, as Bekoulis et al. (2018) wrote the corpus of Roth & Yih (2004) down.
//!
//! A line `#doc 1537` begins a sentence. Its rows are `id word label ['Work_For', …] [14, …]`: words count from 0, the label is
//! one of BIO, and the last word of an entity lists its relations beside the last words of the entities that they lead to.
//! `['N']` beside the word's own number says that there are none, `?` beside a word that nobody said whether there is one. Label,
//! relations and their targets stand in `extra`, in the order of [`Extra`].

use crate::lines::{Lines, column, width};
use crate::{Problem, Read};
use std::io::{self, BufRead, Write};
use tree::sentence::Stray;
use tree::{Place, Sentence, Text, Token, TokenId};

/// Where a column stands in [`Token::extra`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// The label of an entity.
    Label,
    /// What relations are called.
    Relations,
    /// The words that they lead to.
    Targets,
}

/// What a sentence begins with.
pub const BEGINNING: &str = "#doc";

const N_COLUMNS: usize = 5;
/// Fewer columns are no word and label.
const FEWEST: usize = 3;

/// Reads sentence by sentence.
#[derive(Debug)]
pub struct Conll04Reader<R> {
    lines: Lines<R>,
    /// The beginning of the next sentence, if it was read.
    ahead: Option<(u32, Text)>,
    reported_blank: bool,
}

impl<R: BufRead> Conll04Reader<R> {
    /// The sentences of `source`.
    pub fn new(source: R) -> Self {
        Self { lines: Lines::new(source), ahead: None, reported_blank: false }
    }

    /// The next sentence, or `None` at the end.
    pub fn read_sentence(&mut self) -> io::Result<Option<Read<Sentence>>> {
        let mut read = Read { value: Sentence::default(), line: 0, problems: Vec::new() };
        while let Some((number, line)) = self.next_line(&mut read.problems)? {
            if line.trim_ascii().is_empty() {
                if !std::mem::replace(&mut self.reported_blank, true) {
                    read.problems.push(blank_line(number));
                }
                if read.line != 0 {
                    return Ok(Some(finish(read)));
                }
                continue;
            }
            if read.line != 0 && begins_sentence(&line) {
                self.ahead = Some((number, line));
                return Ok(Some(finish(read)));
            }
            if read.line == 0 {
                read.line = number;
            }
            take(number, line, &mut read);
        }
        let is_something = read.line != 0 || !read.problems.is_empty();
        Ok(is_something.then(|| finish(read)))
    }

    fn next_line(&mut self, problems: &mut Vec<Problem>) -> io::Result<Option<(u32, Text)>> {
        match self.ahead.take() {
            Some(line) => Ok(Some(line)),
            None => Ok(self.lines.next_line(problems)?.map(|(number, line)| (number, line.into()))),
        }
    }
}

impl<R: BufRead> Iterator for Conll04Reader<R> {
    type Item = io::Result<Read<Sentence>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_sentence().transpose()
    }
}

fn begins_sentence(line: &str) -> bool {
    let rest = line.strip_prefix(BEGINNING);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(|char: char| char.is_ascii_whitespace()))
}

fn take(number: u32, line: Text, read: &mut Read<Sentence>) {
    let sentence = &mut read.value;
    let is_first = sentence.tokens.is_empty() && sentence.stray.is_empty();
    if line.starts_with('#') && is_first {
        return sentence.comments.push(line);
    }
    let columns: Vec<&str> = line.split('\t').collect();
    let id = columns[0].parse::<u32>().ok().filter(|id| id.to_string() == columns[0] && *id < MOST_WORDS);
    let (Some(id), true) = (id, columns.len() >= FEWEST) else {
        read.problems.push(no_row(number, &line, columns.len()));
        return sentence.stray.push(Stray { after: sentence.tokens.len(), line });
    };
    if columns.len() != N_COLUMNS {
        read.problems.push(other_columns(number, columns.len()));
    }
    if let Some(index) = columns.iter().position(|column| column.is_empty()) {
        let offset = columns[index].as_ptr() as usize - line.as_ptr() as usize;
        read.problems.push(empty_column(Place::new(number, column(&line, offset), 1), index));
    }
    if id as usize != sentence.tokens.len() {
        let place = Place::new(number, 1, width(columns[0]));
        read.problems.push(wrong_id(place, id, sentence.tokens.len()));
    }
    let mut token = Token::word(id + 1, columns[1]);
    token.extra = columns[2..].iter().map(|&column| column.into()).collect();
    sentence.tokens.push(token);
}

/// Larger ids are not numbers of words.
const MOST_WORDS: u32 = 1_000_000_000;

fn finish(mut read: Read<Sentence>) -> Read<Sentence> {
    let sentence = &read.value;
    if read.line != 0 && sentence.tokens.is_empty() {
        let help = "remove the line, or add the rows of the sentence";
        let place = Place::line(read.line);
        read.problems.push(Problem::error("no-tokens", place, "a block without any token", help));
    } else if read.line != 0 && !sentence.comments.iter().any(|comment| begins_sentence(comment)) {
        let message = "a sentence without a line `#doc`";
        let help = "begin each sentence with a line `#doc` and its number; it is written with one";
        read.problems.push(Problem::warning("no-document", Place::line(read.line), message, help));
    }
    read
}

fn blank_line(line: u32) -> Problem {
    let help = "remove it; `#doc` alone separates sentences, and written files have no empty lines";
    Problem::warning("surplus-blank-line", Place::line(line), "an empty line", help)
}

fn no_row(line: u32, text: &str, n_columns: usize) -> Problem {
    if text.starts_with('#') {
        let help = "move it before the first row; it is kept where it is";
        return Problem::error(
            "comment-inside",
            Place::line(line),
            "a comment in the middle of a sentence",
            help,
        );
    }
    if n_columns < FEWEST {
        return other_columns(line, n_columns);
    }
    let first = text.split('\t').next().unwrap_or_default();
    let message = format!("`{first}` is no number of a word");
    let help = "number the words 0, 1, 2 … in each sentence; the line is kept as it is";
    Problem::error("unreadable-id", Place::new(line, 1, width(first).max(1)), message, help)
}

fn other_columns(line: u32, n_columns: usize) -> Problem {
    let message = format!("{n_columns} columns where CoNLL04 has {N_COLUMNS}");
    let help = "write id, word, label, ['relation', …] and [word, …] with tabs between them; it is kept";
    Problem::error("column-count", Place::line(line), message, help)
}

fn empty_column(place: Place, index: usize) -> Problem {
    let message = format!("column {} is empty", index + 1);
    Problem::error("empty-column", place, message, "write _ for a value that is not there")
}

fn wrong_id(place: Place, id: u32, expected: usize) -> Problem {
    let (rule, message) = if (id as usize) < expected {
        ("duplicate-id", format!("id {id} comes again or out of order"))
    } else {
        ("id-gap", format!("id {id} where {expected} is expected"))
    };
    let help = "number the words 0, 1, 2 … in each sentence, which begins with `#doc`";
    Problem::error(rule, place, message, help)
}

/// Writes one sentence.
pub fn write(sentence: &Sentence, out: &mut impl Write) -> io::Result<()> {
    if sentence.comments.is_empty() && sentence.tokens.is_empty() && sentence.stray.is_empty() {
        return Ok(());
    }
    if !sentence.comments.iter().any(|comment| begins_sentence(comment)) {
        writeln!(out, "{BEGINNING}")?;
    }
    for comment in &sentence.comments {
        writeln!(out, "{comment}")?;
    }
    let mut stray = sentence.stray.iter().peekable();
    for index in 0..=sentence.tokens.len() {
        while let Some(kept) = stray.next_if(|kept| kept.after <= index) {
            writeln!(out, "{}", kept.line)?;
        }
        if let Some(token) = sentence.tokens.get(index) {
            writeln!(out, "{}", row(token))?;
        }
    }
    Ok(())
}

/// A row without the line's end.
pub(crate) fn row(token: &Token) -> String {
    let id = match token.id {
        TokenId::Word(word) => word.saturating_sub(1).to_string(),
        other => other.to_string(),
    };
    let mut columns = vec![id.as_str(), &token.form];
    columns.extend(token.extra.iter().map(Text::as_str));
    let target = format!("[{id}]");
    if token.extra.is_empty() {
        columns.extend(["_", NO_RELATIONS, &target]);
    }
    columns.join("\t")
}

/// What stands where there is no relation.
pub(crate) const NO_RELATIONS: &str = "['N']";

/// The texts of a list as Python writes it: `['Kill', "it's"]`.
pub(crate) fn texts(list: &str) -> Option<Vec<String>> {
    let mut rest = list.trim().strip_prefix('[')?.strip_suffix(']')?.trim();
    let mut texts = Vec::new();
    while !rest.is_empty() {
        let quote = rest.chars().next().filter(|char| ['\'', '"'].contains(char))?;
        let mut text = String::new();
        let mut chars = rest.char_indices().skip(1);
        let end = loop {
            match chars.next()? {
                (_, '\\') => text.push(chars.next()?.1),
                (at, char) if char == quote => break at + 1,
                (_, char) => text.push(char),
            }
        };
        texts.push(text);
        rest = rest[end..].trim_start();
        if rest.is_empty() {
            break;
        }
        rest = rest.strip_prefix(',')?.trim_start();
    }
    Some(texts)
}

/// The numbers of a list.
pub(crate) fn numbers(list: &str) -> Option<Vec<usize>> {
    let inside = list.trim().strip_prefix('[')?.strip_suffix(']')?.trim();
    if inside.is_empty() {
        return Some(Vec::new());
    }
    inside.split(',').map(|number| number.trim().parse().ok()).collect()
}

/// A list of texts as Python writes it, with single quotation marks.
pub(crate) fn text_list(texts: &[&str]) -> Text {
    let quoted = texts.iter().map(|text| format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")));
    format!("[{}]", quoted.collect::<Vec<_>>().join(", ")).into()
}

/// A list of numbers.
pub(crate) fn number_list(numbers: &[usize]) -> Text {
    let shown: Vec<String> = numbers.iter().map(usize::to_string).collect();
    format!("[{}]", shown.join(", ")).into()
}
