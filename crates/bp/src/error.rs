//! What can be wrong with a graph or with what is known of it.

/// Why a graph cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A variable that is not in the graph.
    #[error("variable {variable} is not in the graph")]
    NoSuchVariable {
        /// Its number.
        variable: usize,
    },
    /// A variable with nothing to choose.
    #[error("variable {variable} would have {n_values} values; two are the least")]
    TooFewValues {
        /// Its number.
        variable: usize,
        /// How many were wanted.
        n_values: usize,
    },
    /// A value that a variable does not have, or false of a Boolean, which is not a literal.
    #[error("value {value} of variable {variable} is not a literal")]
    NoSuchValue {
        /// The variable.
        variable: usize,
        /// The value.
        value: usize,
    },
    /// A factor over a variable twice.
    #[error("{factor} has a variable twice")]
    VariableTwice {
        /// The factor.
        factor: String,
    },
    /// A combinatorial factor over another number of literals than it has places.
    #[error("{n_literals} literals were given to {factor}, which has another number of places")]
    WrongScope {
        /// The factor.
        factor: String,
        /// How many literals were given.
        n_literals: usize,
    },
    /// Too many or too few scores for a factor.
    #[error("{factor} has {given} scores instead of {wanted}")]
    WrongScores {
        /// The factor.
        factor: String,
        /// How many there are.
        given: usize,
        /// How many there have to be.
        wanted: usize,
    },
    /// Too many or too few scores for a graph.
    #[error("{given} scores were given to a graph with {wanted}")]
    WrongNumberOfScores {
        /// How many were given.
        given: usize,
        /// How many there are.
        wanted: usize,
    },
    /// A score that is not a number, or too large to be one.
    #[error("score {place} of {factor} is {score}; scores are finite and at most 10,000 from 0")]
    BadScore {
        /// The factor.
        factor: String,
        /// Which of its scores.
        place: usize,
        /// The score.
        score: f64,
    },
    /// No assignment is possible.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
}

/// Why no assignment is possible.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Contradiction {
    /// A factor allows nothing of what the others leave.
    #[error(
        "nothing that the rest of the graph leaves is possible for {factor}{}{}",
        if .because.is_empty() { "" } else { ": see " },
        .because.join(", ")
    )]
    Factor {
        /// The factor.
        factor: String,
        /// What is known of its variables, and the factors that say what must or cannot be.
        because: Vec<String>,
    },
    /// Two factors want different things of a variable.
    #[error("variable {variable} can have no value: {} contradict each other", .factors.join(" and "))]
    Variable {
        /// The variable.
        variable: usize,
        /// The factors.
        factors: Vec<String>,
    },
}
