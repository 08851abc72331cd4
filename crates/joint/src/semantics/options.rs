//! What a model of names, relations or roles looks like.

use bp::structured::Cover;
use chain::descent::{Learning, Rule};
use serde::{Deserialize, Serialize};

use super::Mode;

/// What is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SemanticTask {
    /// Names and their types.
    #[default]
    Entities,
    /// How names that are given are related.
    Relations,
    /// Senses of predicates that are given, and who plays which role.
    Roles,
}

/// What kind of syntax takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Syntax {
    /// Arcs between words.
    Arcs,
    /// Brackets around words.
    #[default]
    Brackets,
}

/// What features look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sight {
    /// Names: the words around both ends, nothing that needs both at once (*Chain* of the thesis).
    Chain,
    /// What the thesis looks at.
    Paper,
    /// More than that: words inside and between, their ends and classes, paths in trees that are given.
    #[default]
    Rich,
}

/// How far the arguments of a predicate are counted, by role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Valency {
    /// Not at all.
    #[default]
    None,
    /// Whether there is one.
    Two,
    /// None, one, more.
    Three,
}

impl Valency {
    /// How many counts are told apart.
    pub(super) fn n_bins(self) -> usize {
        match self {
            Valency::None => 0,
            Valency::Two => 2,
            Valency::Three => 3,
        }
    }
}

/// What a model looks like.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// What is found.
    pub task: SemanticTask,
    /// What is known of syntax.
    pub mode: Mode,
    /// What kind of syntax there is.
    pub syntax: Syntax,
    /// Whether trees of arcs have no crossing ones. Trees that are known and have some are allowed them in any case.
    pub projective: bool,
    /// What features look at.
    pub sight: Sight,
    /// Whether a word outside of all names is a name of its own that is called O, as in the thesis, or nothing.
    #[serde(with = "cover_name")]
    pub cover: Cover,
    /// The most words of a name.
    pub widest: u32,
    /// Whether relations see the types of names.
    pub types: bool,
    /// How arguments are counted.
    pub valency: Valency,
    /// How far an argument may be from its predicate, in words.
    pub window: u32,
    /// Whether the tie between a task and syntax has one score everywhere.
    pub plain_tie: bool,
    /// Features that fewer candidates have are left out, unless one has them that is there.
    pub least: u32,
    /// Whether only features of what is there are kept, as in the thesis where nothing is hidden.
    pub only_positive: bool,
    /// If there is a number, features share 2 to the power of it weights, as their keys fall.
    pub hash: Option<u8>,
    /// Candidates that are less probable than this without valency have no part in it.
    pub prune: f64,
    /// How messages are passed where there are cycles.
    pub propagation: bp::Options,
    /// How weights are learned.
    pub learning: Learning,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            task: SemanticTask::Entities,
            mode: Mode::Supervised,
            syntax: Syntax::Brackets,
            projective: true,
            sight: Sight::Rich,
            cover: Cover::Optional,
            widest: 10,
            types: true,
            valency: Valency::None,
            window: 20,
            plain_tie: false,
            least: 2,
            only_positive: false,
            hash: None,
            prune: 0.001,
            propagation: bp::Options { most: 20, tolerance: 1e-3, ..bp::Options::default() },
            learning: Learning {
                rule: Rule::AdaGrad,
                epochs: 15,
                rate: 0.2,
                l2: 0.1,
                batch: 8,
                average: true,
            },
        }
    }
}

impl Options {
    /// What is best known for a task.
    pub fn of(task: SemanticTask) -> Options {
        let default = Options::default();
        match task {
            SemanticTask::Roles => {
                let learning = Learning { rate: 0.05, l2: 1.0, epochs: 30, ..default.learning };
                Options { task, syntax: Syntax::Arcs, learning, ..default }
            }
            SemanticTask::Relations => {
                let learning = Learning { rate: 0.05, l2: 3.0, epochs: 30, ..default.learning };
                Options { task, least: 1, learning, ..default }
            }
            SemanticTask::Entities => {
                let learning = Learning { rate: 0.05, epochs: 30, ..default.learning };
                Options { task, learning, ..default }
            }
        }
    }

    /// Whether words outside of names are names of their own.
    pub(super) fn covers_all(&self) -> bool {
        self.cover == Cover::Exact
    }
}

/// A cover by its name.
mod cover_name {
    use bp::structured::Cover;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(cover: &Cover, serializer: S) -> Result<S::Ok, S::Error> {
        (*cover == Cover::Exact).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Cover, D::Error> {
        Ok(if bool::deserialize(deserializer)? { Cover::Exact } else { Cover::Optional })
    }
}
