//! What can be typed after `treelet divide`, `simulate`, `agree`, `select` and `plan`.

use super::impute::{Completing, TagColumn, Trusted};
use super::parse::positive;
use super::{Answer, AnyInput, Chance, Input, Messages};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet divide corpus.conllu --annotators 4 --common 0.2 -o parts
  treelet divide story.txt --lines --annotators 2 -o parts
  treelet divide a.mrg b.mrg --annotators 12 --common 0.08 --seed 3 -o parts --json

Every section gets short and long sentences alike, each sentence falls to one section, and the order of the files is kept. Sections
have the format of the files; of text they are CoNLL-U.")]
pub struct Divide {
    /// Sentences, all files of one format; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// How many annotators get a section of their own
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub annotators: u32,
    /// Share of the sentences that goes into a section for all, beside their own
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub common: Option<f64>,
    /// Folder for the sections, 1.conllu, 2.conllu, … and common.conllu; files that are there are not written over
    #[arg(short, long, value_name = "FOLDER")]
    pub output: PathBuf,
    #[command(flatten)]
    pub chance: Chance,
    #[command(flatten)]
    pub answer: Answer,
    #[command(flatten)]
    pub input: AnyInput,
    #[command(flatten)]
    pub messages: Messages,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet simulate gold.conllu -o partial.conllu --model random --keep 0.5 --seed 1
  treelet simulate gold.conllu -o partial.anno --model constituent --keep 0.3
  treelet simulate gold.conllu -o partial.conllu --model noun --alpha 0.2 --beta 0.9
  treelet simulate gold.conllu -o partial.conllu --model tag --fit annotated.conllu

Every kept head is gold. A seed removes the same heads at any density, and lower densities remove more of them.")]
pub struct Simulate {
    /// Whole trees in CoNLL-U; - is standard input
    #[arg(value_name = "GOLD")]
    pub file: PathBuf,
    /// File to write: CoNLL-U with _ for open heads, or GFL if its name ends in .anno; - is standard output
    #[arg(short, long, value_name = "PARTIAL")]
    pub output: PathBuf,
    /// How the annotator leaves things out
    #[arg(long, value_enum, value_name = "MODEL", default_value = "random")]
    pub model: AnnotatorModel,
    /// Share of heads to keep, as near as the model comes to it [default: 0.5, unless rates are given or fitted]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub keep: Option<f64>,
    /// noun, constituent: how often a phrase is left unanalysed, as a bracket; random: how often a head is removed;
    /// level: how often one at the top is
    #[arg(long, value_name = "RATE", value_parser = share)]
    pub alpha: Option<f64>,
    /// noun, constituent: how often the head of a phrase keeps its link; level: how much the rate grows with each level
    #[arg(long, value_name = "RATE", value_parser = share)]
    pub beta: Option<f64>,
    /// Annotations of a real annotator to take the rates from (random, level, tag); level needs the same sentences in GOLD
    #[arg(long, value_name = "FILE", conflicts_with_all = ["alpha", "beta"])]
    pub fit: Option<PathBuf>,
    /// Which tags annotators go by; UPOS if any word has one, else XPOS
    #[arg(long, value_enum, value_name = "COLUMN")]
    pub tags: Option<TagColumn>,
    #[command(flatten)]
    pub chance: Chance,
    /// Print what was kept as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub messages: Messages,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AnnotatorModel {
    /// Every head is removed with the same probability
    Random,
    /// Noun phrases are annotated, the rest is not
    Noun,
    /// Phrases are marked as brackets more readily than analysed
    Constituent,
    /// The deeper in the tree, the more is left out
    Level,
    /// Heads are left out by the tags of the words (with --fit)
    Tag,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet agree ana.anno ben.anno
  treelet agree all-annotators.anno --gold gold.conllu --json
  treelet agree ana.anno ben.anno --words tagged.conllu --combine dawid-skene -o combined.conllu

Annotators are told apart by the section ANNOTATOR (or the field user), or else by the names of their files.")]
pub struct Agree {
    /// Annotations, of one annotator or of several
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The truth, for precision and recall
    #[arg(long, value_name = "FILE")]
    pub gold: Option<PathBuf>,
    /// Make one annotation of all
    #[arg(long, value_enum, value_name = "HOW", requires = "output")]
    pub combine: Option<Combine>,
    /// File for the combined annotation: CoNLL-U, or GFL if its name ends in .anno, which keeps brackets and multiwords;
    /// - is standard output
    #[arg(short, long, value_name = "OUT", requires = "combine")]
    pub output: Option<PathBuf>,
    /// CoNLL-U file with the rows of the sentences (tags), found by their ids, or by their order where there are none
    #[arg(long, value_name = "FILE")]
    pub words: Option<PathBuf>,
    /// Which tags are reported by; UPOS if any word has one, else XPOS
    #[arg(long, value_enum, value_name = "COLUMN")]
    pub tags: Option<TagColumn>,
    #[command(flatten)]
    pub answer: Answer,
    #[command(flatten)]
    pub trusted: Trusted,
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub messages: Messages,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Combine {
    /// The majority's heads, in a tie those of the first annotator; anyone's brackets
    Union,
    /// Votes weighted by accuracy (needs --gold)
    Weighted,
    /// A model of who is right about what, and of conventions
    DawidSkene,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet select partial.conllu -n 20 -o next.conllu
  treelet select partial.conllu raw.conllu -n 50 --unit arc --by entropy
  treelet select partial.anno --words tagged.conllu --model village.treelet --cost decile --json

Of a batch no two should tell the same: words of a kind that was chosen before count less, and near-duplicates of chosen
sentences come last.")]
pub struct Select {
    #[command(flatten)]
    pub sentences: Sentences,
    /// Write the chosen sentences with all that was said of them, to be annotated: CoNLL-U, or GFL if the name ends in .anno;
    /// - is standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// How many to list
    #[arg(short, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub n: u32,
    /// What is handed out
    #[arg(long, value_enum, value_name = "UNIT", default_value = "sentence")]
    pub unit: UnitChoice,
    /// What makes it worth annotating
    #[arg(long, value_enum, value_name = "WHAT", default_value = "entropy-per-cost")]
    pub by: Worth,
    /// What annotating costs
    #[arg(long, value_enum, value_name = "HOW", default_value = "arcs")]
    pub cost: CostChoice,
    /// What all of it may cost together
    #[arg(long, value_name = "COST", value_parser = positive)]
    pub budget: Option<f64>,
    /// Choose each for itself, whatever else is chosen
    #[arg(long)]
    pub not_diverse: bool,
    /// Use a saved model instead of learning one: of `treelet train dependency` or of `treelet impute --save-model`
    #[arg(long, value_name = "MODEL", conflicts_with_all = ["text", "method"])]
    pub model: Option<PathBuf>,
    #[command(flatten)]
    pub answer: Answer,
    #[command(flatten)]
    pub completing: Completing,
}

/// What annotation is planned for.
#[derive(Debug, Args)]
pub struct Sentences {
    /// Sentences, annotated in part or not at all
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UnitChoice {
    /// Whole sentences
    Sentence,
    /// The heads of single words
    Arc,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Worth {
    /// Uncertainty for the money
    EntropyPerCost,
    /// Uncertainty
    Entropy,
    /// Disagreement of annotators, and what they left open
    Difficulty,
    /// Nothing: drawn by lot
    Random,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CostChoice {
    /// Every arc costs 1
    Arcs,
    /// Arcs of a sentence become dearer, by a tenth with every tenth of them
    Decile,
    /// The easier 60% cost 1, the others 3
    CheapFirst,
    /// Working time: learned from 30 or more sentences with times in the files, or 20 s for each sentence that is looked at and 8 s for each arc
    Seconds,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet plan partial.conllu
  treelet plan partial.anno --words tagged.conllu --arcs-per-hour 200 -o plan.html
  treelet plan partial.conllu more.conllu --folds 10 --json
  treelet plan partial.conllu --method convexmst

What is forecast is the parser that `treelet train dependency` learns from the files, or, with --method, an imputer.")]
#[command(mut_arg("method", |arg| arg.help("Forecast an imputer instead of the dependency parser")))]
pub struct Plan {
    #[command(flatten)]
    pub sentences: Sentences,
    /// Write a page (.html) or a picture (.svg), too
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Arcs an annotator makes in an hour [default: from times in the files, or 150]
    #[arg(long, value_name = "N", value_parser = positive)]
    pub arcs_per_hour: Option<f64>,
    /// Hours to look ahead
    #[arg(long, value_name = "H", value_delimiter = ',', default_value = "1,2,5,10", value_parser = positive)]
    pub hours: Vec<f64>,
    /// Parts that are held out in turn
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..=100))]
    pub folds: u32,
    /// Amounts of annotation to learn from
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(3..=50))]
    pub points: u32,
    #[command(flatten)]
    pub answer: Answer,
    #[command(flatten)]
    pub completing: Completing,
}

pub(super) fn share(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "give a number from 0 to 1".to_string())?;
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err("give a number from 0 to 1".into()) }
}
