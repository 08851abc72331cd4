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
    /// Carriage returns at the end of the line read last.
    n_carriage_returns: usize,
    /// Whether the caller writes them back.
    keeps_ends: bool,
    seen_control: bool,
    /// Whether a line had something in it.
    seen_text: bool,
    /// Longer lines come in pieces of about as many bytes.
    longest: usize,
    /// Whether the line goes on after what was read last.
    goes_on: bool,
    /// Characters of the line that were given in earlier pieces.
    n_before: u32,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `source`.
    pub fn new(source: R) -> Self {
        Self::in_pieces(source, usize::MAX)
    }

    /// The lines of `source`, those of more than `longest` bytes in pieces, which have the same number.
    pub(crate) fn in_pieces(source: R, longest: usize) -> Self {
        Self {
            source,
            buffer: Vec::new(),
            repaired: String::new(),
            number: 0,
            seen_carriage_return: false,
            n_carriage_returns: 0,
            keeps_ends: false,
            seen_control: false,
            seen_text: false,
            longest,
            goes_on: false,
            n_before: 0,
        }
    }

    /// The lines of `source`; who asks for [`Self::n_carriage_returns`] can write them back, so that nothing is said of them.
    pub(crate) fn keeping_ends(source: R) -> Self {
        Self { keeps_ends: true, ..Self::new(source) }
    }

    /// How many carriage returns the line read last ended in.
    pub(crate) fn n_carriage_returns(&self) -> usize {
        self.n_carriage_returns
    }

    /// Whether the line read last goes on with the next one.
    pub(crate) fn goes_on(&self) -> bool {
        self.goes_on
    }

    /// The next line without its end, with its number from 1, or `None` after the last.
    pub fn next_line(&mut self, problems: &mut Vec<Problem>) -> io::Result<Option<(u32, &str)>> {
        if self.goes_on {
            let n_given = String::from_utf8_lossy(&self.buffer).chars().count();
            self.n_before = self.n_before.saturating_add(u32::try_from(n_given).unwrap_or(u32::MAX));
        }
        self.buffer.clear();
        let continues = self.goes_on;
        let Some(is_whole) = read_line(&mut self.source, &mut self.buffer, self.longest)? else {
            return Ok(None);
        };
        self.goes_on = !is_whole;
        if !continues {
            self.n_before = 0;
            self.number = self.number.saturating_add(1);
        }
        if is_whole {
            self.trim_end(problems);
        }
        if !continues {
            self.trim_byte_order_mark(problems);
        }
        self.find_control_characters(problems);
        match std::str::from_utf8(&self.buffer) {
            Ok(line) => Ok(Some((self.number, line))),
            Err(error) => {
                let mut problem = invalid_utf8(self.number, &self.buffer, error.valid_up_to());
                problem.place.column = problem.place.column.saturating_add(self.n_before);
                problems.push(problem);
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
        self.n_carriage_returns = self.buffer.len() - length;
        self.buffer.truncate(length);
        if self.n_carriage_returns > 0
            && !self.keeps_ends
            && !std::mem::replace(&mut self.seen_carriage_return, true)
        {
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
            let column = column.saturating_add(self.n_before);
            problems.push(control_character(Place::new(self.number, column, 1), self.buffer[at]));
        }
    }

    /// A mark after empty lines would come first in a file that is written without them, so it is taken out as well, and
    /// so are several in a row.
    fn trim_byte_order_mark(&mut self, problems: &mut Vec<Problem>) {
        const MARK: &[u8] = b"\xEF\xBB\xBF";
        if self.seen_text {
            return;
        }
        let n_marks = self.buffer.chunks_exact(MARK.len()).take_while(|bytes| *bytes == MARK).count();
        self.buffer.drain(..n_marks * MARK.len());
        self.seen_text = !self.buffer.trim_ascii().is_empty();
        if n_marks > 0 {
            problems.push(byte_order_mark(self.number));
        }
    }
}

/// Appends bytes up to and including the next newline; `read_until` with a faster search. `None` at the end,
/// and `false` if the line goes on after `longest` bytes. No character and no CR LF is cut.
fn read_line(source: &mut impl BufRead, buffer: &mut Vec<u8>, longest: usize) -> io::Result<Option<bool>> {
    loop {
        let available = match source.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            available => available?,
        };
        if available.is_empty() {
            return Ok((!buffer.is_empty()).then_some(true));
        }
        // Beyond the limit single bytes are taken until a place for a cut is found.
        let room = longest.saturating_sub(buffer.len()).max(1);
        if buffer.len() >= longest && (is_place_to_cut(available[0]) || buffer.len() - longest > 8) {
            return Ok(Some(false));
        }
        let available = &available[..room.min(available.len())];
        let end = memchr::memchr(b'\n', available);
        let n_bytes = end.map_or(available.len(), |at| at + 1);
        buffer.extend_from_slice(&available[..n_bytes]);
        source.consume(n_bytes);
        if end.is_some() {
            return Ok(Some(true));
        }
    }
}

