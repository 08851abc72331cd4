//! What can be typed after `treelet tag`.

use super::impute::{TagColumn, Trusted};
use super::parse::{SentenceFormat, SentenceReading};
use super::{
    Answer, Chance, Characters, Destination, KnownWords, Messages, NewModel, Report, Saving, ThreadCount,
};
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub enum Tag {
    /// Learn a tagger from a tag dictionary, tagged sentences and raw text, in any mixture
    Train(Box<TagTrain>),
    /// Tag sentences
    Run(Box<TagRun>),
    /// Compare tags with gold; now `treelet score --tags`
    #[command(hide = true)]
    Score(Box<TagScore>),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet tag train --tokens train.conllu -o tagger.treelet
  treelet tag train --dict types.tsv --raw text.txt -o tagger.treelet --next 20
  treelet tag train --dict types.tsv --tokens some.conllu --raw text.txt --fst analyser.att -o tagger.treelet
  treelet tag run tagger.treelet new.conllu -o tagged.conllu
  treelet model show tagger.treelet

DICT.tsv has a word, a tab and its tags on each line, the most frequent first; CSV, TSV and columns with a line for each pair of
word and tag, and a column of counts, are read as well. With tagged sentences alone a tagger learns from these. With a dictionary or raw text, labels spread from annotated words to others, a hidden Markov model tags the text, and the
tagger learns from that; stages can be left out. More: docs/tagging.md")]
pub struct TagTrain {
    /// Words and the tags they may have
    #[arg(long, value_name = "DICT.tsv")]
    pub dict: Option<PathBuf>,
    /// Tagged sentences: CoNLL-U, CoNLL-X or CoNLL-2009, or words and tags in two columns; words may be without a tag
    #[arg(long, value_name = "TAGGED.conllu")]
    pub tokens: Vec<PathBuf>,
    /// Text without tags: one tokenised sentence per line, running text (--from raw) or rows
    #[arg(long, value_name = "TEXT")]
    pub raw: Vec<PathBuf>,
    /// A transducer that analyses words, in AT&T's text format, or lexc or foma sources; what it says of a word are its features
    #[arg(long, value_name = "FILE", help_heading = "Features of words")]
    pub fst: Option<PathBuf>,
    /// A model of `treelet segment train`; the morphs of a word are features of the word
    #[arg(long, value_name = "MODEL", help_heading = "Features of words")]
    pub segmenter: Option<PathBuf>,
    #[command(flatten)]
    pub new_model: NewModel,
    /// Other tagged sentences, by which it is decided when the tagger stops learning
    #[arg(long, value_name = "DEV")]
    pub held_out: Option<PathBuf>,
    /// The column of --tokens with the tags, and that which the tagger will fill; UPOS if any word has one, else XPOS
    #[arg(long, value_enum, value_name = "COLUMN")]
    pub column: Option<TagColumn>,
    /// The tags there are: upos (those of Universal Dependencies) or a file with one on each line; others are left out
    #[arg(long, value_name = "upos|FILE")]
    pub tagset: Option<String>,
    /// List so many words that are most worth a place in the dictionary
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub next: usize,
    #[command(flatten)]
    pub trusted: Trusted,
    #[command(flatten)]
    pub stages: Stages,
    /// Epochs of the tagger [default: 12]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub epochs: Option<u32>,
    #[command(flatten)]
    pub chance: Chance,
    #[command(flatten)]
    pub threads: ThreadCount,
    #[command(flatten)]
    pub saving: Saving,
    #[command(flatten)]
    pub report: Report,
    /// Format of the files of --raw; found out from name and content if not given
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "lines")]
    from: Option<SentenceFormat>,
    /// Each line of the files of --raw is a sentence whose tokens are to be found; the same as --from lines
    #[arg(long)]
    lines: bool,
    #[command(flatten)]
    pub characters: Characters,
    #[command(flatten)]
    pub messages: Messages,
}

