//! Which arcs to annotate: entropy per cost beside random choice, in simulation.

use chain::{Stream, Threads, Workers};
use impute::convex::{self, ConvexOptions};
use impute::{Completed, Fragment};
use study::select::{Candidate, Options, Strategy, Unit, select};

use super::{LOW, Treebank, gold_tags, is_wanted};
use crate::dependencies::{self, Attached, Gold};

/// Annotates a corpus arc by arc, chosen by entropy per cost or at random, the gold tree answering.
#[derive(Debug, clap::Args)]
pub(crate) struct Selection {
    /// `low` (eight low-resource treebanks) or names of some of them
    #[arg(long, default_value = "low", value_delimiter = ',')]
    pub(super) data: Vec<String>,
    /// Arcs in the corpus
    #[arg(long, default_value_t = 4000)]
    pub(super) arcs: usize,
    /// Trainings on the way; between them the same weights choose
    #[arg(long, default_value_t = 20)]
    rounds: usize,
    /// The share of all arcs that random choice annotates in the end, in percent
    #[arg(long, default_value_t = 50)]
    share: u32,
    /// Runs with other random numbers
    #[arg(long, default_value_t = 3)]
    pub(super) seeds: u64,
    /// Choose batches of whole sentences, and judge by the dependency parser that learns from them
    #[arg(long)]
    parser: bool,
    /// With --parser: arcs that are annotated in the end
    #[arg(long, default_value_t = 600)]
    pub(super) annotate: usize,
    /// With --parser: batches after the first, which is drawn by lot
    #[arg(long, default_value_t = 3)]
    pub(super) batches: usize,
    /// With --parser: choose by the uncertainty of the imputer, not of the parser
    #[arg(long)]
    pub(super) imputer: bool,
    /// With --parser: other treebanks and their dev files, for choosing settings
    #[arg(long)]
    pub(super) dev: bool,
    /// With --parser: words of the text that the parser is scored on, at most
    #[arg(long, default_value_t = 3000)]
    pub(super) test_words: usize,
    /// Threads
    #[arg(long, default_value_t = 2)]
    pub(super) threads: usize,
}

/// What a corpus looks like after a round.
#[derive(Clone, Copy, Default)]
struct RoundPoint {
    annotated: f64,
    corpus: f64,
    test: f64,
}

pub(crate) fn run(arguments: &Selection) -> anyhow::Result<()> {
    if arguments.parser {
        return super::batches::run(arguments);
    }
    let workers = Workers::new(Threads::from_count(arguments.threads))?;
    println!(
        "UAS of the completed corpus and of held-out text when {} % of the arcs are annotated at random, and the share \
         of that work with which choice by entropy per cost gets as far",
        arguments.share
    );
    println!(
        "{:<12} {:>8} {:>7} {:>7}   {:>8} {:>7}",
        "treebank", "random:", "corpus", "test", "corpus", "test"
    );
    let (mut passed, mut n_treebanks) = ([0, 0], 0);
    for treebank in LOW.iter().filter(|treebank| is_wanted(&arguments.data, treebank)) {
        n_treebanks += 1;
        let simulation = Simulation::new(treebank, arguments)?;
        let random = simulation.curve(Strategy::Random, arguments, &workers)?;
        let chosen = simulation.curve(Strategy::EntropyPerCost, arguments, &workers)?;
        let Some(last) = random.last() else { continue };
        let corpus = reached(&chosen, last.corpus, |point| point.corpus).map(|at| at / last.annotated);
        let test = reached(&chosen, last.test, |point| point.test).map(|at| at / last.annotated);
        let print =
            |share: Option<f64>| share.map_or("never".to_owned(), |share| format!("{:.0} %", 100.0 * share));
        println!(
            "{:<12} {:>8} {:>7.1} {:>7.1}   {:>8} {:>7}",
            treebank.name,
            "",
            last.corpus,
            last.test,
            print(corpus),
            print(test)
        );
        for (count, share) in passed.iter_mut().zip([corpus, test]) {
            *count += usize::from(share.is_some_and(|share| share <= 0.6));
        }
    }
    let [corpus, test] = passed;
    println!("at most 60 %: corpus {corpus} of {n_treebanks}, held-out text {test} of {n_treebanks}");
    Ok(())
}

/// Where a curve first gets to a height, by straight lines between its points.
fn reached(curve: &[RoundPoint], height: f64, of: impl Fn(&RoundPoint) -> f64) -> Option<f64> {
    let mut before: Option<&RoundPoint> = None;
    for point in curve {
        if of(point) >= height {
            let Some(before) = before else { return Some(point.annotated) };
            let share = (height - of(before)) / (of(point) - of(before));
            return Some(before.annotated + share * (point.annotated - before.annotated));
        }
        before = Some(point);
    }
    None
}

struct Simulation {
    corpus: Vec<Gold>,
    test: Vec<Gold>,
    frees: Vec<Fragment>,
}

impl Simulation {
    fn new(treebank: &Treebank, arguments: &Selection) -> anyhow::Result<Simulation> {
        let corpus = dependencies::read(treebank.train)?;
        let corpus = dependencies::first_arcs(&corpus, arguments.arcs).to_vec();
        let test = dependencies::read(treebank.test)?;
        let frees = test
            .iter()
            .zip(gold_tags(&test))
            .map(|(gold, tags)| Fragment::free(&gold.sentence(&tags)))
            .collect();
        Ok(Simulation { corpus, test, frees })
    }

