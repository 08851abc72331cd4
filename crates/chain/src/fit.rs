//! EM, variational Bayes and stochastic gradients, run by the same driver as the samplers.
//!
//! A pass is a sweep, so whatever watches, saves, stops and resumes a sampler does the same for a fit. Steps along
//! gradients are passes in portions: see [`crate::descent`].
//!
//! ```
//! use std::convert::Infallible;
//! use chain::{FitOptions, Objective, Rng, Start, Sweep, Workers, fit};
//!
//! /// The mean of numbers, as the centre of a normal distribution with the variance 1.
//! struct Mean([f64; 3]);
//! impl Objective for Mean {
//!     type Params = f64;
//!     type Counts = f64;
//!     type Scratch = ();
//!     type Error = Infallible;
//!     const KIND: &'static str = "mean";
//!     fn expect(
//!         &self,
//!         mean: &f64,
//!         item: usize,
//!         _: &mut Rng,
//!         (): &mut (),
//!         sum: &mut f64,
//!     ) -> Result<f64, Infallible> {
//!         *sum += self.0[item];
//!         Ok(-(self.0[item] - mean).powi(2) / 2.0)
//!     }
//!     fn maximise(&self, mean: &mut f64, sum: f64, _: &Sweep<'_>) -> Result<(), Infallible> {
//!         *mean = sum / 3.0;
//!         Ok(())
//!     }
//! #     fn start(&self, _: &Sweep<'_>) -> Result<f64, Infallible> { Ok(0.0) }
//! #     fn n_items(&self) -> usize { self.0.len() }
//! #     fn no_counts(&self) -> f64 { 0.0 }
//! #     fn scratch(&self) {}
//! #     fn merge(&self, earlier: &mut f64, later: f64) { *earlier += later; }
//! }
//! let fit = fit::fit(&Mean([1.0, 2.0, 6.0]), &FitOptions::default(), Start::Fresh, &mut (), &Workers::serial())?;
//! assert_eq!((fit.fitted().params, fit.converged), (3.0, true));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::checkpoint::{Checkpoint, Start};
use crate::error::{Error, RunError};
use crate::kernel::Kernel;
use crate::observe::{Memory, Observer, Progress, Stop};
use crate::sample;
use crate::schedule::Schedule;
use crate::sweep::Sweep;
use crate::workers::Workers;
use num::streams::Rng;

/// Something to be maximised by expecting per item, merging in order and maximising.
pub trait Objective: Sync {
    /// What is fitted.
    type Params: Clone + Send + Sync + Serialize + DeserializeOwned;
    /// What the items are summed up in: expected counts, or a gradient.
    type Counts: Send;
    /// Memory that a thread uses again from item to item; `()` if there is nothing to be saved by it.
    type Scratch;
    /// What may go wrong.
    type Error: std::error::Error + Send + 'static;
    /// The name that checkpoints carry.
    const KIND: &'static str;
    /// Raise this when `Params` changes its shape.
    const VERSION: u32 = 1;

    /// Where to begin.
    fn start(&self, sweep: &Sweep<'_>) -> Result<Self::Params, Self::Error>;

    /// How many items there are.
    fn n_items(&self) -> usize;

    /// The order of the items in a pass that is made in portions.
    fn order(&self, _params: &Self::Params, sweep: &Sweep<'_>) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.n_items()).collect();
        sweep.rng_for("order").shuffle(&mut order);
        order
    }

    /// Counts before anything was counted.
    fn no_counts(&self) -> Self::Counts;

    /// Memory for a thread; what an item leaves in it must not matter to the next one.
    fn scratch(&self) -> Self::Scratch;

    /// Adds the expectations of one item and returns its share of the value, its log-likelihood.
    fn expect(
        &self,
        params: &Self::Params,
        item: usize,
        rng: &mut Rng,
        scratch: &mut Self::Scratch,
        counts: &mut Self::Counts,
    ) -> Result<f64, Self::Error>;

    /// Adds the counts of later items to those of earlier ones.
    fn merge(&self, earlier: &mut Self::Counts, later: Self::Counts);

    /// Replaces the parameters by better ones.
    fn maximise(
        &self,
        params: &mut Self::Params,
        counts: Self::Counts,
        sweep: &Sweep<'_>,
    ) -> Result<(), Self::Error>;

    /// Called when a pass is over, after the last step.
    fn end_pass(&self, _params: &mut Self::Params) {}

    /// The part of the value that belongs to no item: a log prior, or a divergence.
    fn prior(&self, _params: &Self::Params) -> f64 {
        0.0
    }

    /// Whether a pass that began with the value `now`, after one that began with `before`, has changed it little enough.
    fn has_converged(&self, before: f64, now: f64, tolerance: f64) -> bool {
        tolerance > 0.0 && (now - before).abs() <= tolerance * (1.0 + now.abs())
    }

    /// Whether a value ends the fit: by default one that is no number or infinite.
    fn is_hopeless(&self, value: f64) -> bool {
        !value.is_finite()
    }

    /// A checksum of data and settings; see [`Kernel::fingerprint`].
    fn fingerprint(&self) -> u64 {
        0
    }
}

/// When to stop, and in which portions to work.
#[derive(Clone, Debug, PartialEq)]
pub struct FitOptions {
    /// At most this many passes over the items.
    pub max_iterations: u32,
    /// Stop when a pass changes the value v by no more than `tolerance · (1 + |v|)`; 0 never stops early. An objective may
    /// have a rule of its own: [`Objective::has_converged`].
    pub tolerance: f64,
    /// Maximise after this many items in random order; `None` for all items in their own order.
    pub batch: Option<usize>,
    /// Items per block of the ordered sum. Another size gives other roundings.
    pub block: usize,
    /// The seed of all random streams.
    pub seed: u64,
}

impl Default for FitOptions {
    fn default() -> FitOptions {
        FitOptions { max_iterations: 100, tolerance: 1e-6, batch: None, block: 16, seed: 0 }
    }
}

/// Parameters on their way, and the value before each pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fitted<P> {
    /// The parameters now.
    pub params: P,
    /// `history[i]` is the value of the parameters that pass i started with. With batches it is the sum
    /// of the items' values, each under the parameters of its turn.
    pub history: Vec<f64>,
}

