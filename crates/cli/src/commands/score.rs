//! `treelet score`: all figures of one system, or a table with a row per system.

mod annotations;
mod brackets;
mod dependencies;
mod labels;
mod semantics;

use crate::terminal::Terminal;
use treelet::options::Score;
use treelet::use_cases::score::{Report, Scored, Test};
use treelet::{Compared, Outcome, TagQuestion, table};

pub(crate) fn run(options: &Score, terminal: &Terminal) -> anyhow::Result<Outcome> {
    match TagQuestion::of(options)? {
        Some(TagQuestion::Column(asked)) => super::tag::score(&asked, terminal),
        Some(TagQuestion::Attribute(asked)) => super::joint::column(&asked, terminal),
        None => show(&treelet::score(options, terminal)?, options, terminal),
    }
}

/// Prints what came of a comparison; the exit code says if some systems could not be scored.
pub(crate) fn show(compared: &Compared, options: &Score, terminal: &Terminal) -> anyhow::Result<Outcome> {
    match (options.answer.json, options.old_evalb) {
        (true, _) => terminal.print_json(compared)?,
        // The table of an old EVALB is for programs that read it.
        (false, true) => terminal.print(&text(compared, options))?,
        (false, false) => terminal.print_tables(&text(compared, options))?,
    }
    Ok(compared.outcome)
}

fn text(compared: &Compared, options: &Score) -> String {
    match compared.systems.as_slice() {
        [scored] if compared.is_single => report(scored, options),
        systems => comparison(systems, options) + &significance(&compared.tests),
    }
}

/// Everything about one system.
fn report(scored: &Scored, options: &Score) -> String {
    let text = match &scored.report {
        Report::Brackets(scores) => brackets::text(scores, options),
        Report::Dependencies(scores) => dependencies::text(scores, options),
        Report::Labels(scores) => labels::text(scores, options),
        Report::Annotations(scores) => annotations::text(scores),
        Report::Semantics(scores) => semantics::text(scores, options),
    };
    match &scored.semantics {
        Some(scores) => text + "\n" + &semantics::text(scores, options),
        None => text,
    }
}

/// A table with a row per system, and what was asked for besides.
fn comparison(systems: &[Scored], options: &Score) -> String {
    let Some(first) = systems.first() else { return String::new() };
    let headings: Vec<&str> =
        ["system"].into_iter().chain(first.headline.iter().map(|(name, _)| *name)).collect();
    let row = |scored: &Scored| {
        let figures = scored.headline.iter().map(|(_, figure)| percent(*figure));
        [scored.name.clone()].into_iter().chain(figures).collect::<Vec<String>>()
    };
    let mut text = table::render(&headings, &systems.iter().map(row).collect::<Vec<_>>());
    if options.per_label || options.per_sentence {
        for scored in systems {
            text.push_str(&format!("\n== {} ==\n{}", scored.name, report(scored, options)));
        }
    }
    text
}

/// Whether the first system differs from the others by more than chance.
fn significance(tests: &[Test]) -> String {
    let Some(first) = tests.first() else { return String::new() };
    let row = |test: &Test| {
        vec![
            format!("{} – {}", test.first, test.second),
            format!("{:+.2}", test.difference),
            format!("{:.4}", test.p_bootstrap),
            format!("{:.4}", test.p_randomisation),
        ]
    };
    let rows: Vec<_> = tests.iter().map(row).collect();
    let difference = format!("difference in {}", first.figure);
    let headings = [&difference, "points", "p (bootstrap)", "p (randomisation)"];
    format!(
        "\n{}{} resamplings, seed {}; p is two-sided\n",
        table::render(&headings, &rows),
        first.samples,
        first.seed
    )
}

fn percent(figure: Option<f64>) -> String {
    figure.map_or_else(|| "–".to_string(), |figure| format!("{figure:.2}"))
}
