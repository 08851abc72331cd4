//! One stage of training, epoch by epoch.

use chain::descent::Loss;
use chain::{Start, Stream, Workers};

use super::course::{Course, Descent, Gradient, Walk, mean};
use super::learn::Learner;
use super::model::DependencyModel;
use super::options::Order;
use super::progress::{Epoch, LearnError, Stage, Watch};
use super::second_order::SecondOrderScratch;
use super::table::Table;
use super::tried::{Tried, accuracy};

/// What a stage is to do.
pub(super) struct StagePlan {
    pub(super) stage: Stage,
    pub(super) descent: Descent,
    pub(super) rehearsal: bool,
    /// A number of epochs that is known to be good.
    pub(super) limit: Option<usize>,
    /// Whether the number of epochs is chosen by trying the parser.
    pub(super) tried: bool,
    /// The number of the member of the ensemble.
    pub(super) member: usize,
}

/// What a stage begins with.
pub(super) struct StageMaterial<'m> {
    pub(super) n_examples: usize,
    pub(super) start: Table,
    /// What the stages before have learned.
    pub(super) model: &'m DependencyModel,
    /// Sentences to try the parser on.
    pub(super) dev: &'m [Tried],
}

impl StagePlan {
    /// The place of the stage among all stages of all members.
    fn number(&self, order: Order) -> usize {
        match order {
            Order::First => 2 * self.member + usize::from(self.stage == Stage::Relations),
            Order::Second => 3 * self.member + self.stage as usize,
        }
    }

    fn purpose(&self) -> &'static str {
        match self.stage {
            Stage::Arcs => "arcs",
            Stage::Second => "second",
            Stage::Relations => "relations",
        }
    }

    fn descent(&self) -> Descent {
        Descent { epochs: self.limit.unwrap_or(self.descent.epochs).max(1), ..self.descent }
    }
}

impl Learner<'_> {
    /// Runs a stage, or returns what it came to if that is known already; `None` if it was ended.
    pub(super) fn stage(
        &mut self,
        plan: &StagePlan,
        material: StageMaterial<'_>,
        gradient: impl Fn(&Learner<'_>, usize, &Table, &mut SecondOrderScratch) -> Option<Gradient> + Sync,
        workers: &Workers,
        watch: Watch<'_>,
    ) -> Result<Option<Table>, LearnError> {
        if let Some((table, epochs)) = self.state.finished.get(plan.number(self.options.order)) {
            self.steps.0 += *epochs as usize;
            return Ok(Some(table.clone()));
        }
        let StageMaterial { n_examples, start, model, dev } = material;
        let descent = plan.descent();
        let stream = Stream::new(self.options.seed).purpose(plan.purpose()).chain(plan.member as u32);
        let tries = plan.tried && plan.limit.is_none() && !dev.is_empty();
        let (mut state, mut steps) = (std::mem::take(&mut self.state), self.steps);
        let this = &*self;
        let gradient =
            |i: usize, table: &Table, scratch: &mut SecondOrderScratch| gradient(this, i, table, scratch);
        let walk = Walk { start, n_examples, scratch: SecondOrderScratch::default, gradient };
        let loss = Loss::new(&walk, &descent, stream);
        let start = match state.running.take() {
            None => Start::Fresh,
            Some(saved) => {
                steps.0 += saved.params.done();
                loss.resume(saved).ok_or(LearnError::Checkpoint("its weights are of another size"))?
            }
        };
        let mut is_ended = false;
        let course = loss.watched(start, workers, |course| {
            steps.0 += 1;
            let accuracy = tries.then(|| try_out(course, plan.stage, model, dev, &mut state.best, workers));
            let value = course.history.last().copied().unwrap_or_default();
            let epoch = Epoch {
                rehearsal: plan.rehearsal,
                stage: plan.stage,
                done: course.params.done(),
                total: descent.epochs,
                loss: (0.0 - value) / n_examples.max(1) as f64,
                accuracy,
                overall: (steps.0.min(steps.1), steps.1),
            };
            let flow = watch(&epoch, &|| state.encode(course));
            is_ended = flow.is_break();
            flow
        });
        let course = course.map_err(|_| LearnError::Checkpoint("it has other epochs"))?;
        (self.state, self.steps) = (state, steps);
        Ok((!is_ended).then(|| self.finish(&course)))
    }

    fn finish(&mut self, course: &Course) -> Table {
        let (epochs, table) = match self.state.best.take() {
            Some((_, epochs, table)) => (epochs, table),
            None => (course.params.done() as u32, mean(course)),
        };
        self.state.finished.push((table.clone(), epochs));
        table
    }
}

/// How well the parser does on other text; the weights with which it did best are kept.
fn try_out(
    course: &Course,
    stage: Stage,
    model: &DependencyModel,
    dev: &[Tried],
    best: &mut Option<(f64, u32, Table)>,
    workers: &Workers,
) -> f64 {
    let mut trial = model.clone();
    match stage {
        Stage::Arcs => trial.arcs = mean(course),
        Stage::Second => trial.second = Some(mean(course)),
        Stage::Relations => {}
    }
    let accuracy = accuracy(&trial.scorer(), dev, workers);
    if best.as_ref().is_none_or(|(best, ..)| accuracy > *best) {
        *best = Some((accuracy, course.params.done() as u32, mean(course)));
    }
    accuracy
}
