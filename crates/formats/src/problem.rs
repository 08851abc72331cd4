//! Problems found while reading.

use std::fmt;
use tree::Place;

/// Something wrong in a file: which rule, where, what, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The rule that is broken: a stable name such as `head-out-of-range`.
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Where it is.
    pub place: Place,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// How bad a [`Problem`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file is readable but not as the format wants it; writing will put it right.
    Warning,
    /// Part of the file could not be understood, or says something impossible.
    Error,
}

impl Problem {
    /// Something that could not be understood or cannot be true.
    pub fn error(
        rule: &'static str,
        place: Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self { rule, severity: Severity::Error, place, message: message.into(), help: help.into() }
    }

    /// Something readable that is not as the format wants it.
    pub fn warning(
        rule: &'static str,
        place: Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self { rule, severity: Severity::Warning, place, message: message.into(), help: help.into() }
    }

    /// Whether it is more than a warning.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = if self.is_error() { "error" } else { "warning" };
        write!(f, "{}: {severity}[{}]: {}; {}", self.place, self.rule, self.message, self.help)
    }
}
