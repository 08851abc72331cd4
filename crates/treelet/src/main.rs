//! Treelet on the command line.

mod args;
mod batches;
mod commands;
mod committed;
mod diagnostics;
mod imputation;
mod interrupt;
mod legend;
mod models;
mod outcome;
mod progress;
mod sentences;
mod source;
mod statistics;
mod survey;
mod table;
mod terminal;
mod tree_marks;

use args::{Arguments, Command};
use outcome::Outcome;
use std::process::ExitCode;

fn main() -> ExitCode {
    let (arguments, typed) = Arguments::typed();
    let terminal = terminal::Terminal::new(&arguments.global, typed);
    let result = match &arguments.command {
        Command::Check(options) => commands::check::run(options, &terminal),
        Command::Convert(options) => commands::convert::run(options, &terminal),
        Command::Stats(options) => commands::stats::run(options, &terminal),
        Command::Score(options) => commands::score::run(options, &terminal),
        Command::View(options) => commands::view::run(options, &terminal),
        Command::Train(args::train::Train::Constituency(options)) => commands::train::run(options, &terminal),
        Command::Train(args::train::Train::Dependency(options)) => {
            commands::train::dependency::run(options, &terminal)
        }
        Command::Parse(options) => commands::parse::run(options, &terminal),
        Command::Sample(options) => commands::sample::run(options, &terminal),
        Command::Model(args::parse::Model::Info(options)) => commands::model::info(options, &terminal),
        Command::Model(args::parse::Model::Show(options)) => commands::model_show::run(options, &terminal),
        Command::Diagnose(options) => commands::diagnose::run(options, &terminal),
        Command::Impute(options) => commands::impute::run(options, &terminal),
        Command::Induce(args::induce::Induce::Dmv(options)) => commands::induce::dmv(options, &terminal),
        Command::Induce(args::induce::Induce::Pcfg(options)) => commands::induce::pcfg(options, &terminal),
        Command::Induce(args::induce::Induce::Hmm(options)) => commands::induce::hmm(options, &terminal),
        Command::Factors(what) => commands::factors::run(what, &terminal),
        Command::Segment(what) => commands::segment::run(what, &terminal),
        Command::Tag(args::tag::Tag::Train(options)) => commands::tag::train::run(options, &terminal),
        Command::Tag(args::tag::Tag::Run(options)) => commands::tag::run::run(options, &terminal),
        Command::Tag(args::tag::Tag::Score(options)) => commands::tag::score::run(options, &terminal),
        Command::Joint(args::joint::Joint::Train(options)) => commands::joint::train::run(options, &terminal),
        Command::Joint(args::joint::Joint::Run(options)) => commands::joint::run::run(options, &terminal),
        Command::Joint(args::joint::Joint::Score(options)) => commands::joint::score::run(options, &terminal),
        Command::Simulate(options) => commands::simulate::run(options, &terminal),
        Command::Agree(options) => commands::agree::run(options, &terminal),
        Command::Select(options) => commands::select::run(options, &terminal),
        Command::Plan(options) => commands::plan::run(options, &terminal),
        Command::Demo => commands::demo::run(&terminal),
        Command::Completions { shell } => commands::manual::completions(*shell, &terminal),
        Command::Man { folder } => commands::manual::man(folder.as_deref(), &terminal),
    };
    Outcome::of(result, &terminal).into()
}
