//! `treelet plan`: what was measured and what to expect.

use crate::terminal::Terminal;
use treelet::options::study::Plan;
use treelet::{Outcome, Planned, table};

pub(crate) fn run(options: &Plan, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let planned = treelet::plan(options, terminal)?;
    match options.answer.json {
        true => terminal.print_json(&planned.result)?,
        false => terminal.print(&text(&planned.result))?,
    }
    Ok(planned.outcome())
}

fn text(planned: &Planned) -> String {
    let headings = planned.headings();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    format!(
        "{}\n\n{}\n{}{}\n",
        planned.summary(),
        table::render(&Planned::MEASURED, &planned.measured_rows()),
        table::render(&headings, &planned.rows()),
        planned.explanation
    )
}
