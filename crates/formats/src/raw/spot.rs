//! A place in a paragraph where a token starts, with what can be seen from there.

use super::kinds::is_space;

/// What rules ask about the beginning of a paragraph, of which no more is in memory.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Before {
    /// The character before the text in memory.
    pub(super) last: Option<char>,
    /// Whether a single quotation mark was open there.
    pub(super) is_quoted: bool,
}

/// A place in a chunk, which is what stands between two spaces.
#[derive(Debug)]
pub(super) struct Spot<'a> {
    /// The paragraph, or what is in memory of it.
    pub(super) text: &'a str,
    /// The character before `text`.
    pub(super) before_text: Option<char>,
    /// Where the chunk starts and ends.
    pub(super) chunk: (usize, usize),
    /// Whether no chunk follows.
    pub(super) is_last_chunk: bool,
    /// Where the token starts.
    pub(super) start: usize,
    /// Whether a single quotation mark was opened in this sentence; for its first token, in the one before.
    pub(super) is_quoted: bool,
}

impl<'a> Spot<'a> {
    /// The chunk from here on.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.start..self.chunk.1]
    }

    /// The character before, unless it is a space.
    pub(super) fn before(&self) -> Option<char> {
        match self.start {
            0 => self.before_text,
            start => self.text[self.chunk.0..start].chars().next_back(),
        }
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
