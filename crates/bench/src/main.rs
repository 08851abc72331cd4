//! Speed and accuracy on real treebanks, as commands that anyone can rerun.
#![allow(clippy::print_stdout, reason = "printing figures is what a bench is for")]

mod corpus;
mod cpu;
mod reading;
mod round_trips;
mod scoring;

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
    /// Read and write every treebank, and take every constituency tree there and back
    RoundTrips,
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().command {
        Command::Reading { repeat } => reading::run(repeat),
        Command::Scoring { sentences } => scoring::run(sentences),
        Command::RoundTrips => round_trips::run(),
    }
}
