//! Epochs over examples, whatever the model is.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use bp::learn::{Course, Features, Learning, SavedCourse, Step, Weights, slopes};
use bp::{Evidence, Graph, Messages};
use chain::workers::Workers;
use num::streams::Stream;

use crate::error::impossible_in;
use crate::{Error, Sentence};

/// What is told after an epoch.
#[derive(Debug)]
pub struct Progress<'a> {
    /// Epochs that are over, and how many there will be.
    pub epoch: usize,
    /// Of how many.
    pub epochs: usize,
    /// Σ of the log-likelihoods of the examples while their weights moved.
    pub ln: f64,
    /// The state, for a checkpoint.
    pub course: &'a Course,
}

/// Examples that ask weights to move.
pub(crate) trait Examples: Sync {
    fn n_examples(&self) -> usize;
    fn n_weights(&self) -> usize;
    fn step(&self, example: usize, weights: &Weights, scratch: &mut Scratch) -> Result<Step, Error>;
}

/// Memory for a step.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) messages: Messages,
    slopes: Vec<f64>,
}

impl Scratch {
    /// What a sentence asks for: the slopes of ln Z(clamped) − ln Z(free) in the weights of features.
    pub(crate) fn step(
        &mut self,
        sentence: &Sentence,
        (graph, features): (&Graph, &Features),
        (clamped, free): (&Evidence, &Evidence),
        options: &bp::Options,
    ) -> Result<Step, Error> {
        let likelihood = slopes(&mut self.messages, graph, clamped, free, options, &mut self.slopes)
            .map_err(|error| impossible_in(sentence, error))?;
        let mut step = Step { ln: likelihood.ln, entries: Vec::new() };
        features.slopes(&self.slopes, &mut step.entries);
        Ok(step)
    }
}

/// Weights after all epochs, or after as many as `observe` lets go by.
pub(crate) fn learn<E: Examples>(
    examples: &E,
    learning: Learning,
    start: Option<&SavedCourse>,
    seed: u64,
    workers: &Workers,
    mut observe: impl FnMut(&Progress<'_>) -> ControlFlow<()>,
) -> Result<Weights, Error> {
    let n_weights = examples.n_weights();
    let mut course = match start {
        None => Course::new(Weights::zero(n_weights), learning),
        Some(saved) => Course::resume(saved, n_weights, learning)
            .ok_or(Error::OtherRun { reason: "it has another number of weights" })?,
    };
    let stream = Stream::new(seed);
    while course.done() < learning.epochs {
        // The fault of the first example that has one, at any number of threads.
        let fault: Mutex<Option<(usize, Error)>> = Mutex::new(None);
        let step = |at: usize, weights: &Weights, scratch: &mut Scratch| {
            examples.step(at, weights, scratch).unwrap_or_else(|error| {
                let mut fault = fault.lock().unwrap_or_else(PoisonError::into_inner);
                if fault.as_ref().is_none_or(|(first, _)| at < *first) {
                    *fault = Some((at, error));
                }
                Step::default()
            })
        };
        let ln = course.epoch(examples.n_examples(), stream, workers, Scratch::default, step);
        if let Some((_, error)) = fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let progress = Progress { epoch: course.done(), epochs: learning.epochs, ln, course: &course };
        if observe(&progress).is_break() {
            break;
        }
    }
    Ok(course.finish())
}