/// Whether `next` starts a character that is not the end of the line. In UTF-8 only carriage returns put such
/// a place off by more than three bytes, so that a cut without one is between two of them.
fn is_place_to_cut(next: u8) -> bool {
    let is_inside_character = next & 0b1100_0000 == 0b1000_0000;
    !is_inside_character && next != b'\n' && next != b'\r'
}

/// The text of a line with its end; bytes that are not UTF-8 are replaced and reported.
pub(crate) fn decode(bytes: Vec<u8>, line: u32, problems: &mut Vec<Problem>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        problems.push(invalid_utf8(line, error.as_bytes(), error.utf8_error().valid_up_to()));
        String::from_utf8_lossy(error.as_bytes()).into_owned()
    })
}

pub(crate) fn byte_order_mark(line: u32) -> Problem {
    Problem::warning(
        "byte-order-mark",
        Place::line(line),
        "the file starts with a byte-order mark",
        "nothing to do: it is left out when the file is written",
    )
}

pub(crate) fn control_character(place: Place, byte: u8) -> Problem {
    Problem::warning(
        "control-character",
        place,
        format!("the control character 0x{byte:02X} stands in the text"),
        "remove it, and look for others; they are kept",
    )
}

pub(crate) fn invalid_utf8(line: u32, bytes: &[u8], valid_up_to: usize) -> Problem {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_order_marks_before_the_first_text_are_left_out() {
        let read = |text: &str| -> Vec<String> {
            pieces(text.as_bytes(), usize::MAX).0.into_iter().map(|(_, line, _)| line).collect()
        };
        assert_eq!(read("\u{feff}a\n\u{feff}b"), ["a", "\u{feff}b"]);
        assert_eq!(read("\n\u{feff}e "), ["", "e "]);
        assert_eq!(read("\u{feff}\u{feff}a"), ["a"]);
        assert_eq!(read("\u{feff}\n \n\u{feff}a"), ["", " ", "a"]);
    }

    fn pieces(bytes: &[u8], longest: usize) -> (Vec<(u32, String, bool)>, Vec<Problem>) {
        let mut lines = Lines::in_pieces(bytes, longest);
        let (mut pieces, mut problems) = (Vec::new(), Vec::new());
        while let Some((number, piece)) = lines.next_line(&mut problems).expect("memory can be read") {
            let piece = piece.to_string();
            pieces.push((number, piece, lines.goes_on()));
        }
        (pieces, problems)
    }

    #[test]
    fn pieces_of_any_length_joined_are_the_lines_with_the_same_problems() {
        let text = "\u{FEFF}añb漢字c😀de\r\n\r\nx\0y\u{301}\nlast".as_bytes();
        let (lines, mut expected) = pieces(text, usize::MAX);
        expected.sort_by_key(|problem| (problem.place.line, problem.rule));
        assert_eq!((lines.len(), expected.len()), (4, 4));
        for longest in 1..text.len() {
            let (pieces, mut problems) = pieces(text, longest);
            let mut joined: Vec<(u32, String)> = Vec::new();
            for (number, piece, _) in &pieces {
                match joined.last_mut().filter(|(last, _)| last == number) {
                    Some((_, line)) => line.push_str(piece),
                    None => joined.push((*number, piece.clone())),
                }
            }
            let whole: Vec<_> = lines.iter().map(|(number, line, _)| (*number, line.clone())).collect();
            assert_eq!(joined, whole, "{longest}");
            problems.sort_by_key(|problem| (problem.place.line, problem.rule));
            assert_eq!(problems, expected, "{longest}");
            assert_eq!(pieces.iter().filter(|(.., goes_on)| !goes_on).count(), 4, "{longest}");
        }
    }

    #[test]
    fn no_character_is_cut_among_carriage_returns_inside_a_line() {
        let text = "😀\r😀\r😀\r😀\r\r\r\r\r\r\r\r\r\r😀\n";
        for longest in 1..text.len() {
            let (pieces, problems) = pieces(text.as_bytes(), longest);
            let joined: String = pieces.iter().map(|(_, piece, _)| piece.as_str()).collect();
            assert_eq!(joined, text.trim_end(), "{longest}");
            assert!(problems.iter().all(|problem| problem.rule == "control-character"), "{longest}");
        }
    }

    #[test]
    fn columns_count_from_the_beginning_of_the_line_in_every_piece() {
        let (pieces, problems) = pieces(b"\xC3\xA9bcdefgh\xFFj\n", 4);
        assert!(pieces.len() > 1);
        assert_eq!(problems[0].place, Place::new(1, 9, 1));
    }
}
