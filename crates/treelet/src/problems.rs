//! Problems of input, as values for whoever shows them.

use crate::options::MessageFormat;
use crate::source::Source;
use crate::watch::{FileProblems, Watch};
use formats::Problem;

/// Tells of problems, at most `limit` of them (all if 0).
pub(crate) fn report(
    source: &Source,
    problems: &[Problem],
    format: MessageFormat,
    limit: usize,
    watch: &dyn Watch,
) -> anyhow::Result<()> {
    watch.problems(&FileProblems { source, problems, format, limit })
}

/// One problem as a JSON object.
pub fn json(source: &Source, problem: &Problem) -> serde_json::Value {
    serde_json::json!({
        "file": source.name(),
        "line": problem.place.line,
        "column": problem.place.column,
        "length": problem.place.length,
        "severity": severity(problem),
        "rule": problem.rule,
        "message": problem.message,
        "help": problem.help,
    })
}

/// `error` or `warning`.
pub fn severity(problem: &Problem) -> &'static str {
    if problem.is_error() { "error" } else { "warning" }
}
