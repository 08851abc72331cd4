//! Taggers from tag dictionaries, tagged sentences and raw text, beside EM alone and UDPipe.

pub(crate) mod calibration;
mod data;
mod hours;
mod malagasy;
mod prepared;
mod speed;
mod system;

use std::path::PathBuf;

use chain::{Threads, Workers};
use system::{Results, System};

/// What is measured; without a flag, everything but speed.
#[derive(Debug, clap::Args)]
pub(crate) struct Tagging {
    /// Annotations of Malagasy that people made in four hours: types, tokens, mixtures
    #[arg(long)]
    malagasy: bool,
    /// MasakhaPOS with simulated hours of annotation
    #[arg(long)]
    masakha: bool,
    /// The ready-made dictionaries of 500 types
    #[arg(long)]
    typesup: bool,
    /// How long labels take to spread over text of a million tokens
    #[arg(long)]
    speed: bool,
    /// Whether probabilities of tags mean what they say: dictionaries of MasakhaPOS, tagged sentences
    #[arg(long)]
    calibration: bool,
    /// With --calibration: also the points of reliability diagrams
    #[arg(long)]
    bins: bool,
    /// With --calibration: the most frequent types that dictionaries have, 0 for all with all their tags
    #[arg(long, value_delimiter = ',', default_values_t = [801, 0])]
    types: Vec<usize>,
    /// Judge by dev files; settings are chosen with these
    #[arg(long)]
    dev: bool,
    /// Languages, all by default
    #[arg(long, value_delimiter = ',')]
    languages: Vec<String>,
    /// Hours of annotation; 0 for a dictionary of the whole training file
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3, 4])]
    hours: Vec<usize>,
    /// Systems, all by default
    #[arg(long, value_delimiter = ',')]
    systems: Vec<System>,
    /// Leave UDPipe out
    #[arg(long)]
    alone: bool,
    /// A folder where accuracies and UDPipe's outcomes are kept and taken from; empty it when a system has changed
    #[arg(long)]
    cache: Option<PathBuf>,
    /// A file for all accuracies, as JSON
    #[arg(long)]
    json: Option<PathBuf>,
    /// Threads, 0 for all cores
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

impl Tagging {
    fn systems(&self) -> Vec<System> {
        if self.systems.is_empty() { System::ALL.to_vec() } else { self.systems.clone() }
    }

    fn judged(&self) -> &'static str {
        if self.dev { "dev" } else { "test" }
    }

    fn wants(&self, language: &str) -> bool {
        self.languages.is_empty() || self.languages.iter().any(|name| name == language)
    }
}

pub(crate) fn run(arguments: &Tagging) -> anyhow::Result<()> {
    let workers = Workers::new(Threads::from_count(arguments.threads))?;
    let mut results = Results::new(arguments.cache.as_deref())?;
    if arguments.calibration {
        return calibration::run(arguments, &workers);
    }
    let all = !(arguments.malagasy || arguments.masakha || arguments.typesup || arguments.speed);
    if arguments.malagasy || all {
        malagasy::run(arguments, &mut results, &workers)?;
    }
    if arguments.masakha || all {
        hours::run(arguments, &mut results, &workers)?;
    }
    if arguments.typesup || all {
        prepared::run(arguments, &mut results, &workers)?;
    }
    if arguments.speed {
        speed::run(&workers)?;
    }
    match &arguments.json {
        Some(path) => Ok(std::fs::write(path, results.json())?),
        None => Ok(()),
    }
}
