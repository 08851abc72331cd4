//! Training and parsing once, with what it cost.

use std::ops::ControlFlow;
use std::path::Path;

use anyhow::Context;
use chain::Workers;
use chain::container::{self, Header};
use dependency::{Annotated, DependencyModel, DependencyOptions, Learner, Order, ParseOptions};
use tree::{Head, Sentence};

use super::data::{self, Treebank};
use crate::accuracy::mean_sd;
use crate::{cpu, speed};

/// Words with the right head, and those with the right relation besides, in percent of all words.
#[derive(Debug, Clone, Copy)]
pub(super) struct AttachmentScore {
    pub(super) uas: f64,
    pub(super) las: f64,
}

/// Accuracy and cost of one training.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    pub(super) score: AttachmentScore,
    pub(super) train_seconds: f64,
    /// Peak memory of the process while it trained.
    pub(super) peak_mib: Option<f64>,
}

/// Several runs with different seeds.
#[derive(Debug, Clone, Default)]
pub(super) struct Runs(pub(super) Vec<Run>);

/// Speed and size of a parser.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cost {
    pub(super) tokens_per_second: f64,
    pub(super) load_seconds: f64,
    pub(super) megabytes: f64,
}

impl AttachmentScore {
    /// Compares what was found with the trees of the treebank.
    pub(super) fn of(gold: &[Sentence], found: &[Sentence]) -> anyhow::Result<AttachmentScore> {
        anyhow::ensure!(gold.len() == found.len(), "{} sentences, parsed {}", gold.len(), found.len());
        let (mut n, mut heads, mut relations) = (0usize, 0usize, 0usize);
        for (gold, found) in gold.iter().zip(found) {
            anyhow::ensure!(gold.n_words() == found.n_words(), "a sentence has got another number of words");
            for (gold, found) in gold.words().zip(found.words()) {
                let right = gold.head == found.head;
                n += 1;
                heads += usize::from(right);
                relations += usize::from(right && gold.deprel == found.deprel);
            }
        }
        let percent = |right: usize| 100.0 * right as f64 / n as f64;
        Ok(AttachmentScore { uas: percent(heads), las: percent(relations) })
    }
}

impl Runs {
    pub(super) fn uas(&self) -> (f64, f64) {
        mean_sd(&self.0.iter().map(|run| run.score.uas).collect::<Vec<_>>())
    }

    pub(super) fn las(&self) -> (f64, f64) {
        mean_sd(&self.0.iter().map(|run| run.score.las).collect::<Vec<_>>())
    }

    pub(super) fn train_seconds(&self) -> f64 {
        mean_sd(&self.0.iter().map(|run| run.train_seconds).collect::<Vec<_>>()).0
    }

    /// The largest of all runs.
    pub(super) fn peak_mib(&self) -> Option<f64> {
        self.0.iter().filter_map(|run| run.peak_mib).reduce(f64::max)
    }

    /// `mean ± sd`, or the one figure there is.
    pub(super) fn show((mean, sd): (f64, f64), n_runs: usize) -> String {
        if n_runs > 1 { format!("{mean:.1} ± {sd:.1}") } else { format!("{mean:.1}") }
    }

    pub(super) fn show_uas(&self) -> String {
        Runs::show(self.uas(), self.0.len())
    }

    /// How much higher the UAS is than that of other runs with the same seeds: the mean difference and its standard error.
    pub(super) fn show_ahead_of(&self, others: &Runs) -> String {
        let pairs = self.0.iter().zip(&others.0);
        let differences: Vec<f64> = pairs.map(|(run, other)| run.score.uas - other.score.uas).collect();
        let (mean, sd) = mean_sd(&differences);
        match differences.len() {
            0 | 1 => format!("{mean:+.1}"),
            n => format!("{mean:+.1} ± {:.1}", sd / (n as f64).sqrt()),
        }
    }

    pub(super) fn show_las(&self) -> String {
        Runs::show(self.las(), self.0.len())
    }
}

