//! The systems of the thesis's tables.

use arcs::rules::RuleTable;
use chain::Workers;
use dependency::DependencyOptions;
use impute::baselines::{self, Branching};
use impute::convex::{self, ConvexOptions};
use impute::gpc::{CompleteOptions, Gpc, GpcOptions};
use impute::{ArcPosteriors, Completed, Fragment};
use tree::{Arc, Heads, Node, PartialTree, Place, Reading};

use crate::dependency_parser::pipeline;

/// A system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ImputationSystem {
    /// Right-branching
    Rb,
    /// ConvexMST on the sentences that happen to be annotated completely
    Drop,
    /// Fragments completed by right-branching, then ConvexMST on the result
    Rbc,
    /// Gibbs over the split-head DMV
    Gpc,
    /// The same with a prior that favours universal rules
    GpcUg,
    /// ConvexMST with universal rules and no annotation
    Ug,
    /// ConvexMST with the annotation and no rules
    Gfl,
    /// ConvexMST with both
    Both,
    /// Fragments completed by ConvexMST with both, then the dependency parser trained on the trees
    FillCrf,
    /// The same, completed by Gibbs over the split-head DMV
    FillGpcCrf,
    /// The dependency parser trained on the fragments as they are
    Crf,
    /// The same, pulled towards universal rules where nothing is annotated
    CrfUg,
}

impl ImputationSystem {
    pub(crate) const ALL: [ImputationSystem; 12] = [
        ImputationSystem::Rb,
        ImputationSystem::Drop,
        ImputationSystem::Rbc,
        ImputationSystem::Gpc,
        ImputationSystem::GpcUg,
        ImputationSystem::Ug,
        ImputationSystem::Gfl,
        ImputationSystem::Both,
        ImputationSystem::FillCrf,
        ImputationSystem::FillGpcCrf,
        ImputationSystem::Crf,
        ImputationSystem::CrfUg,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            ImputationSystem::Rb => "RB",
            ImputationSystem::Drop => "DROP",
            ImputationSystem::Rbc => "RBC",
            ImputationSystem::Gpc => "GPC",
            ImputationSystem::GpcUg => "GPC+UG",
            ImputationSystem::Ug => "ConvexMST UG",
            ImputationSystem::Gfl => "ConvexMST GFL",
            ImputationSystem::Both => "ConvexMST GFL+UG",
            ImputationSystem::FillCrf => "fill, CRF",
            ImputationSystem::FillGpcCrf => "fill GPC, CRF",
            ImputationSystem::Crf => "CRF",
            ImputationSystem::CrfUg => "CRF+UG",
        }
    }

    /// Whether what it finds depends on the annotation.
    pub(crate) fn sees_annotation(self) -> bool {
        !matches!(self, ImputationSystem::Rb | ImputationSystem::Ug)
    }
}

/// Trees for the training sentences, where the system completes them, and for new sentences.
pub(crate) struct FoundTrees {
    pub(crate) imputed: Option<Vec<Completed>>,
    pub(crate) parsed: Vec<Completed>,
}

