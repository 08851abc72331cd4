//! Assignments: the most probable one, the n most probable ones, and the one with the most variables right.
//!
//! [`Messages::best`](crate::Messages::best) and [`Messages::n_best`](crate::Messages::n_best) pass messages of maxima in place of
//! sums (max-product) and read the assignment off; [`most_correct`] reads one off probabilities (minimum Bayes risk). With
//! Ψ the factors and p the marginals,
//!
//! ```text
//! best: max_x Π_f Ψ_f(x_f)        most correct: max_x Σ_v p(x_v)   over what hard factors allow
//! ```
//!
//! The first is one of all assignments and may be improbable where many are nearly as good; the second has more right on
//! average, and may be wrong as a whole. What is hidden is chosen in the first and summed over in the second.

mod best;
mod choose;
mod most_correct;
mod n_best;
mod score;
mod send;

pub use most_correct::most_correct;
pub(crate) use send::send;

use crate::graph::{Literal, Variable};

/// A value for every variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    pub(crate) values: Vec<u32>,
    /// Σ of the scores that count, the logarithm of what the assignment weighs; −∞ if a factor forbids it, which an
    /// assignment from a graph with cycles may come to. Less ln Z it is the logarithm of the probability.
    pub log_score: f64,
}

impl Assignment {
    /// The value of a variable; 0 if it is not in the graph.
    pub fn value(&self, variable: Variable) -> usize {
        self.values.get(variable.index()).map_or(0, |&value| value as usize)
    }

    /// Whether a literal holds.
    pub fn holds(&self, literal: Literal) -> bool {
        self.values.get(literal.variable().index()) == Some(&literal.value)
    }

    /// The values of all variables, in the order of the variables.
    pub fn values(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.values.iter().map(|&value| value as usize)
    }
}

/// What messages are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Product {
    /// Sums over assignments.
    #[default]
    Sum,
    /// Maxima.
    Max,
    /// Maxima, of soft scores nothing: only what is forbidden counts.
    Rules,
}

impl Product {
    /// What a score counts.
    pub(crate) fn score(self, score: f64) -> f64 {
        if self == Product::Rules && score > f64::NEG_INFINITY { 0.0 } else { score.max(-crate::HARD) }
    }
}
