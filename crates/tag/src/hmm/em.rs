//! Expectation and maximisation.

use std::convert::Infallible;

use chain::container::crc64;
use chain::fit::{self, FitError, FitOptions, FitStart, Fitted};
use chain::{Objective, Observer, Rng, RunError, Start, Sweep, Workers};
use serde::{Deserialize, Serialize};

use super::{Hmm, HmmPrior, Lattice, Lexicon, Order, TagCounts, Trellis};

/// How long EM goes on.
#[derive(Debug, Clone, PartialEq)]
pub struct Em {
    /// Iterations at most.
    pub iterations: usize,
    /// It stops when the objective grows by less than this share of itself.
    pub tolerance: f64,
}

impl Default for Em {
    fn default() -> Em {
        Em { iterations: 50, tolerance: 1e-5 }
    }
}

/// What a model was worth before it was estimated again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Iteration {
    /// The logarithm of the probability of the text.
    pub ln_likelihood: f64,
    /// The same plus the logarithm of the prior: this never falls.
    pub objective: f64,
}

/// Sentences are counted in blocks of this size, whatever the threads.
const BLOCK: usize = 512;

/// Memory for a sentence.
type Scratch = (Trellis, Lattice);

/// Counts and the logarithm of the total weight, over sentences 0 to `n_sentences`.
///
/// `lay` puts a sentence into a lattice. A sentence without any possible sequence adds nothing.
pub fn expect(
    n_sentences: usize,
    lay: &(dyn Fn(usize, &mut Lattice) + Sync),
    model: (Order, usize, &[f64]),
    n_slots: usize,
    workers: &Workers,
) -> (TagCounts, f64) {
    let (order, n_tags, next) = model;
    let empty = || {
        let memory = (Trellis::new(order, n_tags), Lattice::default());
        (TagCounts::zero(order, n_tags, n_slots), 0.0, memory)
    };
    let add = |sum: &mut (TagCounts, f64, Scratch), number: usize| {
        sum.1 += count(|lattice| lay(number, lattice), next, &mut sum.2, &mut sum.0);
    };
    let (counts, total, _) = workers.fold(n_sentences, BLOCK, empty, add, |sum, more| {
        sum.0.add(&more.0, 1.0);
        sum.1 += more.1;
    });
    (counts, total)
}

/// Adds what is expected of a sentence; returns the logarithm of its total weight, or 0 if nothing is possible.
fn count(
    lay: impl FnOnce(&mut Lattice),
    next: &[f64],
    (trellis, lattice): &mut Scratch,
    counts: &mut TagCounts,
) -> f64 {
    lattice.clear();
    lay(lattice);
    let Some(ln) = trellis.fill(lattice, next) else { return 0.0 };
    trellis.count(lattice, next, 1.0, &mut counts.transitions, &mut counts.emissions);
    ln
}

/// A text whose tags are to be estimated by EM.
#[derive(Clone, Copy)]
pub struct Estimation<'t> {
    /// The model to begin with.
    pub start: &'t Hmm,
    /// How many sentences there are.
    pub n_sentences: usize,
    /// Puts a sentence into a lattice, with the weights of a model's emissions.
    pub lay: &'t (dyn Fn(&Hmm, usize, &mut Lattice) + Sync),
    /// The tags of words.
    pub lexicon: &'t Lexicon,
    /// Counts that are there before any others.
    pub prior: &'t HmmPrior,
}

/// A model on its way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The model now.
    pub hmm: Hmm,
    /// The logarithm of the probability of the text before each iteration.
    pub ln_likelihoods: Vec<f64>,
}

