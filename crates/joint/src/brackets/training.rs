//! Learning brackets, labels and chains.

use std::convert::Infallible;

use chain::descent::{Examples, Gradient, Learning, Loss, Weights};
use chain::fit::FitError;
use chain::{Stream, Workers};
use features::Index;
use serde::{Deserialize, Serialize};

use super::error::Error;
use super::exact::{Exact, SpanValues, add_gold};
use super::material::Annotated;
use super::model::Model;
use super::options::{Kind, RuleOptions, TrainOptions};
use super::prepare::{Example, prepare};
use super::rules::{RuleLearner, SavedRules, Start};
use crate::training::Course;

/// A parser that is being trained: epoch by epoch, first brackets and chains, then rules.
#[derive(Debug)]
pub struct Training {
    options: TrainOptions,
    /// What is learned so far; its weights are those of the last epoch that is over.
    model: Model,
    examples: Vec<Example>,
    spans: Course,
    leaves: Course,
    rules: Option<RuleLearner>,
    fingerprint: u64,
}

/// What is learned in an epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Brackets, their labels, and chains over single words.
    Brackets,
    /// Rules.
    Rules,
}

/// An epoch that is over.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Epoch {
    /// What was learned.
    pub stage: Stage,
    /// How many epochs of this stage are over.
    pub done: usize,
    /// How many there will be.
    pub total: usize,
    /// The mean log-likelihood of a sentence's brackets before each step; for rules, the share of binary rules that the
    /// parser got right.
    pub figure: f64,
}

/// Training as a checkpoint holds it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedTraining {
    fingerprint: u64,
    spans: Course,
    leaves: Course,
    rules: Option<SavedRules>,
}

impl Training {
    /// Prepares sentences for learning. Those of one word teach chains only, those of none or of more than [`super::LONGEST`]
    /// nothing.
    pub fn new(annotated: &[Annotated], options: TrainOptions) -> Result<Training, Error> {
        let (model, examples) = prepare(annotated, &options)?;
        let stream = Stream::new(options.seed);
        let spans = Loss::new(&Brackets::all(&model, &examples), &options.learning, stream).begin();
        let leaves =
            Loss::new(&Leaves { model: &model, examples: &examples }, &options.chains, stream).begin();
        let n_weights = [&model.index, &model.leaf_index].map(Index::n_weights);
        let told = format!("{options:?} {} {} {}", n_weights[0], n_weights[1], examples.len());
        let fingerprint = chain::container::crc64(told.as_bytes());
        Ok(Training { options, model, examples, spans, leaves, rules: None, fingerprint })
    }

    /// Goes on where a checkpoint was made, with the same sentences and options.
    pub fn resume(&mut self, saved: &SavedTraining) -> Result<(), Error> {
        if saved.fingerprint != self.fingerprint {
            return Err(Error::OtherCheckpoint);
        }
        let course = |saved: &Course, n: usize| match saved.params.weights.len() == n {
            true => Ok(saved.clone()),
            false => Err(Error::OtherCheckpoint),
        };
        self.spans = course(&saved.spans, self.model.index.n_weights())?;
        self.leaves = course(&saved.leaves, self.model.leaf_index.n_weights())?;
        self.settle();
        self.rules = saved.rules.as_ref().map(RuleLearner::resume);
        Ok(())
    }

    /// What a checkpoint needs.
    pub fn save(&self) -> SavedTraining {
        SavedTraining {
            fingerprint: self.fingerprint,
            spans: self.spans.clone(),
            leaves: self.leaves.clone(),
            rules: self.rules.as_ref().map(RuleLearner::save),
        }
    }

