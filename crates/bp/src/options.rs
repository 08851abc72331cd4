//! How messages are passed, and what came of it.

use serde::{Deserialize, Serialize};

/// In which order factors of a graph with cycles send.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Schedule {
    /// Forwards, then backwards through the factors, combinatorial ones between.
    #[default]
    Sweep,
    /// The factor whose incoming messages have changed most, again and again.
    Residual,
}

/// How messages are passed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// Sweeps at most, over a graph with cycles.
    pub most: usize,
    /// The largest change of a belief at which a graph with cycles rests.
    pub tolerance: f64,
    /// The share of the old message that is kept, from 0 to below 1.
    pub damping: f64,
    /// The order.
    pub schedule: Schedule,
}

impl Default for Options {
    fn default() -> Options {
        Options { most: 50, tolerance: 1e-4, damping: 0.0, schedule: Schedule::Sweep }
    }
}

/// What came of passing messages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// Whether beliefs are the true marginals: the graph has no cycle once known variables are cut.
    pub is_exact: bool,
    /// Whether beliefs rest.
    pub has_converged: bool,
    /// Sweeps; two passes of an exact run count as one.
    pub sweeps: usize,
}

impl Outcome {
    /// That of a graph without cycles.
    pub(crate) fn exact() -> Outcome {
        Outcome { is_exact: true, has_converged: true, sweeps: 1 }
    }
}
