//! What can be typed after `treelet impute`, and what other commands that complete fragments share with it.

use super::parse::positive;
use super::{Chance, Input, Messages, ThreadCount};
use clap::{Args, ValueEnum};
use impute::GpcOptions;
use impute::convex::ConvexOptions;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet impute annotations.anno --words tagged.conllu -o trees.conllu
  treelet impute partial.conllu -o trees.conllu --save-model village.treelet
  treelet impute partial.conllu -o trees.conllu --text more.conllu --method gpc --seed 3
  treelet impute more.anno -o more.conllu --model village.treelet --tags xpos --tag-map tags.tsv
  treelet impute partial.conllu -o - --entropy --json | head -1

MISC of the output: HeadBy=convexmst:3 where nobody said a head and a machine did, HeadProb=0.87
(how probable it is), HeadAlt=3:0.10,5:0.02 (other heads). Whoever changes such a head, or takes
HeadBy away, has said it; the rest is open again next time. Sentences whose annotation
contradicts itself are reported with both places and completed as if nothing were said.
More: docs/imputation.md")]
pub struct Impute {
    /// Partial annotations: GFL (.anno, JSON lines, FUDG JSON), or CoNLL-U or CoNLL-X with _ for open heads; - is
    /// standard input
    #[arg(value_name = "INPUT")]
    pub file: PathBuf,
    /// CoNLL-U file to write; - is standard output. It appears whole or not at all
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// Use a saved model instead of learning one
    #[arg(long, value_name = "MODEL", conflicts_with_all = ["save_model", "text", "method"])]
    pub model: Option<PathBuf>,
    /// Save the model that was learned, for `treelet parse` and for --model
    #[arg(long, value_name = "MODEL")]
    pub save_model: Option<PathBuf>,
    /// Draw N trees for each sentence from the posterior (gpc), into the file --sampled
    #[arg(long, value_name = "N", requires = "sampled", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub samples: Option<u32>,
    /// CoNLL-U file for the drawn trees
    #[arg(long, value_name = "FILE", requires = "samples")]
    pub sampled: Option<PathBuf>,
    /// Add the uncertainty of each head to MISC (Entropy, in nats) and that of the sentence as a comment
    #[arg(long)]
    pub entropy: bool,
    /// Write one JSON object per sentence instead of CoNLL-U
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub completing: Completing,
}

/// What commands that complete fragments share: how these are read, and how an imputer is learned from them.
#[derive(Debug, Args)]
pub struct Completing {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub messages: Messages,
    #[command(flatten)]
    pub reading: ReadingChoices,
    #[command(flatten)]
    pub learning: Learning,
}

/// How annotations and words are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "How annotations are read")]
pub struct ReadingChoices {
    /// CoNLL-U file with the rows of the annotated sentences (tags, lemmas, features), found by their ids, or by their
    /// order where there are none
    #[arg(long, value_name = "FILE")]
    pub words: Option<PathBuf>,
    /// Which tags models go by; UPOS if any word has one, else XPOS
    #[arg(long, value_enum, value_name = "COLUMN")]
    pub tags: Option<TagColumn>,
    /// What a bracket claims
    #[arg(long, value_enum, value_name = "HOW", default_value = "subtree")]
    pub brackets: BracketChoice,
    /// Which token heads a multiword
    #[arg(long, value_enum, value_name = "WHICH", default_value = "first")]
    pub multiword: MultiwordChoice,
    /// What heads a coordination
    #[arg(long, value_enum, value_name = "WHAT", default_value = "coordinator")]
    pub coordination: CoordinationChoice,
    /// Leave words that an annotation does not mention out of the tree, as annotators do with punctuation
    #[arg(long)]
    pub omit_unmentioned: bool,
    #[command(flatten)]
    pub trusted: Trusted,
}

/// Whose word counts.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct Trusted {
    /// Whose heads, relations and tags count as said: those of people only, or also what machines filled in
    /// (HeadBy=… in MISC), which is open again otherwise
    #[arg(long, value_enum, value_name = "WHOM", default_value = "people")]
    pub trust: Trust,
}

/// Whose word counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Trust {
    /// Only what people said
    #[default]
    People,
    /// What machines filled in, too
    Imputed,
}

/// How an imputer is learned.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "How the trees are learned")]
pub struct Learning {
    /// The imputer [default: convexmst]
    #[arg(long, value_enum, value_name = "METHOD")]
    pub method: Option<MethodName>,
    /// More sentences, annotated or not, that take part in learning but are not written
    #[arg(long, value_name = "FILE")]
    pub text: Vec<PathBuf>,
    /// Universal rules instead of the built-in ones: lines `HEAD DEPENDENT [WEIGHT]` and `TAG = UNIVERSAL`
    #[arg(long, value_name = "FILE", conflicts_with = "no_rules")]
    pub rules: Option<PathBuf>,
    /// Learn without universal rules
    #[arg(long)]
    pub no_rules: bool,
    /// What your tags are called in the rules: two columns, TAG UNIVERSAL. A # before a space begins a comment; the tag #
    /// is followed by a tab
    #[arg(long, value_name = "FILE", conflicts_with = "no_rules")]
    pub tag_map: Option<PathBuf>,
    /// How many words may hang from the root; annotations with several roots keep them in any case
    #[arg(long, value_enum, value_name = "HOW", default_value = "one")]
    pub roots: RootChoice,
    /// Allow crossing arcs (convexmst); sentences whose annotation has some keep them in any case
    #[arg(long)]
    pub non_projective: bool,
    /// Let the annotation be overruled where everything else speaks against it (convexmst)
    #[arg(long)]
    pub soft: bool,
    /// Learn from sentences of up to N words only, since time grows with the cube of the length; longer ones are completed
    /// all the same
    #[arg(long, value_name = "N", default_value_t = ConvexOptions::default().longest as u32)]
    pub longest: u32,
    /// Steps at most (convexmst)
    #[arg(long, value_name = "N", default_value_t = ConvexOptions::default().max_iterations as u32, value_parser = clap::value_parser!(u32).range(1..))]
    pub steps: u32,
    /// Sweeps that are thrown away (gpc)
    #[arg(long, value_name = "N", default_value_t = GpcOptions::default().burn_in)]
    pub burn_in: u32,
    /// Sweeps that count (gpc)
    #[arg(long, value_name = "N", default_value_t = GpcOptions::default().samples, value_parser = clap::value_parser!(u32).range(1..))]
    pub sweeps: u32,
    /// Chains (gpc)
    #[arg(long, value_name = "N", default_value_t = GpcOptions::default().chains, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub chains: u32,
    /// The larger, the less extreme are probabilities; fitted on annotation that is held out if not given, which usually
    /// comes to 0.05 to 0.5 (convexmst) or to about 1 (gpc). If given, probabilities are not corrected in any other way
    #[arg(long, value_name = "T", value_parser = positive)]
    pub temperature: Option<f64>,
    #[command(flatten)]
    pub chance: Chance,
    #[command(flatten)]
    pub threads: ThreadCount,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MethodName {
    /// Gibbs sampling of a dependency model with valence
    Gpc,
    /// Convex relaxation over arcs and their features
    Convexmst,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TagColumn {
    Upos,
    Xpos,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BracketChoice {
    /// A constituent: nothing outside depends on a word inside, except on the head
    Subtree,
    /// Connected words, each of which may have dependents outside
    Connected,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MultiwordChoice {
    First,
    Last,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CoordinationChoice {
    /// The first coordinator
    Coordinator,
    /// The first conjunct, as in Universal Dependencies
    Conjunct,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RootChoice {
    One,
    Many,
}
