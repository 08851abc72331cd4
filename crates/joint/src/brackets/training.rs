//! Learning brackets, labels and chains.

use bp::learn::{Course, Index, Learning, SavedCourse, Step, Weights};
use chain::{Stream, Workers};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::binary::{Bracket, Label};
use super::error::Error;
use super::exact::{Exact, Shape, add_gold};
use super::labels::Labels;
use super::leaves::{self, Chains, LeafRows};
use super::material::{Annotated, Known, Material, common_top};
use super::model::Model;
use super::options::{Kind, RuleOptions, TrainOptions};
use super::rows::{self, Rows};
use super::rules::{Learner, SavedRules, Start};
use super::words::{Sentence, Vocabulary};

/// A sentence to learn from.
#[derive(Debug, Clone)]
pub(super) struct Example {
    pub(super) sentence: Sentence,
    pub(super) rows: Rows,
    pub(super) known: Vec<Bracket<Option<u32>>>,
    /// Whether all brackets are known.
    pub(super) is_whole: bool,
    leaves: LeafRows,
    chains: Option<Vec<u32>>,
}

/// A parser that is being trained: epoch by epoch, first brackets and chains, then rules.
#[derive(Debug)]
pub struct Training {
    options: TrainOptions,
    /// What is learned so far; its weights are those of the last epoch that is over.
    model: Model,
    examples: Vec<Example>,
    spans: Course,
    leaves: Course,
    rules: Option<Learner>,
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
    spans: SavedCourse,
    leaves: SavedCourse,
    rules: Option<SavedRules>,
}

impl Training {
    /// Prepares sentences for learning. Those of one word teach chains only, those of none nothing.
    pub fn new(annotated: &[Annotated], options: TrainOptions) -> Result<Training, Error> {
        let top = common_top(annotated);
        let materials: Result<Vec<Material>, Error> = annotated
            .iter()
            .enumerate()
            .map(|(at, annotated)| annotated.material(at, top.as_ref(), options.joins_chains))
            .collect();
        let materials = materials?;
        if materials.iter().all(|material| material.brackets.is_empty()) {
            return Err(Error::NothingToLearn);
        }
        let vocabulary = Vocabulary::new(
            annotated.iter().map(|annotated| annotated.words.as_slice()),
            options.least_words,
        );
        let labels = labels(&materials, &options);
        if options.kind == Kind::Lbm && labels.len() == 0 {
            return Err(Error::NoLabels);
        }
        let chains = Chains::new(materials.iter().filter_map(|material| material.chains.as_ref()).flatten());
        let sentences: Vec<Sentence> =
            annotated.iter().map(|annotated| vocabulary.read(&annotated.words)).collect();
        let model = Model::blank(options.clone(), vocabulary, labels, chains, top);
        Training::index(model, sentences, &materials, annotated, options)
    }

    /// Gives features their weights.
    fn index(
        mut model: Model,
        sentences: Vec<Sentence>,
        materials: &[Material],
        annotated: &[Annotated],
        options: TrainOptions,
    ) -> Result<Training, Error> {
        let stride = model.shape().stride();
        let n_chains = model.chains.n_values();
        let is_whole = |at: usize| matches!(annotated[at].known, Known::Tree(_));
        let mut counts = Counts::default();
        let mut leaf_counts = Counts::default();
        for (at, (sentence, material)) in sentences.iter().zip(materials).enumerate() {
            let n = sentence.n_words();
            let gold = material.brackets.iter().map(|b| (b.start as usize, b.end as usize));
            let all = (0..n).flat_map(|start| (start + 2..=n).map(move |end| (start, end)));
            if is_whole(at) && !options.keeps_all_features {
                rows::visit_keys(options.kind, sentence, gold, |key| counts.add(key));
            } else {
                rows::visit_keys(options.kind, sentence, all, |key| counts.add(key));
            }
            (0..n).for_each(|word| leaves::visit_keys(sentence, word, |key| leaf_counts.add(key)));
        }
        let most = u32::MAX as usize;
        if counts.keys.len().saturating_mul(stride).max(leaf_counts.keys.len().saturating_mul(n_chains))
            >= most
        {
            return Err(Error::TooManyFeatures);
        }
        counts.index(options.least_features, stride, &mut model.index);
        leaf_counts.index(1, n_chains, &mut model.leaf_index);
        let numbers = model.labels.numbers();
        let example = |(at, (sentence, material)): (usize, (Sentence, &Material))| Example {
            rows: Rows::new(options.kind, &sentence, &model.index, stride),
            leaves: LeafRows::new(&sentence, &model.leaf_index, n_chains),
            known: numbered(&material.brackets, &numbers),
            is_whole: is_whole(at),
            chains: material
                .chains
                .as_ref()
                .map(|list| list.iter().map(|c| model.chains.number(c)).collect()),
            sentence,
        };
        let examples: Vec<Example> = sentences.into_iter().zip(materials).enumerate().map(example).collect();
        let course =
            |learning: Learning, index: &Index| Course::new(Weights::zero(index.n_weights()), learning);
        let spans = course(options.learning, &model.index);
        let leaves = course(options.chains, &model.leaf_index);
        let told = format!("{options:?} {} {} {}", spans.weights.len(), leaves.weights.len(), examples.len());
        let fingerprint = chain::container::crc64(told.as_bytes());
        Ok(Training { options, model, examples, spans, leaves, rules: None, fingerprint })
    }

