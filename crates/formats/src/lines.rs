//! Lines of a file, decoded, numbered and with their blemishes reported.

use crate::Problem;
use std::io::{self, BufRead};
use tree::Place;

/// Reads line by line and keeps what is wrong with the lines themselves: a byte-order mark, carriage
/// returns, bytes that are not UTF-8, a last line without an end.
#[derive(Debug)]
pub struct Lines<R> {
    source: R,
    buffer: Vec<u8>,
    repaired: String,
    number: u32,
    seen_carriage_return: bool,
    seen_control: bool,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `source`.
    pub fn new(source: R) -> Self {
        Self {
            source,
            buffer: Vec::new(),
            repaired: String::new(),
            number: 0,
            seen_carriage_return: false,
            seen_control: false,
        }
    }

    /// The next line without its end, with its number from 1, or `None` after the last.
    pub fn next_line(&mut self, problems: &mut Vec<Problem>) -> io::Result<Option<(u32, &str)>> {
        self.buffer.clear();
        if read_line(&mut self.source, &mut self.buffer)? == 0 {
            return Ok(None);
        }
        self.number = self.number.saturating_add(1);
        self.trim_end(problems);
        self.trim_byte_order_mark(problems);
        self.find_control_characters(problems);
        match std::str::from_utf8(&self.buffer) {
            Ok(line) => Ok(Some((self.number, line))),
            Err(error) => {
                problems.push(invalid_utf8(self.number, &self.buffer, error.valid_up_to()));
                self.repaired = String::from_utf8_lossy(&self.buffer).into_owned();
                Ok(Some((self.number, &self.repaired)))
            }
        }
    }

    fn trim_end(&mut self, problems: &mut Vec<Problem>) {
        if self.buffer.pop_if(|&mut last| last == b'\n').is_none() {
            problems.push(Problem::warning(
                "no-final-newline",
                Place::line(self.number),
                "the last line does not end in a newline",
                "add one; the file may also have been cut off",
            ));
        }
        let length = self.buffer.iter().rposition(|&byte| byte != b'\r').map_or(0, |last| last + 1);
        let has_carriage_return = length < self.buffer.len();
        self.buffer.truncate(length);
        if has_carriage_return && !std::mem::replace(&mut self.seen_carriage_return, true) {
            problems.push(Problem::warning(
                "carriage-return",
                Place::line(self.number),
                "lines end in CR LF, as Windows programs write them",
                "nothing to do: they are read, and written back as LF",
            ));
        }
    }

    /// Characters that no text has, such as NUL and ESC; said once, they are kept.
    fn find_control_characters(&mut self, problems: &mut Vec<Problem>) {
        let is_control = |byte: u8| byte < b' ' && byte != b'\t';
        // Without an early exit the compiler looks at many bytes at a time.
        let has_control = self.buffer.iter().fold(false, |has, &byte| has | is_control(byte));
        if !has_control || self.seen_control {
            return;
        }
        if let Some(at) = self.buffer.iter().position(|&byte| is_control(byte)) {
            self.seen_control = true;
            let before = String::from_utf8_lossy(&self.buffer[..at]).chars().count();
            let column = u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1);
            problems.push(Problem::warning(
                "control-character",
                Place::new(self.number, column, 1),
                format!("the control character 0x{:02X} stands in the text", self.buffer[at]),
                "remove it, and look for others; they are kept",
            ));
        }
    }

    fn trim_byte_order_mark(&mut self, problems: &mut Vec<Problem>) {
        if self.number == 1 && self.buffer.starts_with(b"\xEF\xBB\xBF") {
            self.buffer.drain(..3);
            problems.push(Problem::warning(
                "byte-order-mark",
                Place::line(1),
                "the file starts with a byte-order mark",
                "nothing to do: it is left out when the file is written",
            ));
        }
    }
}

/// Appends bytes up to and including the next newline; `read_until` with a faster search.
fn read_line(source: &mut impl BufRead, buffer: &mut Vec<u8>) -> io::Result<usize> {
    loop {
        let available = match source.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            available => available?,
        };
        let end = memchr::memchr(b'\n', available);
        let n_bytes = end.map_or(available.len(), |at| at + 1);
        buffer.extend_from_slice(&available[..n_bytes]);
        source.consume(n_bytes);
        if end.is_some() || n_bytes == 0 {
            return Ok(buffer.len());
        }
    }
}

/// The text of a line with its end; bytes that are not UTF-8 are replaced and reported.
pub(crate) fn decode(bytes: Vec<u8>, line: u32, problems: &mut Vec<Problem>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        problems.push(invalid_utf8(line, error.as_bytes(), error.utf8_error().valid_up_to()));
        String::from_utf8_lossy(error.as_bytes()).into_owned()
    })
}

fn invalid_utf8(line: u32, bytes: &[u8], valid_up_to: usize) -> Problem {
    let before = String::from_utf8_lossy(&bytes[..valid_up_to]).chars().count();
    let column = u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1);
    let byte = bytes.get(valid_up_to).copied().unwrap_or_default();
    Problem::error(
        "invalid-utf8",
        Place::new(line, column, 1),
        format!("byte 0x{byte:02X} is not UTF-8; it was read as U+FFFD"),
        "save the file as UTF-8, or give its encoding (--encoding latin1)",
    )
}

/// Column of a byte offset: characters before it, plus one.
pub(crate) fn column(line: &str, offset: usize) -> u32 {
    let before = line.get(..offset).map_or(offset, |before| before.chars().count());
    u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)
}

/// Number of characters, as a place wants it.
pub(crate) fn width(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}
