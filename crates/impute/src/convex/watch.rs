//! Who watches training, and may stop it.

use std::ops::ControlFlow;

use super::{ConvexOptions, SolverProgress};

/// How far training is.
///
/// The trainings that temperatures are fitted on count like the last one, which leaves the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Frank–Wolfe steps that were taken, or are not needed any more.
    pub done: usize,
    /// The steps of all trainings, if none ends early.
    pub total: usize,
    /// The last step, of whichever training.
    pub last: Option<SolverProgress>,
}

/// Sentences that are worked on between two questions whether to go on.
pub(super) const CHUNK: usize = 64;

/// Passes on how far training is. Whatever returns `None` was stopped.
pub(super) struct Watch<'a> {
    step: Step,
    /// Steps of one training at most.
    each: usize,
    n_ended: usize,
    tell: Option<&'a mut dyn FnMut(Step) -> ControlFlow<()>>,
}

impl<'a> Watch<'a> {
    pub(super) fn new(
        n_trainings: usize,
        options: &ConvexOptions,
        tell: &'a mut dyn FnMut(Step) -> ControlFlow<()>,
    ) -> Watch<'a> {
        let each = options.max_iterations;
        let step = Step { done: 0, total: n_trainings * each, last: None };
        Watch { step, each, n_ended: 0, tell: Some(tell) }
    }

    /// Nobody looks.
    #[cfg(test)]
    pub(super) fn nobody() -> Watch<'static> {
        Watch { step: Step { done: 0, total: 0, last: None }, each: 0, n_ended: 0, tell: None }
    }

    /// Whether to go on.
    pub(super) fn ask(&mut self) -> Option<()> {
        let answer = self.tell.as_mut().map_or(ControlFlow::Continue(()), |tell| tell(self.step));
        answer.is_continue().then_some(())
    }

    /// A step was taken.
    pub(super) fn took(&mut self, progress: SolverProgress) -> Option<()> {
        self.step.done = (self.step.done + 1).min(self.step.total);
        self.step.last = Some(progress);
        self.ask()
    }

    /// A training has come to its end, or was not needed.
    pub(super) fn end(&mut self) -> Option<()> {
        self.n_ended += 1;
        self.step.done = (self.n_ended * self.each).min(self.step.total);
        self.ask()
    }
}
