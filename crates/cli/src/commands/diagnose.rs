//! `treelet diagnose`: figures and verdicts as tables or as JSON.

use crate::terminal::Terminal;
use std::path::Path;
use treelet::diagnose::{Diagnosis, Judged, Scores};
use treelet::options::diagnose::Diagnose;
use treelet::{Outcome, table};

pub(crate) fn run(options: &Diagnose, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let done = treelet::diagnose(options, terminal)?;
    // Where the page goes to the standard output, nothing else does.
    let is_page = options.output.as_deref() == Some(Path::new("-"));
    if let Some(diagnosis) = done.result.as_ref().filter(|_| !is_page) {
        match options.json {
            true => terminal.print_json(diagnosis)?,
            false => terminal.print(&text(diagnosis))?,
        }
    }
    Ok(done.outcome())
}

/// Tables of all columns and scores.
fn text(diagnosis: &Diagnosis) -> String {
    let headings: Vec<&str> = ["column"].into_iter().chain(Judged::HEADINGS).collect();
    let row = |judged: &Judged| [vec![judged.column.clone()], judged.figures()].concat();
    let rows: Vec<Vec<String>> = diagnosis.columns.iter().map(row).collect();
    let mut text = table::render(&headings, &rows);
    if !diagnosis.columns.is_empty() {
        text.push('\n');
    }
    for judged in &diagnosis.columns {
        text.push_str(&format!("{}: {}\n", judged.column, judged.verdict));
    }
    if let Some(advice) = diagnosis.advice() {
        text.push_str(&format!("\n{}\n", advice.join("\n")));
    }
    if let Some(scores) = &diagnosis.scores {
        let headings: Vec<&str> = ["F1 of trees"].into_iter().chain(Scores::HEADINGS).collect();
        text.push_str(&format!("\n{}", table::render(&headings, &scores.rows())));
    }
    for (headings, rows) in diagnosis.curves.tables().iter().filter(|(_, rows)| !rows.is_empty()) {
        text.push_str(&format!("\n{}", table::render(headings, rows)));
    }
    text
}
