//! What can be typed after `treelet segment`.

use super::parse::positive;
use super::{Answer, Chance, Characters, EncodingName, Messages, Report, Saving, Standard, ThreadCount};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub enum Segment {
    /// Learn morphs from a list of words
    Train(Box<SegmentTrain>),
    /// Cut words into morphs
    Run(Box<SegmentRun>),
    /// Compare boundaries between morphs with gold ones
    Score(SegmentScore),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet segment train words.txt -o swahili.treelet --dampening log
  treelet segment train words.txt -o swahili.treelet --annotations some.tsv --corpus-weight 0.5
  treelet segment train news.txt --from text --online -o news.treelet
  treelet segment train words.txt -o swahili.segm --text
  treelet segment run swahili.treelet new-words.txt -o morphs.txt

A list has a word a line, or a count, a space and a word, as Morfessor reads it. Annotations have a word, a tab or space,
and its morphs with spaces between them; commas part alternatives. More: docs/segment.md")]
pub struct SegmentTrain {
    /// List of words; - is standard input, .gz .zst .xz are unpacked
    #[arg(value_name = "LIST")]
    pub file: PathBuf,
    /// Where the model goes
    #[arg(short, long, value_name = "MODEL")]
    pub output: PathBuf,
    /// Write the model as text, as `morfessor-train -S` does
    #[arg(long)]
    pub text: bool,
    /// Words with their morphs, to learn from as well
    #[arg(long, value_name = "FILE")]
    pub annotations: Option<PathBuf>,
    #[command(flatten)]
    pub learning: Learning,
    #[command(flatten)]
    pub reading: WordReading,
    #[command(flatten)]
    pub saving: Saving,
    #[command(flatten)]
    pub report: Report,
    #[command(flatten)]
    pub messages: Messages,
}

/// How morphs are learnt.
#[derive(Debug, Args)]
#[command(next_help_heading = "Learning")]
pub struct Learning {
    /// What counts become
    #[arg(long, value_enum, value_name = "HOW", default_value = "ones")]
    pub dampening: DampeningChoice,
    /// Leave out words that were seen less often
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub min_count: u64,
    /// How the analysis of a word is improved
    #[arg(long, value_enum, value_name = "METHOD", default_value = "recursive")]
    pub method: MethodChoice,
    /// Analyse each word once when it comes, instead of all of them again and again
    #[arg(long)]
    pub online: bool,
    /// In which order words are visited
    #[arg(long, value_enum, value_name = "ORDER", default_value = "random")]
    pub order: OrderChoice,
    #[command(flatten)]
    pub chance: Chance,
    /// How much words cost, compared with the lexicon: less than 1 splits more
    #[arg(long, value_name = "W", default_value_t = 1.0, value_parser = positive)]
    pub corpus_weight: f64,
    /// How much annotations cost [default: as if as many words were annotated as not]
    #[arg(long, value_name = "W", value_parser = positive, requires = "annotations")]
    pub annotation_weight: Option<f64>,
    /// Characters that are always morphs of their own; '' for none
    #[arg(long, value_name = "CHARACTERS", default_value = "-", allow_hyphen_values = true)]
    pub force_split: String,
    #[command(flatten)]
    pub boundaries: Boundaries,
    /// Skip parts at random that have been visited in the same epoch: faster, a little worse
    #[arg(long)]
    pub skips: bool,
    /// Begin with splits at random, each place with this probability
    #[arg(long, value_name = "P")]
    pub random_splits: Option<f64>,
    /// End when an epoch lowers the cost by less than this for each word
    #[arg(long, value_name = "C", default_value_t = 0.005)]
    pub finish_threshold: f64,
    /// End after so many epochs at the latest
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_epochs: Option<u32>,
    #[command(flatten)]
    pub viterbi: ViterbiChoices,
}

/// Where words may be cut.
#[derive(Debug, Clone, Args)]
pub struct Boundaries {
    /// Pairs of characters between which no boundary lies, such as '[0-9][0-9]|qu'
    #[arg(long, value_name = "PATTERN")]
    pub no_split: Option<String>,
}

/// How sequences of morphs are looked for.
#[derive(Debug, Args)]
pub struct ViterbiChoices {
    /// Add this to every count, so that new morphs are found; with 0, only single letters can be new (for `run`, and `train --method viterbi`)
    #[arg(long, value_name = "C", default_value_t = 0.0)]
    pub smoothing: f64,
    /// Morphs have at most so many letters (for `run`, and `train --method viterbi`)
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_letters: u32,
}

/// How words are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub struct WordReading {
    /// What the input is [default: by its name and first lines; a list for `train`]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub from: Option<WordFormat>,
    #[command(flatten)]
    pub characters: Characters,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WordFormat {
    /// A word a line, or a count and a word
    List,
    /// Running text: words between spaces
    Text,
    /// CoNLL-U
    Conllu,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DampeningChoice {
    /// They stay
    None,
    /// Their logarithm to the base 2
    Log,
    /// 1
    Ones,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MethodChoice {
    /// The best split into two, then of each part
    Recursive,
    /// The most probable sequence of morphs
    Viterbi,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OrderChoice {
    /// At random, anew in each epoch
    Random,
    /// As in the list
    List,
    /// By their characters
    Sorted,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet segment run swahili.treelet words.txt -o morphs.txt
  treelet segment run swahili.treelet words.txt -o - --n-best 3
  treelet segment run swahili.treelet news.conllu -o news.mseg.conllu
  treelet segment run swahili.segm news.txt --from text -o - --separator '@@ '
  treelet segment run --chunks 3 words.txt -o chunks.txt

In CoNLL-U, morphs go into MISC as MSeg=un-happi-ness, with a mark MSegBy that says who cut, and nothing else is changed;
words whose morphs a person gave keep them. More: docs/segment.md")]
pub struct SegmentRun {
    /// A model made by `segment train`, or one of Morfessor's as text; then a list of words, running text, or CoNLL-U.
    /// With --chunks, the input alone
    #[arg(value_names = ["MODEL", "INPUT"], num_args = 1..=2, required = true)]
    pub files: Vec<PathBuf>,
    /// Where the morphs go; - is standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// Cut words of CoNLL-U again whose morphs (MSeg in MISC) a person gave
    #[arg(long)]
    pub all: bool,
    /// Cut words into chunks of so many characters, without a model
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub chunks: Option<u32>,
    /// The best N ways to cut each word of a list: word, rank, cost and morphs with tabs between them
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub n_best: u32,
    /// What stands between morphs [default: a space for lists, '@@ ' for text]
    #[arg(long, value_name = "TEXT")]
    pub separator: Option<String>,
    #[command(flatten)]
    pub boundaries: Boundaries,
    #[command(flatten)]
    pub viterbi: ViterbiChoices,
    #[command(flatten)]
    pub reading: WordReading,
    #[command(flatten)]
    pub threads: ThreadCount,
    /// Write a JSON object for each word of a list
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub messages: Messages,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet segment score gold.tsv morphs.txt
  treelet segment score gold.conllu system.conllu --json

Each file has words with their morphs: word TAB morph morph, morph morph (commas part alternatives, of which the nearest
counts), or lines of morphs, or Morfessor's text, or CoNLL-U with MSeg. Words are matched by their letters.
More: docs/segment.md")]
pub struct SegmentScore {
    #[command(flatten)]
    pub standard: Standard,
    /// What a segmenter found
    #[arg(value_name = "SYSTEM")]
    pub system: PathBuf,
    /// Encoding of both
    #[arg(long, value_enum, value_name = "NAME", default_value = "unicode", help_heading = "Input")]
    pub encoding: EncodingName,
    #[command(flatten)]
    pub answer: Answer,
    #[command(flatten)]
    pub messages: Messages,
}
