//! `treelet check`: validate files and list what is wrong.

use crate::args;
use crate::diagnostics;
use crate::outcome::Outcome;
use crate::progress::{Progress, Watched};
use crate::source::Source;
use crate::terminal::Terminal;
use formats::everything;
use formats::{Problem, Severity};
use std::io;

pub(crate) fn run(options: &args::Check, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::Fine;
    for path in &options.files {
        let source = Source::new(path, options.input.from, options.input.encoding)?;
        let progress = Progress::new(terminal, source.size(), &source.name());
        let text = Watched::new(source.open()?, progress);
        let checked = everything::copy(source.format, text, &mut io::sink())?;
        diagnostics::report(
            &source,
            &checked.problems,
            options.messages.message_format,
            options.messages.max_problems,
            terminal,
        )?;
        let n_errors = checked.problems.iter().filter(|problem| problem.is_error()).count();
        let n_warnings = checked.problems.len() - n_errors;
        terminal.note(&summary(&source, checked.n_items, n_errors, n_warnings));
        if n_errors > 0 || (options.strict && n_warnings > 0) {
            outcome = Outcome::Problems;
        }
    }
    Ok(outcome)
}

fn summary(source: &Source, n_items: usize, n_errors: usize, n_warnings: usize) -> String {
    let name = source.name();
    let what = source.format.name();
    match (n_items, n_errors + n_warnings) {
        (0, 0) => format!("{name}: empty"),
        (_, 0) => format!("{name}: {n_items} sentences ({what}), no problems"),
        _ => format!("{name}: {n_items} sentences ({what}), {n_errors} errors, {n_warnings} warnings"),
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
