//! The two streams of a command: results go to stdout, everything else to stderr.

use crate::args::{Colour, Global};
use crate::legend;
use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};

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
        }
    }

    /// The same without notes.
    pub(crate) fn silenced(&self) -> Self {
        Self { quiet: true, typed: self.typed.clone(), ..*self }
    }

    /// Says of those options that were typed that they have no effect here, and why.
    pub(crate) fn without_effect(&self, options: &[&str], why: &str) {
        for name in options.iter().filter(|name| self.typed.contains(**name)) {
            self.note(&format!("note: {name} has no effect here: {why}"));
        }
    }

    /// Prints a result.
    pub(crate) fn print(&self, text: &str) -> anyhow::Result<()> {
        self.print_bytes(text.as_bytes())
    }

    /// Prints tables and, as a note, what the measures in them mean.
    pub(crate) fn print_tables(&self, text: &str) -> anyhow::Result<()> {
        self.print(text)?;
        if let Some(legend) = legend::of(text) {
            self.note(&legend);
        }
        Ok(())
    }

    /// Prints a result that may not be text.
    pub(crate) fn print_bytes(&self, bytes: &[u8]) -> anyhow::Result<()> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes)?;
        Ok(stdout.flush()?)
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

/// Prints a line on stderr, for those who have no [`Terminal`].
pub(crate) fn stderr(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = writeln!(stderr, "{}", text.trim_end_matches('\n'));
}

fn terminal_columns() -> usize {
    terminal_size::terminal_size().map_or(80, |(width, _)| width.0.into())
}
