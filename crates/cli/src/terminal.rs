//! The two streams of a command: results go to stdout, everything else to stderr.

use crate::arguments::{Colour, Global};
use crate::interrupt::Interrupt;
use crate::{commands, diagnostics, legend, progress};
use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use treelet::watch::{Bar, FileProblems, Message, Troubled, Watch, Work};

/// What is known about the terminal, and the only place that prints.
#[derive(Debug)]
pub(crate) struct Terminal {
    /// Whether to colour what goes to stdout.
    pub(crate) colour_out: bool,
    /// Whether to colour what goes to stderr.
    pub(crate) colour_err: bool,
    /// Whether to keep notes and progress to ourselves.
    pub(crate) quiet: bool,
    /// Columns of the terminal, if stdout is one.
    pub(crate) width: Option<usize>,
    /// The options that were typed, by their long names.
    typed: BTreeSet<String>,
    interrupt: Interrupt,
}

impl Terminal {
    pub(crate) fn new(global: &Global, typed: BTreeSet<String>) -> Self {
        let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let colour = |is_terminal: bool| match global.color {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => is_terminal && !no_colour,
        };
        let stdout_is_terminal = io::stdout().is_terminal();
        let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        Self {
            colour_out: colour(stdout_is_terminal),
            colour_err: colour(io::stderr().is_terminal()),
            quiet: global.quiet,
            width: columns.or_else(|| stdout_is_terminal.then(terminal_columns)),
            typed,
            interrupt: Interrupt::default(),
        }
    }

    /// Prints a result.
    pub(crate) fn print(&self, text: &str) -> anyhow::Result<()> {
        Ok(self.write(text.as_bytes())?)
    }

    /// Prints a result as JSON, indented.
    pub(crate) fn print_json(&self, result: &impl serde::Serialize) -> anyhow::Result<()> {
        self.print(&format!("{:#}\n", serde_json::to_value(result)?))
    }

    /// Prints tables and, as a note, what the measures in them mean.
    pub(crate) fn print_tables(&self, text: &str) -> anyhow::Result<()> {
        self.print(text)?;
        if let Some(legend) = legend::of(text) {
            self.note(&legend);
        }
        Ok(())
    }

    /// Prints a note on stderr unless asked to be quiet.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            self.stderr(text);
        }
    }

    /// Prints an error on stderr.
    pub(crate) fn error(&self, text: &str) {
        let mark = if self.colour_err { "\x1b[1;31merror\x1b[0m" } else { "error" };
        self.stderr(&format!("{mark}: {text}"));
    }

    /// Prints on stderr whatever happens. A stderr that is gone cannot be told about.
    pub(crate) fn stderr(&self, text: &str) {
        stderr(text);
    }
}

impl Watch for Terminal {
    fn tell(&self, message: Message<'_>) {
        match message {
            Message::Note(text) => self.note(text),
            Message::Remark(text) => self.stderr(text),
            Message::Error(text) => self.error(text),
        }
    }

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes)?;
        stdout.flush()
    }

    fn problems(&self, found: &FileProblems<'_>) -> anyhow::Result<()> {
        diagnostics::show(found, self)
    }

    fn troubles(&self, found: &Troubled<'_>) -> anyhow::Result<()> {
        commands::factors::troubles::show(found, self)
    }

    fn begin(&self, work: &Work<'_>) -> Box<dyn Bar> {
        progress::begin(work, self.quiet)
    }

    fn stop_flag(&self, promise: &'static str) -> Arc<AtomicBool> {
        self.interrupt.flag(promise, self.quiet, |text| self.note(text))
    }

    fn is_given(&self, option: &str) -> bool {
        self.typed.contains(option)
    }
}

/// Prints a line on stderr, for those who have no [`Terminal`].
pub(crate) fn stderr(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = writeln!(stderr, "{}", text.trim_end_matches('\n'));
}

fn terminal_columns() -> usize {
    terminal_size::terminal_size().map_or(80, |(width, _)| width.0.into())
}