/// The order with a number.
pub(super) fn order(number: u32) -> anyhow::Result<Order> {
    match number {
        1 => Ok(Order::First),
        2 => Ok(Order::Second),
        other => anyhow::bail!("--order {other}: 1 or 2"),
    }
}

/// Trains a parser.
pub(super) fn train(
    train: &[Annotated],
    options: &DependencyOptions,
    workers: &Workers,
) -> anyhow::Result<DependencyModel> {
    let learner = Learner::new(train, &[], None, options, workers)?;
    let model = learner.run(workers, &mut |_, _| ControlFlow::Continue(()))?;
    model.context("training was not ended by anyone, and yet there is no parser")
}

/// The sentences with the trees that a parser finds.
pub(super) fn parse(model: &DependencyModel, sentences: &[Sentence], workers: &Workers) -> Vec<Sentence> {
    let blank: Vec<Sentence> = sentences.iter().map(data::without_tree).collect();
    let parsed = model.parse_all(&blank, &ParseOptions::default(), workers);
    let with_tree = |(sentence, parsed): (&Sentence, &dependency::Parsed)| {
        let mut sentence = sentence.clone();
        for (at, token) in sentence.words_mut().enumerate() {
            token.head = Head::Of(parsed.heads.head(at + 1) as u32);
            token.deprel = parsed.relations[at].0.clone();
        }
        sentence
    };
    sentences.iter().zip(&parsed).map(with_tree).collect()
}

/// Trains on some sentences and scores on a treebank's test sentences.
pub(super) fn once(
    sentences: &[Sentence],
    test: &[Sentence],
    options: &DependencyOptions,
    workers: &Workers,
) -> anyhow::Result<(DependencyModel, Run)> {
    let known: Vec<Annotated> = sentences.iter().filter_map(data::annotated).collect();
    speed::forget_peak();
    let (model, train_seconds) = cpu::seconds(|| train(&known, options, workers));
    let (model, peak_mib) = (model?, speed::peak_mib());
    let score = AttachmentScore::of(test, &parse(&model, test, workers))?;
    Ok((model, Run { score, train_seconds, peak_mib }))
}

/// Trains with seeds 1, 2, … on a treebank; the last parser is returned as well.
pub(super) fn with_seeds(
    treebank: &Treebank,
    options: &DependencyOptions,
    seeds: u64,
    workers: &Workers,
) -> anyhow::Result<(Option<DependencyModel>, Runs)> {
    let (mut last, mut runs) = (None, Runs::default());
    for seed in 1..=seeds.max(1) {
        let options = DependencyOptions { seed, ..options.clone() };
        let (model, run) = once(&treebank.train, &treebank.test, &options, workers)?;
        last = Some(model);
        runs.0.push(run);
    }
    Ok((last, runs))
}

/// The kind of files with a parser alone.
const KIND: &str = "bench/dependency";

/// Writes a parser to a file, without a tagger.
pub(super) fn write(model: &DependencyModel, path: &Path) -> Result<(), chain::Error> {
    container::write(path, &Header { kind: KIND.to_owned(), ..Header::default() }, model)
}

/// Reads a parser that was written without a tagger.
pub(super) fn read(path: &Path) -> Result<DependencyModel, chain::Error> {
    container::read(path, KIND, 0).map(|(_, model)| model)
}

/// Writes a parser to a file, reads it again, and takes text from CoNLL-U to CoNLL-U on one thread, `repeat` times; the best
/// time counts. Reading the model is not part of it.
pub(super) fn cost(model: &DependencyModel, test: &[Sentence], repeat: usize) -> anyhow::Result<Cost> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("parser.model");
    write(model, &path)?;
    let megabytes = std::fs::metadata(&path)?.len() as f64 / 1e6;
    let (model, load_seconds) = cpu::seconds(|| read(&path));
    let (model, text, workers) = (model?, data::text(test), Workers::serial());
    let convert = || data::sentences(&text).map(|read| data::text(&parse(&model, &read, &workers)).len());
    convert()?;
    let seconds = cpu::best_of(repeat, convert);
    Ok(Cost { tokens_per_second: data::n_words(test) as f64 / seconds, load_seconds, megabytes })
}
