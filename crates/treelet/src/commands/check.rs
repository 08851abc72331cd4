//! `treelet check`: validate files and list what is wrong.

use crate::args;
use crate::diagnostics;
use crate::outcome::Outcome;
use crate::progress::{Progress, Watched};
use crate::source::Source;
use crate::table::plural;
use crate::terminal::Terminal;
use anyhow::Context;
use formats::everything;
use formats::{Problem, Severity};
use std::io;
use std::path::Path;

pub(crate) fn run(options: &args::Check, terminal: &Terminal) -> anyhow::Result<Outcome> {
    crate::source::only_one_stdin(&options.files)?;
    let mut worst = Outcome::Fine;
    for path in &options.files {
        // One file that cannot be read does not keep the others from being checked.
        let outcome = check(path, options, terminal);
        worst = worst.max(Outcome::of(outcome, terminal));
    }
    Ok(worst)
}

fn check(path: &Path, options: &args::Check, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let source = Source::or_text(path, &options.input, terminal)?;
    let progress = Progress::new(terminal, source.size(), &source.name());
    let text = Watched::new(source.open()?, progress);
    let checked =
        everything::copy(source.format, text, &mut io::sink()).with_context(|| source.cannot_read())?;
    let messages = &options.messages;
    diagnostics::report(
        &source,
        &checked.problems,
        messages.message_format,
        messages.max_problems,
        terminal,
    )?;
    let n_errors = checked.problems.iter().filter(|problem| problem.is_error()).count();
    let n_warnings = checked.problems.len() - n_errors;
    terminal.note(&summary(&source, checked.n_items, n_errors, n_warnings));
    let has_problems = n_errors > 0 || (options.strict && n_warnings > 0);
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
    messages: &args::Messages,
    terminal: &Terminal,
) -> anyhow::Result<bool> {
    diagnostics::report(source, problems, messages.message_format, messages.max_problems, terminal)?;
    Ok(problems.iter().any(|problem| problem.severity == Severity::Error))
}
