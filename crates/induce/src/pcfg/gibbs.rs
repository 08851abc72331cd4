//! The Gibbs sampler of Johnson, Griffiths & Goldwater (2007): parameters given trees, trees given parameters.
//!
//! ```text
//! θ_k ~ Dirichlet(α_k + counts of the trees)      tree ~ p(tree | sentence, θ)
//! ```
//!
//! Trees are drawn from the top down after sums from the bottom up. With α below 1 most rules die out, so that the number
//! of nonterminals is the number that are allowed, not the number that is used.

use std::convert::Infallible;

use chain::observe::Tally;
use chain::{Kernel, Sweep};
use grammar::cnf::Tree;
use serde::{Deserialize, Serialize};

use super::{Pcfg, PcfgMemory, PcfgSentence};
use crate::family::Family;
use crate::random;

/// 2^−99: the least probability of an event, so that charts of plain numbers mostly suffice.
const LEAST: f64 = f64::from_bits((1023 - 99) << 52);

/// The parameters of symmetric Dirichlet priors.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Alpha {
    /// Of what the root takes.
    pub root: f64,
    /// Of rules of a nonterminal.
    pub rules: f64,
    /// Of words of a preterminal.
    pub emissions: f64,
}

impl Default for Alpha {
    fn default() -> Alpha {
        Alpha { root: 1.0, rules: 0.1, emissions: 0.1 }
    }
}

impl Alpha {
    /// The parameter of a distribution, by its number.
    fn of_row(&self, pcfg: &Pcfg, row: usize) -> f64 {
        match row {
            0 => self.root,
            _ if row <= pcfg.shape.n_nonterminals() => self.rules,
            _ => self.emissions,
        }
    }
}

/// The sampler of a collection of sentences.
#[derive(Debug, Clone, Copy)]
pub struct Sampler<'a> {
    /// The grammar.
    pub pcfg: &'a Pcfg,
    /// The sentences; one without words has no tree and takes no part.
    pub sentences: &'a [PcfgSentence],
    /// The prior.
    pub alpha: Alpha,
    /// A checksum of data and settings, for checkpoints.
    pub fingerprint: u64,
}

/// The state of a chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DrawnTrees {
    /// The tree of each sentence.
    pub trees: Vec<Tree>,
    /// Σ ln p(sentence | θ) for the parameters that the trees were drawn with.
    pub ln_likelihood: f64,
}

impl Sampler<'_> {
    /// How often each event occurs in the trees of a state.
    pub fn count(&self, state: &DrawnTrees) -> Vec<f64> {
        let mut counts = vec![0.0; self.pcfg.rows().n_events()];
        for (sentence, tree) in self.sentences.iter().zip(&state.trees) {
            tree.events(&self.pcfg.shape, &sentence.words, |event| counts[event] += 1.0);
        }
        counts
    }

    /// Draws parameters given counts.
    pub fn draw_parameters(&self, counts: &[f64], sweep: &Sweep<'_>) -> Vec<f64> {
        let alpha = self.alpha_of_events();
        let shapes = |event: usize| alpha[event] + counts[event];
        let mut parameters = random::draw(self.pcfg.rows(), shapes, &mut sweep.rng_for("parameters"));
        parameters.iter_mut().for_each(|parameter| *parameter = parameter.max(LEAST));
        parameters
    }

    /// Draws all trees given parameters.
    pub fn draw_trees(&self, parameters: &[f64], state: &mut DrawnTrees, sweep: &Sweep<'_>) {
        let ln = sweep.map_mut_with(&mut state.trees, PcfgMemory::default, |memory, at, tree, rng| {
            let laid = self.pcfg.laid(&self.sentences[at], parameters);
            let ln = memory.chart.fill(&laid);
            memory.chart.sample(&laid, || rng.uniform(), tree);
            ln
        });
        state.ln_likelihood = ln.iter().filter(|ln| ln.is_finite()).sum();
    }

    /// An observer that gathers mean counts over samples, for [`Sampler::mean`].
    ///
    /// Nonterminals have no names, and another chain gives another number to what may be the same: take
    /// [`Tally::chain_means`], not the mean over chains, if there are several.
    pub fn tally(&self) -> Tally<impl FnMut(&DrawnTrees, &mut Vec<f64>) + '_> {
        Tally::new("counts", |state: &DrawnTrees, counts: &mut Vec<f64>| *counts = self.count(state))
    }

    /// The grammar that mean counts stand for: the means of the Dirichlet distributions.
    pub fn mean(&self, counts: &[f64]) -> Vec<f64> {
        let mut parameters = self.alpha_of_events();
        parameters.iter_mut().zip(counts).for_each(|(parameter, count)| *parameter += count);
        let even = self.pcfg.rows().even();
        self.pcfg.rows().normalise(&mut parameters, &even);
        parameters
    }

    fn alpha_of_events(&self) -> Vec<f64> {
        let rows = self.pcfg.rows().ranges().enumerate();
        rows.flat_map(|(row, range)| std::iter::repeat_n(self.alpha.of_row(self.pcfg, row), range.len()))
            .collect()
    }
}

impl Kernel for Sampler<'_> {
    type State = DrawnTrees;
    type Error = Infallible;
    const KIND: &'static str = "induce/pcfg";

    /// Parameters from a flat prior, and trees given them: a sparse one would settle most rules before any was seen.
    fn start(&self, sweep: &Sweep<'_>) -> Result<DrawnTrees, Infallible> {
        let flat = Sampler { alpha: Alpha { root: 1.0, rules: 1.0, emissions: 1.0 }, ..*self };
        let mut state = DrawnTrees { trees: vec![Tree::default(); self.sentences.len()], ln_likelihood: 0.0 };
        let counts = vec![0.0; self.pcfg.rows().n_events()];
        let parameters = flat.draw_parameters(&counts, sweep);
        self.draw_trees(&parameters, &mut state, sweep);
        Ok(state)
    }

    fn sweep(&self, state: &mut DrawnTrees, sweep: &Sweep<'_>) -> Result<(), Infallible> {
        let parameters = self.draw_parameters(&self.count(state), sweep);
        self.draw_trees(&parameters, state, sweep);
        Ok(())
    }

    fn log_joint(&self, state: &DrawnTrees) -> Option<f64> {
        Some(state.ln_likelihood)
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
}
