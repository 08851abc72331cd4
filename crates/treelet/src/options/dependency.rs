//! What can be typed after `treelet train dependency`.

use super::impute::{ReadingChoices, RootChoice};
use super::parse::positive;
use super::{Chance, Input, LongRun, Messages, NewModel, Report};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet train dependency train.conllu -o wolof.treelet
  treelet train dependency train.conllu -o wolof.treelet --dev dev.conllu --ensemble 3
  treelet train dependency whole.conllu partial.conllu -o mixed.treelet
  treelet train dependency annotations.anno --words tagged.conllu -o village.treelet
  treelet train dependency related.conllu -o start.treelet --delexicalised
  treelet train dependency few.conllu -o village.treelet --start start.treelet
  treelet train dependency train.conllu -o m.treelet --dev dev.conllu --curve 10,25,50,100,200
  treelet train dependency train.conllu -o m.treelet --use feats --text stories.txt
  treelet train dependency train.conllu -o m.treelet --clusters paths --vectors glove.txt

Sentences may be annotated in part: a head _ says nothing, and what is said is learned from. A run that is
interrupted (Ctrl-C) or killed leaves MODEL.checkpoint; the same command with --resume goes on from there and gives the
model that the straight run gives. More: docs/dependency.md")]
pub struct Dependency {
    /// Trees, whole or partial: CoNLL-U, CoNLL-X, CoNLL-2009 or GFL; - is standard input
    #[arg(value_name = "TRAIN", required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub new_model: NewModel,
    /// Other sentences with trees, on which the number of epochs and the temperature are chosen
    #[arg(long, value_name = "DEV")]
    pub dev: Option<PathBuf>,
    #[command(flatten)]
    pub model: ModelChoices,
    #[command(flatten)]
    pub words: WordChoices,
    #[command(flatten)]
    pub descent: DescentChoices,
    #[command(flatten)]
    pub reading: ReadingChoices,
    #[command(flatten)]
    pub course: DependencyCourse,
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub messages: Messages,
}

/// What the parser is like.
#[derive(Debug, Args)]
#[command(next_help_heading = "Parser")]
pub struct ModelChoices {
    /// 1 looks at single arcs, 2 at siblings and grandparents too [default: 2, or 1 with --non-projective]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=2))]
    pub order: Option<u32>,
    /// Build trees without crossing arcs (the default); arcs that cross are not learned from
    #[arg(long, conflicts_with = "non_projective")]
    pub projective: bool,
    /// Build trees that may cross
    #[arg(long)]
    pub non_projective: bool,
    /// How many words may hang from the root
    #[arg(long, value_enum, value_name = "HOW", default_value = "one")]
    pub roots: RootChoice,
    /// Look at tags only, for parsing other languages that have the same tags
    #[arg(long)]
    pub delexicalised: bool,
    /// Start from the weights of another model, for instance a delexicalised one of a related language
    #[arg(long, value_name = "MODEL")]
    pub start: Option<PathBuf>,
    /// Feature templates instead of the built-in ones; docs/dependency.md has these
    #[arg(long, value_name = "FILE")]
    pub templates: Option<PathBuf>,
    /// Train N parsers in other orders of the sentences and take the mean of their weights
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub ensemble: u32,
    /// Train on tags that a tagger of the other N − 1 parts of the data finds, instead of those in the file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub jackknife: Option<u32>,
    /// How much universal rules pull at what the annotation leaves open; 0 not at all
    #[arg(long, value_name = "RHO", default_value_t = 0.0, value_parser = not_negative)]
    pub rule_pull: f64,
    /// Universal rules instead of the built-in ones, for --rule-pull
    #[arg(long, value_name = "FILE", requires = "rule_pull")]
    pub rules: Option<PathBuf>,
}

/// What is known of words besides their forms and tags.
#[derive(Debug, Args)]
#[command(next_help_heading = "Words")]
pub struct WordChoices {
    /// Look at these columns, too; the sentences to be parsed must have them
    #[arg(long = "use", value_name = "COLUMN,…", value_enum, value_delimiter = ',')]
    pub columns: Vec<ColumnName>,
    /// Clusters of words: lines of bits TAB word TAB count, as Brown clustering writes them, or of word TAB cluster
    #[arg(long, value_name = "FILE", conflicts_with = "text")]
    pub clusters: Option<PathBuf>,
    /// Find clusters of words in running text, together with the training sentences
    #[arg(long, value_name = "FILE")]
    pub text: Vec<PathBuf>,
    /// How many clusters --text finds
    #[arg(long, value_name = "N", default_value_t = 128, requires = "text", value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub text_clusters: u32,
    /// Word vectors: lines of a word and its numbers, as word2vec and GloVe write them
    #[arg(long, value_name = "FILE")]
    pub vectors: Option<PathBuf>,
}

impl WordChoices {
    /// All files.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.clusters.iter().chain(&self.text).chain(&self.vectors)
    }
}

/// A column that not every input has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColumnName {
    /// Morphological features
    Feats,
    /// Universal tags, if the parser goes by XPOS
    Upos,
    /// The language's own tags
    Xpos,
}

/// How weights are learned.
#[derive(Debug, Args)]
#[command(next_help_heading = "Learning")]
pub struct DescentChoices {
    /// Walks through the data, at most [default: 6]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub epochs: Option<u32>,
    /// Sentences between two steps [default: 32]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub batch: Option<u32>,
    /// Length of the first steps [default: 0.03]
    #[arg(long, value_name = "ETA", value_parser = positive)]
    pub rate: Option<f64>,
    /// What pulls weights to zero [default: 0.01]
    #[arg(long, value_name = "LAMBDA", value_parser = not_negative)]
    pub l2: Option<f64>,
    /// What keeps small weights at zero [default: 0]
    #[arg(long, value_name = "LAMBDA", value_parser = not_negative)]
    pub l1: Option<f64>,
    /// Without --dev, hold out this share of the sentences in a rehearsal that chooses epochs and temperature; 0 does without
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share)]
    pub hold_out: f64,
    #[command(flatten)]
    pub chance: Chance,
}

/// How the run goes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
pub struct DependencyCourse {
    /// Use the first N sentences only
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: Option<u32>,
    /// Train on the first so many sentences, several times, and print how well DEV is parsed; MODEL is the last
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', requires = "dev", conflicts_with = "resume", value_parser = clap::value_parser!(u32).range(1..))]
    pub curve: Vec<u32>,
    #[command(flatten)]
    pub run: LongRun,
    #[command(flatten)]
    pub report: Report,
}

fn not_negative(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "give a number".to_string())?;
    if value.is_finite() && value >= 0.0 { Ok(value) } else { Err("give 0 or a number above".into()) }
}

fn share(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "give a number from 0 to 0.5".to_string())?;
    if (0.0..=0.5).contains(&value) { Ok(value) } else { Err("give a number from 0 to 0.5".into()) }
}