    /// The next epoch; `None` if all are over. The same sentences, options and seed give the same bits, whatever the
    /// number of threads.
    pub fn epoch(&mut self, workers: &Workers) -> Option<Epoch> {
        let stream = Stream::new(self.options.seed);
        let total = self.options.learning.epochs.max(1);
        let leaf_total = self.options.chains.epochs;
        while self.leaves.params.done() < leaf_total && self.leaves.params.done() <= self.spans.params.done()
        {
            self.leaf_epoch(stream.purpose("chains"), workers);
        }
        if self.spans.params.done() < total {
            let ln = self.span_epoch(stream.purpose("brackets"), workers);
            let figure = ln / self.examples.len() as f64;
            return Some(Epoch { stage: Stage::Brackets, done: self.spans.params.done(), total, figure });
        }
        while self.leaves.params.done() < leaf_total {
            self.leaf_epoch(stream.purpose("chains"), workers);
        }
        let options = self.options.rules.filter(|_| self.options.kind == Kind::Lbm)?;
        if self.rules.is_none() {
            self.settle();
        }
        let is_ready = self.rules.as_ref().is_some_and(RuleLearner::is_ready);
        let coarse =
            if is_ready { Vec::new() } else { self.coarse(&options, stream.purpose("folds"), workers) };
        let learner = self.rules.get_or_insert_default();
        if !is_ready {
            learner.begin(coarse);
        }
        if learner.done() >= options.epochs {
            return None;
        }
        let figure = learner.epoch(&self.model, &self.examples, &options, stream.purpose("rules"), workers);
        Some(Epoch { stage: Stage::Rules, done: learner.done(), total: options.epochs, figure })
    }

    /// What rules start from: beliefs of parsers that have not seen the sentence. A parser that has seen it makes few of the
    /// errors that rules are there for.
    fn coarse(&self, options: &RuleOptions, stream: Stream, workers: &Workers) -> Vec<Option<Start>> {
        let whole = self.model.weights.clone();
        let n_folds = options.folds.max(1);
        let folds: Vec<Weights> = match n_folds {
            1 => vec![whole],
            _ => (0..n_folds)
                .map(|fold| self.without_fold(fold, n_folds, stream.item(fold), workers))
                .collect(),
        };
        workers.map(&self.examples, |at, example| {
            Start::new(&self.model, &folds[at % n_folds], example, options.threshold)
        })
    }

    /// Weights learned from all examples but those of a fold.
    fn without_fold(&self, fold: usize, n_folds: usize, stream: Stream, workers: &Workers) -> Weights {
        let others = self.examples.iter().enumerate().filter(|(at, _)| at % n_folds != fold);
        let brackets = Brackets { model: &self.model, examples: others.map(|(_, e)| e).collect() };
        let loss = Loss::new(&brackets, &self.options.learning, stream);
        let done = loss.watched(chain::Start::Fresh, workers, |_| std::ops::ControlFlow::Continue(()));
        done.expect("there is no checkpoint to refuse").params.finish()
    }

    /// The parser as far as it is trained.
    pub fn finish(mut self) -> Model {
        self.settle();
        self.model.rules = self.rules.as_ref().map(RuleLearner::finish);
        self.model
    }

    /// All epochs that are left; `watch` sees each that is over, with what a checkpoint needs at hand, and may end it.
    pub fn run(
        mut self,
        workers: &Workers,
        watch: &mut dyn FnMut(&Epoch, &Training) -> std::ops::ControlFlow<()>,
    ) -> Model {
        while let Some(epoch) = self.epoch(workers) {
            if watch(&epoch, &self).is_break() {
                break;
            }
        }
        self.finish()
    }

    #[cfg(test)]
    pub(super) fn model(&self) -> &Model {
        &self.model
    }

    #[cfg(test)]
    pub(super) fn examples(&self) -> &[Example] {
        &self.examples
    }

    /// Puts the weights as they are into the model.
    fn settle(&mut self) {
        self.model.weights = self.spans.params.finish();
        self.model.leaf_weights = self.leaves.params.finish();
    }

    fn span_epoch(&mut self, stream: Stream, workers: &Workers) -> f64 {
        let brackets = Brackets::all(&self.model, &self.examples);
        walk(&Loss::new(&brackets, &self.options.learning, stream), &mut self.spans, workers);
        self.spans.history.last().copied().unwrap_or_default()
    }

    fn leaf_epoch(&mut self, stream: Stream, workers: &Workers) {
        let leaves = Leaves { model: &self.model, examples: &self.examples };
        walk(&Loss::new(&leaves, &self.options.chains, stream), &mut self.leaves, workers);
    }
}

