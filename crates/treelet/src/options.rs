//! The options of every use case: names, defaults, ranges and sentences of help stand here and nowhere else.

pub mod annotate;
pub mod dependency;
pub mod diagnose;
pub mod factors;
pub mod impute;
pub mod induce;
pub mod joint;
pub mod json;
pub mod parse;
pub mod segment;
pub mod study;
pub mod tag;
pub mod train;
mod use_case;

pub use annotate::RemarkPlace;
pub use use_case::UseCase;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use formats::detect::Format;
use formats::input::Encoding;
use std::path::PathBuf;

/// How input is read.
#[derive(Debug, Args)]
pub struct Input {
    /// Format of the input; found out from name and content if not given
    #[arg(long, value_parser = format_names(), value_name = "FORMAT")]
    pub from: Option<Format>,
    #[command(flatten)]
    pub characters: Characters,
}

/// How input is read by commands that also take plain text.
#[derive(Debug, Args)]
pub struct AnyInput {
    /// Format of the input; found out from name and content if not given
    #[arg(long, value_parser = names_with_texts(), value_name = "FORMAT", conflicts_with = "lines")]
    from: Option<Format>,
    #[command(flatten)]
    plain: PlainLines,
    #[command(flatten)]
    pub characters: Characters,
}

impl AnyInput {
    /// The format that was asked for.
    pub fn format(&self) -> Option<Format> {
        if self.plain.lines { Some(Format::Lines) } else { self.from }
    }
}

/// That lines are sentences.
#[derive(Debug, Clone, Copy, Args)]
pub struct PlainLines {
    /// Each line is a sentence whose tokens are to be found, with or without a full stop; the same as --from lines
    #[arg(long)]
    pub lines: bool,
}

/// How bytes become characters.
#[derive(Debug, Clone, Copy, Args)]
pub struct Characters {
    /// Encoding of the input
    #[arg(long, value_enum, value_name = "NAME", default_value = "unicode", help_heading = "Input")]
    pub encoding: EncodingName,
}

/// What comes off brackets.
#[derive(Debug, Clone, Copy, Args)]
pub struct Stripping {
    /// Strip functional tags, traces, empty elements, indices and lemmas behind words from brackets first
    #[arg(long)]
    pub normalise: bool,
}

/// What answers are compared with.
#[derive(Debug, Clone, Args)]
pub struct Standard {
    /// The gold standard
    #[arg(value_name = "GOLD")]
    pub gold: PathBuf,
}

/// Where a model goes.
#[derive(Debug, Clone, Args)]
pub struct NewModel {
    /// The model to write; it appears whole or not at all
    #[arg(short, long, value_name = "MODEL")]
    pub output: PathBuf,
}

/// Where sentences go.
#[derive(Debug, Clone, Args)]
pub struct Destination {
    /// File to write; - (the default) is standard output. It appears whole or not at all
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    pub output: PathBuf,
}

/// How an answer is shown.
#[derive(Debug, Clone, Copy, Args)]
pub struct Answer {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// How it is said what was done.
#[derive(Debug, Clone, Copy, Args)]
pub struct Report {
    /// Print a summary in JSON
    #[arg(long)]
    pub json: bool,
}

/// What is drawn by chance.
#[derive(Debug, Clone, Copy, Args)]
pub struct Chance {
    /// Seed of all randomness
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
}

/// How many threads work.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Run")]
pub struct ThreadCount {
    /// Threads; 0 takes all cores. The result does not depend on it
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub threads: usize,
}

impl ThreadCount {
    /// As many as there are cores.
    pub const ALL: ThreadCount = ThreadCount { threads: 0 };
}

/// How a run is saved while it goes on.
#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
pub struct Saving {
    /// Where the run is saved while it goes on [default: MODEL.checkpoint]; removed when it is done
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Save the run every so many seconds; 0 saves after every sweep, epoch or pass
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub checkpoint_every: u64,
    /// Go on from the checkpoint of an interrupted run; without one, start from the beginning
    #[arg(long)]
    pub resume: bool,
}

/// A run that takes long.
#[derive(Debug, Args)]
pub struct LongRun {
    #[command(flatten)]
    pub threads: ThreadCount,
    #[command(flatten)]
    pub saving: Saving,
}

/// How problems are shown.
#[derive(Debug, Args)]
#[command(next_help_heading = "Messages")]
pub struct Messages {
    /// How problems are shown
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "human")]
    pub message_format: MessageFormat,
    /// Show at most this many problems per file; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub max_problems: usize,
}

