//! How well trees drawn from each chain, and the trees that decoders choose, agree with gold trees.

use crate::options::Messages;
use crate::options::diagnose::Diagnose;
use crate::source::Source;
use crate::use_cases::check::report_problems;
use crate::watch::Watch;
use crate::watch::{Progress, Steps, Watched};
use anyhow::{Context, bail};
use chain::{Stream, Workers};
use constituency::ensemble::Workspace;
use constituency::{Decode, Model, ParseOptions, Parsed, Parser};
use formats::Problem;
use formats::detect::Format;
use formats::everything::{self, Item};
use grammar::anchor::Brackets;
use score::Counts;
use score::brackets::{Deletion, Options, Scorer};
use std::path::Path;
use std::slice;
use tree::{Text, Tree};

/// Gold trees and where they come from.
#[derive(Debug)]
pub(super) struct Gold {
    pub(super) name: String,
    trees: Vec<Tree<Text>>,
    /// Whether trees had to be left out.
    pub(super) has_errors: bool,
}

/// F1 in percent, as EVALB has it, the punctuation chosen by the gold tags.
#[derive(Clone, Debug)]
pub struct Scores {
    /// The name of the file of gold trees.
    pub gold: String,
    /// How many there are.
    pub n_sentences: usize,
    /// Trees drawn for each sentence from each chain.
    pub n_draws: usize,
    /// Sentences with a makeshift tree.
    pub n_makeshift: usize,
    /// Of each chain.
    pub chains: Vec<ChainScores>,
    /// Of all chains together.
    pub decoders: Vec<DecoderScores>,
}

/// Trees drawn from one chain.
#[derive(Clone, Debug)]
pub struct ChainScores {
    /// The name of the chain.
    pub name: String,
    /// F1 over all sentences, draw by draw.
    pub draws: Vec<f64>,
    /// F1 over all sentences of the max-rule trees of this chain alone.
    pub max_rule: f64,
}

/// Trees chosen by one decoder.
#[derive(Clone, Debug)]
pub struct DecoderScores {
    /// The name of the decoder.
    pub name: &'static str,
    /// How good its trees are.
    pub scores: ParseScores,
}

/// One tree for each sentence.
#[derive(Clone, Debug)]
pub struct ParseScores {
    /// Over all sentences.
    pub f1: f64,
    /// F1 of each sentence that has brackets.
    pub by_sentence: Vec<f64>,
    /// Sentences with a makeshift tree.
    pub n_makeshift: usize,
}

impl ParseScores {
    /// Of the counts of each sentence, and whether it has a makeshift tree.
    fn new(found: &[(Counts, bool)]) -> Self {
        let counts = || found.iter().map(|(counts, _)| *counts);
        let has_brackets = |counts: &Counts| counts.gold + counts.system > 0;
        Self {
            f1: percent(counts().sum()),
            by_sentence: counts().filter(has_brackets).map(percent).collect(),
            n_makeshift: found.iter().filter(|(_, is_makeshift)| *is_makeshift).count(),
        }
    }
}

const DECODERS: [(&str, Decode); 4] = [
    ("mode", Decode::Mode),
    ("mbr", Decode::Mbr),
    ("max-rule", Decode::MaxRule),
    ("viterbi", Decode::Viterbi),
];

impl Gold {
    /// Reads bracketed trees; those with errors are reported and left out.
    pub(super) fn read(
        path: &Path,
        limit: Option<u32>,
        messages: &Messages,
        watch: &dyn Watch,
    ) -> anyhow::Result<Self> {
        let mut source = Source::without_format(path, crate::options::EncodingName::Unicode)?;
        source.format = Format::Brackets;
        let name = source.name();
        let (mut trees, mut problems) = (Vec::new(), Vec::new());
        let progress = Progress::new(watch, source.size(), &name);
        for reading in everything::items(source.format, Watched::new(source.open()?, progress)) {
            let reading = reading.with_context(|| source.cannot_read())?;
            let is_bad = reading.problems.iter().any(Problem::is_error);
            problems.extend(reading.problems.into_iter().filter(Problem::is_error));
            if let Item::Tree(bracketed) = reading.value
                && let Some(tree) = bracketed.tree.filter(|tree| !is_bad && tree.n_words() > 0)
            {
                trees.push(tree);
            }
            if limit.is_some_and(|limit| trees.len() >= limit as usize) {
                break;
            }
        }
        let has_errors = report_problems(&source, &problems, messages, watch)?;
        if trees.is_empty() {
            bail!("{name} has no trees, so there is nothing to compare");
        }
        Ok(Self { name, trees, has_errors })
    }

    /// The words alone.
    pub(super) fn sentences(&self) -> Vec<Brackets> {
        self.trees.iter().map(words).collect()
    }

