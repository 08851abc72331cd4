//! Expectation and maximisation.

use chain::Workers;

use super::{Counts, Hmm, Lattice, Lexicon, Order, Prior, Trellis};

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

/// Counts and the logarithm of the total weight, over sentences 0 to `n_sentences`.
///
/// `lay` puts a sentence into a lattice. A sentence without any possible sequence adds nothing.
pub fn expect(
    n_sentences: usize,
    lay: &(dyn Fn(usize, &mut Lattice) + Sync),
    model: (Order, usize, &[f64]),
    n_slots: usize,
    workers: &Workers,
) -> (Counts, f64) {
    let (order, n_tags, next) = model;
    let empty = || {
        let memory = (Trellis::new(order, n_tags), Lattice::default());
        (Counts::zero(order, n_tags, n_slots), 0.0, memory)
    };
    let add = |sum: &mut (Counts, f64, (Trellis, Lattice)), number: usize| {
        let (counts, total, (trellis, lattice)) = sum;
        lattice.clear();
        lay(number, lattice);
        if let Some(ln) = trellis.fill(lattice, next) {
            *total += ln;
            trellis.count(lattice, next, 1.0, &mut counts.transitions, &mut counts.emissions);
        }
    };
    let (counts, total, _) = workers.fold(n_sentences, BLOCK, empty, add, |sum, more| {
        sum.0.add(&more.0, 1.0);
        sum.1 += more.1;
    });
    (counts, total)
}

/// Improves a model until its objective hardly grows.
///
/// `lay` puts a sentence into a lattice, with the weights of a model's emissions.
pub fn em(
    start: Hmm,
    n_sentences: usize,
    lay: &(dyn Fn(&Hmm, usize, &mut Lattice) + Sync),
    lexicon: &Lexicon,
    prior: &Prior,
    options: &Em,
    workers: &Workers,
) -> (Hmm, Vec<Iteration>) {
    let (mut hmm, mut trace) = (start, Vec::<Iteration>::new());
    for _ in 0..options.iterations {
        let model = (hmm.order, hmm.n_tags, hmm.next.as_slice());
        let lay = |number: usize, lattice: &mut Lattice| lay(&hmm, number, lattice);
        let (counts, ln_likelihood) = expect(n_sentences, &lay, model, lexicon.len(), workers);
        let now = Iteration { ln_likelihood, objective: ln_likelihood + hmm.ln_prior(prior) };
        let grown = trace.last().map(|last| now.objective - last.objective);
        trace.push(now);
        hmm = Hmm::estimate(hmm.order, lexicon, &counts, prior);
        if grown.is_some_and(|grown| grown < options.tolerance * now.objective.abs()) {
            break;
        }
    }
    (hmm, trace)
}