impl Default for Messages {
    fn default() -> Messages {
        Messages { message_format: MessageFormat::Human, max_problems: 50 }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet check train.conllu
  treelet check --message-format short *.anno
  treelet check story.txt --lines
  xzcat big.mrg.xz | treelet check - --from brackets")]
pub struct Check {
    /// Files to check; - is standard input, .gz .zst .xz are unpacked
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub input: AnyInput,
    #[command(flatten)]
    pub messages: Messages,
    /// Count warnings as problems
    #[arg(long)]
    pub strict: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet convert annotations.anno -o partial.conllu --to conllu
  treelet convert wsj.mrg -o wsj.conllu --to conllu --head-rules english
  treelet convert train.conllu -o - --to brackets | head
  treelet convert story.txt -o story.conllu --to conllu --from raw")]
pub struct Convert {
    /// File to convert; - is standard input
    #[arg(value_name = "IN")]
    pub file: PathBuf,
    /// File to write; - is standard output. It appears whole or not at all
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// Format to write
    #[arg(long, value_parser = format_names(), value_name = "FORMAT")]
    pub to: Format,
    /// Head rules for brackets to dependencies: english, leftmost, rightmost, learned (from the labels of the file),
    /// dependency (undo a conversion from dependencies) or a file (docs/head-rules.md). If not given, english where the
    /// labels are those of the Penn Treebank, learned otherwise
    #[arg(long, value_name = "RULES", help_heading = "Heads")]
    pub head_rules: Option<String>,
    /// Write head rules that were learned to a file, to be corrected and given back with --head-rules
    #[arg(long, value_name = "FILE", help_heading = "Heads")]
    pub save_head_rules: Option<PathBuf>,
    #[command(flatten)]
    pub stripping: Stripping,
    /// Write brackets indented, one constituent per line
    #[arg(long)]
    pub indent: bool,
    /// Write what can be converted even if part of the input has errors
    #[arg(long)]
    pub keep_going: bool,
    #[command(flatten)]
    pub input: AnyInput,
    #[command(flatten)]
    pub messages: Messages,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet stats train.conllu dev.conllu
  treelet stats annotations.anno --json
  treelet stats story.txt --from raw

A legend below the table says what its measures are (not with --quiet). More: docs/scores.md, docs/gfl.md")]
pub struct Stats {
    /// Files to count; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub answer: Answer,
    #[command(flatten)]
    pub input: AnyInput,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet score gold.mrg parsed.mrg --gold-punct
  treelet score gold.conllu system.conllu --json
  treelet score gold.conllu systems/ --per-label
  treelet score gold.conllu a.conllu b.conllu --significance
  treelet score gold.conllu tagged.conllu --tags upos --dict types.tsv

A legend below the table says what its measures are (not with --quiet). More: docs/scores.md")]
pub struct Score {
    #[command(flatten)]
    pub standard: Standard,
    /// System output: one file or more, or a folder of them
    #[arg(required = true, value_name = "TEST")]
    pub systems: Vec<PathBuf>,
    /// EVALB parameter file for brackets; Collins' parameters if not given
    #[arg(long, value_name = "FILE")]
    pub prm: Option<PathBuf>,
    /// Brackets: choose the punctuation to delete by the gold tags on both sides
    #[arg(long)]
    pub gold_punct: bool,
    /// Brackets: ignore labels
    #[arg(long)]
    pub unlabelled: bool,
    /// Brackets: leave out the bracket over the whole sentence
    #[arg(long)]
    pub no_root: bool,
    /// Dependencies: what to do with punctuation in the attachment table
    #[arg(long, value_enum, value_name = "RULE", default_value = "count")]
    pub punct: Punctuation,
    #[command(flatten)]
    pub answer: Answer,
    /// Add a table per label, relation or type
    #[arg(long)]
    pub per_label: bool,
    /// Add a row per sentence
    #[arg(long)]
    pub per_sentence: bool,
    /// Brackets: print the table as the EVALB release did that made the example distributed with the program
    #[arg(long, conflicts_with = "json")]
    pub old_evalb: bool,
    /// Test whether the first system differs from each other one
    #[arg(long)]
    pub significance: bool,
    /// Resamplings for --significance
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub samples: u32,
    /// Seed for --significance
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub tags: TagScores,
    #[command(flatten)]
    pub input: Input,
}

/// How tags are compared.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Tags")]
#[command(mut_arg("dict", |arg| arg.requires("tags")), mut_arg("train", |arg| arg.requires("tags")))]
pub struct TagScores {
    /// Compare tags alone, tag by tag: upos, xpos, an attribute of FEATS such as Case, or auto for UPOS if any gold word has one
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["prm", "per_sentence", "significance"])]
    pub tags: Option<String>,
    #[command(flatten)]
    pub known: KnownWords,
    /// List so many of the most frequent confusions
    #[arg(long, value_name = "N", default_value_t = 10, requires = "tags")]
    pub errors: usize,
}

/// Which words count as known.
#[derive(Debug, Clone, Default, Args)]
pub struct KnownWords {
    /// The words of this dictionary are the known ones
    #[arg(long, value_name = "DICT.tsv")]
    pub dict: Option<PathBuf>,
    /// The words of these tagged sentences are the known ones
    #[arg(long, value_name = "TAGGED.conllu")]
    pub train: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet view train.conllu --sentence 3
  treelet view annotations.anno -o annotations.html
  treelet view wsj.mrg --sentence 12 -o tree.svg")]
pub struct View {
    /// File to draw; - is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Draw sentence N only, counted from 1; a picture (.svg) shows the first if not given
    #[arg(long, value_name = "N")]
    pub sentence: Option<usize>,
    /// Write a picture (.svg, one sentence) or a page (.html) instead of drawing in the terminal
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Draw in the terminal with ASCII characters only
    #[arg(long)]
    pub ascii: bool,
    /// Columns of the drawing in the terminal
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(20..))]
    pub width: Option<u16>,
    #[command(flatten)]
    pub input: AnyInput,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// The offending line, underlined
    Human,
    /// One line per problem
    Short,
    /// One JSON object per line, on standard output
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Punctuation {
    /// Count it like any word
    Count,
    /// Leave out words with the UPOS tag PUNCT
    Skip,
    /// Leave out words with a Penn Treebank punctuation tag
    Ptb,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum EncodingName {
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
        Format::Joint => "columns with heads, entities and roles",
        Format::Conll04 => "CoNLL04: entities and relations",
        Format::Semeval => "SemEval-2010 task 8: marked nominals and their relation",
        Format::Text => "text, one tokenised sentence per line",
        Format::Raw => "running text, of which tokens and sentences are to be found",
        Format::Lines => "text, one sentence per line, of which tokens are to be found",
    }
}