    /// Goes on where a checkpoint was made, with the same sentences and options.
    pub fn resume(&mut self, saved: &SavedTraining) -> Result<(), Error> {
        if saved.fingerprint != self.fingerprint {
            return Err(Error::OtherCheckpoint);
        }
        let course = |saved: &SavedCourse, n: usize, learning: Learning| {
            Course::resume(saved, n, learning).ok_or(Error::OtherCheckpoint)
        };
        self.spans = course(&saved.spans, self.model.index.n_weights(), self.options.learning)?;
        self.leaves = course(&saved.leaves, self.model.leaf_index.n_weights(), self.options.chains)?;
        self.settle();
        self.rules = saved.rules.as_ref().map(Learner::resume);
        Ok(())
    }

    /// What a checkpoint needs.
    pub fn save(&self) -> SavedTraining {
        SavedTraining {
            fingerprint: self.fingerprint,
            spans: self.spans.save(),
            leaves: self.leaves.save(),
            rules: self.rules.as_ref().map(Learner::save),
        }
    }

    /// The next epoch; `None` if all are over. The same sentences, options and seed give the same bits, whatever the
    /// number of threads.
    pub fn epoch(&mut self, workers: &Workers) -> Option<Epoch> {
        let stream = Stream::new(self.options.seed);
        let total = self.options.learning.epochs.max(1);
        let leaf_total = self.options.chains.epochs;
        while self.leaves.done() < leaf_total && self.leaves.done() <= self.spans.done() {
            self.leaf_epoch(stream.purpose("chains"), workers);
        }
        if self.spans.done() < total {
            let ln = self.span_epoch(stream.purpose("brackets"), workers);
            let figure = ln / self.examples.len() as f64;
            return Some(Epoch { stage: Stage::Brackets, done: self.spans.done(), total, figure });
        }
        while self.leaves.done() < leaf_total {
            self.leaf_epoch(stream.purpose("chains"), workers);
        }
        let options = self.options.rules.filter(|_| self.options.kind == Kind::Lbm)?;
        if self.rules.is_none() {
            self.settle();
        }
        let is_ready = self.rules.as_ref().is_some_and(Learner::is_ready);
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
        let others: Vec<&Example> =
            self.examples.iter().enumerate().filter(|(at, _)| at % n_folds != fold).map(|(_, e)| e).collect();
        let mut course = Course::new(Weights::zero(self.model.index.n_weights()), self.options.learning);
        for _ in 0..self.options.learning.epochs.max(1) {
            walk(&mut course, self.model.shape(), &others, stream, workers);
        }
        course.finish()
    }

    /// The parser as far as it is trained.
    pub fn finish(mut self) -> Model {
        self.settle();
        self.model.rules = self.rules.as_ref().map(Learner::finish);
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
        self.model.weights = self.spans.finish();
        self.model.leaf_weights = self.leaves.finish();
    }

    fn span_epoch(&mut self, stream: Stream, workers: &Workers) -> f64 {
        let examples: Vec<&Example> = self.examples.iter().collect();
        walk(&mut self.spans, self.model.shape(), &examples, stream, workers)
    }