/// What a fit leaves behind.
#[derive(Clone, Debug)]
pub struct Fit<P> {
    /// Whether the tolerance was reached.
    pub converged: bool,
    /// Why the fit ended before `max_iterations`, if so.
    pub stop: Option<Stop>,
    /// The parameters, and what is needed to go on from there.
    pub checkpoint: Checkpoint<Fitted<P>>,
}

impl<P> Fit<P> {
    /// The parameters and the history of the value.
    pub fn fitted(&self) -> &Fitted<P> {
        &self.checkpoint.states[0]
    }

    /// The same, without a copy: the parameters may be many.
    pub fn into_fitted(mut self) -> Fitted<P> {
        self.checkpoint.states.swap_remove(0)
    }
}

/// Why a pass failed.
#[derive(Debug, thiserror::Error)]
pub enum FitError<E: std::error::Error + 'static> {
    /// The objective gave up.
    #[error(transparent)]
    Objective(E),
    /// The value is no number, or infinite.
    #[error("the value became {value}; an item is impossible under the parameters, or a step was too long")]
    NotFinite {
        /// The value.
        value: f64,
    },
}

/// The checkpoints of a fit, see [`Start`].
pub type FitStart<P> = Start<Fitted<P>>;

/// Maximises an objective until the tolerance or the last iteration is reached.
///
/// Same bits at any number of threads, and resumed equals straight, as for [`sample::run`].
pub fn fit<O: Objective>(
    objective: &O,
    options: &FitOptions,
    start: FitStart<O::Params>,
    observer: &mut dyn Observer<Fitted<O::Params>>,
    workers: &Workers,
) -> Result<Fit<O::Params>, RunError<FitError<O::Error>>> {
    options.check()?;
    let kernel = Passes { objective, options };
    let mut observer = UntilConverged { kernel: &kernel, inner: observer };
    let schedule = kernel.schedule_from(&start);
    let outcome = sample::run(&kernel, &schedule, start, &mut observer, workers)?;
    let converged = kernel.has_converged(&outcome.checkpoint.states[0]);
    Ok(Fit { converged, stop: outcome.stop, checkpoint: outcome.checkpoint })
}

/// One pass over the items, for a kernel whose sweep is made of several passes.
pub fn pass<O: Objective>(
    objective: &O,
    options: &FitOptions,
    fitted: &mut Fitted<O::Params>,
    sweep: &Sweep<'_>,
) -> Result<(), FitError<O::Error>> {
    Passes { objective, options }.sweep(fitted, sweep)
}

/// Reads a checkpoint that a fit of this kind of objective has written.
pub fn read_checkpoint<O: Objective>(path: &Path) -> Result<Checkpoint<Fitted<O::Params>>, Error> {
    Checkpoint::read::<Passes<'_, O>>(path)
}

/// What a checkpoint of this objective with these options is known by.
pub(crate) fn fingerprint<O: Objective>(objective: &O, options: &FitOptions) -> u64 {
    let batch = options.batch.map_or(0, |n| n as u64);
    objective.fingerprint() ^ batch.rotate_left(32) ^ (options.block as u64).rotate_left(48)
}

impl FitOptions {
    /// One chain of as many sweeps as there are passes.
    pub(crate) fn schedule(&self) -> Schedule {
        Schedule { burn_in: 0, samples: self.max_iterations, thin: 1, seed: self.seed, chains: 1 }
    }

