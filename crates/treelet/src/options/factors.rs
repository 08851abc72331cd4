//! What can be typed after `treelet factors`.

use super::parse::positive;
use super::{Answer, Chance, EncodingName, LongRun, Messages, Report, ThreadCount};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub enum Factors {
    /// Fit a factor model to a table
    Fit(Box<Fit>),
    /// Compare numbers of factors by how well cells are predicted
    Choose(Box<Choose>),
    /// Loadings, scores, shares of variance, correlations, and whether the sampler has converged
    Summary(Summary),
    /// Fill in the missing cells of a table
    Predict(Predict),
    /// Draw a fitted model: loadings, correlations, traces, dimensions
    Plot(Plot),
    /// Make a table whose factors are known
    Simulate(Simulate),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet factors fit survey.csv -k 3 -o survey.treelet
  treelet factors fit survey.csv -k 3 -o survey.treelet --types survey.types.json --chains 4 --seed 7
  treelet factors fit survey.csv -k 3 -o survey.treelet --stack
  treelet factors fit words.tsv -k 10 -o words.treelet --sparse --sweeps 3000 --burn-in 1000
  treelet factors summary survey.treelet
  treelet factors predict survey.treelet survey.csv -o filled.csv

A file of types is JSON ({\"age\": \"continuous\", \"children\": \"count\", \"opinion\": \"ordinal(1-5)\"}) or has lines of
a name, a tab and a type: continuous, binary, count, ordinal, ordinal(low<high), categorical, id (names the rows), ignore.
Columns that it does not name are inferred. More: docs/factors.md")]
pub struct Fit {
    #[command(flatten)]
    pub table: TableChoices,
    #[command(flatten)]
    pub size: Size,
    /// Where the model goes
    #[arg(short, long, value_name = "MODEL")]
    pub output: PathBuf,
    /// For better predictions: also fit a model that takes all columns for numbers, and mix the two with weights for each
    /// column that predict hidden cells best. `--stack=2,4,8` adds both with these numbers of factors
    #[arg(long, value_name = "K,K...", value_delimiter = ',', num_args = 0..=1, require_equals = true, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub stack: Option<Vec<u32>>,
    #[command(flatten)]
    pub model: ModelChoices,
    #[command(flatten)]
    pub sampling: Sampling,
    #[command(flatten)]
    pub course: FitCourse,
    #[command(flatten)]
    pub messages: Messages,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet factors choose survey.csv -k 1,2,3,4,6
  treelet factors choose survey.csv -k 2,4 --loo --json

A tenth of the cells is hidden from each fit; the score is the mean log-probability of what was hidden. WAIC and LOO judge
the cells that were seen. More: docs/factors.md")]
pub struct Choose {
    #[command(flatten)]
    pub table: TableChoices,
    /// Numbers of factors to compare
    #[arg(short = 'k', long, value_name = "K,K...", value_delimiter = ',', required = true, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub factors: Vec<u32>,
    /// Share of cells to hide
    #[arg(long, value_name = "P", default_value_t = 0.1, value_parser = share)]
    pub hide: f64,
    /// Also judge the seen cells by WAIC and leave-one-out (slower)
    #[arg(long)]
    pub loo: bool,
    #[command(flatten)]
    pub model: ModelChoices,
    #[command(flatten)]
    pub sampling: Sampling,
    #[command(flatten)]
    pub threads: ThreadCount,
    #[command(flatten)]
    pub answer: Answer,
    #[command(flatten)]
    pub messages: Messages,
}

/// A model that is used.
#[derive(Debug, Args)]
pub struct Fitted {
    /// A model made by `treelet factors fit`
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
}

/// How large a model is.
#[derive(Debug, Clone, Copy, Args)]
pub struct Size {
    /// Factors
    #[arg(short = 'k', long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=200))]
    pub factors: u32,
}

/// How a table is read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Table")]
pub struct TableChoices {
    /// Table with a header: CSV, TSV or Arrow; `-` for standard input
    #[arg(value_name = "DATA")]
    pub file: PathBuf,
    /// Types of columns: `auto` infers all, a file declares some
    #[arg(long, value_name = "auto|FILE", default_value = "auto")]
    pub types: PathBuf,
    #[command(flatten)]
    pub reading: TableReading,
    /// Leave continuous columns as they are; otherwise they get mean 0 and standard deviation 1, which the priors expect
    #[arg(long)]
    pub raw_scale: bool,
}

/// How text becomes cells.
#[derive(Debug, Args)]
#[command(next_help_heading = "Table")]
pub struct TableReading {
    /// Further texts that mean that a cell is missing; empty cells and NA always do
    #[arg(long, value_name = "TEXT,TEXT...", value_delimiter = ',')]
    pub missing: Vec<String>,
    /// Encoding of the table
    #[arg(long, value_enum, value_name = "NAME", default_value = "unicode", help_heading = "Input")]
    pub encoding: EncodingName,
}

/// The model.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
pub struct ModelChoices {
    /// Loadings may be exactly 0: for many columns
    #[arg(long)]
    pub sparse: bool,
    /// From latent values to binary and ordinal ones
    #[arg(long, value_enum, value_name = "LINK", default_value = "logit")]
    pub link: LinkChoice,
    /// How one of the equivalent rotations is chosen
    #[arg(long, value_enum, value_name = "HOW", default_value = "free")]
    pub identify: IdentifyChoice,
    /// Noise of continuous columns has the tails of a t distribution with so many degrees of freedom
    #[arg(long, value_name = "DEGREES", value_parser = positive)]
    pub tails: Option<f64>,
    /// Where the prior of a count's dispersion comes from
    #[arg(long, value_enum, value_name = "HOW", default_value = "pooled")]
    pub dispersions: DispersionChoice,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LinkChoice {
    /// Logistic: loadings are changes of log-odds
    Logit,
    /// Normal
    Probit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum IdentifyChoice {
    /// Draws are turned towards one another afterwards: the order of columns does not matter
    Free,
    /// Zeros above the diagonal of the loadings, as in the thesis: the order of columns matters
    Triangular,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DispersionChoice {
    /// All counts have it in common
    Pooled,
    /// Each column its own, as in the thesis
    Own,
}

/// How long to sample.
#[derive(Debug, Args)]
#[command(next_help_heading = "Sampling")]
pub struct Sampling {
    /// Chains from different starts, to judge convergence
    #[arg(long, value_name = "C", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub chains: u32,
    /// Sweeps in all
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    pub sweeps: u32,
    /// Of these, so many are thrown away at the start [default: a quarter]
    #[arg(long, value_name = "B")]
    pub burn_in: Option<u32>,
    /// Of the others, one out of so many is kept
    #[arg(long, value_name = "T", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub thin: u32,
    #[command(flatten)]
    pub chance: Chance,
}

/// How the run goes on.
#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
pub struct FitCourse {
    #[command(flatten)]
    pub run: LongRun,
    /// Write a table of every sweep, for `treelet diagnose`
    #[arg(long, value_name = "TSV")]
    pub trace: Option<PathBuf>,
    #[command(flatten)]
    pub report: Report,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet factors summary survey.treelet
  treelet factors summary survey.treelet --json > survey.json
  treelet factors summary words.treelet --top 30 --scores scores.csv --correlations correlations.csv

More: docs/factors.md")]
pub struct Summary {
    #[command(flatten)]
    pub fitted: Fitted,
    /// How many columns to show for each factor; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub top: usize,
    /// Write the factors of each row
    #[arg(long, value_name = "CSV")]
    pub scores: Option<PathBuf>,
    /// Write the correlations of the latent values
    #[arg(long, value_name = "CSV")]
    pub correlations: Option<PathBuf>,
    /// Everything in JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet factors predict survey.treelet survey.csv -o filled.csv
  treelet factors predict survey.treelet new-people.csv -o filled.csv --cells cells.tsv

The output is the table with its missing cells filled in: means for numbers, medians for counts, the most probable level for
the others; nothing else is changed. It is TSV if its name ends in .tsv, otherwise CSV. --cells lists each of them with its
mean (none for counts), median, interval and the probabilities of levels. More: docs/factors.md")]
pub struct Predict {
    #[command(flatten)]
    pub fitted: Fitted,
    /// Table with the columns of the fit; the rows may be others
    #[arg(value_name = "DATA")]
    pub file: PathBuf,
    /// Where the completed table goes; `-` for standard output
    #[arg(short, long, value_name = "CSV|TSV")]
    pub output: PathBuf,
    /// Write row, column, value, mean, median, interval and probabilities of each predicted cell
    #[arg(long, value_name = "TSV")]
    pub cells: Option<PathBuf>,
    #[command(flatten)]
    pub reading: TableReading,
    #[command(flatten)]
    pub chance: Chance,
    #[command(flatten)]
    pub threads: ThreadCount,
    #[command(flatten)]
    pub messages: Messages,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet factors plot survey.treelet -o survey.html
  treelet factors plot survey.treelet -o survey.html --data survey.csv
  treelet factors plot model.treelet -o page.html --data data.csv --truth truth.json
  treelet factors plot survey.treelet -o pictures/

A name without .html is a folder, into which each picture goes as SVG. With --data, raw correlations stand beside those of
latent values; with --truth (of `factors simulate`), true ones. More: docs/factors.md")]
pub struct Plot {
    #[command(flatten)]
    pub fitted: Fitted,
    /// An HTML page, or a folder for SVG files
    #[arg(short, long, value_name = "HTML|FOLDER")]
    pub output: PathBuf,
    /// The table of the fit, for raw correlations
    #[arg(long, value_name = "DATA")]
    pub data: Option<PathBuf>,
    /// The truth of `treelet factors simulate`
    #[arg(long, value_name = "JSON")]
    pub truth: Option<PathBuf>,
    /// At most so many columns in a picture, those with the largest loadings
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub top: usize,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet factors simulate --n 200 --p 60 -k 3 --seed 1 -o data.csv --truth truth.json
  treelet factors fit data.csv -k 3 -o model.treelet

A third of the columns counts, a third binary, the rest continuous, as in Sun (2016), or with --all-types a fifth of each type.
The truth is also a file of types: fit data.csv --types truth.json. More: docs/factors.md")]
pub struct Simulate {
    /// Rows
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub n: u32,
    /// Columns
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub p: u32,
    #[command(flatten)]
    pub size: Size,
    /// Standard deviation of intercepts and loadings
    #[arg(long, value_name = "SD", default_value_t = 1.0, value_parser = positive)]
    pub spread: f64,
    /// Ordinal and categorical columns, too
    #[arg(long)]
    pub all_types: bool,
    /// Share of cells to leave empty
    #[arg(long, value_name = "P", value_parser = share)]
    pub missing: Option<f64>,
    #[command(flatten)]
    pub chance: Chance,
    /// Where the table goes; `-` for standard output
    #[arg(short, long, value_name = "CSV")]
    pub output: PathBuf,
    /// Where the truth goes: types, intercepts, loadings and factors
    #[arg(long, value_name = "JSON")]
    pub truth: Option<PathBuf>,
}

/// A number between 0 and 1, without the ends.
fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("give a number between 0 and 1, such as 0.1".into()),
    }
}
