//! Word vectors as text, in the layout of word2vec and GloVe: a word and its numbers on every line.
//!
//! The first line may say how many words and how many numbers there are. Rows with too few or too many numbers, or with
//! something that is no finite number, are reported and left out.
//!
//! ```
//! let found = formats::word_vectors::read("2 3\nthe 0.1 0.2 0.3\ncat 1 -1 2e-3\n".as_bytes(), usize::MAX)?;
//! assert_eq!((found.words.len(), found.n_dimensions), (2, 3));
//! assert_eq!(found.values[3..], [1.0, -1.0, 0.002]);
//! # Ok::<(), std::io::Error>(())
//! ```

use crate::Problem;
use crate::lines::{Lines, column, width};
use crate::word_rows::{SeenWords, beginning};
use std::collections::BTreeMap;
use std::io::{self, BufRead};
use tree::Place;

/// The vectors of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WordVectors {
    /// Each word once, in the order of the file.
    pub words: Vec<String>,
    /// `n_dimensions` numbers for each word.
    pub values: Vec<f32>,
    /// The length of the vectors; 0 if there are none.
    pub n_dimensions: usize,
    /// Whether there was more in the file than was asked for.
    pub has_more: bool,
    /// What was wrong with what was read.
    pub problems: Vec<Problem>,
}

/// Reads vectors of as many words as fit into so many bytes, four for each word besides its letters; the numbers do not count.
pub fn read(source: impl BufRead, most_bytes: usize) -> io::Result<WordVectors> {
    let mut lines = Lines::new(source);
    let mut found = WordVectors::default();
    let first = beginning(&mut lines, &mut found.problems)?;
    let header = first.first().and_then(|(_, line)| header(line));
    let rows = || first.iter().skip(usize::from(header.is_some()));
    found.n_dimensions = header.unwrap_or_else(|| commonest(rows().map(|(_, line)| n_numbers(line))));
    let mut taken = Taken { seen: SeenWords::default(), room: most_bytes };
    for (number, line) in rows() {
        found.take(*number, line, &mut taken);
    }
    let mut problems = Vec::new();
    while !found.has_more {
        let Some((number, line)) = lines.next_line(&mut problems)? else { break };
        found.take(number, line, &mut taken);
        found.problems.append(&mut problems);
    }
    found.problems.append(&mut problems);
    Ok(found)
}

/// What was taken already, and how many bytes there is room for.
struct Taken {
    seen: SeenWords,
    room: usize,
}

/// The length of vectors in a line of two whole numbers.
fn header(line: &str) -> Option<usize> {
    let mut fields = fields(line);
    let (_, length) = (fields.next()?.parse::<u64>().ok()?, fields.next()?.parse().ok()?);
    fields.next().is_none().then_some(length)
}

fn fields(line: &str) -> impl Iterator<Item = &str> {
    places(line).map(|(_, field)| field)
}

/// What stands between spaces and tabs, and at which byte it begins. Other kinds of spaces may be parts of words.
fn places(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    let pieces = line.split([' ', '\t']).map(move |piece| {
        let place = at;
        at += piece.len() + 1;
        (place, piece)
    });
    pieces.filter(|(_, piece)| !piece.is_empty())
}

fn n_numbers(line: &str) -> usize {
    fields(line).count().saturating_sub(1)
}

/// The number that comes most often; of several, the smallest.
fn commonest(numbers: impl Iterator<Item = usize>) -> usize {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    numbers.filter(|&number| number > 0).for_each(|number| *counts.entry(number).or_default() += 1);
    let best = counts.into_iter().reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map_or(0, |(number, _)| number)
}

impl WordVectors {
    fn take(&mut self, number: u32, line: &str, taken: &mut Taken) {
        if self.has_more || line.trim().is_empty() {
            return;
        }
        let Some(word) = fields(line).next() else { return };
        let numbers = match self.numbers(number, line) {
            Ok(numbers) => numbers,
            Err(problem) => return self.problems.push(*problem),
        };
        if let Err(problem) = taken.seen.first_time(word, number) {
            return self.problems.push(*problem);
        }
        match taken.room.checked_sub(word.len() + 4) {
            None => self.has_more = true,
            Some(room) => {
                taken.room = room;
                self.words.push(word.to_owned());
                self.values.extend(numbers);
            }
        }
    }

    fn numbers(&self, number: u32, line: &str) -> Result<Vec<f32>, Box<Problem>> {
        let n_numbers = n_numbers(line);
        if n_numbers != self.n_dimensions || n_numbers == 0 {
            return Err(Box::new(Problem::error(
                "vector-length",
                Place::new(number, 1, width(line)),
                format!("{n_numbers} numbers where {} were expected; the row is left out", self.n_dimensions),
                "give all words as many numbers, with spaces between them, and no spaces within words",
            )));
        }
        let wrong = |(at, field)| Box::new(no_number(number, line, at, field));
        places(line).skip(1).map(|(at, field)| finite(field).ok_or_else(|| wrong((at, field)))).collect()
    }
}

fn finite(field: &str) -> Option<f32> {
    field.parse().ok().filter(|value: &f32| value.is_finite())
}

fn no_number(number: u32, line: &str, at: usize, field: &str) -> Problem {
    Problem::error(
        "vector-number",
        Place::new(number, column(line, at), width(field)),
        format!("`{field}` is no finite number; the row is left out"),
        "write numbers such as -0.25 or 1e-3",
    )
}
