//! Accuracy and speed of the dependency parser, beside TurboParser, RBGParser and UDPipe.

mod curve;
mod data;
mod low;
mod measure;
mod partial;
mod peers;
pub(crate) mod pipeline;
mod raw;
pub(crate) mod speed;
mod table;
mod udpipe;

pub(crate) use data::without_tree;

use std::path::PathBuf;

use chain::{Threads, Workers};
use dependency::{Columns, DependencyOptions};
use tree::Sentence;

pub(crate) use crate::treebank::Treebank;

/// A treebank as parsers get to see it: forms, universal tags, and relations without their subtypes.
pub(crate) fn treebank(name: &str) -> anyhow::Result<Treebank> {
    data::treebank(name, data::SeenColumns::default())
}

/// A parser of whole trees.
pub(crate) fn trained(
    sentences: &[Sentence],
    options: &DependencyOptions,
    workers: &Workers,
) -> anyhow::Result<dependency::DependencyModel> {
    let data: Vec<_> = sentences.iter().filter_map(data::annotated).collect();
    measure::train(&data, options, workers)
}

/// What is trained and how often. Without `--low`, `--partial` or `--curve`: the peers' table.
#[derive(Debug, clap::Args)]
pub(crate) struct Dependency {
    /// Treebanks: en (2,000 sentences), wo, sme; with `--low` and `--partial` folders of Universal Dependencies as well
    #[arg(long, value_delimiter = ',')]
    data: Vec<String>,
    /// Orders of the parser; the parser's own default if not given, both in the peers' table
    #[arg(long, value_delimiter = ',')]
    order: Vec<u32>,
    /// Runs with different seeds
    #[arg(long, default_value_t = 3)]
    seeds: u64,
    /// Parsers whose weights are averaged
    #[arg(long, default_value_t = 1)]
    ensemble: usize,
    /// Ten low-resource treebanks, beside UDPipe
    #[arg(long, conflicts_with_all = ["partial", "curve"])]
    low: bool,
    /// Half of the arcs of every sentence, beside all arcs and half of the sentences
    #[arg(long, conflicts_with = "curve")]
    partial: bool,
    /// 10 to 200 sentences, beside UDPipe
    #[arg(long)]
    curve: bool,
    /// Columns to look at besides forms and universal tags: feats, xpos
    #[arg(long = "use", value_delimiter = ',', value_parser = ["feats", "xpos"])]
    columns: Vec<String>,
    /// Look at clusters of words, found in the training sentences and in the files of `--text`; 0 does not
    #[arg(long, default_value_t = 0)]
    clusters: usize,
    /// More text to find clusters in: running text (.txt) or rows of words
    #[arg(long, value_delimiter = ',', requires = "clusters")]
    text: Vec<PathBuf>,
    /// Look at word vectors: lines of a word and its numbers
    #[arg(long)]
    vectors: Option<PathBuf>,
    /// Parse a fifth of the training sentences, which are not learned from, instead of the test file
    #[arg(long)]
    held_out: bool,
    /// Parse the dev file instead of the test file, for choosing settings
    #[arg(long, conflicts_with = "held_out")]
    dev: bool,
    /// Where UDPipe's outcomes are kept; a training of which there is one is not run again
    #[arg(long)]
    udpipe_cache: Option<PathBuf>,
    /// Threads of training; CPU seconds are summed over them
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// Trains and parses everything that was asked for.
pub(crate) fn run(arguments: &Dependency) -> anyhow::Result<()> {
    let workers = Workers::new(Threads::from_count(arguments.threads))?;
    match arguments {
        Dependency { low: true, .. } => low::run(arguments, &workers),
        Dependency { partial: true, .. } => partial::run(arguments, &workers),
        Dependency { curve: true, .. } => curve::run(arguments, &workers),
        _ => table::run(arguments, &workers),
    }
}

impl Dependency {
    /// The treebanks asked for, or these.
    fn treebanks(&self, default: &[&str]) -> anyhow::Result<Vec<data::Treebank>> {
        let looks_at = |column: &str| self.columns.iter().any(|asked| asked == column);
        let parsed = match self {
            Dependency { held_out: true, .. } => data::Part::HeldOut,
            Dependency { dev: true, .. } => data::Part::Dev,
            _ => data::Part::Test,
        };
        let seen = data::SeenColumns { feats: looks_at("feats"), xpos: looks_at("xpos"), parsed };
        let asked: Vec<&str> = self.data.iter().map(String::as_str).collect();
        let names = if asked.is_empty() { default } else { &asked };
        let read = |name: &&str| data::treebank(name, seen);
        names.iter().map(read).collect()
    }

    /// Settings for every order asked for, each with its number.
    fn settings(&self, default: &[u32]) -> anyhow::Result<Vec<(u32, DependencyOptions)>> {
        let orders = if self.order.is_empty() { default } else { &self.order };
        let options = |&number: &u32| {
            let order = measure::order(number)?;
            // Columns that are not asked for are empty, and what is empty is not looked at.
            let columns = Columns { feats: true, other_tags: true };
            let ensemble = self.ensemble;
            Ok((number, DependencyOptions { order, ensemble, columns, ..DependencyOptions::default() }))
        };
        orders.iter().map(options).collect()
    }

    /// The same settings with clusters of words for a treebank, and with vectors, if they are asked for.
    fn with_books(
        &self,
        options: &DependencyOptions,
        train: &[Sentence],
    ) -> anyhow::Result<DependencyOptions> {
        let mut options = options.clone();
        if self.clusters > 0 {
            options.clusters = Some(raw::clusters(train, &self.text, self.clusters)?);
        }
        if let Some(file) = &self.vectors {
            options.vectors = Some(raw::vectors(file)?);
        }
        Ok(options)
    }
}
