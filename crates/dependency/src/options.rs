//! The settings of training.

use serde::{Deserialize, Serialize};

use super::attributes::{Attribute, TagColumn};
use super::course::Descent;
use super::prune::Pruning;
use super::shape::TreeShape;
use super::sources::Columns;
use super::templates::DEFAULT_TEMPLATES;
use arcs::rules::RuleTable;
use features::Codebook;

/// How many arcs a part of a tree has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Single arcs.
    First,
    /// Arcs, neighbouring siblings, arcs below one another. Trees are projective.
    Second,
}

/// The settings of training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DependencyOptions {
    /// How much a part of a tree sees.
    pub order: Order,
    /// Which trees are built.
    pub shape: TreeShape,
    /// Which tags are looked at.
    pub tags: TagColumn,
    /// How weights of arcs are learned in a first-order parser.
    pub first: Descent,
    /// How they are learned if they only choose arcs for the second order. Few epochs: weights that fit the training data too
    /// well throw away arcs of other sentences.
    pub pruner: Descent,
    /// How weights of the second order are learned.
    pub second: Descent,
    /// How weights of relations are learned.
    pub labels: Descent,
    /// Which arcs are left to the second order.
    pub pruning: Pruning,
    /// There are 2^bits weights of parts.
    pub bits: u32,
    /// There are 2^bits rows of weights of relations, one for each relation in a row.
    pub label_bits: u32,
    /// Weights that a model keeps at most.
    pub most_weights: usize,
    /// The share of sentences that is held out in a rehearsal, which finds the number of epochs and the temperature; nothing
    /// is held out in the training that follows. Without effect if there is other text to try the parser on.
    pub held_out: f64,
    /// Runs with other orders of the sentences, whose weights are averaged.
    pub ensemble: usize,
    /// ρ, how much universal rules pull where the annotation leaves something open.
    pub rule_pull: f64,
    /// The universal rules.
    pub rules: RuleTable,
    /// Whether words are seen as tags only, for parsers of other languages.
    pub delexicalised: bool,
    /// Which columns are looked at besides forms and tags.
    pub columns: Columns,
    /// Clusters of words, for the attributes `cluster`, `cluster4` and `cluster6`.
    pub clusters: Option<Codebook>,
    /// Bits of word vectors, for the attributes `vector`, `vector4` and `vector6`.
    pub vectors: Option<Codebook>,
    /// The feature templates. Those with attributes that nothing is known of are left out.
    pub templates: String,
    /// The seed of all randomness.
    pub seed: u64,
}

impl Default for DependencyOptions {
    fn default() -> Self {
        let descent = Descent { epochs: 6, batch: 32, rate: 0.03, l2: 0.01, l1: 0.0 };
        DependencyOptions {
            order: Order::Second,
            shape: TreeShape::default(),
            tags: TagColumn::default(),
            first: descent,
            pruner: Descent { epochs: 2, ..descent },
            second: descent,
            labels: Descent { epochs: 10, l2: 1e-3, ..descent },
            pruning: Pruning::default(),
            bits: 22,
            label_bits: 17,
            most_weights: 5_000_000,
            held_out: 0.1,
            ensemble: 1,
            rule_pull: 0.0,
            rules: RuleTable::default(),
            delexicalised: false,
            columns: Columns::default(),
            clusters: None,
            vectors: None,
            templates: DEFAULT_TEMPLATES.to_owned(),
            seed: 0,
        }
    }
}

impl Attribute {
    /// Whether an attribute says nothing of the word but its tag.
    pub(super) fn is_tag(self) -> bool {
        self == Attribute::Tag
    }
}
