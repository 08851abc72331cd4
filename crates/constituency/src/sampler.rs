//! The Gibbs sampler of training and of parsing.
//!
//! One sweep draws θ and β given the annotated trees (see [`super::prior`]), then every tree given θ and β. For
//! a sentence whose tree is given, only annotations are drawn: Algorithm 3 of Sun, Mielens & Baldridge (2014),
//! with the root's erratum. For a sentence of which nothing or only some brackets are given, the tree is drawn
//! along with them, from the forest that the constraints leave: Algorithm 2. Both kinds may stand side by side.
//!
//! The hierarchical start lets annotations grow: each stage splits every annotation in two, by a coin for each
//! node, until a category has as many as the plan allows it.

use std::convert::Infallible;

use chain::{Kernel, Rng, Sweep};
use forest::Scaled;
use forest::substates::fixed::{Node, TreeChart};
use forest::substates::{Chart, sample};
use grammar::anchor::{LeafVectors, Leaves, PlainForest, PrunedForest, RefinedForest};
use grammar::{Inventory, Sizes, Tensors};
use serde::{Deserialize, Serialize};

use super::concentrate::{self, HyperPrior};
use super::derivation::{self, Use};
use super::prior::{Concentrations, RulePrior};

/// What is known of a sentence.
#[derive(Debug, Clone)]
pub enum Given {
    /// The tree, without annotations.
    Tree(Vec<Node>),
    /// The trees that are possible.
    Forest(Box<(PrunedForest, Leaves)>),
}

/// Numbers of annotations and the sweep from which they hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// The first sweep of the stage; the first stage begins with 1.
    pub from: u64,
    /// The numbers of annotations.
    pub sizes: Sizes,
}

/// The sampler of a collection of sentences.
#[derive(Debug)]
pub struct Sampler<'a> {
    /// The prior of θ and β, with the concentrations that a chain begins with.
    pub prior: RulePrior<'a>,
    /// The sentences.
    pub given: &'a [Given],
    /// The plan of annotations; never empty.
    pub stages: Vec<Stage>,
    /// Counts that are added to those of the sentences in every sweep, by chain: λ times the training counts
    /// when parsing. Empty for none; chains beyond the end use them again from the first.
    pub pseudo: Vec<Tensors>,
    /// Counts that are added when a chain is started and forgotten afterwards, by chain: the jump-start.
    pub jump: Vec<Tensors>,
    /// If given, concentrations are drawn in every sweep.
    pub hyper: Option<HyperPrior>,
    /// A checksum of data and settings, for checkpoints.
    pub fingerprint: u64,
}

/// The state of a chain: annotated trees and what they were drawn with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnnotatedTrees {
    /// Which stage the annotations belong to.
    pub stage: u32,
    /// The rules of each sentence in preorder; empty if the sentence cannot be parsed.
    pub sentences: Vec<Vec<Use>>,
    /// The concentrations.
    pub concentrations: Concentrations,
    /// Σ ln P(sentence and what is given of its tree | θ, β) at the last sweep.
    pub ln_likelihood: f64,
}

/// Memory that serves sentence after sentence.
#[derive(Default)]
struct Scratch {
    tree: TreeChart,
    chart: Chart,
    leaves: LeafVectors,
    substates: Vec<u32>,
}

impl Sampler<'_> {
    /// The numbers of annotations of a state.
    pub fn sizes(&self, state: &AnnotatedTrees) -> &Sizes {
        &self.stages[state.stage as usize].sizes
    }

    /// How often each annotated rule occurs in the trees of a state.
    pub fn count(&self, state: &AnnotatedTrees) -> Tensors {
        let inventory = self.inventory();
        let sizes = self.sizes(state);
        let mut counts = inventory.zero(sizes);
        for uses in &state.sentences {
            derivation::add_counts(inventory, sizes, uses, &mut counts);
        }
        counts
    }

    /// Draws θ · β given counts.
    pub fn draw(&self, counts: &Tensors, state: &AnnotatedTrees, sweep: &Sweep<'_>) -> Tensors {
        let prior = RulePrior { concentrations: state.concentrations, ..self.prior };
        prior.draw(self.sizes(state), counts, sweep.stream().purpose("theta"), sweep.workers())
    }

    /// Draws the trees, or their annotations, given θ · β.
    pub fn annotate(&self, state: &mut AnnotatedTrees, tensors: &Tensors, sweep: &Sweep<'_>) {
        let sizes = &self.stages[state.stage as usize].sizes;
        let ln =
            sweep.map_mut_with(&mut state.sentences, Scratch::default, |scratch, at, uses, rng| match &self
                .given[at]
            {
                Given::Tree(nodes) => draw_annotations(nodes, tensors, scratch, rng, uses),
                Given::Forest(forest) => draw_tree(forest, tensors, sizes, scratch, rng, uses),
            });
        state.ln_likelihood = ln.iter().filter(|ln| ln.is_finite()).sum();
    }

    fn inventory(&self) -> &Inventory {
        self.prior.inventory
    }

    /// Splits annotations at random where the stage allows more of them.
    fn split(&self, state: &mut AnnotatedTrees, stage: u32, sweep: &Sweep<'_>) {
        let (old, new) = (&self.stages[state.stage as usize].sizes, &self.stages[stage as usize].sizes);
        let stream = sweep.stream().purpose("split");
        for (at, uses) in state.sentences.iter_mut().enumerate() {
            let mut rng = stream.item(at).rng();
            derivation::relabel(self.inventory(), uses, |head, x| {
                let (before, after) = (old.of(head), new.of(head));
                // x becomes x, x + before, x + 2 · before, … as far as there is room.
                let room = after.saturating_sub(usize::from(x)).div_ceil(before).max(1);
                x + (rng.below(room) * before) as u8
            });
        }
        state.stage = stage;
    }

    fn stage_of(&self, sweep: u64) -> u32 {
        self.stages.iter().rposition(|stage| stage.from <= sweep).unwrap_or(0) as u32
    }

    fn add_chain(&self, tables: &[Tensors], chain: u32, counts: &mut Tensors) {
        if tables.is_empty() {
            return;
        }
        let extra = &tables[chain as usize % tables.len()];
        if extra.values().len() == counts.values().len() {
            counts.values_mut().iter_mut().zip(extra.values()).for_each(|(count, extra)| *count += extra);
        }
    }
}

