//! Training: stage by stage, epoch by epoch.
//!
//! First come the weights of arcs, then, if asked for, those of the second order, then those of relations. If there is no other
//! text to try the parser on, a rehearsal without some of the sentences goes before, to learn how many epochs are good
//! and how sure the parser may be.

use chain::Workers;
use num::confidence::{Confidence, Guess};
use tree::{Sentence, Symbols};

use super::candidates::ArcFeatures;
use super::example::{Annotated, Example};
use super::fingerprint::fingerprint;
use super::labelled::Labelled;
use super::labels::{self, Labels};
use super::model::DependencyModel;
use super::options::{DependencyOptions, Order};
use super::prepare::{Prepared, is_wanted, relations};
use super::progress::{LearnError, Stage, Used, Watch};
use super::second_order::{self, SecondOrderScratch};
use super::stage::{StageMaterial, StagePlan};
use super::state::{Rehearsed, TrainingState};
use super::table::Table;
use super::templates::Templates;
use super::tried::{Tried, is_mostly_known, known_heads};
use super::{first_order, temperature};

/// A training that can be watched, stopped and taken up again.
#[derive(Debug)]
pub struct Learner<'a> {
    pub(super) options: &'a DependencyOptions,
    templates: Templates,
    data: &'a [Annotated],
    dev: &'a [Sentence],
    start: Option<&'a DependencyModel>,
    examples: Vec<Example>,
    /// The number in `data` of each example.
    numbers: Vec<usize>,
    names: Symbols,
    used: Used,
    pub(super) state: TrainingState,
    /// Epochs that are done, and how many there will be at most.
    pub(super) steps: (usize, usize),
}

/// Nothing is held out of fewer sentences.
pub const FEWEST_TO_HOLD_OUT: usize = 50;

/// What a training or a stage of it comes to; `None` if the one who watches ended it.
type Learned<T> = Result<Option<T>, LearnError>;

/// One training from beginning to end.
#[derive(Debug, Clone, Copy)]
struct Round<'r> {
    /// The examples that are learned from.
    chosen: &'r [usize],
    /// Sentences to try the parser on.
    dev: &'r [Tried],
    /// The number of the member of the ensemble.
    member: usize,
    rehearsal: bool,
    /// Numbers of epochs that are known to be good.
    limits: Option<[usize; 2]>,
    workers: &'r Workers,
}

