//! A progress bar with the time left, on stderr, only if that is a terminal and the work takes a while.

use crate::terminal::Terminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, BufRead, Read};

/// Work shorter than this shows no bar.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(2);

/// A bar over `size` bytes of input, hidden for the first seconds.
pub(crate) struct Progress {
    bar: ProgressBar,
    start: std::time::Instant,
    done: u64,
}

impl Progress {
    pub(crate) fn new(terminal: &Terminal, size: Option<u64>, what: &str) -> Self {
        let bar = ProgressBar::with_draw_target(size, ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{msg} {bar:30} {percent}% {eta} left");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        bar.set_message(what.to_string());
        let progress = Self { bar, start: std::time::Instant::now(), done: 0 };
        if terminal.quiet {
            progress.bar.finish();
        }
        progress
    }

    /// More bytes are done.
    pub(crate) fn advance(&mut self, n_bytes: usize) {
        self.done += n_bytes as u64;
        if self.bar.is_hidden() && !self.bar.is_finished() && self.start.elapsed() > PATIENCE {
            // indicatif draws on a terminal only; elsewhere the bar stays silent.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(self.done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
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
