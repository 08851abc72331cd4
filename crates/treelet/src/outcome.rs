//! How a command ended, as an exit code.

use crate::terminal::Terminal;
use formats::alike::told_apart;
use std::io;
use std::process::ExitCode;

/// Exit codes: 0 all well, 1 problems found, 2 wrong usage, 3 a file could not be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// All well.
    Fine,
    /// The input has problems, or no score could be made of it.
    Problems,
    /// The command cannot be meant as it was typed.
    Usage,
    /// A file could not be read or written.
    Files,
}

/// A command that cannot be meant as it was typed: the text says what to type instead.
#[derive(Debug)]
pub(crate) struct Usage(pub String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

impl Outcome {
    /// Prints what went wrong, if anything, and tells the exit code.
    pub(crate) fn of(result: anyhow::Result<Self>, terminal: &Terminal) -> Self {
        let error = match result {
            Ok(outcome) => return outcome,
            Err(error) => error,
        };
        let io_error = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>());
        // The reader of a pipe went away (`treelet … | head`): that is its right.
        if io_error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
            return Self::Fine;
        }
        terminal.error(&format!("{error:#}{}", of_words_that_look_alike(&error)));
        if error.is::<Usage>() {
            Self::Usage
        } else if io_error.is_some() {
            Self::Files
        } else {
            Self::Problems
        }
    }
}

/// What an error about two words does not show if they look alike: which characters differ.
fn of_words_that_look_alike(error: &anyhow::Error) -> String {
    use score::{attachment, conll18};
    let forms = error.chain().find_map(|cause| match cause.downcast_ref::<attachment::Error>() {
        Some(attachment::Error::Forms { gold, system, .. }) => Some((gold.to_string(), system.to_string())),
        _ => None,
    });
    let texts = error.chain().find_map(|cause| match cause.downcast_ref::<conll18::Error>() {
        Some(conll18::Error::TextsDiffer { gold_next, system_next, .. }) => {
            Some((gold_next.clone(), system_next.clone()))
        }
        _ => None,
    });
    let Some((gold, system)) = forms.or(texts) else { return String::new() };
    let (shown, shown_there) = told_apart(&gold, &system);
    if shown == gold { String::new() } else { format!(" (they look alike: `{shown}` and `{shown_there}`)") }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(outcome as u8)
    }
}
