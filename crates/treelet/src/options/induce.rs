//! What can be typed after `treelet induce`.

use super::impute::TagColumn;
use super::parse::positive;
use super::{Chance, Input, Messages, NewModel, Report, Saving, ThreadCount};
use clap::{Args, Subcommand, ValueEnum};
use induce::Method;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub enum Induce {
    /// Dependencies: the dependency model with valence, over tags
    Dmv(Box<Dmv>),
    /// Constituents: a context-free grammar over tags, without labels
    Pcfg(Box<Pcfg>),
    /// Tags: a hidden Markov model over words
    Hmm(Box<Hmm>),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet induce dmv tagged.conllu -o grammar.treelet --held-out dev.conllu
  treelet induce dmv tagged.conllu -o grammar.treelet --method em --max-length 20 --trace em.tsv
  treelet induce dmv tagged.conllu -o grammar.treelet --method ln --families built-in --heat-map tags.svg
  treelet induce dmv some-heads.conllu -o grammar.treelet --start partial --rules
  treelet parse grammar.treelet new.conllu -o trees.conllu --decode mbr
  treelet model show grammar.treelet

Only tags are looked at; heads in the files are not, but for --start partial. With --held-out, learning stops when that
text becomes no likelier, and settings that are not given are chosen by it. More: docs/induction.md")]
pub struct Dmv {
    #[command(flatten)]
    pub learner: Learner,
    #[command(flatten)]
    pub grammar: GrammarChoices,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet induce pcfg tagged.conllu -o brackets.treelet
  treelet induce pcfg tagged.conllu -o brackets.treelet -k 20 --gibbs --sweeps 500 --seed 3
  treelet parse brackets.treelet new.conllu -o trees.mrg --decode mbr

More: docs/induction.md")]
pub struct Pcfg {
    /// Nonterminals
    #[arg(short = 'k', long, value_name = "K", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=60))]
    pub nonterminals: u32,
    /// Draw trees and grammars in turn (Johnson et al. 2007) instead of estimating; --alpha is the prior of rules [0.1]
    #[arg(long)]
    pub gibbs: bool,
    /// Sweeps that count, for --gibbs
    #[arg(long, value_name = "N", default_value_t = 200, requires = "gibbs", value_parser = clap::value_parser!(u32).range(1..))]
    pub sweeps: u32,
    /// Sweeps that are thrown away before, for --gibbs
    #[arg(long, value_name = "N", default_value_t = 200, requires = "gibbs")]
    pub burn_in: u32,
    #[command(flatten)]
    pub beginnings: Beginnings,
    #[command(flatten)]
    pub learner: Learner,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet induce hmm text.conllu -o states.treelet -k 12 --max-length 40
  treelet induce hmm text.conllu -o tagger.treelet --dictionary tags.tsv --method em-map --alpha 1.1
  treelet parse tagger.treelet new.conllu -o tagged.conllu --decode viterbi

States go into the XPOS column of words that have none of a person's (`parse --retag`: of all words); with --dictionary (as
of `tag train --dict`) they have the names of the tags.
More: docs/induction.md")]
pub struct Hmm {
    /// States; with --dictionary its tags [default: 12]
    #[arg(short = 'k', long, value_name = "K", conflicts_with = "dictionary", value_parser = clap::value_parser!(u32).range(1..=500))]
    pub states: Option<u32>,
    /// Which tags words may have, `WORD TAG TAG ...` a line; other words may have any
    #[arg(long, value_name = "FILE")]
    pub dictionary: Option<PathBuf>,
    #[command(flatten)]
    pub beginnings: Beginnings,
    #[command(flatten)]
    pub learner: Learner,
}

/// Where learning begins at random.
#[derive(Debug, Clone, Copy, Args)]
pub struct Beginnings {
    /// Begin at so many random places and keep the best
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub restarts: u32,
}

/// What all grammars have in common.
#[derive(Debug, Args)]
pub struct Learner {
    #[command(flatten)]
    pub corpus: CorpusChoices,
    #[command(flatten)]
    pub learning: LearningChoices,
    #[command(flatten)]
    pub course: CourseChoices,
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub messages: Messages,
}

/// What is read and written.
#[derive(Debug, Args)]
pub struct CorpusChoices {
    /// Tagged sentences: CoNLL-U, CoNLL-X or CoNLL-2009; - is standard input
    #[arg(value_name = "TRAIN", required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub new_model: NewModel,
    /// Other tagged sentences, by whose likelihood it is decided when to stop
    #[arg(long, value_name = "DEV")]
    pub held_out: Option<PathBuf>,
    /// Leave out sentences with more words, punctuation not counted
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub max_length: u32,
    /// Which tags to go by; UPOS if any word has one, else XPOS
    #[arg(long, value_enum, value_name = "COLUMN")]
    pub tags: Option<TagColumn>,
    /// Treat punctuation like words instead of leaving it out
    #[arg(long)]
    pub keep_punctuation: bool,
}

/// The estimator.
#[derive(Debug, Args)]
#[command(next_help_heading = "Estimator")]
pub struct LearningChoices {
    /// How the grammar is estimated
    #[arg(long, value_enum, value_name = "HOW", default_value = "vb")]
    pub method: MethodChoice,
    /// The parameter of Dirichlet priors, for em-map (above 1) and vb [default: chosen by --held-out; without it 1.1 and 0.25]
    #[arg(long, value_name = "A", value_parser = positive)]
    pub alpha: Option<f64>,
    /// How many sentences share a grammar, 1 as in the paper (vb-em, ln) [default: chosen by --held-out; without it 32]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub share: Option<u32>,
    /// Whether all trees count or only the best ones, or both in turn (em, em-map, vb)
    #[arg(long, value_enum, value_name = "WHICH", default_value = "soft")]
    pub search: SearchChoice,
    /// Begin with weights raised to this power, which grows to 1 (em, em-map, vb)
    #[arg(long, value_name = "POWER", value_parser = positive)]
    pub anneal: Option<f64>,
    /// Update the grammar after so many sentences (em, em-map, vb)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub batch: Option<u32>,
    /// Passes over the sentences at most
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub passes: u32,
    /// Stop when a pass changes the value by less than this part of it; 0 never
    #[arg(long, value_name = "T", default_value_t = 1e-6)]
    pub tolerance: f64,
    /// Stop when held-out text became no likelier for so many passes
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub patience: u32,
}

/// What the grammar is like, and where it begins.
#[derive(Debug, Args)]
#[command(next_help_heading = "Grammar")]
pub struct GrammarChoices {
    /// Where to begin: harmonic (near words attach), even, random, partial (heads in TRAIN), vb (what vb finds), or a model
    #[arg(long, value_name = "WHERE", default_value = "harmonic")]
    pub start: String,
    #[command(flatten)]
    pub beginnings: Beginnings,
    /// Families of tags, `TAG FAMILY` a line, or built-in: tags of a family go together (ln)
    #[arg(long, value_name = "FILE")]
    pub families: Option<PathBuf>,
    /// The covariance of tags of one family to begin with (ln)
    #[arg(long, value_name = "C", default_value_t = 0.5, requires = "families")]
    pub within: f64,
    /// The variance of natural parameters to begin with (ln)
    #[arg(long, value_name = "V", default_value_t = 1.0, value_parser = positive)]
    pub variance: f64,
    /// How tightly heads of one family stay together (ln)
    #[arg(long, value_name = "K", value_parser = positive, requires = "families")]
    pub pooling: Option<f64>,
    /// Pull towards arcs that universal rules name, from FILE or the built-in ones (em, em-map, vb)
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    pub rules: Option<Option<PathBuf>>,
    /// The share of arcs that rules shall name at least
    #[arg(long, value_name = "B", default_value_t = 0.8, requires = "rules")]
    pub rule_share: f64,
    /// The first dependent of a side has another distribution than those further out
    #[arg(long)]
    pub valence: bool,
    /// Draw the correlations of tags (ln) as an SVG picture
    #[arg(long, value_name = "SVG")]
    pub heat_map: Option<PathBuf>,
}

/// How the run goes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
pub struct CourseChoices {
    #[command(flatten)]
    pub chance: Chance,
    #[command(flatten)]
    pub threads: ThreadCount,
    /// Write the value and the likelihood of held-out text after each pass, for `treelet diagnose`
    #[arg(long, value_name = "TSV")]
    pub trace: Option<PathBuf>,
    #[command(flatten)]
    pub saving: Saving,
    #[command(flatten)]
    pub report: Report,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MethodChoice {
    /// Expectation maximisation
    Em,
    /// The same with a Dirichlet prior
    EmMap,
    /// Variational Bayes with a Dirichlet prior
    Vb,
    /// A Dirichlet prior of each sentence's own grammar, fitted
    VbEm,
    /// A logistic-normal prior of each sentence's own grammar, fitted
    Ln,
}

impl From<MethodChoice> for Method {
    fn from(choice: MethodChoice) -> Self {
        match choice {
            MethodChoice::Em => Self::Em,
            MethodChoice::EmMap => Self::EmMap,
            MethodChoice::Vb => Self::Vb,
            MethodChoice::VbEm => Self::VbEm,
            MethodChoice::Ln => Self::Ln,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SearchChoice {
    /// All trees, by their probability
    Soft,
    /// The best tree of each sentence
    Hard,
    /// All until that no longer helps, then the best, and so on
    Lateen,
}
