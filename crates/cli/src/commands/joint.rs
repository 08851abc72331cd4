//! `treelet joint`: models on factor graphs.

use super::train::done;
use crate::terminal::Terminal;
use treelet::options::joint::{Joint, JointScore, Task};
use treelet::{Outcome, Watch, table};

pub(crate) fn run(what: &Joint, terminal: &Terminal) -> anyhow::Result<Outcome> {
    match what {
        Joint::Train(options) => {
            done(&treelet::train_joint(options, terminal)?, options.report.json, terminal)
        }
        Joint::Run(options) => {
            terminal.note(
                "note: `treelet joint run` is now `treelet tag run` for tags and `treelet parse` for trees",
            );
            done(&treelet::run_joint(options, terminal)?, options.course.json, terminal)
        }
        Joint::Score(options) => score(options, terminal),
    }
}

fn score(options: &JointScore, terminal: &Terminal) -> anyhow::Result<Outcome> {
    terminal.note("note: `treelet joint score` is now `treelet score`, with --tags for tags");
    if options.task != Task::Tagging {
        if terminal.is_given("--tags") {
            terminal.note("note: --tags has no effect here: it is for --task tagging");
        }
        return super::score::run(&treelet::as_score(options), terminal);
    }
    column(options, terminal)
}

/// The tags of a column, or an attribute.
pub(crate) fn column(options: &JointScore, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let scored = treelet::score_column(options, terminal)?;
    if !options.answer.json {
        let column = &scored.result;
        let row = vec![
            column.column.clone(),
            format!("{:.2}", column.accuracy),
            column.right.to_string(),
            column.total.to_string(),
        ];
        terminal.print(&table::render(&["accuracy", "%", "right", "of"], &[row]))?;
    }
    done(&scored, options.answer.json, terminal)
}
