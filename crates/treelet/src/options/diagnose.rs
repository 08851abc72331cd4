//! What can be typed after `treelet diagnose`.

use super::parse::positive;
use super::{Messages, ThreadCount};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  treelet train constituency train.mrg -o english.treelet --trace trace.tsv
  treelet diagnose trace.tsv -o diagnosis.html
  treelet diagnose seed1.tsv seed2.tsv --json
  treelet diagnose trace.tsv --model english.treelet --gold dev.mrg -o diagnosis.html
  treelet diagnose trace.tsv --model english.treelet --gold dev.mrg --sweeps 1,10 --lambdas 0.1,1,5,10
  treelet diagnose long.tsv --model long.treelet --model short.treelet --gold dev.mrg

Several traces are compared as runs of the same sampler. More: docs/diagnose.md")]
pub struct Diagnose {
    /// Traces of `treelet train … --trace`; - is standard input, .gz .zst .xz are unpacked
    #[arg(required = true, value_name = "TRACE")]
    pub traces: Vec<PathBuf>,
    /// The model of the run: show the rules and annotations of each chain. Given again, with --gold: further models, to
    /// show F1 by sweeps of training
    #[arg(long = "model", id = "model", value_name = "MODEL")]
    pub models: Vec<PathBuf>,
    /// Bracketed trees: show how well trees drawn from each chain, and each decoder's, agree with them
    #[arg(long, value_name = "GOLD", requires = "model")]
    pub gold: Option<PathBuf>,
    /// Write a page (.html) with all figures; - is standard output. It appears whole or not at all
    #[arg(short, long, value_name = "PAGE")]
    pub output: Option<PathBuf>,
    /// Print all numbers as JSON instead of the table
    #[arg(long)]
    pub json: bool,
    /// Trees drawn per chain and sentence of --gold
    #[arg(long, value_name = "N", default_value_t = 50, requires = "gold", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub draws: u32,
    /// Show F1 after so many sweeps of the parsing sampler: 1,10
    #[arg(long, value_name = "N,N…", requires = "gold", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub sweeps: Vec<u32>,
    /// Show F1 of the parsing sampler by weight of the training counts: 0.1,1,5,10
    #[arg(long, value_name = "L,L…", requires = "gold", value_delimiter = ',', value_parser = positive)]
    pub lambdas: Vec<f64>,
    /// Use the first N trees of --gold only
    #[arg(long, value_name = "N", requires = "gold", value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: Option<u32>,
    /// Seed of the drawn trees and of the parsing sampler
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    #[command(flatten)]
    pub threads: ThreadCount,
    #[command(flatten)]
    pub messages: Messages,
}
