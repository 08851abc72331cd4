//! Treelet on the command line.

mod arguments;
mod commands;
mod diagnostics;
mod interrupt;
mod legend;
mod manual;
mod progress;
mod short_help;
mod terminal;

use arguments::{Arguments, Command};
use std::process::ExitCode;
use terminal::Terminal;
use treelet::Outcome;
use treelet::options::UseCase;

fn main() -> ExitCode {
    let (arguments, typed) = Arguments::typed();
    let terminal = Terminal::new(&arguments.global, typed);
    let result = match &arguments.command {
        Command::UseCase(what) => run(what, &terminal),
        Command::Demo => commands::demo::run(&terminal),
        Command::Completions { shell } => manual::completions(*shell, &terminal),
        Command::Man { folder } => manual::man(folder.as_deref(), &terminal),
    };
    ExitCode::from(Outcome::of(result, &terminal) as u8)
}

/// Does what is asked and shows what comes of it.
fn run(what: &UseCase, terminal: &Terminal) -> anyhow::Result<Outcome> {
    match what {
        UseCase::Check(options) => commands::check::run(options, terminal),
        UseCase::Convert(options) => commands::convert::run(options, terminal),
        UseCase::Stats(options) => commands::stats::run(options, terminal),
        UseCase::Score(options) => commands::score::run(options, terminal),
        UseCase::View(options) => commands::view::run(options, terminal),
        UseCase::Train(what) => commands::train::run(what, terminal),
        UseCase::Parse(options) => treelet::parse(options, terminal).map(|done| done.outcome()),
        UseCase::Sample(options) => treelet::sample(options, terminal).map(|done| done.outcome()),
        UseCase::Model(what) => commands::model::run(what, terminal),
        UseCase::Diagnose(options) => commands::diagnose::run(options, terminal),
        UseCase::Impute(options) => treelet::impute(options, terminal).map(|done| done.outcome()),
        UseCase::Induce(what) => commands::induce::run(what, terminal),
        UseCase::Factors(what) => commands::factors::run(what, terminal),
        UseCase::Segment(what) => commands::segment::run(what, terminal),
        UseCase::Tag(what) => commands::tag::run(what, terminal),
        UseCase::Joint(what) => commands::joint::run(what, terminal),
        UseCase::Annotate(options) => commands::annotate::run(options, terminal),
        UseCase::Divide(options) => commands::divide::run(options, terminal),
        UseCase::Simulate(options) => commands::simulate::run(options, terminal),
        UseCase::Agree(options) => commands::agree::run(options, terminal),
        UseCase::Select(options) => commands::select::run(options, terminal),
        UseCase::Plan(options) => commands::plan::run(options, terminal),
    }
}
