//! What a use case says while it works, and how it is asked to stop.
//!
//! A terminal, a Python callback and a server are three [`Watch`]es. Whoever works is handed `&dyn Watch` and never prints.

mod progress;
mod silenced;

pub use progress::{Bar, Steps, Unit, Work};
pub(crate) use progress::{Progress, Watched};
pub(crate) use silenced::Silenced;

use crate::options::MessageFormat;
use crate::source::Source;
use factors::schema::Trouble;
use formats::Problem;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Something to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Message<'a> {
    /// Worth knowing; who wants quiet need not hear it.
    Note(&'a str),
    /// To be told whatever happens.
    Remark(&'a str),
    /// Something is wrong.
    Error(&'a str),
}

/// Problems that were found in a file.
#[derive(Debug, Clone, Copy)]
pub struct FileProblems<'a> {
    /// The file.
    pub source: &'a Source,
    /// What is wrong in it, in the order of the file.
    pub problems: &'a [Problem],
    /// How they are to be shown.
    pub format: MessageFormat,
    /// How many are to be shown; 0 for all.
    pub limit: usize,
}

/// Columns of a table with which something is wrong.
#[derive(Debug, Clone, Copy)]
pub struct Troubled<'a> {
    /// The file of the table.
    pub file: &'a Path,
    /// What is wrong, column by column.
    pub troubles: &'a [Trouble],
    /// How it is to be shown.
    pub format: MessageFormat,
    /// How many are to be shown; 0 for all.
    pub limit: usize,
}

/// Who looks on: hears of progress, notes and problems, takes what goes to the standard output, and may ask to stop.
///
/// ```
/// use serde_json::json;
/// use std::sync::{Arc, Mutex, atomic::AtomicBool};
/// use treelet::Watch;
/// use treelet::watch::{Bar, FileProblems, Message, Troubled, Unwatched, Work};
///
/// /// Keeps the notes, and leaves all else to the watch that does nothing.
/// #[derive(Default)]
/// struct Notes(Mutex<Vec<String>>);
///
/// impl Watch for Notes {
///     fn tell(&self, message: Message<'_>) {
///         if let Message::Note(text) = message {
///             self.0.lock().unwrap().push(text.to_string());
///         }
///     }
///     fn write(&self, bytes: &[u8]) -> std::io::Result<()> {
///         Unwatched.write(bytes)
///     }
///     fn problems(&self, found: &FileProblems<'_>) -> anyhow::Result<()> {
///         Unwatched.problems(found)
///     }
///     fn troubles(&self, found: &Troubled<'_>) -> anyhow::Result<()> {
///         Unwatched.troubles(found)
///     }
///     fn begin(&self, work: &Work<'_>) -> Box<dyn Bar> {
///         Unwatched.begin(work)
///     }
///     fn stop_flag(&self, promise: &'static str) -> Arc<AtomicBool> {
///         Unwatched.stop_flag(promise)
///     }
///     fn is_given(&self, option: &str) -> bool {
///         Unwatched.is_given(option)
///     }
/// }
///
/// let (folder, notes) = (tempfile::tempdir()?, Notes::default());
/// let output = folder.path().join("trees.conllu");
/// let options = json!({"file": "../../data/demo/village.anno", "output": output});
/// treelet::call("impute", options.as_object().unwrap(), &notes)?;
/// assert!(notes.0.lock().unwrap().iter().any(|note| note.starts_with("learning from")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Watch: Sync {
    /// Hears a message.
    fn tell(&self, message: Message<'_>);

    /// Takes what a command was told to write to `-`, the standard output.
    fn write(&self, bytes: &[u8]) -> io::Result<()>;

    /// Hears of problems in a file.
    fn problems(&self, found: &FileProblems<'_>) -> anyhow::Result<()>;

    /// Hears of troubles with columns of a table.
    fn troubles(&self, found: &Troubled<'_>) -> anyhow::Result<()>;

    /// Work begins; it is over when the bar is dropped.
    fn begin(&self, work: &Work<'_>) -> Box<dyn Bar>;

    /// A flag that is set when the work shall end early; `promise` says what happens then.
    fn stop_flag(&self, promise: &'static str) -> Arc<AtomicBool>;

    /// Whether an option, by its long name such as `--seed`, was given and has not merely its default.
    fn is_given(&self, option: &str) -> bool;
}

impl dyn Watch + '_ {
    /// Tells a note.
    pub(crate) fn note(&self, text: &str) {
        self.tell(Message::Note(text));
    }

    /// Tells a remark.
    pub(crate) fn remark(&self, text: &str) {
        self.tell(Message::Remark(text));
    }

    /// Says of those options that were given that they have no effect here, and why.
    pub(crate) fn without_effect(&self, options: &[&str], why: &str) {
        for name in options.iter().filter(|name| self.is_given(name)) {
            self.note(&format!("note: {name} has no effect here: {why}"));
        }
    }

    /// Tells an error.
    pub(crate) fn error(&self, text: &str) {
        self.tell(Message::Error(text));
    }

    /// Writes text to the standard output.
    pub(crate) fn print(&self, text: &str) -> anyhow::Result<()> {
        Ok(self.write(text.as_bytes())?)
    }
}

/// Nobody looks on: nothing is told, what goes to `-` is dropped, and nothing is asked to stop.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn tell(&self, _: Message<'_>) {}

    fn write(&self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn problems(&self, _: &FileProblems<'_>) -> anyhow::Result<()> {
        Ok(())
    }

    fn troubles(&self, _: &Troubled<'_>) -> anyhow::Result<()> {
        Ok(())
    }

    fn begin(&self, _: &Work<'_>) -> Box<dyn Bar> {
        Box::new(progress::Unseen)
    }

    fn stop_flag(&self, _: &'static str) -> Arc<AtomicBool> {
        Arc::default()
    }

    fn is_given(&self, _: &str) -> bool {
        false
    }
}
