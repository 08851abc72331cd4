//! Progress bars with the time left, on stderr.

use crate::terminal::stderr;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use treelet::watch::{Bar, Unit, Work};

/// Reading that takes less shows no bar.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often a line is printed where there is no terminal.
const PAUSE: Duration = Duration::from_secs(30);

/// Shows the progress of a piece of work.
pub(crate) fn begin(work: &Work<'_>, quiet: bool) -> Box<dyn Bar> {
    match work.unit {
        Unit::Bytes => Box::new(ReadingBar::new(work, quiet)),
        Unit::Steps => Box::new(Steps::new(work, quiet)),
    }
}

/// A bar over the bytes of a file, hidden for the first seconds.
struct ReadingBar {
    bar: ProgressBar,
    start: Instant,
}

impl ReadingBar {
    fn new(work: &Work<'_>, quiet: bool) -> ReadingBar {
        let bar = ProgressBar::with_draw_target(work.total, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {percent}% {eta} left") {
            bar.set_style(style);
        }
        bar.set_message(work.what.to_string());
        if quiet {
            bar.finish();
        }
        ReadingBar { bar, start: Instant::now() }
    }
}

impl Bar for ReadingBar {
    fn reach(&self, position: u64, _: &dyn Fn() -> String) {
        if self.bar.is_hidden() && !self.bar.is_finished() && self.start.elapsed() > PATIENCE {
            // indicatif draws on a terminal only; elsewhere the bar stays silent.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(position);
    }

    fn step(&self) {
        self.bar.inc(1);
    }
}

impl Drop for ReadingBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A bar over sweeps or sentences. Where no bar can be drawn, a line now and then says how far things are.
struct Steps {
    bar: ProgressBar,
    lines: bool,
    what: String,
    start: Instant,
    last: Mutex<Instant>,
}

impl Steps {
    fn new(work: &Work<'_>, quiet: bool) -> Steps {
        let drawn = !quiet && io::stderr().is_terminal();
        let target = if drawn { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(work.total, target);
        if let Ok(style) = ProgressStyle::with_template("{prefix} {pos}/{len} {bar:30} {eta} left  {msg}") {
            bar.set_style(style);
        }
        bar.set_prefix(work.what.to_string());
        let now = Instant::now();
        Steps { bar, lines: !quiet && !drawn, what: work.what.to_string(), start: now, last: Mutex::new(now) }
    }

    fn line(&self, message: &str) {
        let Ok(mut last) = self.last.lock() else { return };
        if last.elapsed() >= PAUSE {
            *last = Instant::now();
            let (position, total) = (self.bar.position(), self.bar.length().unwrap_or(0));
            let seconds = self.start.elapsed().as_secs();
            let text = format!("{} {position}/{total} after {seconds} s  {message}", self.what);
            stderr(text.trim_end());
        }
    }
}

impl Bar for Steps {
    fn reach(&self, position: u64, message: &dyn Fn() -> String) {
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

    fn step(&self) {
        self.bar.inc(1);
        if self.lines {
            self.line("");
        }
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
