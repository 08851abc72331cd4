//! ConvexMST: trees from rules and fragments by convex relaxation.
//!
//! After Grave & Elhadad (2015), with the partial annotation of Mielens (2016, §4.2). One vector y says of every
//! arc between the words of every sentence whether it is in the tree; X has the features of the arcs. Sought are y in
//! the convex hull of the trees, and weights w, that minimise
//!
//! ```text
//! 1/(2n) ‖y − Xw‖² + λ/2 ‖w‖² − μ uᵀy − ξ vᵀy
//! ```
//!
//! where n is the number of arcs, u is 1/n for arcs that follow a universal rule, and v is 1/n for arcs that the
//! annotation demands and −1/n for those it forbids. In words: trees that a linear function of the features
//! explains, that follow the rules, and that agree with what was said. The problem is convex; Frank–Wolfe steps solve
//! it with one best-tree search per sentence and step.
//!
//! By default the annotation is not only a part of the objective: trees that contradict it are not built at all
//! ([`ConvexOptions::hard`]).

mod corpus;
mod features;
#[cfg(test)]
mod laws;
mod model;
mod ridge;
mod solve;
mod space;
mod temperature;
mod watch;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use arcs::Roots;
use chain::Workers;
use serde::{Deserialize, Serialize};

use super::Fragment;
use arcs::rules::RuleTable;
use corpus::ArcCorpus;
pub use features::FeatureOptions;
use features::FeatureTable;
pub use model::{ConvexModel, KIND, VERSION};
pub use solve::SolverProgress;
pub use temperature::{Scaling, Scalings};
pub use watch::Step;
use watch::Watch;

/// The settings of training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConvexOptions {
    /// λ, which keeps the weights small.
    pub lambda: f64,
    /// μ, what it is worth to follow a rule, in units of an arc.
    pub mu: f64,
    /// ξ, what it is worth to agree with the annotation. Without influence on trees if `hard` is set.
    pub xi: f64,
    /// ω, how much arcs of words without a known head count in the fit; those of other words count 1. The papers have 1,
    /// and so it is where no head at all is known.
    pub open_trust: f64,
    /// The largest number of Frank–Wolfe steps.
    pub max_iterations: usize,
    /// Training ends when the objective is at most this far from the optimum.
    pub gap: f64,
    /// How exactly the weights are solved for: the residual relative to the right-hand side. The objective falls
    /// whatever it is, and accuracies are the same from 0.1 down; only the gap wants to be known exactly.
    pub ridge_tolerance: f64,
    /// Whether trees must be projective. Sentences whose annotation leaves no such tree are excepted.
    pub projective: bool,
    /// Sentences of more words take no part in training, whose time grows with the cube of the length. They are
    /// completed like any other.
    pub longest: usize,
    /// How many words may hang from the root. Sentences whose annotation has more are excepted.
    pub roots: Roots,
    /// Whether only trees that satisfy the annotation are built.
    pub hard: bool,
    /// What is seen of an arc.
    pub features: FeatureOptions,
    /// The universal rules.
    pub rules: RuleTable,
    /// The temperature of the distribution over trees; fitted on held-out annotation if `None`, and with it the confidence in
    /// the most probable heads.
    pub temperature: Option<f64>,
}

impl Default for ConvexOptions {
    fn default() -> Self {
        ConvexOptions {
            lambda: 1e-4,
            mu: 0.05,
            xi: 1.0,
            open_trust: 0.15,
            max_iterations: 25,
            gap: 1e-5,
            ridge_tolerance: 3e-2,
            projective: true,
            longest: LONGEST,
            roots: Roots::One,
            hard: true,
            features: FeatureOptions::default(),
            rules: RuleTable::default(),
            temperature: None,
        }
    }
}

/// The longest sentences that are learned from, if nothing else is said.
pub(super) const LONGEST: usize = 300;

/// What training leaves.
#[derive(Debug, Clone)]
pub struct Trained {
    /// The model, for these sentences and others.
    pub model: ConvexModel,
    /// The objective and the duality gap at each step.
    pub progress: Vec<SolverProgress>,
}

/// Trains on sentences, annotated or not.
///
/// The result is the same at any number of threads, and there is no randomness in it.
///
/// ```
/// use chain::Workers;
/// use impute::Fragment;
/// use impute::convex::{ConvexOptions, train};
/// use tree::{Head, PartialTree, Reading, Sentence};
///
/// let mut sentence = Sentence::from_forms(["the", "dog", "barks"]);
/// sentence.words_mut().zip(["DET", "NOUN", "VERB"]).for_each(|(word, tag)| word.upos = tag.into());
/// sentence.tokens[0].head = Head::Of(2);
/// let fragments = [Fragment::new(&sentence, &PartialTree::from_sentence(&sentence), &Reading::default())?];
/// let model = train(&fragments, &ConvexOptions::default(), &Workers::serial()).model;
/// // Rules that hold in most languages fill in what was not said.
/// assert_eq!(model.complete(&fragments[0]).heads.as_slice(), [2, 3, 0]);
/// # Ok::<(), impute::FragmentError>(())
/// ```
pub fn train(fragments: &[Fragment], options: &ConvexOptions, workers: &Workers) -> Trained {
    train_watched(fragments, options, workers, &mut |_| ControlFlow::Continue(())).expect("nobody stopped it")
}

/// The same with somebody who is told how far it is, and may stop it; then there is no result.
///
/// `watch` is called after every Frank–Wolfe step, and more often in between with a [`Step`] that did not change, so that
/// who stops need not wait for the end of a step.
pub fn train_watched(
    fragments: &[Fragment],
    options: &ConvexOptions,
    workers: &Workers,
    watch: &mut dyn FnMut(Step) -> ControlFlow<()>,
) -> Option<Trained> {
    let given = options.temperature.map(Scalings::at);
    let n_trainings = if given.is_some() { 1 } else { 1 + temperature::FOLDS };
    let watch = &mut Watch::new(n_trainings, options, watch);
    let scalings = match given {
        Some(scalings) => scalings,
        None => temperature::fit(&short(fragments, options), options, workers, watch)?,
    };
    train_at(fragments, options, scalings, workers, watch)
}

/// Sentences that are not too long to be learned from.
fn short<'a>(fragments: &'a [Fragment], options: &ConvexOptions) -> Cow<'a, [Fragment]> {
    let is_short = |fragment: &&Fragment| fragment.len() <= options.longest;
    if fragments.iter().all(|fragment| is_short(&fragment)) {
        return Cow::Borrowed(fragments);
    }
    Cow::Owned(fragments.iter().filter(is_short).cloned().collect())
}

/// The same with scalings that are known.
fn train_at(
    fragments: &[Fragment],
    options: &ConvexOptions,
    scalings: Scalings,
    workers: &Workers,
    watch: &mut Watch<'_>,
) -> Option<Trained> {
    // Long sentences tell their tags and forms, so that rules know them, and nothing else.
    let table = FeatureTable::new(fragments, &options.features);
    let mut corpus = ArcCorpus::new(table, &short(fragments, options), options, workers, watch)?;
    let solution = solve::solve(&mut corpus, options, workers, watch)?;
    watch.end()?;
    let model = ConvexModel {
        table: corpus.table,
        weights: solution.weights,
        options: options.clone(),
        scalings,
        notes: BTreeMap::new(),
    };
    Some(Trained { model, progress: solution.progress })
}
