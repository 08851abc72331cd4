//! Validate files and tell what is wrong.

use crate::options;
use crate::outcome::Outcome;
use crate::problems;
use crate::source::Source;
use crate::table::plural;
use crate::watch::{Progress, Watch, Watched};
use anyhow::Context;
use formats::everything;
use formats::{Problem, Severity};
use serde::Serialize;
use std::io;
use std::path::Path;

/// What checking a file showed.
#[derive(Debug, Clone, Serialize)]
pub struct Checked {
    /// The name of the file.
    pub file: String,
    /// Sentences in it.
    pub sentences: usize,
    /// Errors in it.
    pub errors: usize,
    /// Warnings about it.
    pub warnings: usize,
    /// How it ended; a file that cannot be read has no figures.
    #[serde(skip)]
    pub outcome: Outcome,
}

/// Validates files and tells what is wrong in them.
pub fn check(options: &options::Check, watch: &dyn Watch) -> anyhow::Result<Vec<Checked>> {
    crate::source::only_one_stdin(&options.files)?;
    let checked = options.files.iter().map(|path| {
        let mut checked = Checked {
            file: path.display().to_string(),
            sentences: 0,
            errors: 0,
            warnings: 0,
            outcome: Outcome::Fine,
        };
        // One file that cannot be read does not keep the others from being checked.
        let outcome = check_one(path, options, &mut checked, watch);
        checked.outcome = Outcome::of(outcome, watch);
        checked
    });
    Ok(checked.collect())
}

fn check_one(
    path: &Path,
    options: &options::Check,
    found: &mut Checked,
    watch: &dyn Watch,
) -> anyhow::Result<Outcome> {
    let source = Source::or_text(path, &options.input, watch)?;
    let progress = Progress::new(watch, source.size(), &source.name());
    let text = Watched::new(source.open()?, progress);
    let checked =
        everything::copy(source.format, text, &mut io::sink()).with_context(|| source.cannot_read())?;
    let messages = &options.messages;
    problems::report(&source, &checked.problems, messages.message_format, messages.max_problems, watch)?;
    found.sentences = checked.n_items;
    found.errors = checked.problems.iter().filter(|problem| problem.is_error()).count();
    found.warnings = checked.problems.len() - found.errors;
    watch.note(&summary(&source, found.sentences, found.errors, found.warnings));
    let has_problems = found.errors > 0 || (options.strict && found.warnings > 0);
    Ok(if has_problems { Outcome::Problems } else { Outcome::Fine })
}

fn summary(source: &Source, n_items: usize, n_errors: usize, n_warnings: usize) -> String {
    let name = source.name();
    let sentences = format!("{} ({})", plural(n_items, "sentence"), source.format.name());
    match (n_items, n_errors + n_warnings) {
        (0, 0) => format!("{name}: empty"),
        (_, 0) => format!("{name}: {sentences}, no problems"),
        _ => format!("{name}: {sentences}, {}, {}", plural(n_errors, "error"), plural(n_warnings, "warning")),
    }
}

/// Reports the problems of a file that is read for another purpose, and tells whether there are errors.
pub(crate) fn report_problems(
    source: &Source,
    problems: &[Problem],
    messages: &options::Messages,
    watch: &dyn Watch,
) -> anyhow::Result<bool> {
    problems::report(source, problems, messages.message_format, messages.max_problems, watch)?;
    Ok(problems.iter().any(|problem| problem.severity == Severity::Error))
}
