//! Learning by stochastic gradients: a fit whose passes are epochs and whose portions are batches.
//!
//! [`Examples`] give gradients, a [`Method`] moves weights by them, and a [`Loss`] puts both before the driver of
//! [`crate::fit`]. So an epoch is a sweep: it is watched, stopped, saved and resumed like one of a sampler.

mod ada_grad;
mod course;
mod penalised;

use std::convert::Infallible;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use num::streams::{Rng, Stream};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use ada_grad::{AdaGrad, Descent, Real, step_length};
pub use course::Course;
pub use penalised::{Learning, Pulls, Rule, Weights};

use crate::checkpoint::{Checkpoint, Start};
use crate::container::crc64;
use crate::error::{Error, RunError};
use crate::fit::{self, Fit, FitError, FitOptions, Fitted, Objective};
use crate::observe::{Each, Memory, Observer, Progress, Stop};
use crate::sweep::Sweep;
use crate::workers::Workers;

/// The loss of an example, and its gradient in some weights.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Gradient {
    /// The loss: −ln of the probability of what is known, for most models.
    pub loss: f64,
    /// Slots and derivatives of the loss; a slot may stand here several times.
    pub entries: Vec<(u32, f32)>,
}

impl Gradient {
    /// Adds a derivative in the weight of a slot.
    #[inline]
    pub fn push(&mut self, slot: usize, derivative: f32) {
        self.entries.push((slot as u32, derivative));
    }
}

/// Examples that weights are learned from.
pub trait Examples<W>: Sync {
    /// Memory of one thread.
    type Scratch;
    /// What may go wrong.
    type Error: std::error::Error + Send + 'static;

    /// The weights to begin with.
    fn start(&self) -> W;

    /// How many weights there are.
    fn n_weights(&self) -> usize;

    /// How many examples there are.
    fn n_examples(&self) -> usize;

    /// Memory for a thread; what an example leaves in it must not matter to the next one.
    fn scratch(&self) -> Self::Scratch;

    /// The gradient of one of them; `None` if nothing can be learned from it.
    fn gradient(
        &self,
        example: usize,
        weights: &W,
        scratch: &mut Self::Scratch,
    ) -> Result<Option<Gradient>, Self::Error>;
}

/// How weights are moved by gradients.
pub trait Method<W>: Sync + Debug {
    /// What is remembered from step to step.
    type Memory: Clone + Send + Sync + Serialize + DeserializeOwned;

    /// Walks through the examples.
    fn epochs(&self) -> usize;

    /// Examples between two steps.
    fn batch(&self) -> usize;

    /// What is remembered before the first step.
    fn memory(&self, weights: &W) -> Self::Memory;

    /// Takes the step that the gradients of a batch, out of so many examples, ask for.
    fn step(&self, weights: &mut W, memory: &mut Self::Memory, batch: &Batch, n_examples: usize);

    /// Whether weights count for the mean after so many epochs.
    fn counts(&self, done: usize) -> bool;
}

/// Weights of which a mean can be taken.
pub trait Averaged {
    /// How many there are.
    fn n_weights(&self) -> usize;

    /// Adds every weight to its sum.
    fn add_to(&self, sums: &mut [f32]);
}

/// Weights as a list.
impl<W: AsRef<[f32]>> Averaged for W {
    fn n_weights(&self) -> usize {
        self.as_ref().len()
    }

    fn add_to(&self, sums: &mut [f32]) {
        sums.iter_mut().zip(self.as_ref()).for_each(|(sum, weight)| *sum += weight);
    }
}

/// The loss of examples, to be brought down by the steps of a method.
#[derive(Debug, Clone, Copy)]
pub struct Loss<'a, W, M, X> {
    examples: &'a X,
    method: &'a M,
    /// Where the order of the examples comes from: epoch i, from 0, has the order of item i.
    stream: Stream,
    fingerprint: u64,
    weights: PhantomData<fn() -> W>,
}

/// What weights become on their way.
pub type State<W, M> = Fitted<Course<W, <M as Method<W>>::Memory>>;

/// What a descent leaves behind.
pub type Descended<W, M> = Fit<Course<W, <M as Method<W>>::Memory>>;

/// Why an epoch failed.
pub type EpochError<W, X> = FitError<<X as Examples<W>>::Error>;

