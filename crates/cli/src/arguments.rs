//! What can be typed.

use crate::short_help::shorten;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::any::TypeId;
use std::collections::BTreeSet;
use std::path::PathBuf;
use treelet::PutTogether;
use treelet::options;

/// Grows whole trees from fragments: trains parsers, parses, and reads, checks, converts, draws and scores treebanks.
#[derive(Debug, Parser)]
#[command(name = "treelet", version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "\
Exit codes: 0 well, 1 problems found, 2 wrong usage, 3 unreadable or unwritable file, or stopped
Try `treelet demo` for a tour, and `treelet COMMAND --help` for examples.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Arguments {
    /// What was typed, and the names of the options in it; wrong usage ends the program.
    pub(crate) fn typed() -> (Self, BTreeSet<String>) {
        let mut command = shorten(with_negative_numbers(Self::command()));
        let matches = command.get_matches_mut();
        let typed = Self::from_arg_matches(&matches);
        let typed = typed.unwrap_or_else(|error| error.format(&mut command).exit());
        (typed, options_in(&command, &matches))
    }
}

/// The long names of the options that were typed, `--seed`; defaults are not among them.
fn options_in(command: &clap::Command, matches: &ArgMatches) -> BTreeSet<String> {
    let is_typed =
        |argument: &&Arg| matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine);
    let names = command.get_arguments().filter(is_typed).filter_map(Arg::get_long);
    let mut names: BTreeSet<String> = names.map(|name| format!("--{name}")).into_set();
    if let Some((name, matches)) = matches.subcommand()
        && let Some(command) = command.find_subcommand(name)
    {
        names.append(&mut options_in(command, matches));
    }
    names
}

/// Takes a negative number after an option for its value, so that the message is about the number.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let names: Vec<String> = command.get_subcommands().map(|one| one.get_name().to_string()).collect();
    let command = command.mut_args(|argument| {
        let is_path = argument.get_value_parser().type_id() == TypeId::of::<PathBuf>();
        let is_value = argument.get_action().takes_values() && !argument.is_positional();
        if is_value && !is_path { argument.allow_negative_numbers(true) } else { argument }
    });
    names.into_iter().fold(command, |command, name| command.mut_subcommand(name, with_negative_numbers))
}

/// Options of every command.
#[derive(Debug, Args)]
pub(crate) struct Global {
    /// When to use colour
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Colour,
    /// Print results and errors only, no notes and no progress
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    UseCase(options::UseCase),
    /// A tour on an embedded corpus: read, check, draw, score, train, parse, impute
    Demo,
    /// Print completions for a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write the pages of all commands to a folder
    Man {
        /// Folder for the pages
        folder: Option<PathBuf>,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Colour {
    Auto,
    Always,
    Never,
}
