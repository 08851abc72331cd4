//! Training on 42,540 types beside Morfessor 2.0.6.

use crate::cpu;
use clap::Args;
use segment::{Counted, Dampening, Order, Segmenter, Trained, Viterbi};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// What is timed.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Repetitions; the fastest counts
    #[arg(long, default_value_t = 5)]
    repeat: usize,
    /// Seeds of random orders whose costs are shown
    #[arg(long, default_value_t = 10)]
    seeds: u64,
}

/// What Morfessor came to where it was measured, in a random order.
const KNOWN_COST: f64 = 1_851_763.4;
const KNOWN_SECONDS: f64 = 58.0;

const SCRIPT: &str = include_str!("../../python/morfessor.py");

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let Some(path) = testkit::shared("peer-data/morfessor.types.txt") else {
        println!("no reference data found; set TREELET_SHARED");
        return Ok(());
    };
    let list = formats::word_list::read(std::io::BufReader::new(std::fs::File::open(&path)?))?;
    let words: Vec<Counted<'_>> = list.words.iter().map(|entry| (entry.count, entry.word.as_str())).collect();
    println!("{} types, log dampening, CPU seconds, best of {}", words.len(), options.repeat);
    let longer = segment::Options { finish_threshold: 0.001, ..settings(Order::List, 0) };
    timed("Treelet, threshold 0.001", &words, &longer, options.repeat)?;
    let (ours, fastest) =
        timed("Treelet, order of the list", &words, &settings(Order::List, 0), options.repeat)?;
    beside(&path, &ours, fastest)?;
    random_orders(&words, options.seeds)?;
    segmenting(&words, &ours)
}

fn settings(order: Order, seed: u64) -> segment::Options {
    segment::Options { dampening: Dampening::Log, order, seed, ..segment::Options::default() }
}

/// Trains several times; the fastest counts.
fn timed(
    what: &str,
    words: &[Counted<'_>],
    settings: &segment::Options,
    repeat: usize,
) -> anyhow::Result<(Trained, f64)> {
    let train = || segment::train(words, &[], settings, &mut |_| true);
    let (mut trained, mut fastest) = cpu::seconds(train);
    for _ in 1..repeat {
        let (again, seconds) = cpu::seconds(train);
        (trained, fastest) = (again, fastest.min(seconds));
    }
    let trained = trained?;
    show(what, trained.costs.len() - 1, trained.cost.total(), fastest);
    Ok((trained, fastest))
}

fn show(what: &str, epochs: usize, cost: f64, seconds: f64) {
    println!("{what:<28} {epochs:>2} epochs  cost {cost:>12.1}  {seconds:>8.3} s");
}

/// The package on the same list in the same order, if Python finds it.
fn beside(path: &Path, ours: &Trained, fastest: f64) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let (script, output) = (folder.path().join("script.py"), folder.path().join("segmented.txt"));
    std::fs::write(&script, SCRIPT)?;
    let answer = Command::new("python3").args([&script, path]).arg("list").arg(&output).output();
    let text = answer.map(|answer| String::from_utf8_lossy(&answer.stdout).into_owned()).unwrap_or_default();
    let Some(figures) = text.strip_prefix("ready\n") else {
        println!(
            "`python3` finds no package morfessor (pip install morfessor==2.0.6): its figures were measured elsewhere"
        );
        println!("Morfessor 2.0.6, random order: cost {KNOWN_COST:.1}, {KNOWN_SECONDS} s");
        return Ok(());
    };
    let figures: Vec<f64> = figures.split_whitespace().map_while(|figure| figure.parse().ok()).collect();
    let [epochs, cost, seconds] = figures[..] else { anyhow::bail!("morfessor said {text:?}") };
    show("Morfessor, the same order", epochs as usize, cost, seconds);
    let theirs = std::fs::read_to_string(&output)?;
    let analysis = |line: &str| Some(line.split_once(' ')?.1.replace(" + ", " "));
    let theirs: BTreeMap<String, String> =
        theirs.lines().filter_map(analysis).map(|morphs| (morphs.replace(' ', ""), morphs)).collect();
    let is_same = |word: &&segment::Analysed| theirs.get(&word.word) == Some(&word.morphs().join(" "));
    let same = ours.model.words.iter().filter(is_same).count();
    let share = 100.0 * same as f64 / ours.model.words.len() as f64;
    println!("{share:.2} % of types cut alike; {:.0} times as fast", seconds / fastest);
    Ok(())
}

fn random_orders(words: &[Counted<'_>], seeds: u64) -> anyhow::Result<()> {
    let costs = (0..seeds)
        .map(|seed| {
            Ok(segment::train(words, &[], &settings(Order::Random, seed), &mut |_| true)?.cost.total())
        })
        .collect::<anyhow::Result<Vec<f64>>>()?;
    let mean = costs.iter().sum::<f64>() / costs.len().max(1) as f64;
    let (least, most) = (
        costs.iter().copied().fold(f64::INFINITY, f64::min),
        costs.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    );
    if let Some(first) = costs.first() {
        println!(
            "random orders, seeds 0 to {}: cost {first:.1} with seed 0, mean {mean:.1}, from {least:.1} to {most:.1}",
            seeds - 1
        );
    }
    Ok(())
}

fn segmenting(words: &[Counted<'_>], trained: &Trained) -> anyhow::Result<()> {
    let segmenter = Segmenter::new(&trained.model)?;
    let viterbi = Viterbi::default();
    let cut = || words.iter().map(|(_, word)| segmenter.segment(word, &viterbi).morphs.len()).sum::<usize>();
    let seconds = cpu::best_of(3, cut);
    println!("segmenting: {:.0} words/s on one core", words.len() as f64 / seconds);
    Ok(())
}
