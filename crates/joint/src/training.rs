//! Epochs over examples, whatever the model is.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use bp::learn::{Features, gradients};
use bp::{Evidence, Graph, Messages};
use chain::descent::{self, Gradient, Learning, Loss, State, Weights};
use chain::{Start, Stream, Workers};

use crate::error::impossible_in;
use crate::{Error, Sentence};

/// What is told after an epoch.
#[derive(Debug)]
pub struct EpochProgress<'a> {
    /// Epochs that are over, and how many there will be.
    pub epoch: usize,
    /// Of how many.
    pub epochs: usize,
    /// Σ of the log-likelihoods of the examples while their weights moved.
    pub ln: f64,
    /// The state, for a checkpoint.
    pub course: &'a Course,
}

/// Weights on their way, as a checkpoint holds them.
pub type Course = State<Weights, Learning>;

/// Examples that ask weights to move.
pub(crate) trait Examples: Sync {
    fn n_examples(&self) -> usize;
    fn n_weights(&self) -> usize;
    fn gradient(
        &self,
        example: usize,
        weights: &Weights,
        scratch: &mut GradientScratch,
    ) -> Result<Gradient, Error>;
}

/// Memory for a gradient.
#[derive(Debug, Default)]
pub(crate) struct GradientScratch {
    pub(crate) messages: Messages,
    gradients: Vec<f64>,
}

impl GradientScratch {
    /// The gradient of ln Z(free) − ln Z(clamped) in the weights of features.
    pub(crate) fn gradient(
        &mut self,
        sentence: &Sentence,
        (graph, features): (&Graph, &Features),
        (clamped, free): (&Evidence, &Evidence),
        options: &bp::Options,
    ) -> Result<Gradient, Error> {
        let likelihood = gradients(&mut self.messages, graph, clamped, free, options, &mut self.gradients)
            .map_err(|error| impossible_in(sentence, error))?;
        let mut gradient = Gradient { loss: -likelihood.ln, entries: Vec::new() };
        features.descend(&self.gradients, &mut gradient.entries);
        Ok(gradient)
    }
}

/// Examples one of which may turn out to be impossible. The epoch goes on to its end, so that the fault of the first
/// example that has one is told, at any number of threads.
struct Faulty<'e, E> {
    examples: &'e E,
    fault: Mutex<Option<(usize, Error)>>,
}

impl<E: Examples> descent::Examples<Weights> for Faulty<'_, E> {
    type Scratch = GradientScratch;
    type Error = Infallible;

    fn start(&self) -> Weights {
        Weights::zero(self.n_weights())
    }

    fn n_weights(&self) -> usize {
        self.examples.n_weights()
    }

    fn n_examples(&self) -> usize {
        self.examples.n_examples()
    }

    fn scratch(&self) -> GradientScratch {
        GradientScratch::default()
    }

    fn gradient(
        &self,
        at: usize,
        weights: &Weights,
        scratch: &mut GradientScratch,
    ) -> Result<Option<Gradient>, Infallible> {
        let found = self.examples.gradient(at, weights, scratch);
        Ok(found.map_err(|error| self.note(at, error)).ok())
    }
}

impl<E> Faulty<'_, E> {
    fn note(&self, at: usize, error: Error) {
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        if fault.as_ref().is_none_or(|(first, _)| at < *first) {
            *fault = Some((at, error));
        }
    }

    fn has_fault(&self) -> bool {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

/// Weights after all epochs, or after as many as `observe` lets go by.
pub(crate) fn learn<E: Examples>(
    examples: &E,
    learning: Learning,
    start: Option<&Course>,
    seed: u64,
    workers: &Workers,
    mut observe: impl FnMut(&EpochProgress<'_>) -> ControlFlow<()>,
) -> Result<Weights, Error> {
    let faulty = Faulty { examples, fault: Mutex::new(None) };
    let loss = Loss::new(&faulty, &learning, Stream::new(seed));
    if learning.epochs == 0 {
        return Ok(loss.begin().params.finish());
    }
    let start = match start {
        None => Start::Fresh,
        Some(saved) => loss
            .resume(saved.clone())
            .ok_or(Error::OtherRun { reason: "it has another number of weights" })?,
    };
    let done = loss.watched(start, workers, |course| {
        let ln = course.history.last().copied().unwrap_or_default();
        let (epoch, epochs) = (course.params.done(), learning.epochs);
        match faulty.has_fault() {
            true => ControlFlow::Break(()),
            false => observe(&EpochProgress { epoch, epochs, ln, course }),
        }
    });
    match faulty.fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, error)) => Err(error),
        None => {
            let course = done.map_err(|_| Error::OtherRun { reason: "it has other settings" })?;
            Ok(course.params.finish())
        }
    }
}
