//! How a model of names, relations or roles is learned.
//!
//! With valency there are two stages: a model without it, which says which candidates are possible, and one with it over
//! these. A judge, who knows what answers are worth on sentences apart, says which epoch was best.

use std::ops::ControlFlow;

use arcs::Roots;
use bp::{Evidence, Messages};
use chain::Workers;
use chain::descent::{Gradient, Weights};
use features::Index;
use num::packed::Packed;
use serde::{Deserialize, Serialize};
use tree::Heads;

use super::Mode;
use super::census::Census;
use super::collapse::Collapsed;
use super::entities::kept_entities;
use super::gazetteer::Gazetteer;
use super::laying::Laying;
use super::model::{SemanticModel, tagged_words};
use super::options::{Options, SemanticTask, Syntax, Valency};
use super::relations::arrow;
use super::roles::{Kept, kept_predicates};
use super::senses::Senses;
use super::syntax::SyntaxSide;
use crate::arcs::Seen;
use crate::brackets::span_keys::{Vocabulary, Word};
use crate::codes::Codes;
use crate::training::{Course, EpochProgress, Examples, GradientScratch, learn};
use crate::{Error, Sentence};

/// What a model could not learn from, or cannot find.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Losses {
    /// Sentences with too many words for syntax.
    pub long_sentences: usize,
    /// Sentences without a tree, where trees have to be known.
    pub without_tree: usize,
    /// Names that overlap others, or that are outside of their sentence.
    pub overlapping: usize,
    /// Names of more words than a name may have.
    pub wide: usize,
    /// Relations of names that are left out.
    pub relations: usize,
    /// Arguments too far from their predicates.
    pub far: usize,
    /// Arguments that a model without valency thinks impossible, of those that are known.
    pub pruned: usize,
    /// Arguments that are known.
    pub arguments: usize,
}

/// What is told after an epoch.
#[derive(Debug)]
pub struct SemanticProgress<'a> {
    /// The stage, from 1.
    pub stage: usize,
    /// Of how many.
    pub stages: usize,
    /// Epochs of the stage that are over, and how many there will be at most.
    pub epoch: usize,
    /// Of how many.
    pub epochs: usize,
    /// Σ of the log-likelihoods of the examples while their weights moved.
    pub ln: f64,
    /// What the judge said.
    pub worth: Option<f64>,
    first: Option<&'a Packed>,
    best: Option<&'a Best>,
    course: &'a Course,
}

/// The best epoch so far.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Best {
    worth: f64,
    epoch: usize,
    weights: Packed,
}

/// A run that can be gone on with.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SemanticCheckpoint {
    first: Option<Packed>,
    best: Option<Best>,
    course: Course,
}

impl SemanticProgress<'_> {
    /// What a checkpoint keeps.
    pub fn save(&self) -> SemanticCheckpoint {
        SemanticCheckpoint {
            first: self.first.cloned(),
            best: self.best.cloned(),
            course: self.course.clone(),
        }
    }
}

/// Says what a model is worth at each of some thresholds, on sentences that it has not seen.
pub type Judge<'a> = dyn FnMut(&SemanticModel, &[f64]) -> Vec<f64> + 'a;

/// Epochs without gain after which a judged run ends.
const PATIENCE: usize = 5;
/// Thresholds that a judge is asked about, the usual one first, so that it stays where none is better.
const THRESHOLDS: [f64; 9] = [0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.55, 0.6];