    /// Compares a parse of each sentence.
    pub(super) fn score(&self, parsed: &[Parsed]) -> ParseScores {
        let found = self.trees.iter().zip(parsed).map(|(gold, parsed)| compare_best(gold, parsed));
        ParseScores::new(&found.collect::<Vec<_>>())
    }
}

fn words(tree: &Tree<Text>) -> Brackets {
    Brackets::words(tree.words().cloned().collect())
}

/// Draws and decodes the sentences of the gold trees, and scores what comes out.
pub(super) fn score(
    model: &Model,
    gold: &Gold,
    options: &Diagnose,
    workers: &Workers,
    watch: &dyn Watch,
) -> anyhow::Result<Scores> {
    if model.chains.is_empty() {
        bail!("the model has no chains, so nothing can be drawn from it");
    }
    let sentences = gold.trees.iter().map(|tree| (tree, words(tree))).collect();
    let n_draws = options.draws as usize;
    let n_passes = model.chains.len() + DECODERS.len();
    let steps = Steps::new(watch, (gold.trees.len() * n_passes) as u64, "tree");
    let course = Scoring { sentences, seed: options.seed, steps, workers };
    let all = Parser::new(model.clone(), workers);
    let alone = |(number, refinement): (usize, &constituency::model::Refinement)| {
        let parser = Parser::with_refinements(model.clone(), vec![refinement.clone()]);
        course.draw(&parser, number, n_draws)
    };
    let chains = all.refinements().iter().enumerate().map(alone).collect();
    let n_samples = n_draws * model.chains.len();
    let decoders: Vec<DecoderScores> =
        DECODERS.iter().map(|&decoder| course.decode(&all, decoder, n_samples)).collect();
    let n_makeshift = decoders.iter().map(|decoder| decoder.scores.n_makeshift).max().unwrap_or(0);
    let (gold, n_sentences) = (gold.name.clone(), gold.trees.len());
    Ok(Scores { gold, n_sentences, n_draws, n_makeshift, chains, decoders })
}

struct Scoring<'a> {
    sentences: Vec<(&'a Tree<Text>, Brackets)>,
    seed: u64,
    steps: Steps,
    workers: &'a Workers,
}

impl Scoring<'_> {
    /// Parses each sentence and makes something of it.
    fn each<R: Send>(
        &self,
        parser: &Parser,
        options: &ParseOptions,
        stream: Stream,
        see: impl Fn(&Tree<Text>, Parsed) -> R + Sync,
    ) -> Vec<R> {
        self.workers.map_with(&self.sentences, Workspace::default, |workspace, at, (gold, sentence)| {
            self.steps.step();
            see(gold, parser.parse(sentence, options, stream.item(at), workspace))
        })
    }

    /// F1 of each draw from one chain, summed over all sentences before the ratio is taken.
    fn draw(&self, parser: &Parser, number: usize, n_draws: usize) -> ChainScores {
        let options = ParseOptions { samples: n_draws, ..ParseOptions::default() };
        let stream = Stream::new(self.seed).purpose("draws").chain(number as u32);
        let counts = self.each(parser, &options, stream, |gold, parsed| {
            let best = &parsed.trees[0].0;
            // A makeshift tree is the only one there is.
            let drawn = (0..n_draws).map(|at| parsed.samples.get(at).unwrap_or(best));
            compare(gold, drawn.chain([best]))
        });
        let sum = |at: usize| percent(counts.iter().map(|sentence| sentence[at]).sum());
        ChainScores {
            name: format!("chain {number}"),
            draws: (0..n_draws).map(sum).collect(),
            max_rule: sum(n_draws),
        }
    }

    /// The trees that a decoder chooses.
    fn decode(
        &self,
        parser: &Parser,
        (name, decode): (&'static str, Decode),
        n_samples: usize,
    ) -> DecoderScores {
        let samples = if decode == Decode::Mode { n_samples } else { 0 };
        let options = ParseOptions { decode, samples, ..ParseOptions::default() };
        let stream = Stream::new(self.seed).purpose("decode");
        let found = self.each(parser, &options, stream, |gold, parsed| compare_best(gold, &parsed));
        DecoderScores { name, scores: ParseScores::new(&found) }
    }
}

/// The counts of the best tree, and whether it is a makeshift.
fn compare_best(gold: &Tree<Text>, parsed: &Parsed) -> (Counts, bool) {
    let best = parsed.trees.first().map(|(tree, _)| tree);
    let counts = compare(gold, best.into_iter()).pop().unwrap_or_default();
    (counts, parsed.fallback.is_some())
}

fn compare<'a>(gold: &Tree<Text>, parses: impl Iterator<Item = &'a Tree<Text>>) -> Vec<Counts> {
    let mut scorer = Scorer::new(Options { deletion: Deletion::GoldTags, ..Options::default() });
    parses.map(|parse| scorer.add(slice::from_ref(gold), slice::from_ref(parse)).strict()).collect()
}

fn percent(counts: Counts) -> f64 {
    100.0 * counts.f1()
}
