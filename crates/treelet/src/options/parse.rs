//! What can be typed after `treelet parse`, `treelet sample` and `treelet model`.

use super::{Answer, Chance, Characters, Destination, PlainLines, Stripping, ThreadCount};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet parse english.treelet sentences.txt -o parsed.mrg
  echo 'The goat sleeps .' | treelet parse english.treelet -
  treelet parse english.treelet dev.mrg -o dev.parsed --gold-tags --posteriors
  treelet parse english.treelet half-done.mrg --constrain
  treelet parse english.treelet sentences.txt --n-best 10 --json
  treelet parse wolof.treelet tagged.conllu -o parsed.conllu --posteriors
  treelet parse wolof.treelet half-done.conllu -o whole.conllu --constraints
  treelet parse wolof.treelet story.txt --from raw -o parsed.conllu
  treelet parse wolof.treelet messages.txt --lines -o parsed.conllu
  treelet parse english.treelet wsj.mrg --normalise -o parsed.mrg

Sentences that the grammar cannot parse get a makeshift tree; they are counted and listed. More: docs/parsing.md")]
pub struct Parse {
    #[command(flatten)]
    pub what: What,
    /// Which tree is chosen; a model of dependencies knows mbr, which is its default, and viterbi
    #[arg(long, value_enum, value_name = "HOW", default_value = "max-rule")]
    pub decode: DecodeName,
    /// The N best trees, as `sentence TAB rank TAB probability TAB tree`; with a model of dependencies, as sentences with # rank
    /// and # probability
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub n_best: u32,
    /// Write the expected count of every constituent to OUT.posteriors.tsv, or into the objects of --json; with a model of
    /// dependencies, the probability of every head into MISC
    #[arg(long)]
    pub posteriors: bool,
    /// How the chains are put together (max-rule)
    #[arg(
        long,
        value_enum,
        value_name = "HOW",
        default_value = "product",
        help_heading = "Models of brackets"
    )]
    pub average: Average,
    /// Trees drawn for --decode mode
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub draws: u32,
    #[command(flatten)]
    pub gibbs: Gibbs,
    /// Models of `treelet joint train`: folder for pictures of how probable each arc is, one for each sentence
    #[arg(long, value_name = "FOLDER", help_heading = "Models of `treelet joint train`")]
    pub heat_maps: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet sample english.treelet sentences.txt -n 20 -o draws.tsv
  echo 'The goat sleeps .' | treelet sample english.treelet - -n 5 --seed 3
  treelet sample english.treelet sentences.txt -n 100 --json
  treelet sample village-gpc.treelet tagged.conllu -n 20 -o draws.conllu   (a model of impute --method gpc)")]
pub struct Sample {
    #[command(flatten)]
    pub what: What,
    /// Trees per sentence
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub draws: u32,
}

/// Model, input, output, and what may be built.
#[derive(Debug, Args)]
pub struct What {
    /// A model of `treelet train`, of `treelet induce`, of `treelet joint train` or of `treelet impute --save-model`
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// One tokenised sentence per line, running text (--from raw), untokenised lines (--lines), bracketed trees, CoNLL-U, CoNLL-X or GFL; - is standard
    /// input
    #[arg(value_name = "INPUT")]
    pub input: PathBuf,
    #[command(flatten)]
    pub to: Destination,
    /// Take the tags of the words from the input (brackets; XPOS or else UPOS of CoNLL-U)
    #[arg(long)]
    pub gold_tags: bool,
    /// Honour the brackets and labels of the input (a label _ is unknown), or its heads and relations with a model of
    /// dependencies; what a machine had filled in is open again
    #[arg(long, visible_alias = "constraints")]
    pub constrain: bool,
    /// Give every word the tag of the parser's own tagger, also words that have one (dependencies)
    #[arg(long)]
    pub retag: bool,
    /// Do not say in MISC, or in a comment before each tree, that a machine made it; nobody can tell afterwards
    #[arg(long, help_heading = "Run")]
    pub no_marks: bool,
    #[command(flatten, next_help_heading = "Models of brackets")]
    pub stripping: Stripping,
    /// Prune nothing
    #[arg(long, conflicts_with = "threshold", help_heading = "Models of brackets")]
    pub exact: bool,
    /// Do not build what has a smaller probability under the coarse grammar [default: 0.001]
    #[arg(long, value_name = "P", value_parser = probability, help_heading = "Models of brackets")]
    pub threshold: Option<f64>,
    /// Longer sentences get a makeshift tree at once; with a model of dependencies they are parsed in pieces of so many
    /// words, and a comment # treelet_fallback says so
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = "Run")]
    pub max_words: u32,
    #[command(flatten, next_help_heading = "Run")]
    pub chance: Chance,
    #[command(flatten)]
    pub threads: ThreadCount,
    /// Format of the output; with a model of dependencies CoNLL-U takes the place of brackets
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "brackets", help_heading = "Run")]
    pub format: OutputFormat,
    /// The same as --format json
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: SentenceReading,
}

