//! Opening files: `-`, compression and encodings are dealt with here.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

/// How the bytes of a file become characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, or UTF-16 if the file starts with its byte-order mark.
    #[default]
    Unicode,
    /// ISO 8859-1: every byte is the character of that number.
    Latin1,
}

/// Opens `path` (`-` is standard input), decompresses gzip, Zstandard and xz, and makes the text UTF-8.
///
/// Compression is told by the first bytes, not by the name. Invalid UTF-8 passes through: the readers
/// report it with line and column.
pub fn open(path: &Path, encoding: Encoding) -> io::Result<Box<dyn BufRead + Send>> {
    if path == Path::new("-") {
        return decode(BufReader::new(io::stdin()), encoding);
    }
    decode(BufReader::with_capacity(1 << 16, File::open(path)?), encoding)
}

/// The same for any stream.
pub fn decode(
    mut source: impl BufRead + Send + 'static,
    encoding: Encoding,
) -> io::Result<Box<dyn BufRead + Send>> {
    let magic = prefix(&mut source)?;
    let (magic, rest) = (magic.clone(), Cursor::new(magic).chain(source));
    if magic.starts_with(&[0x1F, 0x8B]) {
        // Concatenated members are one stream: block-compressed corpora are made that way.
        return transcode(flate2::bufread::MultiGzDecoder::new(rest), encoding);
    }
    if magic.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) {
        return transcode(zstd::stream::read::Decoder::with_buffer(rest)?, encoding);
    }
    if magic.starts_with(&[0xFD, b'7', b'z', b'X', b'Z', 0]) {
        return transcode(lzma_rust2::XzReader::new(rest, true), encoding);
    }
    transcode(rest, encoding)
}

/// The first bytes of a stream, at most six, however small the reads are.
fn prefix(source: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(6);
    source.take(6).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn transcode(
    mut source: impl Read + Send + 'static,
    encoding: Encoding,
) -> io::Result<Box<dyn BufRead + Send>> {
    if encoding == Encoding::Latin1 {
        return Ok(Box::new(BufReader::new(Latin1 { source, pending: None })));
    }
    let mark = prefix(&mut source)?;
    let big_endian = mark.starts_with(&[0xFE, 0xFF]);
    if big_endian || mark.starts_with(&[0xFF, 0xFE]) {
        let mut bytes = mark;
        source.read_to_end(&mut bytes)?;
        return Ok(Box::new(Cursor::new(utf16(&bytes[2..], big_endian).into_bytes())));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 16, Cursor::new(mark).chain(source))))
}

fn utf16(bytes: &[u8], big_endian: bool) -> String {
    let unit = |pair: &[u8]| match *pair {
        [high, low] if big_endian => u16::from_be_bytes([high, low]),
        [low, high] => u16::from_le_bytes([low, high]),
        // Half a unit at the end of a file that was cut off.
        _ => 0xFFFD,
    };
    char::decode_utf16(bytes.chunks(2).map(unit)).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// ISO 8859-1 as UTF-8, byte by byte.
struct Latin1<R> {
    source: R,
    /// Second byte of a character whose first did not leave room for it.
    pending: Option<u8>,
}

impl<R: Read> Read for Latin1<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        if let Some(byte) = self.pending.take() {
            out[0] = byte;
            return Ok(1);
        }
        // Every byte becomes at most two, so half the room is read.
        let mut bytes = vec![0; (out.len() / 2).max(1)];
        let n_read = self.source.read(&mut bytes)?;
        let mut n_written = 0;
        for &byte in &bytes[..n_read] {
            let mut utf8 = [0; 2];
            for &part in char::from(byte).encode_utf8(&mut utf8).as_bytes() {
                match out.get_mut(n_written) {
                    Some(slot) => *slot = part,
                    None => self.pending = Some(part),
                }
                n_written += 1;
            }
        }
        Ok(n_written.min(out.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const TEXT: &str = "1\tŋgërël\t_\n";

    fn read(bytes: Vec<u8>, encoding: Encoding) -> String {
        let mut text = String::new();
        decode(Cursor::new(bytes), encoding).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn compressed_text_reads_like_plain_text() {
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(TEXT.as_bytes()).unwrap();
        let mut xz = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(1)).unwrap();
        xz.write_all(TEXT.as_bytes()).unwrap();
        let zst = zstd::encode_all(TEXT.as_bytes(), 1).unwrap();
        for bytes in [TEXT.into(), gz.finish().unwrap(), xz.finish().unwrap(), zst] {
            assert_eq!(read(bytes, Encoding::Unicode), TEXT);
        }
    }

    #[test]
    fn two_gzip_members_are_one_text() {
        let member = || {
            let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            gz.write_all(TEXT.as_bytes()).unwrap();
            gz.finish().unwrap()
        };
        assert_eq!(read([member(), member()].concat(), Encoding::Unicode), TEXT.repeat(2));
    }

    #[test]
    fn utf16_and_latin1_become_utf8() {
        let little: Vec<u8> =
            [0xFEFF].into_iter().chain(TEXT.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> =
            [0xFEFF].into_iter().chain(TEXT.encode_utf16()).flat_map(u16::to_be_bytes).collect();
        assert_eq!(read(little, Encoding::Unicode), TEXT);
        assert_eq!(read(big, Encoding::Unicode), TEXT);
        let latin: Vec<u8> = (0..=255).cycle().take(70_001).collect();
        let expected: String = latin.iter().map(|&byte| char::from(byte)).collect();
        assert_eq!(read(latin, Encoding::Latin1), expected);
    }

    #[test]
    fn short_and_empty_files_are_no_special_case() {
        for text in ["", "a", "ab\n"] {
            assert_eq!(read(text.into(), Encoding::Unicode), text);
        }
    }
}
