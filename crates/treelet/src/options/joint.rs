//! What can be typed after `treelet joint`.

use super::tag::{Again, Syntax, TagCourse};
use super::{
    Answer, Chance, Characters, Destination, Messages, NewModel, Report, Saving, Standard, ThreadCount,
};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub enum Joint {
    /// Learn a model of tags, brackets or dependencies on a factor graph, with syntax known, found or hidden
    Train(Box<JointTrain>),
    /// Tag or parse sentences; now `treelet tag run` and `treelet parse`
    #[command(hide = true)]
    Run(Box<JointRun>),
    /// Compare with gold; now `treelet score`
    #[command(hide = true)]
    Score(Box<JointScore>),
}

/// What is predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Task {
    /// Tags of words
    Tagging,
    /// Binary brackets without labels
    Brackets,
    /// Brackets with labels
    LabeledBrackets,
    /// Heads of words
    Dependency,
    /// Names and their types
    Entities,
    /// How names that are given are related
    Relations,
    /// Senses of predicates that are given, and who plays which role
    Roles,
}

/// What is known of syntax.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModeName {
    /// The task alone
    Supervised,
    /// Trees are known in training, and found together with the tags
    Joint,
    /// Trees are known in training and in the input of `tag run`
    Oracle,
    /// Trees are never known: what helps to tag becomes the tree
    Hidden,
}

/// How the scores of rules are learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RuleLearning {
    /// By the slope of the likelihood, on what parsers believe that have not seen the sentence
    Likelihood,
    /// By a perceptron on the training trees, as in the thesis
    Perceptron,
}

/// How weights move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RuleName {
    /// Steps of a weight shrink with its slopes so far
    Adagrad,
    /// The same step for all
    Sgd,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet joint train --task tagging --mode hidden train.conllu -o tagger.treelet
  treelet joint train --task tagging --mode joint --tags Case train.conllu -o cases.treelet
  treelet joint train --task dependency --order 2 train.conllu -o parser.treelet
  treelet joint train --task labeled-brackets --rules train.mrg -o brackets.treelet
  treelet joint train --task entities --mode hidden train.bio --dev dev.bio -o names.treelet
  treelet joint train --task roles --mode hidden --valency 3 train.conll09 -o roles.treelet
  treelet tag run tagger.treelet new.conllu -o tagged.conllu --heat-maps pictures
  treelet parse parser.treelet new.conllu -o parsed.conllu

Tagging and dependency learn from CoNLL-U, CoNLL-X or CoNLL-2009, brackets from bracketed trees; entities, relations and roles
from BIO columns, .joint, CoNLL-2009 and others. A run that is interrupted
(Ctrl-C) or killed leaves MODEL.checkpoint; the same command with --resume goes on from there and gives the same model.
More: docs/joint.md")]
pub struct JointTrain {
    /// What is predicted
    #[arg(long, value_enum, value_name = "TASK")]
    pub task: Task,
    /// What is known of syntax; all but supervised are for tagging, entities, relations and roles
    #[arg(long, value_enum, value_name = "MODE", default_value = "supervised")]
    pub mode: ModeName,
    /// Sentences to learn from
    #[arg(value_name = "TRAIN", required = true)]
    pub train: Vec<PathBuf>,
    #[command(flatten)]
    pub new_model: NewModel,
    #[command(flatten)]
    pub tagged: TagNames,
    /// What is always seen of a word besides its form: upos, xpos or nothing [default: upos, but nothing where upos or xpos is
    /// predicted]
    #[arg(long, value_enum, value_name = "COLUMN")]
    pub given: Option<GivenTags>,
    /// Tagging: no scores of neighbouring tags
    #[arg(long, help_heading = "Model")]
    pub no_chain: bool,
    /// Tagging: see only the form of a word, not its ends, its shape and the words beside it
    #[arg(long, help_heading = "Model")]
    pub forms_only: bool,
    /// Tagging: one Boolean for each tag of a word instead of one variable; for comparison, since even a chain has cycles then
    #[arg(long, help_heading = "Model")]
    pub booleans: bool,
    /// Trees have no crossing arcs
    #[arg(long, help_heading = "Model")]
    pub projective: bool,
    /// Dependency: 1 for arcs alone, 2 also for pairs of arcs that share a word
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2), help_heading = "Model")]
    pub order: u8,
    /// Labelled brackets: also scores of rules, learned when all else is, by the likelihood or by a perceptron; inference has
    /// cycles then
    #[arg(long, value_enum, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "likelihood", help_heading = "Model")]
    pub rules: Option<RuleLearning>,
    /// Brackets: see only the tags inside a span and the two just outside
    #[arg(long, help_heading = "Model")]
    pub tags_only: bool,
    /// Tagging and dependency: features share 2^BITS weights instead of having their own
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u8).range(10..=28), help_heading = "Model")]
    pub hash: Option<u8>,
    #[command(flatten)]
    pub semantics: SemanticOptions,
    #[command(flatten)]
    pub learning: LearningOptions,
    #[command(flatten)]
    pub propagation: Propagation,
    #[command(flatten)]
    pub saving: Saving,
    #[command(flatten)]
    pub chance: Chance,
    #[command(flatten)]
    pub threads: ThreadCount,
    #[command(flatten)]
    pub report: Report,
    #[command(flatten)]
    pub characters: Characters,
    #[command(flatten)]
    pub messages: Messages,
}

