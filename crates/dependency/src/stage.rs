//! One stage of training, epoch by epoch.

use chain::{Stream, Workers};

use super::course::{Course, Descent, Gradient};
use super::learn::Learner;
use super::model::DependencyModel;
use super::options::Order;
use super::progress::{Epoch, LearnError, Stage, Watch};
use super::second_order::Scratch;
use super::table::Table;
use super::tried::{Tried, accuracy};

/// What a stage is to do.
pub(super) struct Plan {
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
pub(super) struct Material<'m> {
    pub(super) n_examples: usize,
    pub(super) start: Table,
    /// What the stages before have learned.
    pub(super) model: &'m DependencyModel,
    /// Sentences to try the parser on.
    pub(super) dev: &'m [Tried],
}

impl Plan {
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
        plan: &Plan,
        material: Material<'_>,
        gradient: impl Fn(&Learner<'_>, usize, &Table, &mut Scratch) -> Option<Gradient> + Sync,
        workers: &Workers,
        watch: Watch<'_>,
    ) -> Result<Option<Table>, LearnError> {
        if let Some((table, epochs)) = self.state.finished.get(plan.number(self.options.order)) {
            self.steps.0 += *epochs as usize;
            return Ok(Some(table.clone()));
        }
        let Material { n_examples, start, model, dev } = material;
        let descent = plan.descent();
        let mut course = self.course(start, &descent)?;
        let stream = Stream::new(self.options.seed).purpose(plan.purpose()).chain(plan.member as u32);
        let tries = plan.tried && plan.limit.is_none() && !dev.is_empty();
        while course.done() < descent.epochs {
            let this = &*self;
            let slope = |i: usize, table: &Table, scratch: &mut Scratch| gradient(this, i, table, scratch);
            let loss = course.epoch(n_examples, &descent, stream, workers, Scratch::default, slope);
            self.steps.0 += 1;
            let accuracy = tries.then(|| self.try_out(&course, plan.stage, model, dev, workers));
            let epoch = Epoch {
                rehearsal: plan.rehearsal,
                stage: plan.stage,
                done: course.done(),
                total: descent.epochs,
                loss: loss / n_examples.max(1) as f64,
                accuracy,
                overall: (self.steps.0.min(self.steps.1), self.steps.1),
            };
            if watch(&epoch, &|| self.state.encode(&course)).is_break() {
                return Ok(None);
            }
        }
        Ok(Some(self.finish(&course)))
    }

    /// Weights to begin with, or those that a checkpoint left.
    fn course(&mut self, start: Table, descent: &Descent) -> Result<Course, LearnError> {
        let Some(saved) = self.state.running.take() else { return Ok(Course::new(start, descent)) };
        let course = Course::resume(&saved, start.values.len(), descent)
            .ok_or(LearnError::Checkpoint("its weights are of another size"))?;
        self.steps.0 += course.done();
        Ok(course)
    }

    /// How well the parser does on other text; the weights with which it did best are kept.
    fn try_out(
        &mut self,
        course: &Course,
        stage: Stage,
        model: &DependencyModel,
        dev: &[Tried],
        workers: &Workers,
    ) -> f64 {
        let mut trial = model.clone();
        match stage {
            Stage::Arcs => trial.arcs = course.mean(),
            Stage::Second => trial.second = Some(course.mean()),
            Stage::Relations => {}
        }
        let accuracy = accuracy(&trial.scorer(), dev, workers);
        if self.state.best.as_ref().is_none_or(|(best, ..)| accuracy > *best) {
            self.state.best = Some((accuracy, course.done() as u32, course.mean()));
        }
        accuracy
    }

    fn finish(&mut self, course: &Course) -> Table {
        let (epochs, table) = match self.state.best.take() {
            Some((_, epochs, table)) => (epochs, table),
            None => (course.done() as u32, course.mean()),
        };
        self.state.finished.push((table.clone(), epochs));
        table
    }
}
