//! What can be typed.

pub(crate) mod dependency;
pub(crate) mod diagnose;
pub(crate) mod factors;
pub(crate) mod impute;
pub(crate) mod induce;
pub(crate) mod joint;
pub(crate) mod parse;
pub(crate) mod segment;
pub(crate) mod study;
pub(crate) mod tag;
pub(crate) mod train;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use formats::detect::Format;
use formats::input::Encoding;
use std::any::TypeId;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Grows whole trees from fragments: trains parsers, parses, and reads, checks, converts, draws and scores treebanks.
#[derive(Debug, Parser)]
#[command(name = "treelet", version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "\
Exit codes: 0 all well, 1 problems found, 2 wrong usage, 3 a file could not be read or written
(or the run was interrupted before it was).
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
        let mut command = with_negative_numbers(Self::command());
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
    let mut names: BTreeSet<String> = names.map(|name| format!("--{name}")).collect();
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
    /// Validate files and list what is wrong, with line, column and advice
    Check(Check),
    /// Change the format of a file
    Convert(Convert),
    /// Count sentences, words, labels, and how trees look
    Stats(Stats),
    /// Compare system output with gold
    Score(Score),
    /// Draw trees in the terminal, as SVG or as an HTML page
    View(View),
    /// Learn a parser from trees
    #[command(subcommand)]
    Train(train::Train),
    /// Find the trees of sentences
    Parse(parse::Parse),
    /// Draw trees of sentences from the posterior
    Sample(parse::Sample),
    /// Look into model files
    #[command(subcommand)]
    Model(parse::Model),
    /// Judge whether a sampler has converged, from its trace
    Diagnose(Box<diagnose::Diagnose>),
    /// Complete partial dependency annotations to trees, with probabilities
    Impute(Box<impute::Impute>),
    /// Learn a grammar from text without trees
    #[command(subcommand)]
    Induce(induce::Induce),
    /// Find the factors behind a table of numbers, counts, levels and categories
    #[command(subcommand)]
    Factors(factors::Factors),
    /// Cut words into morphs, learnt from a list of words
    #[command(subcommand)]
    Segment(segment::Segment),
    /// Tag words: learn from a dictionary, tagged sentences and raw text, tag, score
    #[command(subcommand)]
    Tag(tag::Tag),
    /// Tags, brackets and dependencies on factor graphs: syntax known, found with the task, or hidden
    #[command(subcommand)]
    Joint(joint::Joint),
    /// Take heads away from whole trees, as an annotator would leave them out
    Simulate(Box<study::Simulate>),
    /// Compare annotators with one another and with gold, and combine what they said
    Agree(Box<study::Agree>),
    /// Say what to annotate next, and why
    Select(Box<study::Select>),
    /// Forecast how much better a parser gets with more hours of annotation
    Plan(Box<study::Plan>),
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

/// How input is read.
#[derive(Debug, Args)]
pub(crate) struct Input {
    /// Format of the input; found out from name and content if not given
    #[arg(long, value_parser = format_names(), value_name = "FORMAT")]
    pub(crate) from: Option<Format>,
    /// Encoding of the input
    #[arg(long, value_enum, value_name = "NAME", default_value = "unicode")]
    pub(crate) encoding: EncodingName,
}

/// How input is read by commands that also take plain text.
#[derive(Debug, Args)]
pub(crate) struct AnyInput {
    /// Format of the input; found out from name and content if not given
    #[arg(long, value_parser = names_with_texts(), value_name = "FORMAT", conflicts_with = "lines")]
    from: Option<Format>,
    /// Each line is a sentence whose tokens are to be found, with or without a full stop; the same as --from lines
    #[arg(long)]
    lines: bool,
    /// Encoding of the input
    #[arg(long, value_enum, value_name = "NAME", default_value = "unicode")]
    pub(crate) encoding: EncodingName,
}