impl Estimation<'_> {
    /// Improves the model until its objective hardly grows, from the start or from a checkpoint.
    pub fn fit(
        &self,
        options: &Em,
        start: FitStart<Estimate>,
        observer: &mut dyn Observer<Fitted<Estimate>>,
        workers: &Workers,
    ) -> Result<(Hmm, Vec<Iteration>), RunError<FitError<Infallible>>> {
        if options.iterations == 0 {
            return Ok((self.start.clone(), Vec::new()));
        }
        let options = FitOptions {
            max_iterations: u32::try_from(options.iterations).unwrap_or(u32::MAX),
            tolerance: options.tolerance,
            batch: None,
            block: BLOCK,
            seed: 0,
        };
        let Fitted { params, history } = fit::fit(self, &options, start, observer, workers)?.into_fitted();
        let values = params.ln_likelihoods.into_iter().zip(history);
        let trace = values.map(|(ln_likelihood, objective)| Iteration { ln_likelihood, objective });
        Ok((params.hmm, trace.collect()))
    }
}

impl Objective for Estimation<'_> {
    type Params = Estimate;
    /// Counts, and the logarithm of the probability of what they are from.
    type Counts = (TagCounts, f64);
    type Scratch = Scratch;
    type Error = Infallible;
    const KIND: &'static str = "tag/hmm";

    fn start(&self, _: &Sweep<'_>) -> Result<Estimate, Infallible> {
        Ok(Estimate { hmm: self.start.clone(), ln_likelihoods: Vec::new() })
    }

    fn n_items(&self) -> usize {
        self.n_sentences
    }

    fn no_counts(&self) -> (TagCounts, f64) {
        (TagCounts::zero(self.start.order, self.start.n_tags, self.lexicon.len()), 0.0)
    }

    fn scratch(&self) -> Scratch {
        (Trellis::new(self.start.order, self.start.n_tags), Lattice::default())
    }

    fn expect(
        &self,
        Estimate { hmm, .. }: &Estimate,
        sentence: usize,
        _: &mut Rng,
        scratch: &mut Scratch,
        (counts, total): &mut (TagCounts, f64),
    ) -> Result<f64, Infallible> {
        let ln = count(|lattice| (self.lay)(hmm, sentence, lattice), &hmm.next, scratch, counts);
        *total += ln;
        Ok(ln)
    }

    fn merge(&self, earlier: &mut (TagCounts, f64), later: (TagCounts, f64)) {
        earlier.0.add(&later.0, 1.0);
        earlier.1 += later.1;
    }

    fn maximise(
        &self,
        estimate: &mut Estimate,
        (counts, total): (TagCounts, f64),
        _: &Sweep<'_>,
    ) -> Result<(), Infallible> {
        estimate.ln_likelihoods.push(total);
        estimate.hmm = Hmm::estimate(estimate.hmm.order, self.lexicon, &counts, self.prior);
        Ok(())
    }

    fn prior(&self, estimate: &Estimate) -> f64 {
        estimate.hmm.ln_prior(self.prior)
    }

    fn has_converged(&self, before: f64, now: f64, tolerance: f64) -> bool {
        now - before < tolerance * now.abs()
    }

    /// A prior may rule out what the text has; the text goes on without it.
    fn is_hopeless(&self, _: f64) -> bool {
        false
    }

    fn fingerprint(&self) -> u64 {
        let HmmPrior { transitions, emissions, unseen } = self.prior;
        let lists = [&self.start.next, &self.start.emit, transitions, emissions, unseen];
        let numbers = lists.into_iter().flatten().flat_map(|value| value.to_le_bytes());
        crc64(&numbers.chain((self.n_sentences as u64).to_le_bytes()).collect::<Vec<u8>>())
    }
}

/// Improves a model until its objective hardly grows.
///
/// `lay` puts a sentence into a lattice, with the weights of a model's emissions.
pub fn em(
    start: Hmm,
    n_sentences: usize,
    lay: &(dyn Fn(&Hmm, usize, &mut Lattice) + Sync),
    lexicon: &Lexicon,
    prior: &HmmPrior,
    options: &Em,
    workers: &Workers,
) -> (Hmm, Vec<Iteration>) {
    let estimation = Estimation { start: &start, n_sentences, lay, lexicon, prior };
    let found = estimation.fit(options, Start::Fresh, &mut (), workers);
    found.expect("there is no checkpoint to refuse, and nobody who watches")
}
