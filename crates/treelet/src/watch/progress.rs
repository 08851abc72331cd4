//! How far things are.

use super::Watch;
use std::io::{self, BufRead, Read};

/// A piece of work whose progress can be shown.
#[derive(Debug, Clone, Copy)]
pub struct Work<'a> {
    /// What it is about: a file, or what is counted (`sweep`, `sentence`).
    pub what: &'a str,
    /// How much there is, if that is known.
    pub total: Option<u64>,
    /// What is counted.
    pub unit: Unit,
}

/// What progress counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of a file that is read.
    Bytes,
    /// Sweeps, sentences, epochs.
    Steps,
}

/// Where progress is shown. Dropping it ends the work.
pub trait Bar: Send + Sync {
    /// So much is done; the message says more, for those who show it.
    fn reach(&self, position: u64, message: &dyn Fn() -> String);

    /// One more is done.
    fn step(&self);
}

/// A bar that nobody sees.
pub(super) struct Unseen;

impl Bar for Unseen {
    fn reach(&self, _: u64, _: &dyn Fn() -> String) {}

    fn step(&self) {}
}

/// Progress over sweeps or sentences.
pub struct Steps(Box<dyn Bar>);

impl Steps {
    /// So many `what`s begin.
    pub fn new(watch: &dyn Watch, total: u64, what: &str) -> Steps {
        Steps(watch.begin(&Work { what, total: Some(total), unit: Unit::Steps }))
    }

    /// So many are done.
    pub fn reach(&self, position: u64, message: impl Fn() -> String) {
        self.0.reach(position, &message);
    }

    /// One more is done.
    pub fn step(&self) {
        self.0.step();
    }
}

/// Progress over the bytes of a file.
pub(crate) struct Progress {
    bar: Box<dyn Bar>,
    done: u64,
}

impl Progress {
    pub(crate) fn new(watch: &dyn Watch, size: Option<u64>, what: &str) -> Progress {
        Progress { bar: watch.begin(&Work { what, total: size, unit: Unit::Bytes }), done: 0 }
    }

    /// More bytes are done.
    pub(crate) fn advance(&mut self, n_bytes: usize) {
        self.done += n_bytes as u64;
        self.bar.reach(self.done, &String::new);
    }
}

/// A reader that moves a bar along.
pub(crate) struct Watched<R> {
    source: R,
    progress: Progress,
}

impl<R: BufRead> Watched<R> {
    pub(crate) fn new(source: R, progress: Progress) -> Self {
        Self { source, progress }
    }
}

impl<R: BufRead> Read for Watched<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n_read = self.source.read(out)?;
        self.progress.advance(n_read);
        Ok(n_read)
    }
}

impl<R: BufRead> BufRead for Watched<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.source.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.source.consume(amount);
        if amount > 0 {
            self.progress.advance(amount);
        }
    }
}
