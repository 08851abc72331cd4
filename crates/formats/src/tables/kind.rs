//! What a file of a table is, told by its beginning.

/// A kind of file that holds a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Rows of text.
    Text(Delimiter),
    /// The file or the stream format of Arrow IPC; Feather files of version 2 are the former.
    Arrow,
}

/// What stands between the cells of a row of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// CSV.
    Comma,
    /// CSV where numbers have commas.
    Semicolon,
    /// TSV.
    Tab,
}

impl Delimiter {
    /// All of them; the earlier is believed if a line has as many of both.
    pub const ALL: [Self; 3] = [Self::Tab, Self::Semicolon, Self::Comma];

    /// The character itself.
    pub fn byte(self) -> u8 {
        match self {
            Self::Comma => b',',
            Self::Semicolon => b';',
            Self::Tab => b'\t',
        }
    }
}

/// How Arrow files begin; the zeros fill eight bytes, and no text has them.
pub(super) const ARROW_FILE: &[u8] = b"ARROW1\0\0";
/// How the messages of Arrow streams begin.
pub(super) const ARROW_MESSAGE: &[u8] = &[0xFF; 4];
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

impl Kind {
    /// The kind of a file that begins with `sample`, which should hold the whole first line.
    ///
    /// The delimiter is the commonest in the first line that is not empty, outside of quotes. The first row of a file
    /// without header may consist of numbers with commas, so there any tab or semicolon is one. A line `sep=;`, which
    /// some spreadsheets write, settles it.
    pub fn from_content(sample: &[u8], has_header: bool) -> Self {
        if sample.starts_with(ARROW_FILE) || sample.starts_with(ARROW_MESSAGE) {
            return Self::Arrow;
        }
        let sample = &sample[n_marks(sample) * BYTE_ORDER_MARK.len()..];
        let said = said_delimiter(sample).map(|(delimiter, _)| delimiter);
        Self::Text(said.unwrap_or_else(|| commonest_delimiter(first_line(sample), has_header)))
    }
}

/// How many byte-order marks a file begins with.
pub(super) fn n_marks(bytes: &[u8]) -> usize {
    bytes.chunks_exact(BYTE_ORDER_MARK.len()).take_while(|bytes| *bytes == BYTE_ORDER_MARK).count()
}

/// The delimiter of a first line `sep=;`, and the length of the line with its end.
pub(super) fn said_delimiter(bytes: &[u8]) -> Option<(Delimiter, usize)> {
    let rest = bytes.strip_prefix(b"sep=")?;
    let delimiter = Delimiter::ALL.into_iter().find(|delimiter| rest.first() == Some(&delimiter.byte()))?;
    match rest.get(1..)? {
        [b'\r', b'\n', ..] => Some((delimiter, 7)),
        [b'\r' | b'\n', ..] => Some((delimiter, 6)),
        _ => None,
    }
}

fn first_line(sample: &[u8]) -> &[u8] {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let start = sample.iter().position(|byte| !is_end(byte)).unwrap_or(sample.len());
    let line = &sample[start..];
    let mut is_quoted = false;
    let end = line.iter().position(|byte| {
        is_quoted ^= *byte == b'"';
        is_end(byte) && !is_quoted
    });
    &line[..end.unwrap_or(line.len())]
}

fn commonest_delimiter(line: &[u8], has_header: bool) -> Delimiter {
    let count = |delimiter: &Delimiter| {
        let mut is_quoted = false;
        let is_one = |byte: &&u8| {
            is_quoted ^= **byte == b'"';
            !is_quoted && **byte == delimiter.byte()
        };
        let n = line.iter().filter(is_one).count();
        if has_header { n } else { n.min(1) }
    };
    let best = Delimiter::ALL.into_iter().rev().max_by_key(count);
    best.filter(|delimiter| count(delimiter) > 0).unwrap_or(Delimiter::Comma)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_tells_the_delimiter() {
        let kind = |text: &str, has_header| Kind::from_content(text.as_bytes(), has_header);
        for (text, delimiter) in [
            ("a,b,c\n1;2;3;4\n", Delimiter::Comma),
            ("\u{feff}\r\na;b\r\n1,5;2\r\n", Delimiter::Semicolon),
            ("length, in cm;b\n", Delimiter::Semicolon),
            ("\"a,b,c\"\td\n", Delimiter::Tab),
            ("\"a\n,b,c\";d\n", Delimiter::Semicolon),
            ("a\n1,2\n", Delimiter::Comma),
            ("sep=;\na,b,c\n", Delimiter::Semicolon),
            ("sep=\t\r\na,b,c\n", Delimiter::Tab),
            ("", Delimiter::Comma),
        ] {
            assert_eq!(kind(text, true), Kind::Text(delimiter), "{text:?}");
        }
        assert_eq!(kind("1,5;2,5;3,5;a\n", false), Kind::Text(Delimiter::Semicolon));
        assert_eq!(kind("1,5;2,5;3,5;a\n", true), Kind::Text(Delimiter::Semicolon));
        assert_eq!(kind("1,5;2,5\n", true), Kind::Text(Delimiter::Comma));
        assert_eq!(kind("ARROW1\0\0", true), Kind::Arrow);
        assert_eq!(kind("ARROW1,b\n", true), Kind::Text(Delimiter::Comma));
        assert_eq!(Kind::from_content(&[255, 255, 255, 255, 8, 0], true), Kind::Arrow);
    }
}
