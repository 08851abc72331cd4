//! What files with one word a line have in common.

use crate::Problem;
use crate::lines::Lines;
use std::collections::HashMap;
use std::io::{self, BufRead};
use tree::Place;

/// Lines that are looked at to find out what a file is like.
const N_LINES: usize = 100;

/// The first lines of a file with their numbers.
pub(crate) fn beginning<R: BufRead>(
    lines: &mut Lines<R>,
    problems: &mut Vec<Problem>,
) -> io::Result<Vec<(u32, String)>> {
    let mut first = Vec::new();
    while first.len() < N_LINES {
        let Some((number, line)) = lines.next_line(problems)? else { break };
        first.push((number, line.to_owned()));
    }
    Ok(first)
}

/// Words that have had their row.
#[derive(Debug, Default)]
pub(crate) struct SeenWords {
    /// The line of each word.
    lines: HashMap<String, u32>,
}

impl SeenWords {
    /// Notes a word; a word that comes again is a problem.
    pub(crate) fn first_time(&mut self, word: &str, line: u32) -> Result<(), Box<Problem>> {
        let Some(&first) = self.lines.get(word) else {
            self.lines.insert(word.to_owned(), line);
            return Ok(());
        };
        Err(Box::new(Problem::warning(
            "duplicate-word",
            Place::line(line),
            format!("`{word}` has a row already, in line {first}; this one is left out"),
            "keep one of the two",
        )))
    }
}