impl<'a, W, M, X> Loss<'a, W, M, X>
where
    W: Averaged + Clone + Send + Sync + Serialize + DeserializeOwned,
    M: Method<W>,
    X: Examples<W>,
{
    /// The loss of these examples.
    pub fn new(examples: &'a X, method: &'a M, stream: Stream) -> Loss<'a, W, M, X> {
        Loss { examples, method, stream, fingerprint: 0, weights: PhantomData }
    }

    /// With a checksum of data and settings beside those of the method; see [`crate::Kernel::fingerprint`].
    pub fn with_fingerprint(self, fingerprint: u64) -> Loss<'a, W, M, X> {
        Loss { fingerprint, ..self }
    }

    /// All epochs, or those that a checkpoint left to do.
    pub fn descend(
        &self,
        start: Start<State<W, M>>,
        observer: &mut dyn Observer<State<W, M>>,
        workers: &Workers,
    ) -> Result<Descended<W, M>, RunError<EpochError<W, X>>> {
        fit::fit(self, &self.options(), start, observer, workers)
    }

    /// Like [`Loss::descend`] for examples that cannot fail, with a closure that sees every epoch and may end it. What is
    /// refused is a checkpoint of another run.
    pub fn watched(
        &self,
        start: Start<State<W, M>>,
        workers: &Workers,
        mut watch: impl FnMut(&State<W, M>) -> ControlFlow<()>,
    ) -> Result<State<W, M>, Error>
    where
        X: Examples<W, Error = Infallible>,
    {
        let mut observer = Each(|_: &Progress, state: &State<W, M>| match watch(state) {
            ControlFlow::Continue(()) => Ok(ControlFlow::Continue(())),
            ControlFlow::Break(()) => Ok(ControlFlow::Break(Stop::Interrupted)),
        });
        match self.descend(start, &mut observer, workers) {
            Ok(done) => Ok(done.into_fitted()),
            Err(RunError::Setup(error)) => Err(error),
            Err(RunError::Kernel { .. } | RunError::Observer { .. }) => {
                unreachable!("neither the examples nor the closure can fail")
            }
        }
    }

    /// The state before the first epoch.
    pub fn begin(&self) -> State<W, M> {
        Fitted { params: Course::new(self.examples.start(), self.method), history: Vec::new() }
    }

    /// One more epoch, for a kernel whose sweep is made of several.
    pub fn epoch(&self, state: &mut State<W, M>, workers: &Workers) -> Result<(), EpochError<W, X>> {
        let number = state.params.done() as u64 + 1;
        fit::pass(self, &self.options(), state, &Sweep::new(0, 0, number, workers))
    }

    /// Where a state was left; `None` if it is of another number of weights. For runs of several parts, whose checkpoints
    /// hold more than one such state; see [`crate::fit::read_checkpoint`] for those of one.
    pub fn resume(&self, state: State<W, M>) -> Option<Start<State<W, M>>> {
        let fits = state.params.weights.n_weights() == self.examples.n_weights();
        fits.then(|| {
            Start::From(Checkpoint {
                fingerprint: fit::fingerprint(self, &self.options()),
                schedule: self.options().schedule(),
                sweep: state.history.len() as u64,
                states: vec![state],
                memory: Memory::default(),
            })
        })
    }

    fn options(&self) -> FitOptions {
        FitOptions {
            max_iterations: self.method.epochs().max(1) as u32,
            tolerance: 0.0,
            batch: Some(self.method.batch().max(1)),
            // Examples take long and gradients little room, so that each is a block of its own.
            block: 1,
            seed: 0,
        }
    }
}

/// Gradients of the examples of a batch, in their order.
#[derive(Debug, Default)]
pub struct Batch {
    /// The gradients, as many as there are.
    pub gradients: Vec<Gradient>,
    /// How many examples there are, with those of which nothing is learned.
    pub n_examples: usize,
}

impl<W, M, X> Objective for Loss<'_, W, M, X>
where
    W: Averaged + Clone + Send + Sync + Serialize + DeserializeOwned,
    M: Method<W>,
    X: Examples<W>,
{
    type Params = Course<W, M::Memory>;
    type Counts = Batch;
    type Scratch = X::Scratch;
    type Error = X::Error;
    const KIND: &'static str = "descent";

    fn start(&self, _: &Sweep<'_>) -> Result<Self::Params, X::Error> {
        Ok(self.begin().params)
    }

    fn n_items(&self) -> usize {
        self.examples.n_examples()
    }

    fn order(&self, course: &Self::Params, _: &Sweep<'_>) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.n_items()).collect();
        self.stream.item(course.done()).rng().shuffle(&mut order);
        order
    }

    fn no_counts(&self) -> Batch {
        Batch::default()
    }

    fn scratch(&self) -> X::Scratch {
        self.examples.scratch()
    }

    fn expect(
        &self,
        course: &Self::Params,
        example: usize,
        _: &mut Rng,
        scratch: &mut X::Scratch,
        batch: &mut Batch,
    ) -> Result<f64, X::Error> {
        batch.n_examples += 1;
        let Some(gradient) = self.examples.gradient(example, &course.weights, scratch)? else {
            return Ok(0.0);
        };
        let value = -gradient.loss;
        batch.gradients.push(gradient);
        Ok(value)
    }

    fn merge(&self, earlier: &mut Batch, mut later: Batch) {
        earlier.gradients.append(&mut later.gradients);
        earlier.n_examples += later.n_examples;
    }

    fn maximise(&self, course: &mut Self::Params, batch: Batch, _: &Sweep<'_>) -> Result<(), X::Error> {
        course.step(self.method, &batch, self.n_items());
        Ok(())
    }

    fn end_pass(&self, course: &mut Self::Params) {
        course.end_epoch(self.method);
    }

    /// A step that was too long may be mended by those after it.
    fn is_hopeless(&self, _: f64) -> bool {
        false
    }

    fn fingerprint(&self) -> u64 {
        let told = format!("{:?} {} {}", self.method, self.examples.n_weights(), self.fingerprint);
        crc64(told.as_bytes())
    }
}

#[cfg(test)]
mod tests;