impl SemanticModel {
    /// Learns a model. `observe` is told of every epoch and may end training; a run goes on from `start`.
    #[allow(clippy::too_many_arguments, reason = "a run has as many sides")]
    pub fn train(
        sentences: &[Sentence],
        options: &Options,
        gazetteer: Gazetteer,
        seed: u64,
        start: Option<&SemanticCheckpoint>,
        workers: &Workers,
        mut judge: Option<&mut Judge<'_>>,
        mut observe: impl FnMut(&SemanticProgress<'_>) -> ControlFlow<()>,
    ) -> Result<(SemanticModel, Losses), Error> {
        let mut losses = Losses::default();
        let usable: Vec<&Sentence> =
            sentences.iter().filter(|sentence| is_usable(sentence, options, &mut losses)).collect();
        let has_tree = |sentence: &&Sentence| match options.syntax {
            Syntax::Arcs => sentence.heads.iter().any(Option::is_some),
            Syntax::Brackets => sentence.brackets.is_some(),
        };
        let is_treeless = match options.mode {
            Mode::Oracle => usable.is_empty() && losses.without_tree > 0,
            Mode::Joint => !usable.iter().any(has_tree),
            Mode::Supervised | Mode::Hidden => false,
        };
        if is_treeless {
            return Err(Error::NothingToLearn {
                wanted: "none of them has a tree, which this mode learns from",
            });
        }
        let mut model = SemanticModel::prepare(&usable, options, gazetteer)?;
        usable.iter().for_each(|sentence| model.count_losses(sentence, &mut losses));
        model.index = model.census(&usable, None)?.index(options.least, options.hash)?;
        let has_stages = options.task == SemanticTask::Roles && options.valency != Valency::None;
        let stages = if has_stages { 2 } else { 1 };
        let done = start.and_then(|start| start.first.as_ref());
        if has_stages {
            let first = match done {
                Some(packed) => unpack(packed, model.index.n_weights())?,
                None => {
                    let course = start.filter(|start| start.first.is_none());
                    let stage = SemanticStage { number: 1, of: stages, first: None, kept: None };
                    let (weights, is_over) =
                        model.stage(&usable, stage, course, seed, workers, &mut judge, &mut observe)?;
                    model.weights = weights;
                    if !is_over {
                        return Ok((model, losses));
                    }
                    std::mem::replace(&mut model.weights, Weights::zero(0))
                }
            };
            let packed = Packed::new(&first.values());
            model.first = Some(first);
            let mut messages = Messages::default();
            let mut kept = Vec::with_capacity(usable.len());
            for sentence in &usable {
                let (words, n_lost) = model.kept(sentence, true, &mut messages)?;
                losses.pruned += n_lost;
                kept.push(words);
            }
            model.census(&usable, Some(&kept))?.extend(options.least, &mut model.index)?;
            let course = start.filter(|start| start.first.is_some());
            let stage = SemanticStage { number: 2, of: stages, first: Some(&packed), kept: Some(&kept) };
            model.weights = model.stage(&usable, stage, course, seed, workers, &mut judge, &mut observe)?.0;
        } else {
            let stage = SemanticStage { number: 1, of: 1, first: None, kept: None };
            model.weights = model.stage(&usable, stage, start, seed, workers, &mut judge, &mut observe)?.0;
        }
        if let Some(judge) = judge {
            let worth = judge(&model, &THRESHOLDS);
            let best = (0..worth.len()).fold(0, |best, at| if worth[at] > worth[best] { at } else { best });
            model.threshold = THRESHOLDS.get(best).copied().unwrap_or(model.threshold);
        }
        Ok((model, losses))
    }

    /// A model without weights.
    fn prepare(
        sentences: &[&Sentence],
        options: &Options,
        gazetteer: Gazetteer,
    ) -> Result<SemanticModel, Error> {
        let (mut kinds, mut senses, mut seen) = (Codes::default(), Senses::default(), Seen::default());
        let (mut roots, mut projective) = (Roots::One, options.projective);
        let mut words: Vec<Vec<Word>> = Vec::new();
        for sentence in sentences {
            insert_kinds(sentence, options.task, &mut kinds);
            senses.insert(sentence);
            let collapsed =
                (options.task == SemanticTask::Relations).then(|| Collapsed::new(sentence).sentence);
            let below = collapsed.as_ref().unwrap_or(sentence);
            if options.mode.has_syntax() && options.mode != Mode::Oracle {
                match options.syntax {
                    Syntax::Arcs => seen.insert(below),
                    Syntax::Brackets => words.push(tagged_words(below)),
                }
            }
            if options.mode == Mode::Joint && options.syntax == Syntax::Arcs {
                let heads: Option<Vec<u32>> = below.heads.iter().copied().collect();
                if let Some(heads) = heads.and_then(|heads| Heads::new(heads).ok()) {
                    projective &= heads.is_projective();
                    roots = if heads.n_roots() > 1 { Roots::Many } else { roots };
                }
            }
        }
        if kinds.len() == 0 {
            return Err(Error::NothingToLearn {
                wanted: match options.task {
                    SemanticTask::Entities => "there is no name in them",
                    SemanticTask::Relations => "there is no relation in them",
                    SemanticTask::Roles => "there is no predicate with an argument in them",
                },
            });
        }
        let vocabulary = Vocabulary::new(words.iter().map(Vec::as_slice), 2);
        Ok(SemanticModel {
            options: *options,
            threshold: 0.5,
            roots,
            projective,
            kinds,
            seen,
            vocabulary,
            senses,
            gazetteer,
            index: Index::growing(),
            first: None,
            weights: Weights::zero(0),
        })
    }

    /// Counts the features of all candidates.
    fn census(&self, sentences: &[&Sentence], kept: Option<&[Kept]>) -> Result<Census, Error> {
        let mut census = Census::default();
        for (at, sentence) in sentences.iter().enumerate() {
            let mut laying = Laying::counting(&mut census);
            self.lay_all(sentence, kept.map(|kept| &kept[at]), true, &mut laying)?;
        }
        Ok(census)
    }

    /// The weights that a stage comes to, and whether it came to its end.
    #[allow(clippy::too_many_arguments, reason = "a stage has as many sides")]
    fn stage(
        &self,
        sentences: &[&Sentence],
        stage: SemanticStage<'_>,
        start: Option<&SemanticCheckpoint>,
        seed: u64,
        workers: &Workers,
        judge: &mut Option<&mut Judge<'_>>,
        observe: &mut impl FnMut(&SemanticProgress<'_>) -> ControlFlow<()>,
    ) -> Result<(Weights, bool), Error> {
        let training = SemanticTraining { model: self, sentences, kept: stage.kept };
        let mut best: Option<Best> = start.and_then(|start| start.best.clone());
        let mut probe = judge.is_some().then(|| self.clone());
        let mut is_over = true;
        let learned = learn(
            &training,
            self.options.learning,
            start.map(|start| &start.course),
            seed,
            workers,
            |progress| {
                let EpochProgress { epoch, epochs, ln, course } = *progress;
                let worth = match (judge.as_mut(), probe.as_mut()) {
                    (Some(judge), Some(probe)) => {
                        probe.weights = course.params.finish();
                        judge(probe, &[probe.threshold]).first().copied()
                    }
                    _ => None,
                };
                if let (Some(worth), Some(probe)) = (worth, probe.as_ref())
                    && best.as_ref().is_none_or(|best| worth > best.worth)
                {
                    best = Some(Best { worth, epoch, weights: Packed::new(&probe.weights.values()) });
                }
                let told = SemanticProgress {
                    stage: stage.number,
                    stages: stage.of,
                    epoch,
                    epochs,
                    ln,
                    worth,
                    first: stage.first,
                    best: best.as_ref(),
                    course,
                };
                if observe(&told).is_break() {
                    is_over = false;
                    return ControlFlow::Break(());
                }
                match &best {
                    Some(best) if epoch >= best.epoch + PATIENCE => ControlFlow::Break(()),
                    _ => ControlFlow::Continue(()),
                }
            },
        )?;
        match best {
            Some(best) => Ok((unpack(&best.weights, self.index.n_weights())?, is_over)),
            None => Ok((learned, is_over)),
        }
    }

    fn count_losses(&self, sentence: &Sentence, losses: &mut Losses) {
        let said = &sentence.semantics;
        match self.options.task {
            SemanticTask::Entities => {
                let kept = kept_entities(sentence);
                losses.overlapping += said.entities.len() - kept.len();
                let widest = self.options.widest as usize;
                losses.wide +=
                    kept.iter().filter(|&&number| said.entities[number].span.len() > widest).count();
            }
            SemanticTask::Relations => {
                let kept = kept_entities(sentence);
                losses.overlapping += said.entities.len() - kept.len();
                let is_there = |number: usize| kept.contains(&number);
                let lost = said
                    .relations
                    .iter()
                    .filter(|relation| !is_there(relation.first) || !is_there(relation.second));
                losses.relations += lost.count();
            }
            SemanticTask::Roles => {
                for number in kept_predicates(sentence) {
                    let predicate = &said.predicates[number];
                    let is_far = |word: usize| word.abs_diff(predicate.word) > self.options.window as usize;
                    losses.arguments += predicate.arguments.len();
                    losses.far += predicate.arguments.iter().filter(|argument| is_far(argument.word)).count();
                }
            }
        }
    }
}

/// A stage of a run.
#[derive(Clone, Copy)]
struct SemanticStage<'a> {
    number: usize,
    of: usize,
    first: Option<&'a Packed>,
    kept: Option<&'a [Kept]>,
}

fn unpack(packed: &Packed, n_weights: usize) -> Result<Weights, Error> {
    packed
        .unpack(n_weights)
        .map(Weights::from_values)
        .ok_or(Error::OtherRun { reason: "it has other features" })
}

/// Whether there is anything to learn from a sentence.
fn is_usable(sentence: &Sentence, options: &Options, losses: &mut Losses) -> bool {
    let said = &sentence.semantics;
    let has_something = match options.task {
        SemanticTask::Entities => (0..sentence.len()).any(|word| !said.open_words.contains(&word)),
        SemanticTask::Relations => {
            let n = said.entities.len();
            n > 1 && (0..n).any(|b| (0..n).any(|a| a != b && !said.open_pairs.contains(&(a, b))))
        }
        SemanticTask::Roles => said.predicates.iter().any(|predicate| {
            predicate.sense.is_some()
                || !predicate.arguments.is_empty()
                || predicate.open.len() < sentence.len()
        }),
    };
    if !has_something || sentence.is_empty() {
        return false;
    }
    if options.mode.has_syntax() && sentence.len() > crate::LONGEST {
        losses.long_sentences += 1;
        return false;
    }
    if options.mode == Mode::Oracle && SyntaxSide::known(options.syntax, sentence).is_none() {
        losses.without_tree += 1;
        return false;
    }
    true
}

fn insert_kinds(sentence: &Sentence, task: SemanticTask, kinds: &mut Codes) {
    let said = &sentence.semantics;
    match task {
        SemanticTask::Entities => kept_entities(sentence).iter().for_each(|&number| {
            kinds.insert(&said.entities[number].kind);
        }),
        SemanticTask::Relations => {
            for relation in &said.relations {
                let (first, second) = (said.entities.get(relation.first), said.entities.get(relation.second));
                if let (Some(first), Some(second)) = (first, second) {
                    kinds.insert(&arrow(&relation.kind, first.span.start() < second.span.start()));
                }
            }
        }
        SemanticTask::Roles => {
            for number in kept_predicates(sentence) {
                said.predicates[number].arguments.iter().for_each(|argument| {
                    kinds.insert(&argument.role);
                });
            }
        }
    }
}

/// Sentences that ask weights to move.
pub(super) struct SemanticTraining<'a> {
    pub(super) model: &'a SemanticModel,
    pub(super) sentences: &'a [&'a Sentence],
    pub(super) kept: Option<&'a [Kept]>,
}

impl Examples for SemanticTraining<'_> {
    fn n_examples(&self) -> usize {
        self.sentences.len()
    }

    fn n_weights(&self) -> usize {
        self.model.index.n_weights()
    }

    fn gradient(
        &self,
        example: usize,
        weights: &Weights,
        scratch: &mut GradientScratch,
    ) -> Result<Gradient, Error> {
        let (model, sentence) = (self.model, self.sentences[example]);
        let laid = model.lay(sentence, weights, self.kept.map(|kept| &kept[example]), true)?;
        let free = Evidence::none(&laid.graph);
        let mut clamped = free.clone();
        laid.know_task(model, sentence, &mut clamped);
        if model.options.mode == Mode::Joint {
            laid.know_syntax(sentence, &mut clamped);
        }
        scratch.gradient(
            sentence,
            (&laid.graph, &laid.features),
            (&clamped, &free),
            &model.options.propagation,
        )
    }
}
