//! The file format of checkpoints and models: a header anybody can read and a payload for those who know it.
//!
//! ```text
//! 8 bytes   magic
//! u32       format of this container
//! u32       length h of the header
//! u64       length p of the payload
//! h bytes   header: kind, version of the payload, notes (postcard)
//! u64       CRC-64 of everything above
//! p bytes   payload (postcard)
//! u64       CRC-64 of the payload
//! ```
//!
//! Numbers are little-endian. A file is refused, never repaired: reading returns a [`Problem`] that says
//! what to do, for any bytes whatever. The CRC finds every damage of up to 64 neighbouring bits.

mod atomic;
mod crc;
mod problem;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::Error;

pub use atomic::write_atomically;
pub use crc::crc64;
pub use problem::Problem;

/// What a file is, readable without knowing what is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// What sort of payload follows, for instance `"checkpoint/walk"`.
    pub kind: String,
    /// The version of that payload's layout.
    pub version: u32,
    /// Whatever a reader may want to know: command, seed, checksums of the data, metrics.
    pub notes: BTreeMap<String, String>,
}

/// Beginning like PNG's: a byte that is no text, a name, and line ends that a careless copy would change.
const MAGIC: [u8; 8] = *b"\x89TREE\r\n\x1a";
/// The container format written here, and the newest one understood.
const FORMAT: u32 = 1;
const PREFIX: usize = 24;
const CHECKSUM: usize = 8;
/// A first portion in which nearly every header ends.
const ENOUGH_FOR_MOST: u64 = 1 << 14;

/// The bytes of a file.
pub fn encode<T: Serialize>(header: &Header, payload: &T) -> Result<Vec<u8>, Error> {
    let fail = |e: postcard::Error| Error::Encode { what: header.kind.clone(), reason: e.to_string() };
    let head = postcard::to_stdvec(header).map_err(fail)?;
    let body = postcard::to_stdvec(payload).map_err(fail)?;
    let n_head = u32::try_from(head.len()).map_err(|_| Error::Encode {
        what: header.kind.clone(),
        reason: "the notes of the header exceed 4 GiB".to_owned(),
    })?;
    let mut bytes = Vec::with_capacity(PREFIX + head.len() + body.len() + 2 * CHECKSUM);
    bytes.extend(MAGIC);
    bytes.extend(FORMAT.to_le_bytes());
    bytes.extend(n_head.to_le_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(&head);
    bytes.extend(crc64(&bytes).to_le_bytes());
    bytes.extend(&body);
    bytes.extend(crc64(&body).to_le_bytes());
    Ok(bytes)
}

/// Writes a file in one step: it is there as a whole or not at all.
pub fn write<T: Serialize>(path: &Path, header: &Header, payload: &T) -> Result<(), Error> {
    let bytes = encode(header, payload)?;
    write_atomically(path, &bytes).map_err(|source| Error::Io { path: path.to_owned(), source })
}

/// Reads a file of a known kind and payload version.
pub fn read<T: DeserializeOwned>(path: &Path, kind: &str, version: u32) -> Result<(Header, T), Error> {
    let bytes = std::fs::read(path).map_err(|source| Error::Io { path: path.to_owned(), source })?;
    decode(&bytes, kind, version).map_err(|problem| Error::File { path: path.to_owned(), problem })
}

/// Reads what a file is, of whatever kind, without reading all of it; its payload is not checked.
pub fn info(path: &Path) -> Result<Header, Error> {
    let fail = |source| Error::Io { path: path.to_owned(), source };
    let mut file = std::fs::File::open(path).map_err(fail)?;
    let mut bytes = Vec::new();
    file.by_ref().take(ENOUGH_FOR_MOST).read_to_end(&mut bytes).map_err(fail)?;
    if let Err(Problem::CutShort { expected, got }) = read_header(&bytes) {
        file.take(expected - got).read_to_end(&mut bytes).map_err(fail)?;
    }
    read_header(&bytes).map_err(|problem| Error::File { path: path.to_owned(), problem })
}

/// Reads the bytes of a file of a known kind and payload version.
pub fn decode<T: DeserializeOwned>(bytes: &[u8], kind: &str, version: u32) -> Result<(Header, T), Problem> {
    let (header, payload) = open(bytes)?;
    header.expect(kind, version)?;
    let value =
        decode_whole(payload).map_err(|reason| Problem::Unreadable { kind: kind.to_owned(), reason })?;
    Ok((header, value))
}

/// Checks the bytes of a file of any kind and takes them apart, leaving the payload as it is.
pub fn open(bytes: &[u8]) -> Result<(Header, &[u8]), Problem> {
    let (header, rest, n_payload) = open_header(bytes)?;
    let before = (bytes.len() - rest.len()) as u64;
    let expected = before.saturating_add(n_payload).saturating_add(CHECKSUM as u64);
    let got = bytes.len() as u64;
    if got < expected {
        return Err(Problem::CutShort { expected, got });
    }
    if got > expected {
        return Err(Problem::TooLong { expected, got });
    }
    let (payload, checksum) = rest.split_at(rest.len() - CHECKSUM);
    if u64_at(checksum, 0) != crc64(payload) {
        return Err(Problem::Damaged { part: "payload" });
    }
    Ok((header, payload))
}

/// Reads what a file is, from its first bytes alone; the payload may be missing.
pub fn read_header(bytes: &[u8]) -> Result<Header, Problem> {
    open_header(bytes).map(|(header, _, _)| header)
}

/// The header, the bytes behind it, and how many of them are the payload.
fn open_header(bytes: &[u8]) -> Result<(Header, &[u8], u64), Problem> {
    let n_magic = bytes.len().min(MAGIC.len());
    if bytes.is_empty() || bytes[..n_magic] != MAGIC[..n_magic] {
        return Err(Problem::Foreign);
    }
    let cut = |expected: usize| Problem::CutShort { expected: expected as u64, got: bytes.len() as u64 };
    if bytes.len() < PREFIX {
        return Err(cut(PREFIX));
    }
    // Of a newer format only the magic bytes and this number may be relied on.
    let format = u32_at(bytes, 8);
    if format != FORMAT {
        return Err(Problem::OtherFormat { found: format, supported: FORMAT });
    }
    let n_checked = PREFIX.saturating_add(u32_at(bytes, 12) as usize);
    let Some((front, rest)) = bytes.split_at_checked(n_checked.saturating_add(CHECKSUM)) else {
        return Err(cut(n_checked.saturating_add(CHECKSUM)));
    };
    let (checked, checksum) = front.split_at(n_checked);
    if u64_at(checksum, 0) != crc64(checked) {
        return Err(Problem::Damaged { part: "header" });
    }
    let header = decode_whole(&checked[PREFIX..])
        .map_err(|reason| Problem::Unreadable { kind: "header".to_owned(), reason })?;
    Ok((header, rest, u64_at(bytes, 16)))
}

impl Header {
    /// Refuses another kind or another version of the payload.
    pub fn expect(&self, kind: &str, version: u32) -> Result<(), Problem> {
        if self.kind != kind {
            return Err(Problem::OtherKind { found: self.kind.clone(), wanted: kind.to_owned() });
        }
        match self.version {
            found if found > version => {
                Err(Problem::Newer { kind: kind.to_owned(), found, supported: version })
            }
            found if found < version => {
                Err(Problem::Older { kind: kind.to_owned(), found, supported: version })
            }
            _ => Ok(()),
        }
    }
}

/// Decodes a value and insists that it uses up all bytes.
fn decode_whole<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        Ok((_, rest)) => Err(format!("{} bytes are left over", rest.len())),
        Err(e) => Err(e.to_string()),
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}
