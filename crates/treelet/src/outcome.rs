//! How a use case ended.

use crate::watch::Watch;
use formats::alike::told_apart;
use std::io;

/// Exit codes: 0 all well, 1 problems found, 2 wrong usage, 3 a file could not be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
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
pub struct Usage(pub String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// What comes of a use case that goes on in spite of problems in its input.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Done<T> {
    /// What came of it.
    pub result: T,
    /// Whether the input has problems, which the watch was told of.
    pub has_problems: bool,
}

impl<T> Done<T> {
    /// How it ended.
    pub fn outcome(&self) -> Outcome {
        if self.has_problems { Outcome::Problems } else { Outcome::Fine }
    }
}

/// Figures by name: what a run has to say of itself.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
#[serde(transparent)]
pub struct Figures(pub serde_json::Map<String, serde_json::Value>);

impl From<serde_json::Value> for Figures {
    fn from(value: serde_json::Value) -> Figures {
        match value {
            serde_json::Value::Object(figures) => Figures(figures),
            other => Figures([("value".to_string(), other)].into_iter().collect()),
        }
    }
}

/// The watch asked to stop: the text says what was kept and how to go on.
#[derive(Debug)]
pub struct Stopped(pub String);

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Stopped {}

impl Outcome {
    /// Tells what went wrong, if anything, and how the use case ended.
    pub fn of(result: anyhow::Result<Outcome>, watch: &dyn Watch) -> Outcome {
        let error = match result {
            Ok(outcome) => return outcome,
            Err(error) => error,
        };
        if let Some(Stopped(text)) = error.downcast_ref() {
            // An empty text: nothing was to be kept.
            if !text.is_empty() {
                watch.remark(text);
            }
            return Outcome::Files;
        }
        let outcome = Outcome::of_error(&error);
        if outcome.is_some() {
            watch.error(&format!("{error:#}{}", of_words_that_look_alike(&error)));
        }
        outcome.unwrap_or(Outcome::Fine)
    }

    /// What an error is about; `None` where nothing is wrong: the reader of a pipe went away (`treelet … | head`), which is its
    /// right.
    fn of_error(error: &anyhow::Error) -> Option<Outcome> {
        let io_error = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>());
        if io_error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
            None
        } else if error.is::<Usage>() {
            Some(Outcome::Usage)
        } else if io_error.is_some() {
            Some(Outcome::Files)
        } else {
            Some(Outcome::Problems)
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
