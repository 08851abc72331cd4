//! The messages of an Arrow file: where they begin and end, and what they hold.

use super::super::kind::{ARROW_FILE, ARROW_MESSAGE};
use super::Wrong;
use super::flat::FlatTable;
use tree::PutInOrder;

/// A message: what it says that it holds, and its data.
pub(super) struct Message<'a> {
    pub(super) content: Content<'a>,
    /// Version of the format, 3 for 4 and 4 for 5.
    pub(super) version: i16,
    pub(super) data: &'a [u8],
    end: usize,
}

/// What a message holds.
pub(super) enum Content<'a> {
    Schema(FlatTable<'a>),
    Dictionary {
        id: i64,
        /// Its values are added to those that there are.
        is_more: bool,
        batch: FlatTable<'a>,
    },
    Rows(FlatTable<'a>),
    Other,
}

/// The messages up to the end or the first that is broken, and what is wrong with the file.
pub(super) fn messages(bytes: &[u8]) -> (Vec<Message<'_>>, Option<Wrong>) {
    let is_file = bytes.starts_with(ARROW_FILE);
    let mut at = if is_file { first_message(bytes) } else { 0 };
    let mut found: Vec<Message> = Vec::new();
    let wrong = loop {
        let may_be_footer = is_file && !found.is_empty();
        match next_message(bytes, at, may_be_footer) {
            Ok(Some(message)) => {
                at = message.end;
                found.push(message);
            }
            Ok(None) if is_file => break no_end_of_file(bytes),
            Ok(None) => break after_end_of_stream(bytes, at),
            Err(wrong) => break Some(wrong),
        }
    };
    if is_file {
        // A file defines dictionaries wherever it likes, a stream before they are used, and may replace them.
        found.order_by_key(|message| matches!(message.content, Content::Rows(_)));
    }
    (found, wrong)
}

/// Zeros fill up the first eight bytes of a file, or the first 64.
fn first_message(bytes: &[u8]) -> usize {
    let n_zeros = bytes[ARROW_FILE.len()..].chunks_exact(8).take_while(|bytes| *bytes == [0; 8]).count();
    ARROW_FILE.len() + 8 * n_zeros
}

fn no_end_of_file(bytes: &[u8]) -> Option<Wrong> {
    (!bytes.ends_with(b"ARROW1")).then(|| "it does not end as Arrow files do, so it was cut off".into())
}

/// A stream ends with its last message or with an empty one of eight bytes.
fn after_end_of_stream(bytes: &[u8], at: usize) -> Option<Wrong> {
    let n_bytes = bytes.len().saturating_sub(at.saturating_add(8));
    (n_bytes > 0).then(|| format!("{n_bytes} bytes after the end of the stream are left out").into())
}

/// The message at a byte: a mark, the length of the description, the description, the data.
fn next_message(bytes: &[u8], at: usize, may_be_footer: bool) -> Result<Option<Message<'_>>, Wrong> {
    let cut =
        || Wrong::from(format!("the message at byte {at} goes beyond the end, so the file was cut off"));
    let rest = &bytes[at..];
    if rest.is_empty() || may_be_footer && !rest.starts_with(ARROW_MESSAGE) {
        return Ok(None);
    }
    if !rest.starts_with(ARROW_MESSAGE) {
        let text = format!("at byte {at} there is no message; versions of Arrow before 0.15 are not read");
        return Err(text.into());
    }
    let length = rest.get(4..8).and_then(|length| length.try_into().ok()).map(u32::from_le_bytes);
    let length = length.ok_or_else(cut)? as usize;
    if length == 0 {
        return Ok(None);
    }
    let description = rest[8..].get(..length).ok_or_else(cut)?;
    let unclear = || Wrong::from(format!("at byte {at}: the description of the message is broken"));
    let table = FlatTable::root(description).ok_or_else(unclear)?;
    let start = at + 8 + length;
    let n_bytes = usize::try_from(table.long(3).unwrap_or(0)).map_err(|_| cut())?;
    let end = start.checked_add(n_bytes).filter(|&end| end <= bytes.len()).ok_or_else(cut)?;
    let content = content(table).ok_or_else(unclear)?;
    Ok(Some(Message { content, version: table.short(0).unwrap_or(0), data: &bytes[start..end], end }))
}

fn content(message: FlatTable<'_>) -> Option<Content<'_>> {
    let kind = message.byte(1).unwrap_or(0);
    Some(match kind {
        1 => Content::Schema(message.table(2)?),
        2 => {
            let dictionary = message.table(2)?;
            let is_more = dictionary.byte(2).is_some_and(|is_more| is_more != 0);
            Content::Dictionary { id: dictionary.long(0).unwrap_or(0), is_more, batch: dictionary.table(1)? }
        }
        3 => Content::Rows(message.table(2)?),
        _ => Content::Other,
    })
}