/// What is tagged.
#[derive(Debug, Clone, Args)]
pub struct TagNames {
    /// Tagging: the column with the tags, upos or xpos, or an attribute of FEATS such as Case
    #[arg(long, value_name = "upos|xpos|NAME", default_value = "upos")]
    pub tags: String,
}

/// What is always seen of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GivenTags {
    Upos,
    Xpos,
    None,
}

/// What a model of names, relations or roles looks like.
#[derive(Debug, Args)]
#[command(next_help_heading = "Names, relations, roles")]
pub struct SemanticOptions {
    /// Sentences that say which epoch was best, and how probable something must be to be written
    #[arg(long, value_name = "DEV")]
    pub dev: Vec<PathBuf>,
    /// Trees of sentences without one are those of this parser, which becomes part of the model
    #[arg(long, value_name = "MODEL", conflicts_with = "jackknife")]
    pub parser: Option<PathBuf>,
    /// Learn such a parser from the trees of TRAIN; those that the model learns from are by N parsers that have not seen them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100))]
    pub jackknife: Option<u32>,
    /// What kind of syntax there is [default: brackets, but arcs for roles]
    #[arg(long, value_enum, value_name = "KIND")]
    pub syntax: Option<SyntaxName>,
    /// What features look at
    #[arg(long, value_enum, value_name = "SIGHT", default_value = "rich")]
    pub sight: SightName,
    /// Entities: what words outside of names are
    #[arg(long, value_enum, value_name = "COVER", default_value = "optional")]
    pub cover: CoverName,
    /// Entities: the most words of a name
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub widest: u32,
    /// Entities: a file with names, one on each line, perhaps a tab and a type; `training` are the names of the training sentences
    #[arg(long, value_name = "LIST|training")]
    pub gazetteer: Vec<PathBuf>,
    /// Relations: do not look at the types of names
    #[arg(long)]
    pub no_types: bool,
    /// Roles: count how many words play a role, up to N - 1; 0 does not count
    #[arg(long, value_name = "0|2|3", default_value_t = 0, value_parser = valency)]
    pub valency: u8,
    /// Roles: how far an argument may be from its predicate, in words
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub window: u32,
    /// Roles with --valency: candidates that are less probable without it have no part in it
    #[arg(long, value_name = "P", default_value_t = 0.001)]
    pub prune: f64,
    /// One score for all ties between the task and syntax
    #[arg(long)]
    pub plain_tie: bool,
    /// Leave out features that fewer candidates have, unless one has them that is there [default: 2, for relations 1]
    #[arg(long, value_name = "N")]
    pub least: Option<u32>,
    /// Keep only features of what is there
    #[arg(long)]
    pub only_positive: bool,
}