    fn check(&self) -> Result<(), Error> {
        let refuse = |field, advice| Err(Error::Schedule { field, value: 0, advice });
        match self {
            FitOptions { max_iterations: 0, .. } => refuse("max_iterations", "use at least 1"),
            FitOptions { batch: Some(0), .. } => refuse("batch", "use at least 1, or none for all items"),
            FitOptions { block: 0, .. } => refuse("block", "use at least 1"),
            _ => Ok(()),
        }
    }
}

/// An objective seen as a kernel whose sweep is one pass over the items.
struct Passes<'a, O> {
    objective: &'a O,
    options: &'a FitOptions,
}

impl<O: Objective> Kernel for Passes<'_, O> {
    type State = Fitted<O::Params>;
    type Error = FitError<O::Error>;
    const KIND: &'static str = O::KIND;
    const VERSION: u32 = O::VERSION;

    fn start(&self, sweep: &Sweep<'_>) -> Result<Self::State, Self::Error> {
        let params = self.objective.start(sweep).map_err(FitError::Objective)?;
        Ok(Fitted { params, history: Vec::new() })
    }

    fn sweep(&self, state: &mut Self::State, sweep: &Sweep<'_>) -> Result<(), Self::Error> {
        let mut value = self.objective.prior(&state.params);
        let order = self.order(&state.params, sweep);
        for batch in order.chunks(self.options.batch.unwrap_or(usize::MAX)) {
            value += self.step(&mut state.params, batch, sweep)?;
        }
        self.objective.end_pass(&mut state.params);
        if self.objective.is_hopeless(value) {
            return Err(FitError::NotFinite { value });
        }
        state.history.push(value);
        Ok(())
    }

    fn log_joint(&self, state: &Self::State) -> Option<f64> {
        state.history.last().copied()
    }

    fn fingerprint(&self) -> u64 {
        fingerprint(self.objective, self.options)
    }
}

impl<O: Objective> Passes<'_, O> {
    fn order(&self, params: &O::Params, sweep: &Sweep<'_>) -> Vec<usize> {
        match self.options.batch {
            Some(_) => self.objective.order(params, sweep),
            None => (0..self.objective.n_items()).collect(),
        }
    }

    /// Expect, merge, maximise: returns the value of the items.
    fn step(
        &self,
        params: &mut O::Params,
        items: &[usize],
        sweep: &Sweep<'_>,
    ) -> Result<f64, FitError<O::Error>> {
        let objective = self.objective;
        let now = &*params;
        let empty = || (0.0, objective.no_counts());
        let add = |scratch: &mut O::Scratch, (value, counts): &mut (f64, O::Counts), i: usize| {
            *value += objective.expect(now, items[i], &mut sweep.rng(items[i]), scratch, counts)?;
            Ok(())
        };
        let merge = |earlier: &mut (f64, O::Counts), later: (f64, O::Counts)| {
            earlier.0 += later.0;
            objective.merge(&mut earlier.1, later.1);
        };
        let (value, counts) = sweep
            .workers()
            .try_fold_with(items.len(), self.options.block, || objective.scratch(), empty, add, merge)
            .map_err(FitError::Objective)?;
        objective.maximise(params, counts, sweep).map_err(FitError::Objective)?;
        Ok(value)
    }

    fn has_converged(&self, fitted: &Fitted<O::Params>) -> bool {
        match fitted.history[..] {
            [.., before, now] => self.objective.has_converged(before, now, self.options.tolerance),
            _ => false,
        }
    }

    /// A fit that had converged when it was saved has nothing left to do when it is resumed.
    fn schedule_from(&self, start: &FitStart<O::Params>) -> Schedule {
        let done = match start {
            Start::From(Checkpoint { sweep, states, .. })
                if states.iter().any(|state| self.has_converged(state)) =>
            {
                u32::try_from(*sweep).ok()
            }
            _ => None,
        };
        let schedule = self.options.schedule();
        Schedule { samples: done.unwrap_or(schedule.samples), ..schedule }
    }
}

/// The caller's observer, followed by a look at the last two values.
struct UntilConverged<'a, O: Objective> {
    kernel: &'a Passes<'a, O>,
    inner: &'a mut dyn Observer<Fitted<O::Params>>,
}

impl<O: Objective> Observer<Fitted<O::Params>> for UntilConverged<'_, O> {
    fn after_sweep(&mut self, at: &Progress, state: &Fitted<O::Params>) -> io::Result<ControlFlow<Stop>> {
        let wish = self.inner.after_sweep(at, state)?;
        let converged = wish.is_continue() && self.kernel.has_converged(state);
        Ok(if converged { ControlFlow::Break(Stop::Converged) } else { wish })
    }

    fn wants_checkpoint(&mut self, at: &Progress, ending: bool) -> bool {
        self.inner.wants_checkpoint(at, ending)
    }

    fn take_checkpoint(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.inner.take_checkpoint(bytes)
    }

    fn remember(&self, memory: &mut Memory) -> io::Result<()> {
        self.inner.remember(memory)
    }

    fn recall(&mut self, memory: &Memory) -> io::Result<()> {
        self.inner.recall(memory)
    }
}