impl AnyInput {
    /// The format that was asked for.
    pub(crate) fn format(&self) -> Option<Format> {
        if self.lines { Some(Format::Lines) } else { self.from }
    }
}

/// How many threads work.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct ThreadCount {
    /// Threads; 0 takes all cores. The result does not depend on it
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub(crate) threads: usize,
}

impl ThreadCount {
    /// As many as there are cores.
    pub(crate) const ALL: ThreadCount = ThreadCount { threads: 0 };
}

/// How problems are shown.
#[derive(Debug, Args)]
pub(crate) struct Messages {
    /// How problems are shown
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "human")]
    pub(crate) message_format: MessageFormat,
    /// Show at most this many problems per file; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) max_problems: usize,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet check train.conllu
  treelet check --message-format short *.anno
  treelet check story.txt --lines
  xzcat big.mrg.xz | treelet check - --from brackets")]
pub(crate) struct Check {
    /// Files to check; - is standard input, .gz .zst .xz are unpacked
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) input: AnyInput,
    #[command(flatten)]
    pub(crate) messages: Messages,
    /// Count warnings as problems
    #[arg(long)]
    pub(crate) strict: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet convert annotations.anno -o partial.conllu --to conllu
  treelet convert wsj.mrg -o wsj.conllu --to conllu --head-rules english
  treelet convert train.conllu -o - --to brackets | head
  treelet convert story.txt -o story.conllu --to conllu --from raw")]
