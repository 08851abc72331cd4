//! What kind of values a column holds.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The type of a column. Levels are numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A real number: normal around the latent value.
    Continuous,
    /// No or yes: the latent value is the log-odds (logit) or the mean of a hidden normal (probit).
    Binary,
    /// A whole number from 0: negative binomial, the latent value is its log-odds.
    Count,
    /// One of so many levels in an order: cut points on a hidden number around the latent value.
    Ordinal(usize),
    /// One of so many levels without an order: the largest of hidden utilities around the latent values.
    Categorical(usize),
}

impl Kind {
    /// How many latent values a cell of this kind has: one, or one for each level but the first.
    pub fn n_latent(self) -> usize {
        match self {
            Kind::Categorical(levels) => levels.saturating_sub(1),
            _ => 1,
        }
    }

    /// How many levels there are; 0 for numbers.
    pub fn n_levels(self) -> usize {
        match self {
            Kind::Continuous | Kind::Count => 0,
            Kind::Binary => 2,
            Kind::Ordinal(levels) | Kind::Categorical(levels) => levels,
        }
    }

    /// The least and the largest number that a value can be.
    pub(crate) fn bounds(self) -> (f64, f64) {
        match self {
            Kind::Continuous => (f64::NEG_INFINITY, f64::INFINITY),
            Kind::Count => (0.0, u32::MAX.into()),
            _ => (0.0, self.n_levels().saturating_sub(1) as f64),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Continuous => write!(f, "continuous"),
            Kind::Binary => write!(f, "binary"),
            Kind::Count => write!(f, "count"),
            Kind::Ordinal(levels) => write!(f, "ordinal of {levels}"),
            Kind::Categorical(levels) => write!(f, "categorical of {levels}"),
        }
    }
}
