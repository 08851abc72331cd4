//! What is learned and how.

use chain::descent::{Learning, Rule};
use serde::{Deserialize, Serialize};

/// Which parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Brackets without labels from two features: the tags inside, and the two tags just outside.
    Ccm,
    /// Brackets without labels from rich features.
    Bm,
    /// Brackets with labels from rich features.
    #[default]
    Lbm,
}

/// What is learned and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrainOptions {
    /// Which parser.
    pub kind: Kind,
    /// How the weights of brackets are learned.
    pub learning: Learning,
    /// How the weights of chains over single words are learned.
    pub chains: Learning,
    /// Rules of binary trees, learned after everything else; `None` for no rules.
    pub rules: Option<RuleOptions>,
    /// Whether a chain of nodes over several words keeps all its labels, not the topmost alone.
    pub joins_chains: bool,
    /// Whether a bracket can only have labels that some bracket of its width or more had in training.
    pub prunes_labels: bool,
    /// Whether features have weights that were never seen at a bracket of a training tree. Without them a bracket is told
    /// from a span that is none by how many of its features are known, which is of no use in other text.
    pub keeps_all_features: bool,
    /// Features of spans that are seen less often have no weights.
    pub least_features: u32,
    /// Words seen less often are known by their shape.
    pub least_words: usize,
    /// The seed.
    pub seed: u64,
}

impl Default for TrainOptions {
    fn default() -> TrainOptions {
        let learning =
            Learning { rule: Rule::AdaGrad, epochs: 10, rate: 0.05, l2: 0.1, batch: 8, average: true };
        TrainOptions {
            kind: Kind::Lbm,
            learning,
            chains: learning,
            rules: None,
            joins_chains: false,
            prunes_labels: true,
            keeps_all_features: true,
            least_features: 3,
            least_words: 2,
            seed: 1,
        }
    }
}

/// What moves the weights of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleStep {
    /// How much more often a rule is in the tree than in its parse.
    Perceptron,
    /// Whether a rule is in the tree, less how probable it is, at every place where it could be: the gradient of the likelihood.
    #[default]
    Likelihood,
}

/// How rules are learned: they are found on the way, and their weights move sentence by sentence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RuleOptions {
    /// What moves weights.
    pub step: RuleStep,
    /// Walks through the trees.
    pub epochs: usize,
    /// ε, how far a weight goes in a step.
    pub rate: f64,
    /// Rules at most.
    pub most: usize,
    /// The least product of the beliefs in the three labels of a rule.
    pub threshold: f64,
    /// Trees between two steps.
    pub batch: usize,
    /// Rules are learned on what parsers believe that have not seen the sentence, one for each of so many parts of the
    /// trees; with 1, on what the parser itself believes.
    pub folds: usize,
    /// Sweeps of messages at most.
    pub sweeps: usize,
    /// Whether the weights of all steps are averaged in the end.
    pub average: bool,
}

impl Default for RuleOptions {
    fn default() -> RuleOptions {
        RuleOptions {
            step: RuleStep::Likelihood,
            epochs: 8,
            rate: 0.1,
            most: 1000,
            threshold: 0.1,
            batch: 8,
            folds: 4,
            sweeps: 10,
            average: true,
        }
    }
}