fn valency(text: &str) -> Result<u8, String> {
    match text {
        "0" => Ok(0),
        "2" => Ok(2),
        "3" => Ok(3),
        _ => Err("give 0, 2 or 3".into()),
    }
}

/// What kind of syntax there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SyntaxName {
    /// Arcs between words
    Arcs,
    /// Brackets around words
    Brackets,
}

/// What features look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SightName {
    /// Names: the words around both ends
    Chain,
    /// What the thesis looks at
    Paper,
    /// More than that
    Rich,
}

/// What words outside of names are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CoverName {
    /// Nothing
    Optional,
    /// Names of one word that are called O, as in the thesis
    Exact,
}

/// How weights are learned.
#[derive(Debug, Args)]
#[command(next_help_heading = "Learning")]
pub struct LearningOptions {
    /// Walks through the sentences [default: 15 for tagging, 30 for entities, relations and roles, 10 for others]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub epochs: Option<u32>,
    /// How weights move
    #[arg(long, value_enum, value_name = "RULE", default_value = "adagrad")]
    pub rule: RuleName,
    /// The length of steps [default: 0.2 for adagrad (brackets, entities, relations and roles 0.05), 0.05 for sgd]
    #[arg(long, value_name = "X")]
    pub rate: Option<f64>,
    /// 1/σ² of the prior on weights, for all sentences together [default: 0.1, or what was best for the task]
    #[arg(long, value_name = "X")]
    pub l2: Option<f64>,
    /// Sentences between two steps
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub batch: u32,
    /// Take the last weights, not the mean of those of the second half of the epochs
    #[arg(long)]
    pub last: bool,
}

/// How messages are passed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Belief propagation, where the graph has cycles")]
pub struct Propagation {
    /// Sweeps at most [default: 50 for tagging, 10 for dependency, 20 for names, relations and roles]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub sweeps: Option<u32>,
    /// The largest change of a probability at which messages rest [default: 0.0001, for names, relations and roles 0.001]
    #[arg(long, value_name = "X")]
    pub tolerance: Option<f64>,
    /// The share of the old message that is kept
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    pub damping: f64,
    /// Let the factor send whose messages have changed most, instead of all in turn
    #[arg(long)]
    pub residual: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet joint run tagger.treelet new.conllu -o tagged.conllu
  treelet joint run cases.treelet new.conllu -o tagged.conllu --trees --heat-maps pictures

Words that have a tag keep it unless --all is given; heads are written only where there are none. Whether the sums behind
probabilities are exact is said in the end. More: docs/joint.md")]
pub struct JointRun {
    /// A model of `treelet joint train`
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// CoNLL-U, one tokenised sentence per line, or running text (--from raw); for brackets also trees; - is standard input
    #[arg(value_name = "INPUT")]
    pub input: PathBuf,
    #[command(flatten)]
    pub to: Destination,
    #[command(flatten)]
    pub again: Again,
    #[command(flatten)]
    pub syntax: Syntax,
    #[command(flatten)]
    pub course: TagCourse,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet joint score --task tagging --tags Case gold.conllu tagged.conllu
  treelet joint score --task labeled-brackets gold.mrg parsed.mrg

`treelet score` and `treelet tag score` have more to say.")]
pub struct JointScore {
    /// What is compared
    #[arg(long, value_enum, value_name = "TASK")]
    pub task: Task,
    #[command(flatten)]
    pub standard: Standard,
    /// The same sentences, tagged or parsed
    #[arg(value_name = "SYSTEM")]
    pub system: PathBuf,
    #[command(flatten)]
    pub tagged: TagNames,
    #[command(flatten)]
    pub answer: Answer,
    #[command(flatten)]
    pub characters: Characters,
    #[command(flatten)]
    pub messages: Messages,
}
