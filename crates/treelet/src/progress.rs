//! A progress bar with the time left, on stderr, only if that is a terminal and the work takes a while.

use crate::terminal::Terminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, BufRead, IsTerminal, Read};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_secs(2);

/// A bar over `size` bytes of input, hidden for the first seconds.
pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
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
        let progress = Self { bar, start: Instant::now(), done: 0 };
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

/// A bar over sweeps or sentences. Where no bar can be drawn, a line now and then says how far things are.
pub(crate) struct Steps {
    bar: ProgressBar,
    lines: bool,
    what: &'static str,
    start: Instant,
    last: Mutex<Instant>,
}

/// How often a line is printed where there is no terminal.
const PAUSE: Duration = Duration::from_secs(30);

impl Steps {
    pub(crate) fn new(terminal: &Terminal, total: u64, what: &'static str) -> Self {
        let drawn = !terminal.quiet && io::stderr().is_terminal();
        let target = if drawn { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        if let Ok(style) = ProgressStyle::with_template("{prefix} {pos}/{len} {bar:30} {eta} left  {msg}") {
            bar.set_style(style);
        }
        bar.set_prefix(what);
        let now = Instant::now();
        Self { bar, lines: !terminal.quiet && !drawn, what, start: now, last: Mutex::new(now) }
    }

    /// So many are done.
    pub(crate) fn reach(&self, position: u64, message: impl Fn() -> String) {
        if self.bar.position() == 0 && position > 1 {
            // A resumed run: what was done before says nothing about the time left.
            self.bar.set_position(position);
            self.bar.reset_eta();
        }
        self.bar.set_position(position);
        if self.lines {
            self.line(&message());
        } else {
            self.bar.set_message(message());
        }
    }

    /// One more is done.
    pub(crate) fn step(&self) {
        self.bar.inc(1);
        if self.lines {
            self.line("");
        }
    }

    fn line(&self, message: &str) {
        let Ok(mut last) = self.last.lock() else { return };
        if last.elapsed() >= PAUSE {
            *last = Instant::now();
            let (position, total) = (self.bar.position(), self.bar.length().unwrap_or(0));
            let seconds = self.start.elapsed().as_secs();
            let text = format!("{} {position}/{total} after {seconds} s  {message}", self.what);
            crate::terminal::stderr(text.trim_end());
        }
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
