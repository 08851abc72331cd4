//! The part of a stream that is being looked at.

use std::io::{self, Read};

/// Bytes of a stream that were read and are not done with.
pub(super) struct Window<R> {
    source: R,
    bytes: Vec<u8>,
    start: usize,
    is_end: bool,
}

impl<R: Read> Window<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source, bytes: Vec::new(), start: 0, is_end: false }
    }

    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// Whether nothing comes after the rest.
    pub(super) fn is_end(&self) -> bool {
        self.is_end
    }

    /// Is done with some bytes.
    pub(super) fn advance(&mut self, n_bytes: usize) {
        self.start += n_bytes;
    }

    /// Reads more: as much as there is already, so that looking at the whole window again after every growth takes
    /// time proportional to its length.
    pub(super) fn grow(&mut self) -> io::Result<()> {
        const LEAST: usize = 1 << 18;
        self.bytes.drain(..self.start);
        self.start = 0;
        let n_wanted = self.bytes.len().max(LEAST);
        let n_read = (&mut self.source).take(n_wanted as u64).read_to_end(&mut self.bytes)?;
        self.is_end = n_read < n_wanted;
        Ok(())
    }

    /// All bytes from here to the end.
    pub(super) fn into_rest(mut self) -> io::Result<Vec<u8>> {
        self.bytes.drain(..self.start);
        self.source.read_to_end(&mut self.bytes)?;
        Ok(self.bytes)
    }
}
