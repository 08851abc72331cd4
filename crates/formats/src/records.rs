//! One annotated sentence per line: what GFL JSON lines and FUDG JSON share.

use crate::gfl::Block;
use crate::lines::Lines;
use crate::{Problem, Read};
use std::io::{self, BufRead};

/// Reads a line without its end; the number is that of the line in the file.
pub(crate) type ReadLine = fn(&str, u32, &mut Vec<Problem>) -> Block;

/// Reads lines as blocks, each with the problems found in it. Empty lines are passed over.
#[derive(Debug)]
pub struct RecordReader<R> {
    lines: Lines<R>,
    n_read: usize,
    read_line: ReadLine,
}

impl<R: BufRead> RecordReader<R> {
    pub(crate) fn new(source: R, read_line: ReadLine) -> Self {
        Self { lines: Lines::new(source), n_read: 0, read_line }
    }

    fn read_record(&mut self) -> io::Result<Option<Read<Block>>> {
        let mut problems = Vec::new();
        while let Some((line, text)) = self.lines.next_line(&mut problems)? {
            if !text.trim().is_empty() {
                let mut value = (self.read_line)(text, line, &mut problems);
                value.number = self.n_read;
                self.n_read += 1;
                return Ok(Some(Read { value, line, problems }));
            }
        }
        let left_over = Read { value: Block::default(), line: 0, problems };
        Ok((!left_over.problems.is_empty()).then_some(left_over))
    }
}

impl<R: BufRead> Iterator for RecordReader<R> {
    type Item = io::Result<Read<Block>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_record().transpose()
    }
}