/// Draws the annotations of a given tree and returns the log probability of the tree, summed over them.
fn draw_annotations(
    nodes: &[Node],
    tensors: &Tensors,
    scratch: &mut Scratch,
    rng: &mut Rng,
    uses: &mut Vec<Use>,
) -> f64 {
    scratch.tree.fill(nodes, tensors);
    if scratch.tree.sample(nodes, tensors, &[1.0], || rng.uniform(), &mut scratch.substates) {
        derivation::of_tree(nodes, &scratch.substates, uses);
    }
    scratch.tree.ln_total(&[1.0])
}

/// Draws a tree of the forest and returns the log of the sum over all.
fn draw_tree(
    (pruned, leaves): &(PrunedForest, Leaves),
    tensors: &Tensors,
    sizes: &Sizes,
    scratch: &mut Scratch,
    rng: &mut Rng,
    uses: &mut Vec<Use>,
) -> f64 {
    if sizes.greatest() == 1 {
        // Without annotations the engine of plain numbers does the same in a fraction of the time.
        let forest = PlainForest::new(pruned, tensors, leaves);
        let inside = Scaled::inside(&forest);
        if let Some(drawn) = inside.sample(|| rng.uniform()) {
            *uses = drawn.steps.iter().map(|step| Use { rule: step.rule, head: 0, parts: [0, 0] }).collect();
        }
        return inside.ln_total();
    }
    scratch.leaves.fill(leaves, tensors);
    let forest = RefinedForest::new(pruned, tensors, &scratch.leaves, sizes);
    scratch.chart.fill(&forest);
    if let Some(steps) = sample(&forest, &scratch.chart, || rng.uniform()) {
        *uses = derivation::of_steps(&steps);
    }
    scratch.chart.ln_total()
}

impl Kernel for Sampler<'_> {
    type State = AnnotatedTrees;
    type Error = Infallible;
    const KIND: &'static str = "pcfg-la";

    /// θ and β from the prior, or from the jump-start's counts, and trees given them.
    fn start(&self, sweep: &Sweep<'_>) -> Result<AnnotatedTrees, Infallible> {
        let sentences = vec![Vec::new(); self.given.len()];
        let concentrations = self.prior.concentrations;
        let mut state = AnnotatedTrees { stage: 0, sentences, concentrations, ln_likelihood: 0.0 };
        let mut counts = self.inventory().zero(self.sizes(&state));
        self.add_chain(&self.pseudo, sweep.chain(), &mut counts);
        self.add_chain(&self.jump, sweep.chain(), &mut counts);
        let tensors = self.draw(&counts, &state, sweep);
        self.annotate(&mut state, &tensors, sweep);
        Ok(state)
    }

    fn sweep(&self, state: &mut AnnotatedTrees, sweep: &Sweep<'_>) -> Result<(), Infallible> {
        let stage = self.stage_of(sweep.number());
        if stage != state.stage {
            self.split(state, stage, sweep);
        }
        let mut counts = self.count(state);
        self.add_chain(&self.pseudo, sweep.chain(), &mut counts);
        if let Some(hyper) = &self.hyper {
            let prior = RulePrior { concentrations: state.concentrations, ..self.prior };
            let rng = &mut sweep.rng_for("concentrations");
            state.concentrations = concentrate::draw(&prior, hyper, self.sizes(state), &counts, rng);
        }
        let tensors = self.draw(&counts, state, sweep);
        self.annotate(state, &tensors, sweep);
        Ok(())
    }

    fn log_joint(&self, state: &AnnotatedTrees) -> Option<f64> {
        Some(state.ln_likelihood)
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
}
