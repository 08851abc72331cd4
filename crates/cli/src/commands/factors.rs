//! `treelet factors`: summaries and comparisons as tables or as JSON.

mod choose;
mod summary;
pub(crate) mod troubles;

use crate::terminal::Terminal;
use treelet::Outcome;
use treelet::options::factors::Factors;

pub(crate) fn run(what: &Factors, terminal: &Terminal) -> anyhow::Result<Outcome> {
    match what {
        Factors::Fit(options) => {
            let done = treelet::fit_factors(options, terminal)?;
            if options.course.report.json {
                terminal.print_json(&done.result)?;
            }
            Ok(done.outcome())
        }
        Factors::Choose(options) => {
            let done = treelet::choose_factors(options, terminal)?;
            match options.answer.json {
                true => terminal.print_json(&done.result)?,
                false => terminal.print(&choose::text(&done.result))?,
            }
            Ok(done.outcome())
        }
        Factors::Summary(options) => {
            let summary = treelet::summarise_factors(options, terminal)?;
            match options.json {
                true => terminal.print_json(&summary)?,
                false => terminal.print(&summary::text(&summary, options.top))?,
            }
            Ok(Outcome::Fine)
        }
        Factors::Predict(options) => Ok(treelet::predict_cells(options, terminal)?.outcome()),
        Factors::Plot(options) => treelet::plot_factors(options, terminal).map(|_| Outcome::Fine),
        Factors::Simulate(options) => treelet::simulate_table(options, terminal).map(|_| Outcome::Fine),
    }
}
