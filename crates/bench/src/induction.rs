//! Grammars without trees: the table of Cohen, Gimpel & Smith (2008), and the speed of EM.

mod brackets;
mod data;
mod speed;
mod table;
mod tags;

pub(crate) use speed::run as speed;

use chain::{Threads, Workers};
use clap::Args;

/// Estimators of the dependency model with valence, sentences of at most ten words, in the form of the paper's Table 1.
#[derive(Debug, Args)]
pub(crate) struct Induction {
    /// Only these treebanks, such as WSJ or Turkish-IMST
    #[arg(long, value_delimiter = ',')]
    treebanks: Vec<String>,
    /// Constituents instead: context-free grammars on the WSJ sample's tags
    #[arg(long, conflicts_with = "tags")]
    brackets: bool,
    /// Tags instead: hidden Markov models on the words of a treebank
    #[arg(long)]
    tags: bool,
    /// Random starts, for --brackets and --tags
    #[arg(long, default_value_t = 5)]
    seeds: u64,
    /// Passes at most
    #[arg(long, default_value_t = 200)]
    passes: u32,
    /// Threads; 0 takes all cores
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

pub(crate) fn run(arguments: &Induction) -> anyhow::Result<()> {
    let workers = Workers::new(Threads::from_count(arguments.threads))?;
    match arguments {
        Induction { brackets: true, .. } => brackets::run(arguments, &workers),
        Induction { tags: true, .. } => tags::run(arguments, &workers),
        _ => table::run(arguments, &workers),
    }
}
