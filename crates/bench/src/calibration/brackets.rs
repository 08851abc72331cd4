//! Constituents of sentences of dev files.

use chain::{Start, Stream, Workers};
use constituency::{ParseOptions, Parser, TrainOptions, Training};
use grammar::anchor::Brackets;
use num::confidence::{Guess, bins};
use std::collections::BTreeSet;
use tree::{Text, Tree};

use super::Curve;
use crate::corpus;

const TREEBANKS: [&str; 3] = ["english_wsj", "indonesian_icon", "portuguese_floresta"];
/// Sentences that are parsed.
const MOST_PARSED: usize = 150;
/// Constituents that are less probable are not listed.
const LEAST_LISTED: f64 = 0.001;

pub(super) fn curves(n_trees: usize, workers: &Workers) -> anyhow::Result<Vec<Curve>> {
    TREEBANKS.iter().map(|name| of_treebank(name, n_trees, workers)).collect()
}

fn of_treebank(name: &str, n_trees: usize, workers: &Workers) -> anyhow::Result<Curve> {
    let (train, mut dev) = corpus::constituency(name)?;
    dev.truncate(MOST_PARSED);
    let train = &train[..n_trees.min(train.len())];
    let (training, _) = Training::new(train, &[], &[], TrainOptions::default(), workers)?;
    let trained = training.run(Start::Fresh, &mut (), workers)?;
    let parser = Parser::new(training.model(trained.chains, Default::default()), workers);
    let sentences: Vec<Brackets> =
        dev.iter().map(|tree| Brackets::words(tree.words().cloned().collect())).collect();
    let parses = parser.parse_all(&sentences, &ParseOptions::default(), Stream::new(1), workers);
    let mut guesses = Vec::new();
    for (gold, parsed) in dev.iter().zip(&parses) {
        let there = constituents(gold);
        let listed = parsed.constituents.iter().filter(|one| one.expected >= LEAST_LISTED);
        guesses.extend(listed.map(|one| {
            let is_right = there.contains(&(one.label.as_str(), one.start as usize, one.end as usize));
            Guess { confidence: one.expected.min(1.0), is_right }
        }));
    }
    Ok(Curve::new("brackets", format!("{name}-{}", train.len()), bins(&guesses)))
}

/// Labels with first word and the word after the last, tags left out.
fn constituents(tree: &Tree<Text>) -> BTreeSet<(&str, usize, usize)> {
    let is_tag = |at: usize| tree.nodes()[at].size() == 2;
    let all = tree.constituents().into_iter().filter(|&(at, _, _)| !is_tag(at));
    all.map(|(_, label, span)| (label.as_str(), span.start(), span.end())).collect()
}
