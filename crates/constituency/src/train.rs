//! Training from trees, whole or partial.

use chain::observe::{Fan, Tally};
use chain::{Checkpoint, Observer, Outcome, RunError, Schedule, Start, Workers, sample};
use grammar::anchor::{Brackets, ConstraintError};
use grammar::codec::CodecError;
use grammar::{Sizes, Tensors};
use std::collections::BTreeMap;
use std::convert::Infallible;
use tree::{Text, Tree};

use super::bank::Bank;

use super::forests;
use super::model::{ChainCounts, Model};
use super::options::check;
pub use super::options::{JumpStart, TrainError, TrainOptions};
use super::prior::RulePrior;
use super::sampler::{AnnotatedTrees, Given, Sampler, Stage};

/// A training run that is ready to start.
#[derive(Debug)]
pub struct Training {
    options: TrainOptions,
    bank: Bank,
    means: Vec<f64>,
    /// The prior mean of θ.
    prior_means: Vec<f64>,
    given: Vec<Given>,
    stages: Vec<Stage>,
}

/// A sentence that could not be used.
#[derive(Debug, Clone, PartialEq)]
pub enum Unusable {
    /// A tree, by its place.
    Tree(usize, CodecError),
    /// A partly bracketed sentence, by its place.
    Partial(usize, ConstraintError),
}

impl Training {
    /// Learns rules and words of the trees and lays the grammar over the partly bracketed sentences. `raw` is text
    /// for clusters of words.
    pub fn new(
        trees: &[Tree<Text>],
        partial: &[Brackets],
        raw: &[Vec<Text>],
        options: TrainOptions,
        workers: &Workers,
    ) -> Result<(Training, Vec<Unusable>), TrainError> {
        check(&options)?;
        let (bank, problems) = Bank::new(trees, raw, &options.bank, workers);
        let mut unusable: Vec<Unusable> =
            problems.into_iter().map(|(at, problem)| Unusable::Tree(at, problem)).collect();
        if bank.trees.is_empty() {
            return Err(TrainError::NoTrees);
        }
        let means = bank.means();
        let mut given: Vec<Given> = bank.trees.iter().cloned().map(Given::Tree).collect();
        let forests = workers.map(partial, |_, brackets| {
            forests::of_brackets(&bank.codec, &bank.lexicon, &means, brackets, options.threshold)
        });
        for (at, forest) in forests.into_iter().enumerate() {
            match forest {
                Ok(forest) => given.push(Given::Forest(Box::new(forest))),
                Err(problem) => unusable.push(Unusable::Partial(at, problem)),
            }
        }
        let stages = plan(&bank, &options);
        let prior_means = if options.even_prior { even(&bank) } else { means.clone() };
        Ok((Training { options, bank, means, prior_means, given, stages }, unusable))
    }

    /// What is learnt from.
    pub fn bank(&self) -> &Bank {
        &self.bank
    }

    /// The options.
    pub fn options(&self) -> &TrainOptions {
        &self.options
    }

    /// Burn-in, samples, chains and seed of the run on the whole.
    pub fn schedule(&self) -> Schedule {
        Schedule {
            burn_in: growth(&self.main_stages()) + self.options.burn_in,
            samples: self.options.samples,
            thin: self.options.thin,
            seed: self.options.seed,
            chains: self.options.chains,
        }
    }

    /// Runs the sampler, from the start or from a checkpoint, and averages what it counts.
    ///
    /// With a jump-start, the run on the part comes first, unless there is a checkpoint of the run on the whole.
    pub fn run(
        &self,
        start: Start<AnnotatedTrees>,
        observer: &mut dyn Observer<AnnotatedTrees>,
        workers: &Workers,
    ) -> Result<Trained, RunError<Infallible>> {
        self.run_watched(start, &mut (), observer, workers)
    }

    /// The same with an observer of the run on the part. If that one stops, the outcome is that of the part.
    pub fn run_watched(
        &self,
        start: Start<AnnotatedTrees>,
        jump_observer: &mut dyn Observer<AnnotatedTrees>,
        observer: &mut dyn Observer<AnnotatedTrees>,
        workers: &Workers,
    ) -> Result<Trained, RunError<Infallible>> {
        let mut jump = Vec::new();
        if let (Some(options), Start::Fresh) = (&self.options.jump_start, &start) {
            let (counts, outcome) = self.jump(options, jump_observer, workers)?;
            if outcome.stop.is_some() {
                return Ok(Trained { chains: Vec::new(), outcome, jumped: false });
            }
            jump = counts;
        }
        let mut sampler = self.sampler(&self.given);
        sampler.jump = jump;
        let schedule = self.schedule();
        let mut tally = Tally::new("mean counts", |state: &AnnotatedTrees, out: &mut Vec<f64>| {
            out.extend_from_slice(sampler.count(state).values());
        });
        let outcome = {
            let mut both = Fan::new().with(&mut tally).with(observer);
            sample::run(&sampler, &schedule, start, &mut both, workers)?
        };
        let n_samples = tally.n_samples() / u64::from(schedule.chains.max(1));
        let sizes = self.stages.last().map(|stage| stage.sizes.clone());
        let chains = tally
            .chain_means()
            .iter()
            .zip(sizes.iter().cycle())
            .map(|(means, sizes)| ChainCounts::pack(sizes.clone(), n_samples, means))
            .collect();
        Ok(Trained { chains, outcome, jumped: true })
    }

