//! `treelet train`: what came of a run.

use crate::terminal::Terminal;
use serde::Serialize;
use treelet::options::dependency::Dependency;
use treelet::options::train::Train;
use treelet::{Done, Outcome, Point, TrainedDependency, table};

/// A run has been watched while it went on; what it has to say in the end is for programs.
pub(crate) fn done<T: Serialize>(done: &Done<T>, json: bool, terminal: &Terminal) -> anyhow::Result<Outcome> {
    if json {
        terminal.print_json(&done.result)?;
    }
    Ok(done.outcome())
}

pub(crate) fn run(what: &Train, terminal: &Terminal) -> anyhow::Result<Outcome> {
    match what {
        Train::Constituency(options) => {
            done(&treelet::train_constituency(options, terminal)?, options.course.report.json, terminal)
        }
        Train::Dependency(options) => dependency(options, terminal),
    }
}

fn dependency(options: &Dependency, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let trained = treelet::train_dependency(options, terminal)?;
    match &trained.result {
        TrainedDependency::Curve(points) if !options.course.report.json => terminal.print(&curve(points))?,
        _ => return done(&trained, options.course.report.json, terminal),
    }
    Ok(trained.outcome())
}

fn curve(points: &[Point]) -> String {
    let row = |point: &Point| {
        vec![point.sentences.to_string(), format!("{:.1}", point.uas), format!("{:.1}", point.las)]
    };
    table::render(&["sentences", "UAS", "LAS"], &points.iter().map(row).collect::<Vec<_>>())
}