pub(crate) struct Convert {
    /// File to convert; - is standard input
    #[arg(value_name = "IN")]
    pub(crate) file: PathBuf,
    /// File to write; - is standard output. It appears whole or not at all
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Format to write
    #[arg(long, value_parser = format_names(), value_name = "FORMAT")]
    pub(crate) to: Format,
    /// Head rules for brackets to dependencies: english, leftmost, rightmost, learned (from the labels of the file),
    /// dependency (undo a conversion from dependencies) or a file (docs/head-rules.md). If not given, english where the
    /// labels are those of the Penn Treebank, learned otherwise
    #[arg(long, value_name = "RULES")]
    pub(crate) head_rules: Option<String>,
    /// Write head rules that were learned to a file, to be corrected and given back with --head-rules
    #[arg(long, value_name = "FILE")]
    pub(crate) save_head_rules: Option<PathBuf>,
    /// Strip functional tags, traces, empty elements, indices and lemmas behind words from brackets first
    #[arg(long)]
    pub(crate) normalise: bool,
    /// Write brackets indented, one constituent per line
    #[arg(long)]
    pub(crate) indent: bool,
    /// Write what can be converted even if part of the input has errors
    #[arg(long)]
    pub(crate) keep_going: bool,
    #[command(flatten)]
    pub(crate) input: AnyInput,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet stats train.conllu dev.conllu
  treelet stats annotations.anno --json
  treelet stats story.txt --from raw

A legend below the table says what its measures are (not with --quiet). More: docs/scores.md, docs/gfl.md")]
pub(crate) struct Stats {
    /// Files to count; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) input: AnyInput,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet score gold.mrg parsed.mrg --gold-punct
  treelet score gold.conllu system.conllu --json
  treelet score gold.conllu systems/ --per-label
  treelet score gold.conllu a.conllu b.conllu --significance

A legend below the table says what its measures are (not with --quiet). More: docs/scores.md")]
pub(crate) struct Score {
    /// The gold standard
    #[arg(value_name = "GOLD")]
    pub(crate) gold: PathBuf,
    /// System output: one file or more, or a folder of them
    #[arg(required = true, value_name = "TEST")]
    pub(crate) systems: Vec<PathBuf>,
    /// EVALB parameter file for brackets; Collins' parameters if not given
    #[arg(long, value_name = "FILE")]
    pub(crate) prm: Option<PathBuf>,
    /// Brackets: choose the punctuation to delete by the gold tags on both sides
    #[arg(long)]
    pub(crate) gold_punct: bool,
    /// Brackets: ignore labels
    #[arg(long)]
    pub(crate) unlabelled: bool,
    /// Brackets: leave out the bracket over the whole sentence
    #[arg(long)]
    pub(crate) no_root: bool,
    /// Dependencies: what to do with punctuation in the attachment table
    #[arg(long, value_enum, value_name = "RULE", default_value = "count")]
    pub(crate) punct: Punctuation,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Add a table per label, relation or type
    #[arg(long)]
    pub(crate) per_label: bool,
    /// Add a row per sentence
    #[arg(long)]
    pub(crate) per_sentence: bool,
    /// Brackets: print the table as the EVALB release did that made the example distributed with the program
    #[arg(long, conflicts_with = "json")]
    pub(crate) old_evalb: bool,
    /// Test whether the first system differs from each other one
    #[arg(long)]
    pub(crate) significance: bool,
    /// Resamplings for --significance
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) samples: u32,
    /// Seed for --significance
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) input: Input,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet view train.conllu --sentence 3
  treelet view annotations.anno -o annotations.html
  treelet view wsj.mrg --sentence 12 -o tree.svg")]
pub(crate) struct View {
    /// File to draw; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Draw sentence N only, counted from 1; a picture (.svg) shows the first if not given
    #[arg(long, value_name = "N")]
    pub(crate) sentence: Option<usize>,
    /// Write a picture (.svg, one sentence) or a page (.html) instead of drawing in the terminal
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Draw in the terminal with ASCII characters only
    #[arg(long)]
    pub(crate) ascii: bool,
    /// Columns of the drawing in the terminal
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(20..))]
    pub(crate) width: Option<u16>,
    #[command(flatten)]
    pub(crate) input: AnyInput,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Colour {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MessageFormat {
    /// The offending line, underlined
    Human,
    /// One line per problem
    Short,
    /// One JSON object per line, on standard output
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Punctuation {
    /// Count it like any word
    Count,
    /// Leave out words with the UPOS tag PUNCT
    Skip,
    /// Leave out words with a Penn Treebank punctuation tag
    Ptb,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum EncodingName {
    /// UTF-8, or UTF-16 with a byte-order mark
    Unicode,
    /// ISO 8859-1
    Latin1,
}

impl From<EncodingName> for Encoding {
    fn from(name: EncodingName) -> Self {
        match name {
            EncodingName::Unicode => Self::Unicode,
            EncodingName::Latin1 => Self::Latin1,
        }
    }
}

/// The names of the formats of annotations, with what they are.
fn format_names() -> impl TypedValueParser<Value = Format> {
    names_of(&Format::ALL)
}

/// The same with plain text, which can be read and not be written.
fn names_with_texts() -> impl TypedValueParser<Value = Format> {
    names_of(&[&Format::ALL[..], &Format::TEXTS[..]].concat())
}

fn names_of(formats: &[(Format, &'static str)]) -> impl TypedValueParser<Value = Format> + use<> {
    let describe =
        |(format, name): &(Format, &'static str)| PossibleValue::new(*name).help(description(*format));
    PossibleValuesParser::new(formats.iter().map(describe).collect::<Vec<_>>())
        .map(|name| Format::from_name(&name).expect("the parser accepts known names only"))
}

fn description(format: Format) -> &'static str {
    match format {
        Format::Brackets => "bracketed trees",
        Format::Conllu => "CoNLL-U",
        Format::Conllx => "CoNLL-X (2006, 2007)",
        Format::Conll09 => "CoNLL-2009",
        Format::Bio => "labelled words in columns",
        Format::Gfl => "GFL annotations in .anno blocks",
        Format::GflJson => "GFL annotations in JSON lines",
        Format::FudgJson => "FUDG graphs in JSON",
        Format::Text => "text, one tokenised sentence per line",
        Format::Raw => "running text, of which tokens and sentences are to be found",
        Format::Lines => "text, one sentence per line, of which tokens are to be found",
    }
}
