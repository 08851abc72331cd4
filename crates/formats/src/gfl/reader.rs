//! Files of blocks, read one block at a time.

use super::{Block, Section};
use crate::lines::decode;
use crate::{Problem, Read};
use std::io::{self, BufRead};

/// Reads the blocks of an `.anno` file, each with the problems found in it.
///
/// Blocks are separated by lines `---`. Nothing is lost: the blocks written one after the other are the
/// file again, byte for byte, unless it is not UTF-8. Memory is that of one block.
///
/// ```
/// use formats::gfl::GflReader;
///
/// let file = "% TEXT\nthe cat sleeps .\n% ANNO\nthe > cat > sleeps**\n";
/// let read = GflReader::new(file.as_bytes()).next().unwrap()?;
/// assert!(read.problems.is_empty());
/// assert_eq!((read.value.said.n_words, read.value.said.arcs.len()), (4, 2));
/// assert_eq!(read.value.to_string(), file);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct GflReader<R> {
    input: R,
    line: u32,
    number: usize,
    separator: Option<String>,
    finished: bool,
}

impl<R: BufRead> GflReader<R> {
    /// Starts at the beginning of a file.
    pub fn new(input: R) -> Self {
        Self { input, line: 0, number: 0, separator: None, finished: false }
    }

    fn read_block(&mut self) -> io::Result<Option<Read<Block>>> {
        let mut problems = Vec::new();
        // The separator, if there is one, was the last line read.
        let first_line = self.line.max(1);
        let (number, separator) = (self.number, self.separator.take());
        let mut block = Block { number, separator, first_line, ..Block::default() };
        loop {
            let Some(line) = self.read_line(&mut problems)? else {
                self.finished = true;
                break;
            };
            let content = line.trim_start_matches('\u{feff}');
            if is_separator(content) {
                self.separator = Some(line);
                self.number += 1;
                break;
            }
            if content.starts_with('%') {
                block.sections.push(Section { header: line, line: self.line, body: Vec::new() });
            } else if let Some(section) = block.sections.last_mut() {
                section.body.push(line);
            } else {
                block.preamble.push(line);
            }
        }
        // The empty part before a first `---` is no block; the empty part after a last one is, for its line.
        if block.separator.is_none() && block.preamble.is_empty() && block.sections.is_empty() {
            return if self.finished { Ok(None) } else { self.read_block_after_separator(problems) };
        }
        problems.extend(block.interpret());
        Ok(Some(Read { value: block, line: first_line, problems }))
    }

    fn read_block_after_separator(&mut self, before: Vec<Problem>) -> io::Result<Option<Read<Block>>> {
        let found = self.read_block()?;
        Ok(found.map(|mut reading| {
            reading.problems.splice(..0, before);
            reading
        }))
    }

    fn read_line(&mut self, problems: &mut Vec<Problem>) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        if self.input.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        self.line = self.line.saturating_add(1);
        Ok(Some(decode(bytes, self.line, problems)))
    }
}

impl<R: BufRead> Iterator for GflReader<R> {
    type Item = io::Result<Read<Block>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.finished {
            return None;
        }
        let found = self.read_block();
        self.finished |= found.is_err();
        found.transpose()
    }
}

/// Three hyphens and nothing but spaces.
fn is_separator(line: &str) -> bool {
    line.strip_prefix("---").is_some_and(|rest| rest.trim_matches([' ', '\r', '\n']).is_empty())
}