impl<'a> Learner<'a> {
    /// Prepares to learn from `data`; `dev` is text with trees to try the parser on, and may be empty.
    pub fn new(
        data: &'a [Annotated],
        dev: &'a [Sentence],
        start: Option<&'a DependencyModel>,
        options: &'a DependencyOptions,
        workers: &Workers,
    ) -> Result<Learner<'a>, LearnError> {
        if options.order == Order::Second && !options.shape.projective {
            return Err(LearnError::Crossing);
        }
        let names = relations(data, start);
        check_size(options, names.len())?;
        let mut templates = Templates::read(&options.templates)?;
        templates.retain(|attribute| is_wanted(attribute, data, options));
        let Prepared { examples, numbers, used } = Prepared::new(data, options, workers);
        if examples.is_empty() {
            return Err(LearnError::Nothing);
        }
        let fingerprint = fingerprint(data, dev, start, options, workers);
        let state = TrainingState { fingerprint, ..TrainingState::default() };
        let steps = (0, 0);
        let mut learner =
            Learner { options, templates, data, dev, start, examples, numbers, names, used, state, steps };
        learner.steps.1 = learner.all_steps();
        Ok(learner)
    }

    /// How many epochs there will be at most, all stages together.
    pub fn n_epochs(&self) -> usize {
        self.steps.1
    }

    /// Which sentences are used.
    pub fn used(&self) -> Used {
        self.used
    }

    /// Takes up what a checkpoint left; a checkpoint of other data or options is refused.
    pub fn resume(&mut self, checkpoint: &[u8]) -> Result<(), LearnError> {
        self.state = TrainingState::decode(checkpoint, self.state.fingerprint)?;
        Ok(())
    }

    /// Learns; `None` if the one who watches ended it.
    pub fn run(mut self, workers: &Workers, watch: Watch<'_>) -> Result<Option<DependencyModel>, LearnError> {
        let all: Vec<usize> = (0..self.examples.len()).collect();
        if self.dev.is_empty() && self.rehearses() && self.state.rehearsed.is_none() {
            let Some(rehearsed) = self.rehearse(workers, watch)? else { return Ok(None) };
            self.state = TrainingState {
                fingerprint: self.state.fingerprint,
                rehearsed: Some(rehearsed),
                ..TrainingState::default()
            };
        }
        let rehearsed = self.state.rehearsed;
        if rehearsed.is_some() {
            self.steps.0 = self.steps.0.max(self.rehearsal_steps());
        }
        let limits = rehearsed.map(|rehearsed| [rehearsed.arcs as usize, rehearsed.second as usize]);
        let dev: Vec<Tried> = self.dev.iter().map(|sentence| Tried::new(sentence, self.options)).collect();
        let mut members = Vec::new();
        for member in 0..self.options.ensemble.max(1) {
            let round = Round { chosen: &all, dev: &dev, member, rehearsal: false, limits, workers };
            let Some(model) = self.learn(&round, watch)? else { return Ok(None) };
            members.push(model);
        }
        let mut model = DependencyModel::mean(members).ok_or(LearnError::Nothing)?;
        model.temperature = match rehearsed {
            Some(rehearsed) => rehearsed.temperature,
            None => temperature::fit(&model.scorer(), &dev, workers).unwrap_or(temperature::DEFAULT),
        };
        model.relation_confidence = match rehearsed {
            Some(rehearsed) => rehearsed.relations,
            None => confidence(&model.relation_guesses(self.dev, workers)),
        };
        model.condense();
        Ok(Some(model))
    }

    /// Enough sentences to hold some out.
    fn rehearses(&self) -> bool {
        self.options.held_out > 0.0 && self.examples.len() >= FEWEST_TO_HOLD_OUT
    }

    fn rehearse(&mut self, workers: &Workers, watch: Watch<'_>) -> Learned<Rehearsed> {
        let every = (1.0 / self.options.held_out).round().max(2.0) as usize;
        let (held, kept): (Vec<usize>, Vec<usize>) =
            (0..self.examples.len()).partition(|number| number % every == every / 2);
        let dev: Vec<Tried> = held
            .iter()
            .map(|&at| Tried {
                words: self.examples[at].words.clone(),
                heads: known_heads(&self.data[self.numbers[at]].possible),
            })
            .collect();
        let tried = if is_mostly_known(&dev) { &dev[..] } else { &[] };
        let round = Round { chosen: &kept, dev: tried, member: 0, rehearsal: true, limits: None, workers };
        let Some(model) = self.learn(&round, watch)? else { return Ok(None) };
        let epochs = |stage: usize| self.state.finished.get(stage).map_or(0, |(_, epochs)| *epochs);
        let temperature = temperature::fit(&model.scorer(), &dev, workers).unwrap_or(temperature::DEFAULT);
        let relations = confidence(&self.relation_guesses(&held, &model, workers));
        Ok(Some(Rehearsed { arcs: epochs(0), second: epochs(1), temperature, relations }))
    }

    /// How probable relations of known arcs are, and whether they are right.
    fn relation_guesses(&self, chosen: &[usize], model: &DependencyModel, workers: &Workers) -> Vec<Guess> {
        let scorer = model.scorer();
        let guesses = workers.map_with(chosen, SecondOrderScratch::default, |scratch, _, &at| {
            let item = &self.data[self.numbers[at]];
            let labelled = Labelled::new(item, &self.examples[at], &self.names, &scorer, scratch);
            let Labelled { features, known, .. } = labelled?;
            let guess = |&(word, label): &(usize, usize)| {
                let (name, confidence) = model.labels.best(&features, word)?;
                Some(Guess { confidence, is_right: self.names.get(label as u32) == Some(name) })
            };
            Some(known.iter().filter_map(guess).collect::<Vec<_>>())
        });
        guesses.into_iter().flatten().flatten().collect()
    }

    fn learn(&mut self, round: &Round<'_>, watch: Watch<'_>) -> Learned<DependencyModel> {
        let mut model = DependencyModel::blank(self.options.clone(), self.templates.clone());
        let Some(arcs) = self.learn_arcs(round, &model, watch)? else { return Ok(None) };
        model.arcs = arcs;
        if self.options.order == Order::Second {
            let Some(second) = self.learn_second(round, &model, watch)? else { return Ok(None) };
            model.second = Some(second);
        }
        if self.names.is_empty() {
            return Ok(Some(model));
        }
        let Some(labels) = self.learn_relations(round, &model, watch)? else { return Ok(None) };
        model.labels = labels;
        Ok(Some(model))
    }

    fn learn_arcs(&mut self, round: &Round<'_>, model: &DependencyModel, watch: Watch<'_>) -> Learned<Table> {
        let options = self.options;
        let Round { chosen, dev, rehearsal, limits, member, workers } = *round;
        // Arcs that only choose for the second order are not what the parser is tried for.
        let tried = options.order == Order::First;
        let descent = if tried { options.first } else { options.pruner };
        let limit = limits.map(|limits| limits[0]).filter(|_| tried);
        let plan = StagePlan { stage: Stage::Arcs, descent, rehearsal, limit, tried, member };
        let start = self.start_from(self.start.map(|start| &start.arcs));
        let gradient = |learner: &Learner<'_>, i: usize, table: &Table, scratch: &mut SecondOrderScratch| {
            let example = &learner.examples[chosen[i]];
            first_order::gradient(example, &learner.templates, table, options.shape, &mut scratch.first)
        };
        let material = StageMaterial { n_examples: chosen.len(), start, model, dev };
        self.stage(&plan, material, gradient, workers, watch)
    }

    fn learn_second(
        &mut self,
        round: &Round<'_>,
        model: &DependencyModel,
        watch: Watch<'_>,
    ) -> Learned<Table> {
        let options = self.options;
        let Round { chosen, dev, rehearsal, limits, member, workers } = *round;
        let left = self.promising(chosen, model, workers);
        let limit = limits.map(|limits| limits[1]);
        let plan = StagePlan {
            stage: Stage::Second,
            descent: options.second,
            rehearsal,
            limit,
            tried: true,
            member,
        };
        let start = self.start_from(self.start.and_then(|start| start.second.as_ref()));
        let gradient = |learner: &Learner<'_>, i: usize, table: &Table, scratch: &mut SecondOrderScratch| {
            let arcs = left[i].as_ref()?;
            let example = &learner.examples[chosen[i]];
            second_order::gradient(example, arcs, &learner.templates, table, options.shape, scratch)
        };
        let material = StageMaterial { n_examples: chosen.len(), start, model, dev };
        self.stage(&plan, material, gradient, workers, watch)
    }

    /// The arcs that the first order leaves of each example.
    fn promising(
        &self,
        chosen: &[usize],
        model: &DependencyModel,
        workers: &Workers,
    ) -> Vec<Option<Vec<(usize, usize)>>> {
        workers.map_with(chosen, SecondOrderScratch::default, |scratch, _, &at| {
            let example = &self.examples[at];
            let left_out = |word: usize| example.left_out[word];
            let first = &mut scratch.first;
            let features = ArcFeatures::new(&self.templates, &example.words);
            features.score(&model.arcs, left_out, &mut first.scores);
            self.options.pruning.of_example(example, self.options.shape, first)
        })
    }

    fn learn_relations(
        &mut self,
        round: &Round<'_>,
        model: &DependencyModel,
        watch: Watch<'_>,
    ) -> Learned<Labels> {
        let (n_labels, label_bits, workers) = (self.names.len(), self.label_bits(), round.workers);
        let scorer = model.scorer();
        let prepared = workers.map_with(round.chosen, SecondOrderScratch::default, |scratch, _, &at| {
            Labelled::new(&self.data[self.numbers[at]], &self.examples[at], &self.names, &scorer, scratch)
        });
        let prepared: Vec<Labelled> = prepared.into_iter().flatten().collect();
        let descent = self.options.labels;
        let plan = StagePlan {
            stage: Stage::Relations,
            descent,
            rehearsal: round.rehearsal,
            limit: None,
            tried: false,
            member: round.member,
        };
        let zero = || Table::zero(label_bits, n_labels);
        let start = self.start.map_or_else(zero, |start| start.labels.widened(label_bits, n_labels));
        let gradient = |_: &Learner<'_>, i: usize, table: &Table, _: &mut SecondOrderScratch| {
            let Labelled { features, known, weight } = &prepared[i];
            Some(labels::gradient(table, features, known, n_labels, *weight))
        };
        let material = StageMaterial { n_examples: prepared.len(), start, model, dev: &[] };
        let table = self.stage(&plan, material, gradient, workers, watch)?;
        Ok(table.map(|table| Labels { names: self.names.names().cloned().collect(), table }))
    }

    /// The weights of another model if there are as many, or zeros.
    fn start_from(&self, table: Option<&Table>) -> Table {
        table.cloned().unwrap_or_else(|| Table::zero(self.bits(self.options.bits, 256), 1))
    }

    /// As many bits as are asked for, or fewer if so many rows for each word are enough.
    fn bits(&self, most: u32, rows_per_word: usize) -> u32 {
        let n_words: usize = self.examples.iter().map(|example| example.words.n_words()).sum();
        let enough = (n_words * rows_per_word).next_power_of_two().trailing_zeros();
        most.min(enough.max(10))
    }

    /// Those of the relations to start from, if there are any.
    fn label_bits(&self) -> u32 {
        let known = self.start.map(|start| &start.labels).filter(|labels| !labels.names.is_empty());
        known.map_or_else(|| self.bits(self.options.label_bits, 16), |labels| labels.table.bits())
    }

    /// Epochs of all stages.
    fn rehearsal_steps(&self) -> usize {
        let relations = if self.names.is_empty() { 0 } else { self.options.labels.epochs };
        let trees = match self.options.order {
            Order::First => self.options.first.epochs,
            Order::Second => self.options.pruner.epochs + self.options.second.epochs,
        };
        trees + relations
    }

    fn all_steps(&self) -> usize {
        let rehearsals = usize::from(self.dev.is_empty() && self.rehearses());
        self.rehearsal_steps() * (rehearsals + self.options.ensemble.max(1))
    }
}

/// Fewer relations tell nothing of how often others are right.
const FEWEST_RELATIONS: usize = 50;

/// What corrects probabilities, if there are enough guesses to learn it from.
fn confidence(guesses: &[Guess]) -> Option<Confidence> {
    (guesses.len() >= FEWEST_RELATIONS).then(|| Confidence::fit(guesses))
}

/// Weights are numbered in 32 bits, and so many must fit in memory.
fn check_size(options: &DependencyOptions, n_labels: usize) -> Result<(), LearnError> {
    let sizes = 1..=28;
    let fits = sizes.contains(&options.bits)
        && sizes.contains(&options.label_bits)
        && n_labels <= 1 << 16
        && n_labels << options.label_bits <= 1 << 31;
    if fits { Ok(()) } else { Err(LearnError::Size) }
}
