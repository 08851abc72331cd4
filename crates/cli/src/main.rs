//! Treelet on the command line.

mod arguments;
mod commands;
mod diagnostics;
mod interrupt;
mod legend;
mod manual;
mod progress;
mod terminal;

use arguments::{Arguments, Command};
use std::process::ExitCode;
use terminal::Terminal;
use treelet::use_cases as cases;
use treelet::{Outcome, options};

fn main() -> ExitCode {
    let (arguments, typed) = Arguments::typed();
    let terminal = Terminal::new(&arguments.global, typed);
    let result = match &arguments.command {
        Command::Check(options) => commands::check::run(options, &terminal),
        Command::Convert(options) => cases::convert::run(options, &terminal),
        Command::Stats(options) => commands::stats::run(options, &terminal),
        Command::Score(options) => cases::score::run(options, &terminal),
        Command::View(options) => commands::view::run(options, &terminal),
        Command::Train(options::train::Train::Constituency(options)) => cases::train::run(options, &terminal),
        Command::Train(options::train::Train::Dependency(options)) => {
            cases::train::dependency::run(options, &terminal)
        }
        Command::Parse(options) => cases::parse::run(options, &terminal),
        Command::Sample(options) => cases::sample::run(options, &terminal),
        Command::Model(options::parse::Model::Info(options)) => cases::model::info(options, &terminal),
        Command::Model(options::parse::Model::Show(options)) => cases::model_show::run(options, &terminal),
        Command::Diagnose(options) => cases::diagnose::run(options, &terminal),
        Command::Impute(options) => cases::impute::run(options, &terminal),
        Command::Induce(options::induce::Induce::Dmv(options)) => cases::induce::dmv(options, &terminal),
        Command::Induce(options::induce::Induce::Pcfg(options)) => cases::induce::pcfg(options, &terminal),
        Command::Induce(options::induce::Induce::Hmm(options)) => cases::induce::hmm(options, &terminal),
        Command::Factors(what) => cases::factors::run(what, &terminal),
        Command::Segment(what) => cases::segment::run(what, &terminal),
        Command::Tag(options::tag::Tag::Train(options)) => cases::tag::train::run(options, &terminal),
        Command::Tag(options::tag::Tag::Run(options)) => cases::tag::run::run(options, &terminal),
        Command::Tag(options::tag::Tag::Score(options)) => cases::tag::score::run(options, &terminal),
        Command::Joint(options::joint::Joint::Train(options)) => cases::joint::train::run(options, &terminal),
        Command::Joint(options::joint::Joint::Run(options)) => cases::joint::run::run(options, &terminal),
        Command::Joint(options::joint::Joint::Score(options)) => cases::joint::score::run(options, &terminal),
        Command::Simulate(options) => cases::simulate::run(options, &terminal),
        Command::Agree(options) => cases::agree::run(options, &terminal),
        Command::Select(options) => cases::select::run(options, &terminal),
        Command::Plan(options) => cases::plan::run(options, &terminal),
        Command::Demo => commands::demo::run(&terminal),
        Command::Completions { shell } => manual::completions(*shell, &terminal),
        Command::Man { folder } => manual::man(folder.as_deref(), &terminal),
    };
    ExitCode::from(Outcome::of(result, &terminal) as u8)
}
