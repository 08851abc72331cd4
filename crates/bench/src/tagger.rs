//! Accuracy and speed of the tagger with full training data, beside UDPipe.

mod data;

use std::path::PathBuf;

use chain::{Threads, Workers};
use tag::crf::{Crf, CrfOptions, Material, NOTHING_FURTHER};
use tree::Sentence;

use crate::accuracy::mean_sd;
use crate::cpu;
use crate::udpipe::{Udpipe, UdpipeRun, UdpipeTask};
use data::{Part, Treebank};

/// What is trained and how often.
#[derive(Debug, clap::Args)]
pub(crate) struct Tagging {
    /// Treebanks: en (2,000 sentences), wo, sme, or folders of Universal Dependencies
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "en,wo,sme,Erzya-JR,Uyghur-UDT,Belarusian-HSE@2019-11"
    )]
    data: Vec<String>,
    /// Runs with different seeds
    #[arg(long, default_value_t = 3)]
    seeds: u64,
    /// Tag a fifth of the training sentences, which are not learned from, instead of the test file
    #[arg(long)]
    held_out: bool,
    /// Tag the dev file instead of the test file, for choosing settings
    #[arg(long, conflicts_with = "held_out")]
    dev: bool,
    /// Leave UDPipe out
    #[arg(long)]
    alone: bool,
    /// Where UDPipe's outcomes are kept; a training of which there is one is not run again
    #[arg(long)]
    udpipe_cache: Option<PathBuf>,
    /// Epochs; the tagger's own default if not given
    #[arg(long)]
    epochs: Option<usize>,
    /// The length of the first steps; the tagger's own default if not given
    #[arg(long)]
    rate: Option<f64>,
    /// What pulls weights back to zero; the tagger's own default if not given
    #[arg(long)]
    l2: Option<f64>,
    /// Sentences between two steps; the tagger's own default if not given
    #[arg(long)]
    batch: Option<usize>,
    /// Threads of training; CPU seconds are summed over them
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// Trains and tags everything that was asked for.
pub(crate) fn run(arguments: &Tagging) -> anyhow::Result<()> {
    let workers = Workers::new(Threads::from_count(arguments.threads))?;
    let part = match arguments {
        Tagging { held_out: true, .. } => Part::HeldOut,
        Tagging { dev: true, .. } => Part::Dev,
        _ => Part::Test,
    };
    let treebanks: Vec<Treebank> = arguments
        .data
        .iter()
        .map(|name| Treebank::read(name, part, |sentence| sentence))
        .collect::<anyhow::Result<_>>()?;
    let outcomes = if arguments.alone {
        vec![None; treebanks.len()]
    } else {
        let jobs: Vec<_> = treebanks.iter().map(Treebank::job).collect();
        Udpipe::new(UdpipeTask::Tagger, arguments.udpipe_cache.as_deref())?.outcomes(&jobs)?
    };
    println!("universal tags in percent of all words; {} seeds\n", arguments.seeds);
    println!(
        "treebank                 sent.   words    test  treelet         CPU s   UDPipe   CPU s  difference"
    );
    let mut differences = Vec::new();
    for (treebank, outcome) in treebanks.iter().zip(&outcomes) {
        differences.extend(line(treebank, outcome.as_ref(), arguments, &workers)?);
    }
    if !differences.is_empty() {
        let least = differences.iter().copied().fold(f64::INFINITY, f64::min);
        let mean = mean_sd(&differences).0;
        println!("mean of {} treebanks against UDPipe: {mean:+.2} (least {least:+.2})", differences.len());
    }
    Ok(())
}

/// Prints a row of the table; returns how much better than UDPipe the tagger is.
fn line(
    treebank: &Treebank,
    outcome: Option<&UdpipeRun>,
    arguments: &Tagging,
    workers: &Workers,
) -> anyhow::Result<Option<f64>> {
    let mut accuracies = Vec::new();
    let mut train_seconds = Vec::new();
    for seed in 1..=arguments.seeds.max(1) {
        let (crf, seconds) = cpu::seconds(|| train(treebank, &arguments.options(seed), workers));
        accuracies.push(100.0 * crf?.accuracy(&treebank.test_tags(), NOTHING_FURTHER, workers));
        train_seconds.push(seconds);
    }
    let (mean, sd) = mean_sd(&accuracies);
    let n_words = |sentences: &[Sentence]| sentences.iter().map(Sentence::n_words).sum::<usize>();
    print!(
        "{:<24} {:>5} {:>7} {:>7}  {mean:>6.2} ± {sd:.2}  {:>7.1}",
        treebank.name,
        treebank.train.len(),
        n_words(&treebank.train),
        n_words(&treebank.test),
        mean_sd(&train_seconds).0
    );
    let Some(outcome) = outcome else {
        println!();
        return Ok(None);
    };
    let theirs = treebank.accuracy_of(&outcome.output)?;
    println!("  {theirs:>6.2} {:>7.1}  {:>+10.2}", outcome.train_seconds, mean - theirs);
    Ok(Some(mean - theirs))
}

impl Tagging {
    fn options(&self, seed: u64) -> CrfOptions {
        let mut options = CrfOptions { seed, ..CrfOptions::default() };
        let descent = &mut options.descent;
        descent.epochs = self.epochs.unwrap_or(descent.epochs);
        descent.rate = self.rate.unwrap_or(descent.rate);
        descent.l2 = self.l2.unwrap_or(descent.l2);
        descent.batch = self.batch.unwrap_or(descent.batch);
        options
    }
}

fn train(treebank: &Treebank, options: &CrfOptions, workers: &Workers) -> anyhow::Result<Crf> {
    let (tags, sentences) = treebank.train_tags();
    let material = Material { tags: &tags, sentences: &sentences, held_out: &[] };
    Ok(Crf::train(material, NOTHING_FURTHER, options, workers)?)
}

/// Tokens per second on one core: sentences in memory to tags, with and without probabilities.
pub(crate) fn speed(repeat: usize) -> anyhow::Result<()> {
    for name in ["en", "wo", "sme"] {
        let treebank = Treebank::read(name, Part::Test, |sentence| sentence)?;
        let (crf, seconds) = cpu::seconds(|| train(&treebank, &CrfOptions::default(), &Workers::serial()));
        let crf = crf?;
        let sentences = treebank.test_tags();
        let n_words: usize = sentences.iter().map(|sentence| sentence.words.len()).sum();
        // A new decoder every time: it has met no word yet.
        let viterbi = cpu::best_of(repeat, || {
            let mut decoder = crf.decoder(NOTHING_FURTHER);
            sentences.iter().map(|sentence| decoder.viterbi(&sentence.words, &[]).len()).sum::<usize>()
        });
        let posteriors = cpu::best_of(repeat, || {
            let mut decoder = crf.decoder(NOTHING_FURTHER);
            let best = |sentence: &tag::Tagged| decoder.posteriors(&sentence.words, &[]).n_words();
            sentences.iter().map(best).sum::<usize>()
        });
        println!(
            "{name}: {} tags, {} features, trained in {seconds:.1} CPU s; {n_words} words: {:.0} per CPU s with Viterbi, {:.0} with probabilities",
            crf.tags().len(),
            crf.n_features(),
            n_words as f64 / viterbi,
            n_words as f64 / posteriors
        );
    }
    Ok(())
}
