//! `treelet divide`: the sections as a table.

use crate::terminal::Terminal;
use treelet::options::study::Divide;
use treelet::{Divided, DividedSection, Outcome, table};

pub(crate) fn run(options: &Divide, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let done = treelet::divide(options, terminal)?;
    if let Some(divided) = &done.result {
        match options.answer.json {
            true => terminal.print_json(divided)?,
            false => terminal.print_tables(&text(divided))?,
        }
    }
    Ok(done.outcome())
}

/// As Table 5.2 of Mielens (2016), a row for each section.
fn text(divided: &Divided) -> String {
    let headings = ["section", "sentences", "words", "mean length", "sd", "% < 10", "% > 40"];
    let tenth = |value: Option<f64>| value.map_or_else(|| "-".into(), |value| format!("{value:.1}"));
    let row = |section: &DividedSection| {
        let shares = [section.short, section.long].map(|share| tenth(share.map(|share| 100.0 * share)));
        let mut row = vec![section.name.clone(), section.sentences.to_string(), section.words.to_string()];
        row.extend([tenth(section.mean_length), tenth(section.sd_length)].into_iter().chain(shares));
        row
    };
    table::render(&headings, &divided.sections.iter().map(row).collect::<Vec<_>>())
}
