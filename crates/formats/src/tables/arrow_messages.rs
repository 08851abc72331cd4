//! The messages of an Arrow file or stream, found and checked before anything is decoded.
//!
//! A file is a stream between the mark at its beginning and the footer, so both are walked in the same way, and
//! a file that was cut off is read as far as it goes. Lengths in the messages are compared with the bytes there are:
//! the decoder trusts them.

use super::kind::{ARROW_FILE, ARROW_MESSAGE};
use arrow_ipc::{CompressionType, Message, MessageHeader, RecordBatch, root_as_message};
use std::ops::Range;

/// A message: its description and where its data are.
pub(super) struct FoundMessage<'a> {
    pub(super) message: Message<'a>,
    pub(super) body: Range<usize>,
}

/// The messages up to the end or the first that is broken, and what is wrong with the file.
pub(super) fn messages(bytes: &[u8]) -> (Vec<FoundMessage<'_>>, Option<String>) {
    let is_file = bytes.starts_with(ARROW_FILE);
    let mut at = if is_file { first_message(bytes) } else { 0 };
    let mut found: Vec<FoundMessage> = Vec::new();
    let wrong = loop {
        let may_be_footer = is_file && !found.is_empty();
        match next_message(bytes, at, may_be_footer) {
            Ok(Some(message)) => {
                at = message.body.end;
                found.push(message);
            }
            Ok(None) if is_file => break no_end_of_file(bytes),
            Ok(None) => break after_end_of_stream(bytes, at),
            Err(wrong) => break Some(wrong),
        }
    };
    if is_file {
        // A file defines dictionaries wherever it likes, a stream before they are used, and may replace them.
        found.sort_by_key(|found| found.message.header_type() == MessageHeader::RecordBatch);
    }
    (found, wrong)
}

/// Zeros fill up the first eight bytes of a file, or the first 64.
fn first_message(bytes: &[u8]) -> usize {
    let n_zeros = bytes[ARROW_FILE.len()..].chunks_exact(8).take_while(|bytes| *bytes == [0; 8]).count();
    ARROW_FILE.len() + 8 * n_zeros
}

fn no_end_of_file(bytes: &[u8]) -> Option<String> {
    (!bytes.ends_with(b"ARROW1")).then(|| "it does not end as Arrow files do, so it was cut off".into())
}

/// A stream ends with its last message or with an empty one of eight bytes.
fn after_end_of_stream(bytes: &[u8], at: usize) -> Option<String> {
    let n_bytes = bytes.len().saturating_sub(at.saturating_add(8));
    (n_bytes > 0).then(|| format!("{n_bytes} bytes after the end of the stream are left out"))
}

/// The message at a byte: a mark, the length of the description, the description, the data.
fn next_message(bytes: &[u8], at: usize, may_be_footer: bool) -> Result<Option<FoundMessage<'_>>, String> {
    let cut = || format!("the message at byte {at} goes beyond the end, so the file was cut off");
    let rest = &bytes[at..];
    if rest.is_empty() || may_be_footer && !rest.starts_with(ARROW_MESSAGE) {
        return Ok(None);
    }
    if !rest.starts_with(ARROW_MESSAGE) {
        return Err(format!("at byte {at} there is no message; versions of Arrow before 0.15 are not read"));
    }
    let length = rest.get(4..8).and_then(|length| length.try_into().ok()).map(u32::from_le_bytes);
    let length = length.ok_or_else(cut)? as usize;
    if length == 0 {
        return Ok(None);
    }
    let description = rest[8..].get(..length).ok_or_else(cut)?;
    let message = root_as_message(description).map_err(|wrong| format!("at byte {at}: {wrong}"))?;
    let start = at + 8 + length;
    let end = usize::try_from(message.bodyLength()).ok().and_then(|n_bytes| start.checked_add(n_bytes));
    let body = start..end.filter(|&end| end <= bytes.len()).ok_or_else(cut)?;
    check_batch(&message, &bytes[body.clone()]).map_err(|wrong| format!("at byte {at}: {wrong}"))?;
    Ok(Some(FoundMessage { message, body }))
}

/// Whether the numbers in the description of a batch can be true of its data.
fn check_batch(message: &Message, body: &[u8]) -> Result<(), &'static str> {
    let dictionary = message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data());
    let Some(batch) = message.header_as_record_batch().or(dictionary) else { return Ok(()) };
    let nodes = batch.nodes().into_iter().flatten();
    // Eight rows fit into a byte, and compression makes it up to some hundred times smaller. Columns of nothing but
    // missing cells need no bytes at all.
    let most_rows = body.len().saturating_mul(8 * 256).saturating_add(1 << 16);
    let is_possible = |n: i64| usize::try_from(n).is_ok_and(|n| n <= most_rows);
    if !is_possible(batch.length()) || nodes.clone().any(|node| !is_possible(node.length())) {
        return Err("a batch claims more rows than its bytes can hold");
    }
    let n_cells = nodes.clone().fold(0_i64, |sum, node| sum.saturating_add(node.length()));
    if !is_possible(n_cells) {
        return Err("a batch claims more cells than its bytes can hold");
    }
    if nodes.into_iter().any(|node| !(0..=node.length()).contains(&node.null_count())) {
        return Err("a batch claims more missing cells than it has rows");
    }
    check_buffers(&batch, body)
}

/// Buffers lie within the body, and do not claim to grow more than their compression allows.
fn check_buffers(batch: &RecordBatch, body: &[u8]) -> Result<(), &'static str> {
    let largest_growth = batch.compression().map(|compression| match compression.codec() {
        CompressionType::ZSTD => 40_000,
        _ => 256,
    });
    for buffer in batch.buffers().into_iter().flatten() {
        let (start, length) = (usize::try_from(buffer.offset()), usize::try_from(buffer.length()));
        let (Ok(start), Ok(length)) = (start, length) else { return Err("a buffer has a negative length") };
        let bytes =
            body.get(start..).and_then(|bytes| bytes.get(..length)).ok_or("a buffer is not in its batch")?;
        let claimed = bytes.get(..8).and_then(|bytes| bytes.try_into().ok()).map_or(0, i64::from_le_bytes);
        let is_too_large =
            |growth: i64| claimed > growth.saturating_mul(length as i64).saturating_add(1 << 16);
        if largest_growth.is_some_and(is_too_large) {
            return Err("a compressed buffer claims to be larger than it can be");
        }
    }
    Ok(())
}