/// One epoch of a course.
fn walk<X: Examples<Weights, Error = Infallible>>(
    loss: &Loss<'_, Weights, Learning, X>,
    course: &mut Course,
    workers: &Workers,
) {
    match loss.epoch(course, workers) {
        Ok(()) | Err(FitError::NotFinite { .. }) => {}
        Err(FitError::Objective(never)) => match never {},
    }
}

/// Brackets to learn from.
struct Brackets<'t> {
    model: &'t Model,
    examples: Vec<&'t Example>,
}

impl<'t> Brackets<'t> {
    fn all(model: &'t Model, examples: &'t [Example]) -> Brackets<'t> {
        Brackets { model, examples: examples.iter().collect() }
    }
}

impl Examples<Weights> for Brackets<'_> {
    type Scratch = ExampleScratch;
    type Error = Infallible;

    fn start(&self) -> Weights {
        Weights::zero(self.n_weights())
    }

    fn n_weights(&self) -> usize {
        self.model.index.n_weights()
    }

    fn n_examples(&self) -> usize {
        self.examples.len()
    }

    fn scratch(&self) -> ExampleScratch {
        ExampleScratch::default()
    }

    fn gradient(
        &self,
        at: usize,
        weights: &Weights,
        scratch: &mut ExampleScratch,
    ) -> Result<Option<Gradient>, Infallible> {
        Ok(scratch.gradient(self.model.shape(), self.examples[at], weights, SMALLEST))
    }
}

/// Chains over single words to learn from.
struct Leaves<'t> {
    model: &'t Model,
    examples: &'t [Example],
}

impl Examples<Weights> for Leaves<'_> {
    type Scratch = ();
    type Error = Infallible;

    fn start(&self) -> Weights {
        Weights::zero(self.n_weights())
    }

    fn n_weights(&self) -> usize {
        self.model.leaf_index.n_weights()
    }

    fn n_examples(&self) -> usize {
        self.examples.len()
    }

    fn scratch(&self) {}

    fn gradient(&self, at: usize, weights: &Weights, (): &mut ()) -> Result<Option<Gradient>, Infallible> {
        let Example { leaves, chains, .. } = &self.examples[at];
        let n_values = self.model.chains.n_values();
        Ok(chains.as_ref().map(|gold| leaves.gradient(weights, n_values, gold)))
    }
}

/// Gradients of scores below this are left out.
const SMALLEST: f64 = 1e-4;

/// Memory of one thread.
#[derive(Debug, Default)]
pub(super) struct ExampleScratch {
    scores: Vec<f64>,
    gradients: Vec<f64>,
    exact: Exact,
}

impl ExampleScratch {
    /// −ln P of what is known of a sentence, and its gradient in the weights.
    pub(super) fn gradient(
        &mut self,
        shape: SpanValues<'_>,
        example: &Example,
        weights: &Weights,
        least: f64,
    ) -> Option<Gradient> {
        let spans = example.rows.spans();
        let ExampleScratch { scores, gradients, exact } = self;
        example.rows.score(weights, shape.stride(), |width| shape.n_values(width), scores);
        gradients.clear();
        gradients.resize(scores.len(), 0.0);
        let known = if example.is_whole {
            add_gold(shape, spans, scores, &example.known, gradients)
        } else {
            exact.run(shape, spans, scores, &example.known)?;
            exact.add_expected(shape, spans, 1.0, gradients);
            exact.ln_z
        };
        exact.run(shape, spans, scores, &[])?;
        exact.add_expected(shape, spans, -1.0, gradients);
        let mut gradient = Gradient { loss: exact.ln_z - known, entries: Vec::new() };
        let n_values = |width| shape.n_values(width);
        example.rows.descend(gradients, shape.stride(), n_values, least, &mut gradient.entries);
        Some(gradient)
    }
}

/// The parser of some trees.
pub fn train(annotated: &[Annotated], options: TrainOptions, workers: &Workers) -> Result<Model, Error> {
    let training = Training::new(annotated, options)?;
    Ok(training.run(workers, &mut |_, _| std::ops::ControlFlow::Continue(())))
}
