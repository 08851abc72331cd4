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

fn main() -> ExitCode {
    let (arguments, typed) = Arguments::typed();
    let terminal = Terminal::new(&arguments.global, typed);
    let result = match &arguments.command {
        Command::Check(options) => commands::check::run(options, &terminal),
        Command::Convert(options) => commands::convert::run(options, &terminal),
        Command::Stats(options) => commands::stats::run(options, &terminal),
        Command::Score(options) => commands::score::run(options, &terminal),
        Command::View(options) => commands::view::run(options, &terminal),
        Command::Train(what) => commands::train::run(what, &terminal),
        Command::Parse(options) => treelet::parse(options, &terminal).map(|done| done.outcome()),
        Command::Sample(options) => treelet::sample(options, &terminal).map(|done| done.outcome()),
        Command::Model(what) => commands::model::run(what, &terminal),
        Command::Diagnose(options) => commands::diagnose::run(options, &terminal),
        Command::Impute(options) => treelet::impute(options, &terminal).map(|done| done.outcome()),
        Command::Induce(what) => commands::induce::run(what, &terminal),
        Command::Factors(what) => commands::factors::run(what, &terminal),
        Command::Segment(what) => commands::segment::run(what, &terminal),
        Command::Tag(what) => commands::tag::run(what, &terminal),
        Command::Joint(what) => commands::joint::run(what, &terminal),
        Command::Simulate(options) => commands::simulate::run(options, &terminal),
        Command::Agree(options) => commands::agree::run(options, &terminal),
        Command::Select(options) => commands::select::run(options, &terminal),
        Command::Plan(options) => commands::plan::run(options, &terminal),
        Command::Demo => commands::demo::run(&terminal),
        Command::Completions { shell } => manual::completions(*shell, &terminal),
        Command::Man { folder } => manual::man(folder.as_deref(), &terminal),
    };
    ExitCode::from(Outcome::of(result, &terminal) as u8)
}