/// Learns from fragments and parses new sentences; ConvexMST finds its temperatures only if `calibrate` says so, since trees
/// do not depend on them and it takes three trainings more.
pub(crate) fn run(
    method: ImputationSystem,
    (train, test): (&[Fragment], &[Fragment]),
    (seed, calibrate): (u64, bool),
    base: &ConvexOptions,
    workers: &Workers,
) -> anyhow::Result<FoundTrees> {
    let with_rules = ConvexOptions { temperature: (!calibrate).then_some(0.1), ..base.clone() };
    let without_rules = ConvexOptions { mu: 0.0, ..with_rules.clone() };
    let convex =
        |fragments: &[Fragment], options: &ConvexOptions| convex::train(fragments, options, workers).model;
    let both = |model: convex::ConvexModel| FoundTrees {
        imputed: Some(model.complete_all(train, workers)),
        parsed: model.complete_all(test, workers),
    };
    let free = |fragment: &Fragment| Fragment {
        possible: tree::Possible::everything(fragment.len()),
        ..fragment.clone()
    };
    Ok(match method {
        ImputationSystem::Rb => FoundTrees { imputed: Some(branching(train)), parsed: branching(test) },
        ImputationSystem::Ug => {
            let frees: Vec<Fragment> = train.iter().map(free).collect();
            let model = convex(&frees, &with_rules);
            FoundTrees {
                imputed: Some(model.complete_all(&frees, workers)),
                parsed: model.complete_all(test, workers),
            }
        }
        ImputationSystem::Gfl => both(convex(train, &without_rules)),
        ImputationSystem::Both => both(convex(train, &with_rules)),
        ImputationSystem::Drop => {
            let whole: Vec<Fragment> = train.iter().filter(|fragment| is_whole(fragment)).cloned().collect();
            let parsed = if whole.is_empty() {
                branching(test)
            } else {
                convex(&whole, &without_rules).complete_all(test, workers)
            };
            FoundTrees { imputed: None, parsed }
        }
        ImputationSystem::Rbc => {
            let completed: Vec<Heads> = train
                .iter()
                .map(|fragment| baselines::branching_completion(fragment, Branching::Right))
                .collect();
            let told: Vec<Fragment> =
                train.iter().zip(&completed).map(|(fragment, heads)| told(fragment, heads)).collect();
            let model = convex(&told, &without_rules);
            FoundTrees {
                imputed: Some(model.complete_all(&told, workers)),
                parsed: model.complete_all(test, workers),
            }
        }
        ImputationSystem::Gpc | ImputationSystem::GpcUg => {
            let rules = (method == ImputationSystem::GpcUg).then(RuleTable::default);
            let options = GpcOptions { rules, seed, ..GpcOptions::default() };
            let model = Gpc::train(train, options, &mut (), workers)?;
            let complete = |fragments: &[Fragment]| -> Vec<Completed> {
                let completions = model.complete_all(fragments, &CompleteOptions::default(), workers);
                completions.into_iter().map(|completion| completion.completed).collect()
            };
            FoundTrees { imputed: Some(complete(train)), parsed: complete(test) }
        }
        ImputationSystem::FillCrf | ImputationSystem::FillGpcCrf => {
            let filler = if method == ImputationSystem::FillCrf {
                ImputationSystem::Both
            } else {
                ImputationSystem::Gpc
            };
            let filled = run(filler, (train, &[]), (seed, false), base, workers)?.imputed.unwrap_or_default();
            let trees = train.iter().zip(&filled).map(|(fragment, filled)| told(fragment, &filled.heads));
            let trees: Vec<Fragment> = trees.collect();
            let found = crf(&trees, test, 0.0, seed, workers)?;
            // What was completed is what the parser is trained on.
            FoundTrees { imputed: Some(filled), ..found }
        }
        ImputationSystem::Crf => crf(train, test, 0.0, seed, workers)?,
        ImputationSystem::CrfUg => crf(train, test, RULE_PULL, seed, workers)?,
    })
}

/// How much rules pull at arcs of which nothing is annotated: as much as one weight of usual size.
const RULE_PULL: f64 = 1.0;

/// The dependency parser, which sees the first order's and the second's parts as it does by default.
fn crf(
    train: &[Fragment],
    test: &[Fragment],
    rule_pull: f64,
    seed: u64,
    workers: &Workers,
) -> anyhow::Result<FoundTrees> {
    let options = DependencyOptions { rule_pull, seed, ..DependencyOptions::default() };
    let trees = pipeline::run(train, test, &options, workers)?;
    let completed = |trees: Vec<Heads>| trees.into_iter().map(tree_alone).collect();
    Ok(FoundTrees { imputed: Some(completed(trees.imputed)), parsed: completed(trees.parsed) })
}

fn branching(fragments: &[Fragment]) -> Vec<Completed> {
    let tree = |fragment: &Fragment| baselines::branching(fragment.len(), Branching::Right);
    fragments.iter().map(|fragment| tree_alone(tree(fragment))).collect()
}

/// A tree of which nothing is known but itself.
fn tree_alone(heads: Heads) -> Completed {
    Completed { posteriors: ArcPosteriors::zero(heads.len()), samples: Vec::new(), heads, given_up: false }
}

/// Whether every head is known.
fn is_whole(fragment: &Fragment) -> bool {
    let mut words = 1..=fragment.len();
    words.all(|word| fragment.possible.whole().required_head(word).is_some())
}

/// The same sentence with every head told.
fn told(fragment: &Fragment, heads: &Heads) -> Fragment {
    let mut said = PartialTree::new(fragment.len());
    for word in 1..=fragment.len() {
        let (dependent, place) = (Node::Word(word), Place::default());
        match heads.head(word) {
            0 => said.roots.push((dependent, place)),
            head => said.arcs.push(Arc { head: Node::Word(head), dependent, place }),
        }
    }
    let possible = tree::Possible::new(&said, &Reading::default());
    Fragment { possible: possible.unwrap_or_else(|_| fragment.possible.clone()), ..fragment.clone() }
}