    /// The mean over seeds, round by round; the first batch is drawn at random in any case.
    fn curve(
        &self,
        strategy: Strategy,
        arguments: &Selection,
        workers: &Workers,
    ) -> anyhow::Result<Vec<RoundPoint>> {
        // Random choice does not look at what was learned, so one training at the end will do.
        let rounds = if strategy == Strategy::Random { 1 } else { arguments.rounds };
        let mut mean = vec![RoundPoint::default(); rounds];
        for seed in 0..arguments.seeds {
            let share = 1.0 / arguments.seeds as f64;
            for (mean, point) in mean.iter_mut().zip(self.run(strategy, seed, rounds, arguments, workers)?) {
                mean.annotated += share * point.annotated;
                mean.corpus += share * point.corpus;
                mean.test += share * point.test;
            }
        }
        Ok(mean)
    }

    fn run(
        &self,
        strategy: Strategy,
        seed: u64,
        rounds: usize,
        arguments: &Selection,
        workers: &Workers,
    ) -> anyhow::Result<Vec<RoundPoint>> {
        let n_arcs: usize = self.corpus.iter().map(Gold::len).sum();
        let batch = (f64::from(arguments.share) / 100.0 * n_arcs as f64 / rounds as f64).round() as usize;
        let mut kept: Vec<Vec<bool>> = self.corpus.iter().map(|gold| vec![false; gold.len()]).collect();
        let mut points = Vec::new();
        let mut learned: Option<(convex::ConvexModel, Vec<Completed>)> = None;
        let mut scalings: Option<convex::Scalings> = None;
        for round in 0..rounds {
            match &mut learned {
                Some((model, completed)) if strategy != Strategy::Random => {
                    self.ask_in_turn(model, completed, &mut kept, batch)?;
                }
                _ => {
                    let stream = Stream::new(seed).purpose("selection").tag(round as u64);
                    let wanted =
                        Options { strategy: Strategy::Random, unit: Unit::Arc, n: batch, budget: None };
                    for choice in select(&self.candidates(&kept), &wanted, stream)? {
                        if let Some(word) = choice.candidate.word {
                            kept[choice.candidate.sentence][word - 1] = true;
                        }
                    }
                }
            }
            let fragments: anyhow::Result<Vec<Fragment>> =
                (0..kept.len()).map(|sentence| self.fragment(sentence, &kept)).collect();
            let fragments = fragments?;
            // How sure scores are changes slowly, so it is fitted in some rounds only.
            let fitted = scalings.filter(|_| round % 5 != 0);
            let options = ConvexOptions {
                temperature: fitted.map(|scalings| scalings.annotated.temperature),
                ..ConvexOptions::default()
            };
            let mut model = convex::train(&fragments, &options, workers).model;
            model.scalings = fitted.unwrap_or(model.scalings);
            scalings = Some(model.scalings);
            let done = model.complete_all(&fragments, workers);
            points.push(RoundPoint {
                annotated: kept.iter().flatten().filter(|&&kept| kept).count() as f64,
                corpus: uas(&self.corpus, &done),
                test: uas(&self.test, &model.complete_all(&self.frees, workers)),
            });
            learned = Some((model, done));
        }
        Ok(points)
    }

    fn fragment(&self, sentence: usize, kept: &[Vec<bool>]) -> anyhow::Result<Fragment> {
        let gold = &self.corpus[sentence];
        gold.fragment(&gold.tags, &kept[sentence])
    }

    /// Asks for the most uncertain arc, completes its sentence anew with the answer, and so on.
    ///
    /// That is what an annotator sees who works beside the program: an answer settles its neighbours as well.
    fn ask_in_turn(
        &self,
        model: &convex::ConvexModel,
        completed: &mut [Completed],
        kept: &mut [Vec<bool>],
        n: usize,
    ) -> anyhow::Result<()> {
        let mut candidates = self.candidates(kept);
        candidates.iter_mut().for_each(|candidate| candidate.entropy = entropy(candidate, completed));
        let wanted = Options { strategy: Strategy::EntropyPerCost, unit: Unit::Arc, n: 1, budget: None };
        for _ in 0..n {
            let Some(choice) = select(&candidates, &wanted, Stream::new(0))?.into_iter().next() else {
                break;
            };
            let (sentence, Some(word)) = (choice.candidate.sentence, choice.candidate.word) else { break };
            kept[sentence][word - 1] = true;
            completed[sentence] = model.complete(&self.fragment(sentence, kept)?);
            candidates.retain(|candidate| (candidate.sentence, candidate.word) != (sentence, Some(word)));
            let changed = candidates.iter_mut().filter(|candidate| candidate.sentence == sentence);
            changed.for_each(|candidate| candidate.entropy = entropy(candidate, completed));
        }
        Ok(())
    }

    /// A candidate for each arc that is not annotated; every arc costs the same.
    fn candidates(&self, kept: &[Vec<bool>]) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for (sentence, kept) in kept.iter().enumerate() {
            let n_open = kept.iter().filter(|&&kept| !kept).count();
            for word in (1..=kept.len()).filter(|&word| !kept[word - 1]) {
                candidates.push(Candidate {
                    sentence,
                    word: Some(word),
                    cost: 1.0,
                    unspecified_share: n_open as f64 / kept.len() as f64,
                    ..Candidate::default()
                });
            }
        }
        candidates
    }
}

fn entropy(candidate: &Candidate, completed: &[Completed]) -> f64 {
    candidate.word.map_or(0.0, |word| completed[candidate.sentence].posteriors.entropy(word))
}

fn uas(gold: &[Gold], completed: &[Completed]) -> f64 {
    let mut attached = Attached::default();
    gold.iter().zip(completed).for_each(|(gold, completed)| attached.see(&gold.heads, &completed.heads));
    attached.percent()
}