    fn leaf_epoch(&mut self, stream: Stream, workers: &Workers) {
        let (examples, n_values) = (&self.examples, self.model.chains.n_values());
        self.leaves.epoch(
            examples.len(),
            stream,
            workers,
            || (),
            |at, weights, ()| {
                let Example { leaves, chains, .. } = &examples[at];
                chains.as_ref().map_or_else(Step::default, |gold| leaves.step(weights, n_values, gold))
            },
        );
    }
}

/// An epoch of brackets.
fn walk(
    course: &mut Course,
    shape: Shape<'_>,
    examples: &[&Example],
    stream: Stream,
    workers: &Workers,
) -> f64 {
    course.epoch(examples.len(), stream, workers, Scratch::default, |at, weights, scratch| {
        scratch.step(shape, examples[at], weights, SMALLEST).unwrap_or_default()
    })
}

/// Slopes of scores below this are left out.
const SMALLEST: f64 = 1e-4;

/// Memory of one thread.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    scores: Vec<f64>,
    slopes: Vec<f64>,
    exact: Exact,
}

impl Scratch {
    /// ln P of what is known of a sentence, and its slopes in the weights.
    pub(super) fn step(
        &mut self,
        shape: Shape<'_>,
        example: &Example,
        weights: &Weights,
        least: f64,
    ) -> Option<Step> {
        let spans = example.rows.spans();
        let Scratch { scores, slopes, exact } = self;
        example.rows.score(weights, shape.stride(), |width| shape.n_values(width), scores);
        slopes.clear();
        slopes.resize(scores.len(), 0.0);
        let known = if example.is_whole {
            add_gold(shape, spans, scores, &example.known, slopes)
        } else {
            exact.run(shape, spans, scores, &example.known)?;
            exact.add_expected(shape, spans, 1.0, slopes);
            exact.ln_z
        };
        exact.run(shape, spans, scores, &[])?;
        exact.add_expected(shape, spans, -1.0, slopes);
        let mut step = Step { ln: known - exact.ln_z, entries: Vec::new() };
        example.rows.slopes(slopes, shape.stride(), |width| shape.n_values(width), least, &mut step.entries);
        Some(step)
    }
}

fn numbered(
    brackets: &[Bracket<Option<Label>>],
    numbers: &FxHashMap<Label, u32>,
) -> Vec<Bracket<Option<u32>>> {
    let number = |label: &Option<Label>| label.as_ref().and_then(|label| numbers.get(label).copied());
    brackets.iter().map(|b| Bracket { start: b.start, end: b.end, label: number(&b.label) }).collect()
}

/// All labels. Those of partial annotations may stand at brackets of any width, and what stands in for them as well.
fn labels(materials: &[Material], options: &TrainOptions) -> Labels {
    if options.kind != Kind::Lbm {
        return Labels::default();
    }
    let mut seen = Vec::new();
    for material in materials {
        for bracket in &material.brackets {
            let Some(label) = bracket.label.clone() else { continue };
            if material.chains.is_some() {
                seen.push((label, bracket.end - bracket.start));
            } else {
                seen.push((label.clone(), u32::MAX));
                seen.push((Label { is_stand_in: true, ..label }, u32::MAX));
            }
        }
    }
    Labels::new(seen.into_iter(), options.prunes_labels)
}

/// Keys in the order in which they came, with how often they did.
#[derive(Debug, Default)]
struct Counts {
    keys: Vec<u64>,
    counts: Vec<u32>,
    numbers: FxHashMap<u64, u32>,
}

impl Counts {
    fn add(&mut self, key: u64) {
        let number = *self.numbers.entry(key).or_insert(self.keys.len() as u32) as usize;
        if number == self.keys.len() {
            self.keys.push(key);
            self.counts.push(0);
        }
        self.counts[number] += 1;
    }

    fn index(&self, least: u32, len: usize, index: &mut Index) {
        let frequent = self.keys.iter().zip(&self.counts).filter(|(_, count)| **count >= least);
        frequent.for_each(|(&key, _)| _ = index.insert(key, len));
    }
}

/// The parser of some trees.
pub fn train(annotated: &[Annotated], options: TrainOptions, workers: &Workers) -> Result<Model, Error> {
    let training = Training::new(annotated, options)?;
    Ok(training.run(workers, &mut |_, _| std::ops::ControlFlow::Continue(())))
}
