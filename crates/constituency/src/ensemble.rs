//! The posteriors of several grammars over one forest, taken together.
//!
//! ```text
//! mixture(e) = 1/C Σ_c p_c(e | words)            product(e) = Π_c p_c(e | words)^(1/C)
//! ```
//!
//! p_c(e | words) is the posterior of an edge summed over annotations. Chains are draws from one posterior
//! over grammars, so the mixture is the Bayesian average; the product of experts is sharper where they agree.

use forest::substates::{Buffers, Chart, Posteriors};
use grammar::anchor::{LeafVectors, Leaves, PrunedForest, RefinedForest};

use super::model::Refinement;

/// How the grammars of several chains are put together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Average {
    /// Posteriors are multiplied.
    #[default]
    Product,
    /// Posteriors are averaged.
    Mixture,
}

/// Memory that serves sentence after sentence.
#[derive(Debug, Default)]
pub struct Workspace {
    chart: Chart,
    buffers: Buffers,
    vectors: LeafVectors,
    edges: Vec<f64>,
}

/// What the chains say of a forest.
#[derive(Debug, Clone, Default)]
pub struct Ensemble {
    /// The mean posterior of each edge.
    pub mixture: Vec<f64>,
    /// The mean logarithm of the posterior of each edge; −∞ if a chain holds it for impossible.
    pub ln_product: Vec<f64>,
    /// ln P(words | chain) over the forest.
    pub ln_totals: Vec<f64>,
}

impl Ensemble {
    /// Asks every chain; those for which the sentence is impossible have no say.
    pub fn new(
        refinements: &[Refinement],
        pruned: &PrunedForest,
        leaves: &Leaves,
        workspace: &mut Workspace,
    ) -> Ensemble {
        let n_edges = pruned.n_edges();
        let mut ensemble =
            Ensemble { mixture: vec![0.0; n_edges], ln_product: vec![0.0; n_edges], ln_totals: Vec::new() };
        let mut n_asked = 0.0;
        for refinement in refinements {
            let ln_total = workspace.edges(refinement, pruned, leaves);
            ensemble.ln_totals.push(ln_total);
            if ln_total == f64::NEG_INFINITY {
                continue;
            }
            n_asked += 1.0;
            let sums = ensemble.mixture.iter_mut().zip(&mut ensemble.ln_product);
            for ((mixture, product), &posterior) in sums.zip(&workspace.edges) {
                *mixture += posterior;
                *product += libm::log(posterior);
            }
        }
        let n_asked = f64::max(n_asked, 1.0);
        ensemble.mixture.iter_mut().for_each(|sum| *sum /= n_asked);
        ensemble.ln_product.iter_mut().for_each(|sum| *sum /= n_asked);
        ensemble
    }

    /// The logarithm by which max-rule decoding scores each edge.
    pub fn ln_scores(&self, average: Average) -> Vec<f64> {
        match average {
            Average::Product => self.ln_product.clone(),
            Average::Mixture => self.mixture.iter().map(|&posterior| libm::log(posterior)).collect(),
        }
    }
}

impl Workspace {
    /// The posterior of every item under one grammar, for pruning.
    pub fn items(&mut self, refinement: &Refinement, pruned: &PrunedForest, leaves: &Leaves) -> Vec<f64> {
        self.vectors.fill(leaves, &refinement.tensors);
        let forest = RefinedForest::new(pruned, &refinement.tensors, &self.vectors, &refinement.sizes);
        self.chart.fill(&forest);
        let posteriors = Posteriors::with_buffers(&forest, &self.chart, std::mem::take(&mut self.buffers));
        let items = posteriors.items();
        self.buffers = posteriors.recycle();
        items
    }

    /// Leaves the posterior of every edge in `edges` and returns ln P(words).
    fn edges(&mut self, refinement: &Refinement, pruned: &PrunedForest, leaves: &Leaves) -> f64 {
        self.vectors.fill(leaves, &refinement.tensors);
        let forest = RefinedForest::new(pruned, &refinement.tensors, &self.vectors, &refinement.sizes);
        self.chart.fill(&forest);
        let buffers = std::mem::take(&mut self.buffers);
        let posteriors = Posteriors::with_edges(&forest, &self.chart, buffers, &mut self.edges);
        self.buffers = posteriors.recycle();
        self.chart.ln_total()
    }
}