    /// The model of a finished run.
    pub fn model(&self, chains: Vec<ChainCounts>, notes: BTreeMap<String, String>) -> Model {
        Model {
            codec: self.bank.codec.clone(),
            lexicon: self.bank.lexicon.clone(),
            means: self.means.clone(),
            chains,
            smoothing: self.options.smoothing,
            notes,
        }
    }

    /// The sampler over some of the sentences.
    pub fn sampler<'a>(&'a self, given: &'a [Given]) -> Sampler<'a> {
        Sampler {
            prior: RulePrior {
                inventory: &self.bank.inventory,
                means: &self.prior_means,
                concentrations: self.options.concentrations,
            },
            given,
            stages: self.main_stages(),
            pseudo: Vec::new(),
            jump: Vec::new(),
            hyper: self.options.hyper,
            fingerprint: self.fingerprint(),
        }
    }

    /// The plan of the run on the whole: annotations have grown already where a run on a part comes first.
    fn main_stages(&self) -> Vec<Stage> {
        match (self.options.jump_start, self.stages.last()) {
            (Some(_), Some(last)) => vec![Stage { from: 1, sizes: last.sizes.clone() }],
            _ => self.stages.clone(),
        }
    }

    /// The sweeps of the run on the part, if there is one.
    pub fn jump_schedule(&self) -> Option<Schedule> {
        let sweeps = self.options.jump_start?.sweeps;
        Some(Schedule { burn_in: growth(&self.stages) + sweeps, samples: 0, ..self.schedule() })
    }

    /// The counts of a long run on a part, by chain.
    fn jump(
        &self,
        jump: &JumpStart,
        observer: &mut dyn Observer<AnnotatedTrees>,
        workers: &Workers,
    ) -> Result<(Vec<Tensors>, Outcome<AnnotatedTrees>), RunError<Infallible>> {
        let n_trees = self.bank.trees.len();
        let part = ((n_trees as f64 * jump.fraction).ceil() as usize).clamp(1, n_trees);
        let sampler = Sampler { stages: self.stages.clone(), ..self.sampler(&self.given[..part]) };
        let schedule = self.jump_schedule().unwrap_or_default();
        let outcome = sample::run(&sampler, &schedule, Start::Fresh, observer, workers)?;
        Ok((outcome.checkpoint.states.iter().map(|state| sampler.count(state)).collect(), outcome))
    }

    /// A checksum of trees and settings.
    fn fingerprint(&self) -> u64 {
        let mut bytes = Vec::new();
        for given in &self.given {
            if let Given::Tree(nodes) = given {
                nodes.iter().for_each(|node| bytes.extend(node.rule.to_le_bytes()));
            }
            bytes.push(b'\n');
        }
        let options = TrainOptions { samples: 0, ..self.options.clone() };
        bytes.extend(format!("{options:?}").bytes());
        chain::container::crc64(&bytes)
    }
}

/// What a run leaves.
#[derive(Debug)]
pub struct Trained {
    /// The mean counts of each chain.
    pub chains: Vec<ChainCounts>,
    /// The last states, and why the run ended.
    pub outcome: Outcome<AnnotatedTrees>,
    /// False if the run on a part was stopped, so that the run on the whole never began.
    pub jumped: bool,
}

/// A checkpoint of a training run.
pub type TrainCheckpoint = Checkpoint<AnnotatedTrees>;

/// The same share for every rule of a head.
fn even(bank: &Bank) -> Vec<f64> {
    let share = |rule: u32| 1.0 / bank.inventory.rules_of(bank.inventory.head(rule)).len() as f64;
    (0..bank.inventory.len() as u32).map(share).collect()
}

/// The sweeps before the last stage.
fn growth(stages: &[Stage]) -> u32 {
    stages.last().map_or(0, |stage| stage.from as u32 - 1)
}

/// Stages of 1, 2, 4, … annotations up to K, each label no further than its occurrences allow.
fn plan(bank: &Bank, options: &TrainOptions) -> Vec<Stage> {
    let occurrences = bank.label_counts();
    let most = |label: u32| {
        let per = options.occurrences_per_annotation;
        if per > 0.0 { (occurrences[label as usize] / per).sqrt() as u32 } else { u32::MAX }
    };
    let sizes = |k: u32| Sizes::by_label(bank.inventory.rules(), |label| most(label).min(k));
    if options.stage_sweeps == 0 {
        return vec![Stage { from: 1, sizes: sizes(options.annotations) }];
    }
    let mut stages = Vec::new();
    let (mut k, mut from) = (1, 1);
    loop {
        stages.push(Stage { from, sizes: sizes(k) });
        if k >= options.annotations {
            return stages;
        }
        from += u64::from(options.stage_sweeps);
        k = (2 * k).min(options.annotations);
    }
}