impl TagTrain {
    /// The format of raw text that was asked for.
    pub fn format(&self) -> Option<SentenceFormat> {
        if self.lines { Some(SentenceFormat::Lines) } else { self.from }
    }
}

/// Stages that can be left out.
#[derive(Debug, Args)]
#[command(next_help_heading = "Stages")]
pub struct Stages {
    /// Do not spread labels from annotated words to others
    #[arg(long)]
    pub no_propagation: bool,
    /// Choose few pairs of tags that explain the text, which brought nothing where it was tried
    #[arg(long)]
    pub minimise: bool,
    /// Do not let EM change the hidden Markov model
    #[arg(long)]
    pub no_em: bool,
    /// Let a tag depend on the two before it in the hidden Markov model, not on one
    #[arg(long)]
    pub second_order: bool,
    /// Tag with the hidden Markov model instead of training a tagger on what it tags
    #[arg(long)]
    pub no_final: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet tag run tagger.treelet new.conllu -o tagged.conllu
  treelet tag run tagger.treelet story.txt --from raw -o tagged.conllu --n-best 3
  echo 'The goat sleeps .' | treelet tag run tagger.treelet - -o -

Words that have a tag keep it unless --all is given, and all else of a CoNLL-U file stays as it is. The probability of a tag is
UposProb in MISC, those of the best ones UposNBest. More: docs/tagging.md")]
pub struct TagRun {
    /// A model of `treelet tag train`, or of `treelet joint train --task tagging`
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// CoNLL-U, one tokenised sentence per line, or running text (--from raw); - is standard input
    #[arg(value_name = "INPUT")]
    pub input: PathBuf,
    #[command(flatten)]
    pub to: Destination,
    /// The column to fill [default: that of the training sentences]
    #[arg(long, value_enum, value_name = "COLUMN")]
    pub column: Option<TagColumn>,
    #[command(flatten)]
    pub again: Again,
    /// List the N most probable tags of each word
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub n_best: u32,
    /// Let words of the model's dictionary have tags that they do not have there
    #[arg(long)]
    pub beyond_dict: bool,
    /// Take the most probable sequence of tags instead of the most probable tag of each word
    #[arg(long)]
    pub viterbi: bool,
    #[command(flatten, next_help_heading = "Models of `treelet joint train` with syntax")]
    pub syntax: Syntax,
    #[command(flatten)]
    pub course: TagCourse,
}

/// Which words are tagged.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct Again {
    /// Tag words again that have a tag
    #[arg(long)]
    pub all: bool,
}

/// How the run goes.
#[derive(Debug, Clone, Args)]
pub struct TagCourse {
    #[command(flatten)]
    pub threads: ThreadCount,
    /// Print a summary in JSON on standard output; then OUT must be a file
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: SentenceReading,
}

/// What a tagger with syntax tells of it.
#[derive(Debug, Clone, Default, Args)]
pub struct Syntax {
    /// With hidden trees: also write the trees that were found (with --mode joint they always are)
    #[arg(long)]
    pub trees: bool,
    /// Folder for pictures of how probable each arc is, one for each sentence
    #[arg(long, value_name = "FOLDER")]
    pub heat_maps: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet tag score gold.conllu tagged.conllu
  treelet tag score gold.conllu tagged.conllu --dict types.tsv --json
  treelet tag score gold.conllu tagged.conllu --train train.conllu --errors 20")]
pub struct TagScore {
    /// The gold standard, with rows
    #[arg(value_name = "GOLD")]
    pub gold: PathBuf,
    /// The same sentences, tagged
    #[arg(value_name = "SYSTEM")]
    pub system: PathBuf,
    #[command(flatten)]
    pub known: KnownWords,
    /// The column to compare; UPOS if any gold word has one, else XPOS
    #[arg(long, value_enum, value_name = "COLUMN")]
    pub column: Option<TagColumn>,
    /// List so many of the most frequent confusions
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub errors: usize,
    #[command(flatten)]
    pub answer: Answer,
    #[command(flatten)]
    pub characters: Characters,
    #[command(flatten)]
    pub messages: Messages,
}
