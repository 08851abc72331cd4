//! A place in a paragraph where a token starts, with what can be seen from there.

use super::kinds::is_space;

/// A place in a chunk, which is what stands between two spaces.
#[derive(Debug)]
pub(super) struct Spot<'a> {
    /// The paragraph.
    pub(super) text: &'a str,
    /// Where the chunk starts and ends.
    pub(super) chunk: (usize, usize),
    /// Whether no chunk follows.
    pub(super) is_last_chunk: bool,
    /// Where the token starts.
    pub(super) start: usize,
    /// Whether a single quotation mark was opened in this sentence.
    pub(super) is_quoted: bool,
}

impl<'a> Spot<'a> {
    /// The chunk from here on.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.start..self.chunk.1]
    }

    /// The character before, unless it is a space.
    pub(super) fn before(&self) -> Option<char> {
        self.text[self.chunk.0..self.start].chars().next_back()
    }

    /// About `n_bytes` of the paragraph from here on.
    pub(super) fn ahead(&self, n_bytes: usize) -> &'a str {
        let ahead = &self.text[self.start..];
        &ahead[..ahead.floor_char_boundary(n_bytes)]
    }

    /// The first character that is no space, `length` bytes from here or later.
    pub(super) fn following(&self, length: usize) -> Option<char> {
        self.text[self.start + length..].chars().find(|&char| !is_space(char))
    }

    /// Whether the paragraph ends `length` bytes from here.
    pub(super) fn is_last(&self, length: usize) -> bool {
        self.is_last_chunk && self.start + length == self.chunk.1
    }
}
