//! Speed and accuracy on real treebanks, as commands that anyone can rerun.
#![allow(clippy::print_stdout, reason = "printing figures is what a bench is for")]

mod accuracy;
mod annotate;
mod berkeley;
mod calibration;
mod convexmst;
mod corpus;
mod cpu;
mod dependencies;
mod dependency_parser;
mod engine;
mod factors;
mod forecast;
mod imputation;
mod imputation_speed;
mod induction;
mod joint;
mod peers;
mod polya_gamma;
mod reading;
mod round_trips;
mod scoring;
mod segmentation;
mod speed;
mod tagger;
mod tagging;
mod treebank;
mod tweebank;
mod udpipe;

use clap::{Parser, Subcommand};

/// Measures Treelet on the reference data (`../shared`, or where TREELET_SHARED points).
#[derive(Debug, Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Read and write a 10 MB CoNLL-U file, beside the Rust crate and the Python package `conllu`
    Reading {
        /// Repetitions; the fastest counts
        #[arg(long, default_value_t = 15)]
        repeat: usize,
    },
    /// Score 100,000 sentences, dependencies and brackets
    Scoring {
        /// Number of sentences
        #[arg(long, default_value_t = 100_000)]
        sentences: usize,
    },
    /// Accuracy on treebanks
    Accuracy {
        #[command(subcommand)]
        task: Accuracy,
    },
    /// Partial annotations completed, and held-out text parsed with what was learned
    Imputation(imputation::Imputation),
    /// Whether probabilities mean what they say: those of imputed arcs, or with --all every kind that the program prints
    Calibration(calibration::Calibration),
    /// Which arcs to annotate: entropy per cost beside random choice
    Selection(imputation::selection::Selection),
    /// Whether forecasts of accuracy come true
    Forecast(forecast::Forecasts),
    /// Grammars from tags without trees: EM, variational Bayes, logistic-normal priors
    Induction(induction::Induction),
    /// Taggers from tag dictionaries, tagged sentences and raw text
    Tagging(tagging::Tagging),
    /// Factors behind tables of mixed types: simulated tables and real ones
    Factors {
        #[command(subcommand)]
        what: factors::Factors,
    },
    /// Structures as factor graphs: parsers whose brackets, labels and rules are variables and factors
    Joint {
        #[command(subcommand)]
        task: joint::Joint,
    },
    /// Boundaries between morphs: Morfessor and chunks of letters in all languages with gold ones
    Segmentation(segmentation::Segmentation),
    /// The annotation page: what suggestions and queue are worth, keys for a tree, saving and suggesting in time
    Annotate {
        #[command(subcommand)]
        what: annotate::AnnotateCommands,
    },
    /// Annotations that people made of tweets: completed, compared, combined
    Tweebank(tweebank::Tweebank),
    /// Speed and memory of parsers and completers
    Speed {
        #[command(subcommand)]
        task: speed::Speed,
    },
    /// Read and write every treebank, and take every constituency tree there and back
    RoundTrips,
}

#[derive(Debug, Subcommand)]
enum Accuracy {
    /// Learning curves of the constituency parser, beside the Berkeley parser
    Constituency(accuracy::Constituency),
    /// The dependency parser, beside TurboParser, RBGParser and UDPipe
    Dependency(dependency_parser::Dependency),
    /// The tagger with full training data, beside UDPipe
    Tagging(tagger::Tagging),
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().command {
        Command::Tagging(arguments) => tagging::run(&arguments),
        Command::Factors { what } => factors::run(&what),
        Command::Reading { repeat } => reading::run(repeat),
        Command::Scoring { sentences } => scoring::run(sentences),
        Command::Accuracy { task: Accuracy::Constituency(arguments) } => accuracy::constituency(&arguments),
        Command::Accuracy { task: Accuracy::Dependency(arguments) } => dependency_parser::run(&arguments),
        Command::Accuracy { task: Accuracy::Tagging(arguments) } => tagger::run(&arguments),
        Command::Imputation(arguments) => imputation::run(&arguments),
        Command::Calibration(arguments) => calibration::run(&arguments),
        Command::Selection(arguments) => imputation::selection::run(&arguments),
        Command::Forecast(arguments) => forecast::run(&arguments),
        Command::Induction(arguments) => induction::run(&arguments),
        Command::Joint { task } => joint::run(&task),
        Command::Segmentation(options) => segmentation::run(&options),
        Command::Annotate { what } => annotate::run(&what),
        Command::Tweebank(arguments) => tweebank::run(&arguments),
        Command::Speed { task } => speed::run(&task),
        Command::RoundTrips => round_trips::run(),
    }
}
