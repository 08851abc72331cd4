//! What can be typed after `treelet train`.

use super::impute::Trusted;
use super::{Chance, Input, LongRun, Messages, NewModel, Report};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub enum Train {
    /// A constituency parser: a PCFG with latent annotations, by Gibbs sampling
    Constituency(Box<Constituency>),
    /// A dependency parser, from whole and partial trees
    Dependency(Box<super::dependency::Dependency>),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet train constituency train.mrg -o english.treelet
  treelet train constituency train.mrg -o english.treelet -k 16 --chains 8 --seed 7
  treelet train constituency few.mrg --partial brackets.mrg -o small.treelet
  treelet train constituency wsj.mrg.gz -o wsj.treelet --normalise --raw newspaper.txt
  treelet train constituency train.mrg -o english.treelet --resume
  treelet train constituency train.mrg -o english.treelet --trace t.tsv --trace-rule 'NP -> DT NN'

A run that is interrupted (Ctrl-C) or killed leaves MODEL.checkpoint; the same command with --resume goes on from
there and gives the model that the straight run gives. The model is written only when training is done.
More: docs/training.md")]
pub struct Constituency {
    /// Bracketed trees; - is standard input, .gz .zst .xz are unpacked
    #[arg(value_name = "TRAIN")]
    pub file: PathBuf,
    #[command(flatten)]
    pub new_model: NewModel,
    /// Settings to start from; the options below change single ones
    #[arg(long, value_enum, value_name = "NAME", default_value = "best")]
    pub preset: Preset,
    #[command(flatten)]
    pub data: TrainingData,
    #[command(flatten)]
    pub settings: GrammarOptions,
    #[command(flatten)]
    pub course: TrainCourse,
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub messages: Messages,
}

/// What is learnt from, besides the trees.
#[derive(Debug, Args)]
#[command(next_help_heading = "Data")]
pub struct TrainingData {
    /// Sentences with some brackets: what is there is honoured, the rest is sampled; label _ is unknown
    #[arg(long, value_name = "FILE")]
    pub partial: Vec<PathBuf>,
    /// Raw text, one tokenised sentence per line, that helps to put words into clusters
    #[arg(long, value_name = "TEXT")]
    pub raw: Vec<PathBuf>,
    /// The sentences that are to be parsed later, used like --raw; trees in the file are not looked at
    #[arg(long, value_name = "FILE")]
    pub transductive: Vec<PathBuf>,
    /// Use the first N trees only
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: Option<u32>,
    /// Leave out longer sentences; if not given, no tree is too long, but partly bracketed sentences end at 200
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_words: Option<u32>,
    /// Strip functional tags, traces and indices from the trees first
    #[arg(long)]
    pub normalise: bool,
    #[command(flatten)]
    pub trusted: Trusted,
}

/// What the grammar is like.
#[derive(Debug, Args)]
#[command(next_help_heading = "Grammar and sampler")]
pub struct GrammarOptions {
    /// Latent annotations of a label, at most; rare labels get fewer
    #[arg(short = 'k', long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub annotations: Option<u32>,
    /// Independent chains, which parse together
    #[arg(long, value_name = "C", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub chains: Option<u32>,
    #[command(flatten)]
    pub chance: Chance,
    /// Sweeps with all annotations that are thrown away
    #[arg(long, value_name = "N")]
    pub burn_in: Option<u32>,
    /// Sweeps whose counts are averaged
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub samples: Option<u32>,
    /// Keep one sweep out of N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub thin: Option<u32>,
    /// Sweeps of each stage of the hierarchical start (1, 2, 4, … K annotations); 0 starts with K
    #[arg(long, value_name = "N")]
    pub stage_sweeps: Option<u32>,
    /// What becomes of constituents with one child
    #[arg(long, value_enum, value_name = "HOW")]
    pub unaries: Option<Unaries>,
    /// Words seen less often than N are rare; auto chooses by cross-validation
    #[arg(long, value_name = "N|auto", value_parser = number_or_auto)]
    pub rare: Option<Number>,
    /// Clusters of words; auto chooses by cross-validation
    #[arg(long, value_name = "N|auto", value_parser = number_or_auto)]
    pub clusters: Option<Number>,
    /// Draw the concentrations of the priors too, by slice sampling
    #[arg(long)]
    pub sample_concentrations: bool,
    /// Start with a long run (20 sweeps, or SWEEPS) on this share of the trees
    #[arg(long, value_name = "FRACTION[:SWEEPS]", value_parser = jump_start)]
    pub jump_start: Option<(f64, u32)>,
}

/// How the run goes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
pub struct TrainCourse {
    #[command(flatten)]
    pub run: LongRun,
    /// Write a table with log likelihood and concentrations of every sweep
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Add a column to --trace: the share of HEAD's annotation 0 that this rule takes, in every sweep. May be repeated
    #[arg(long, value_name = "RULE", requires = "trace", value_parser = rule)]
    pub trace_rule: Vec<String>,
    #[command(flatten)]
    pub report: Report,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// The settings that parse best
    Best,
    /// Those of the paper: K = 16, one chain, no hierarchical start, unaries dropped, clusters for rare words
    Paper,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Unaries {
    /// Chains are rules of their own
    Rules,
    /// A chain becomes one joint label, which is taken apart again on output
    Collapse,
    /// Only the highest label stays, as in the papers
    Drop,
}

/// A number, or one that the program finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    Auto,
    Of(u32),
}

fn number_or_auto(text: &str) -> Result<Number, String> {
    match text {
        "auto" => Ok(Number::Auto),
        _ => text.parse().map(Number::Of).map_err(|_| "give a number, or auto".to_string()),
    }
}

/// Whether there is such a rule, only the trees know.
fn rule(text: &str) -> Result<String, String> {
    let (head, parts) = text.split_once("->").or_else(|| text.split_once('→')).unwrap_or_default();
    if head.trim().is_empty() || parts.trim().is_empty() {
        return Err("write a rule as HEAD -> PART PART, in quotes: 'NP -> DT NN'".to_string());
    }
    Ok(text.to_string())
}

fn jump_start(text: &str) -> Result<(f64, u32), String> {
    let (fraction, sweeps) = text.split_once(':').unwrap_or((text, "20"));
    let fraction: f64 = fraction.parse().map_err(|_| "give a fraction such as 0.1 or 0.1:50".to_string())?;
    let sweeps = sweeps.parse().map_err(|_| format!("`{sweeps}` is no number of sweeps"))?;
    if fraction > 0.0 && fraction <= 1.0 {
        Ok((fraction, sweeps))
    } else {
        Err("the fraction must be above 0 and at most 1".to_string())
    }
}
