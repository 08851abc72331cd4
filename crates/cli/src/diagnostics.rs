//! Problems on the screen: the offending line, underlined.

use crate::terminal::Terminal;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use formats::{Problem, Severity};
use std::collections::BTreeSet;
use treelet::options::MessageFormat;
use treelet::problems;
use treelet::source::Source;
use treelet::watch::FileProblems;
use treelet::{PutInOrder, PutTogether};

/// How many characters of a long line are shown on each side of the place.
const CONTEXT: usize = 60;

/// Prints at most `limit` problems (all if 0), the rest as a number. The order is that of the file; where not
/// all are shown, errors come first.
pub(crate) fn show(found: &FileProblems<'_>, terminal: &Terminal) -> anyhow::Result<()> {
    let FileProblems { source, problems, format, limit } = *found;
    let n_shown = if limit == 0 { problems.len() } else { limit.min(problems.len()) };
    let mut ordered = problems.to_vec();
    if n_shown < problems.len() {
        ordered.order_by_key(|problem| !problem.is_error());
    }
    let shown = &ordered[..n_shown];
    match format {
        MessageFormat::Human => human(source, shown, terminal)?,
        MessageFormat::Short => shown.iter().for_each(|problem| terminal.stderr(&short(source, problem))),
        MessageFormat::Json => {
            let lines: Vec<String> =
                shown.iter().map(|problem| problems::json(source, problem).to_string() + "\n").collect();
            terminal.print(&lines.concat())?;
        }
    }
    if n_shown < problems.len() {
        let n_more = problems.len() - n_shown;
        terminal.note(&format!("{}: {n_more} more; --max-problems 0 shows all", source.name()));
    }
    Ok(())
}

fn short(source: &Source, problem: &Problem) -> String {
    let place = &problem.place;
    let column = if place.column == 0 { String::new() } else { format!(":{}", place.column) };
    let severity = problems::severity(problem);
    let Problem { rule, message, help, .. } = problem;
    format!("{}:{}{column}: {severity}[{rule}]: {message}; {help}", source.name(), place.line)
}

fn human(source: &Source, problems: &[Problem], terminal: &Terminal) -> anyhow::Result<()> {
    let numbers: BTreeSet<u32> =
        problems.iter().map(|problem| problem.place.line).filter(|&line| line > 0).into_set();
    let lines = source.lines(&numbers)?;
    let renderer = if terminal.colour_err { Renderer::styled() } else { Renderer::plain() };
    let name = source.name();
    for problem in problems {
        let line = lines.get(&problem.place.line).map_or("", String::as_str);
        terminal.stderr(&renderer.render(&[group(problem, &name, line)]).to_string());
        terminal.stderr("");
    }
    Ok(())
}

fn group<'a>(problem: &'a Problem, name: &'a str, line: &str) -> Group<'a> {
    let level = match problem.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let (excerpt, underlined) = excerpt(line, problem.place.column, problem.place.length);
    let snippet = Snippet::source(excerpt)
        .path(name)
        .line_start(problem.place.line as usize)
        .annotation(AnnotationKind::Primary.span(underlined));
    Group::with_title(level.primary_title(problem.message.as_str()).id(problem.rule))
        .element(snippet)
        .element(Level::HELP.message(problem.help.as_str()))
}

/// The part of a line around a place, tabs made visible as spaces, and the bytes to underline in it.
fn excerpt(line: &str, column: u32, length: u32) -> (String, std::ops::Range<usize>) {
    let characters: Vec<char> = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let at = (column.max(1) as usize - 1).min(characters.len());
    let n_underlined = if column == 0 { characters.len() } else { length.max(1) as usize };
    let from = at.saturating_sub(CONTEXT);
    let to = (at + n_underlined.min(CONTEXT) + CONTEXT).min(characters.len());
    let piece = |range: std::ops::Range<usize>| characters[range].iter().collect::<String>();
    let (lead, tail) = (if from > 0 { "…" } else { "" }, if to < characters.len() { "…" } else { "" });
    let before = format!("{lead}{}", piece(from..at));
    let end = (at + n_underlined).min(to);
    let (start, length) = (before.len(), piece(at..end).len());
    let text = format!("{before}{}{tail}", piece(at..to));
    // A place behind the end of the line is shown at the end.
    let stop = if length == 0 { start } else { start + length };
    (text, start..stop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let line = format!("{}ŋ{}", "a".repeat(500), "b".repeat(500));
        let (text, underlined) = excerpt(&line, 501, 1);
        assert_eq!(&text[underlined], "ŋ");
        assert!(text.starts_with('…') && text.ends_with('…') && text.chars().count() < 130);
        let (text, underlined) = excerpt("abc", 0, 0);
        assert_eq!(&text[underlined], "abc");
        assert_eq!(excerpt("", 9, 1), (String::new(), 0..0));
    }
}
