//! The Gibbs sampler: parameters given trees, trees given parameters.

use std::convert::Infallible;

use arcs::dmv::Counter;
use chain::{Kernel, Sweep};
use serde::{Deserialize, Serialize};

use super::draw::Drawer;
use super::prepare::Prepared;
use super::prior::DmvPrior;

/// The sampler of a collection of sentences.
#[derive(Debug, Clone, Copy)]
pub struct Sampler<'a> {
    /// The prior of the parameters.
    pub prior: &'a DmvPrior,
    /// The sentences; those without a tree take no part.
    pub sentences: &'a [Prepared],
    /// A checksum of data and settings, for checkpoints.
    pub fingerprint: u64,
}

/// The state of a chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trees {
    /// The heads of the kept words of each sentence; empty if it has no tree.
    pub heads: Vec<Vec<u32>>,
    /// The parameters of the root and of tags that were drawn last, which words back off to.
    pub parameters: Vec<f64>,
    /// How often words drew from the distributions of their tags, by event.
    pub tables: Vec<f64>,
    /// Σ ln P(sentence and what its annotation leaves | parameters) at the last sweep.
    pub ln_likelihood: f64,
}

impl Sampler<'_> {
    /// How often each event occurs in the trees of a state.
    pub fn count(&self, state: &Trees) -> Vec<f64> {
        let mut counts = vec![0.0; self.prior.shape.len()];
        let mut counter = Counter::default();
        for (prepared, heads) in self.sentences.iter().zip(&state.heads) {
            if !prepared.is_usable() || heads.len() != prepared.n_kept() {
                continue;
            }
            counter.add(&self.prior.shape, &prepared.sentence, heads, prepared.roots, &mut counts);
        }
        counts
    }

    /// The same, and for tags also what their words drew from them.
    pub fn count_with_tables(&self, state: &Trees) -> Vec<f64> {
        let mut counts = self.count(state);
        counts.iter_mut().zip(&state.tables).for_each(|(count, tables)| *count += tables);
        counts
    }

    /// Draws all parameters given counts; the state keeps those of tags.
    pub fn draw_parameters(&self, counts: &[f64], state: &mut Trees, sweep: &Sweep<'_>) -> Vec<f64> {
        let mut parameters = std::mem::take(&mut state.parameters);
        let stream = sweep.stream().purpose("parameters");
        self.prior.draw(counts, &mut parameters, &mut state.tables, stream, sweep.workers());
        state.parameters.extend_from_slice(&parameters[..self.prior.alpha.len()]);
        parameters
    }

    /// Draws all trees given parameters.
    pub fn draw_trees(&self, parameters: &[f64], state: &mut Trees, sweep: &Sweep<'_>) {
        let shape = &self.prior.shape;
        let ln = sweep.map_mut_with(&mut state.heads, Drawer::default, |drawer, at, heads, rng| {
            let prepared = &self.sentences[at];
            if prepared.is_usable() { drawer.draw(prepared, shape, parameters, rng, heads) } else { 0.0 }
        });
        state.ln_likelihood = ln.iter().filter(|ln| ln.is_finite()).sum();
    }
}

impl Kernel for Sampler<'_> {
    type State = Trees;
    type Error = Infallible;
    const KIND: &'static str = "gpc";

    /// Parameters from the prior, and trees given them.
    fn start(&self, sweep: &Sweep<'_>) -> Result<Trees, Infallible> {
        let heads = vec![Vec::new(); self.sentences.len()];
        let mut state = Trees { heads, parameters: Vec::new(), tables: Vec::new(), ln_likelihood: 0.0 };
        let counts = vec![0.0; self.prior.shape.len()];
        let parameters = self.draw_parameters(&counts, &mut state, sweep);
        self.draw_trees(&parameters, &mut state, sweep);
        Ok(state)
    }

    fn sweep(&self, state: &mut Trees, sweep: &Sweep<'_>) -> Result<(), Infallible> {
        let counts = self.count(state);
        let parameters = self.draw_parameters(&counts, state, sweep);
        self.draw_trees(&parameters, state, sweep);
        Ok(())
    }

    fn log_joint(&self, state: &Trees) -> Option<f64> {
        Some(state.ln_likelihood)
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
}
