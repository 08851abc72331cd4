//! Half of the arcs of every sentence, beside all of them and beside half of the sentences.

use chain::{Stream, Workers};
use dependency::DependencyOptions;
use study::simulate::{Gold, OmissionModel, degrade_all};
use tree::{Head, Sentence, Text};

use super::Dependency;
use super::data::{self, Treebank};
use super::measure::{self, Runs};

/// The share of arcs that is taken away.
const REMOVED: f64 = 0.5;

pub(super) fn run(arguments: &Dependency, workers: &Workers) -> anyhow::Result<()> {
    let treebanks = arguments.treebanks(&["en", "wo", "Erzya-JR", "Kyrgyz-KTMU"])?;
    println!("UAS over all words that are parsed; other arcs and other sentences with every seed;");
    println!("after differences stands the standard error of their mean over the seeds");
    for (order, options) in arguments.settings(&[2])? {
        println!(
            "\n{:<14} {:>8} {:>8}  {:>12} {:>12} {:>12}  {:>12} {:>12}",
            format!("order {order}"),
            "arcs",
            "kept",
            "all arcs",
            "half, all s.",
            "half of s.",
            "to all",
            "to half"
        );
        for treebank in &treebanks {
            let options = arguments.with_books(&options, &treebank.train)?;
            row(treebank, &options, arguments.seeds, workers)?;
        }
    }
    Ok(())
}

fn row(
    treebank: &Treebank,
    options: &DependencyOptions,
    seeds: u64,
    workers: &Workers,
) -> anyhow::Result<()> {
    let (mut full, mut partial, mut half) = (Runs::default(), Runs::default(), Runs::default());
    let mut n_kept = 0;
    for seed in 1..=seeds.max(1) {
        let options = DependencyOptions { seed, ..options.clone() };
        let thinned = without_arcs(&treebank.train, seed)?;
        n_kept = thinned.iter().flat_map(Sentence::partial_heads).flatten().count();
        let fewer = until(&treebank.train, n_kept, seed);
        for (runs, train) in [(&mut full, &treebank.train), (&mut partial, &thinned), (&mut half, &fewer)] {
            runs.0.push(measure::once(train, &treebank.test, &options, workers)?.1);
        }
    }
    println!(
        "{:<14} {:>8} {n_kept:>8}  {:>12} {:>12} {:>12}  {:>12} {:>12}",
        treebank.name,
        data::n_words(&treebank.train),
        full.show_uas(),
        partial.show_uas(),
        half.show_uas(),
        partial.show_ahead_of(&full),
        partial.show_ahead_of(&half)
    );
    Ok(())
}

/// The same sentences without half of their heads, and without the relations of these.
fn without_arcs(sentences: &[Sentence], seed: u64) -> anyhow::Result<Vec<Sentence>> {
    let mut whole = Vec::new();
    let mut gold = Vec::new();
    for sentence in sentences {
        // Sentences without a tree take no part.
        let Ok(Some(heads)) = sentence.heads() else { continue };
        let tags = sentence.words().map(|token| token.upos.clone()).collect();
        gold.push(Gold::new(heads, tags)?);
        whole.push(sentence.clone());
    }
    let stream = Stream::new(seed).purpose("bench: half of the arcs");
    let left = degrade_all(&gold, &OmissionModel::Random { rate: REMOVED }, stream);
    for (sentence, left) in whole.iter_mut().zip(&left) {
        for (token, head) in sentence.words_mut().zip(&left.heads) {
            if head.is_none() {
                token.head = Head::Open;
                token.deprel = Text::from("_");
            }
        }
    }
    Ok(whole)
}

/// Whole sentences, drawn at random, until they have this many arcs.
fn until(sentences: &[Sentence], n_arcs: usize, seed: u64) -> Vec<Sentence> {
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    Stream::new(seed).purpose("bench: half of the sentences").rng().shuffle(&mut order);
    let mut sum = 0;
    let mut chosen = Vec::new();
    for at in order {
        if sum >= n_arcs {
            break;
        }
        sum += sentences[at].n_words();
        chosen.push(sentences[at].clone());
    }
    chosen
}