impl What {
    pub fn is_json(&self) -> bool {
        self.json || self.format == OutputFormat::Json
    }
}

/// Parsing by sampling.
#[derive(Debug, Args)]
#[command(next_help_heading = "Sampling the new sentences (Algorithm 2 of the paper)")]
pub struct Gibbs {
    /// Let the new sentences change the grammar: Gibbs sampling over all of them
    #[arg(long)]
    pub gibbs: bool,
    /// Weight of the training counts
    #[arg(long, value_name = "L", default_value_t = 1.0, requires = "gibbs", value_parser = positive)]
    pub lambda: f64,
    /// Sweeps that are thrown away
    #[arg(long, value_name = "N", default_value_t = 10, requires = "gibbs")]
    pub burn_in: u32,
    /// Sweeps that count
    #[arg(long, value_name = "N", default_value_t = 40, requires = "gibbs", value_parser = clap::value_parser!(u32).range(1..))]
    pub samples: u32,
}

#[derive(Debug, Subcommand)]
pub enum ModelCommand {
    /// What a model or checkpoint is, how it was made, and how large it is
    Info(ModelInfo),
    /// An induced grammar in words: which tags head which, on which side, how many; of a tagger, which tags follow which
    Show(ModelInfo),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet model info english.treelet
  treelet model info english.treelet --json
  treelet model info english.treelet.checkpoint
  treelet model show grammar.treelet")]
pub struct ModelInfo {
    /// A model, or the checkpoint of a run
    #[arg(value_name = "MODEL")]
    pub file: PathBuf,
    #[command(flatten)]
    pub answer: Answer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DecodeName {
    /// The most frequent of --draws sampled trees, as in the papers
    Mode,
    /// The tree of the best expected F1
    Mbr,
    /// The tree of the greatest product of rule posteriors
    MaxRule,
    /// The tree of the best annotated derivation
    Viterbi,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Average {
    /// Posteriors are multiplied
    Product,
    /// Posteriors are averaged
    Mixture,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// One tree per line
    Brackets,
    /// One object per line
    Json,
}

/// How sentences are read.
#[derive(Debug, Clone, Args)]
pub struct SentenceReading {
    /// Format of the input; found out from name and content if not given
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "lines")]
    from: Option<SentenceFormat>,
    #[command(flatten)]
    plain: PlainLines,
    #[command(flatten)]
    pub characters: Characters,
}

impl SentenceReading {
    /// The format that was asked for.
    pub fn format(&self) -> Option<SentenceFormat> {
        if self.plain.lines { Some(SentenceFormat::Lines) } else { self.from }
    }
}

/// What sentences can be read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SentenceFormat {
    /// One tokenised sentence per line
    Text,
    /// Running text, of which tokens and sentences are to be found
    Raw,
    /// One sentence per line, of which tokens are to be found
    Lines,
    /// Bracketed trees
    Brackets,
    /// CoNLL-U
    Conllu,
    /// CoNLL-X (2006, 2007)
    Conllx,
    /// CoNLL-2009
    Conll09,
    /// GFL annotations in .anno blocks
    Gfl,
    /// Words and labels in columns (models of names, relations, roles)
    Bio,
    /// Trees, names and roles in columns (models of names, relations, roles)
    Joint,
    /// Names and relations in columns (models of names, relations, roles)
    Conll04,
    /// Sentences with two marked words (models of names, relations, roles)
    Semeval,
}

fn probability(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "give a number from 0 to 1".to_string())?;
    if (0.0..1.0).contains(&value) { Ok(value) } else { Err("give a number from 0 to less than 1".into()) }
}

pub fn positive(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "give a number".to_string())?;
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err("give a number above 0".into()) }
}
