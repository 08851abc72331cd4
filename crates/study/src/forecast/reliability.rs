//! Whether intervals hold what they say.

use serde::{Deserialize, Serialize};

/// How often intervals of a level held the truth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reliability {
    /// What the intervals say.
    pub level: f64,
    /// The share of cases in which they held the truth.
    pub held: f64,
    /// How many cases there were.
    pub n: usize,
}

/// Compares levels with what was held. A case is the probability that the forecast gave to a score of at most the one that was
/// measured later ([`Forecast::probability_below`](super::Forecast::probability_below)): the interval of level q holds
/// probabilities from (1 − q) / 2 to (1 + q) / 2.
pub fn reliability(cases: &[f64], levels: &[f64]) -> Vec<Reliability> {
    let held = |level: f64| {
        let inside = cases.iter().filter(|&&below| (2.0 * below - 1.0).abs() <= level).count();
        inside as f64 / cases.len().max(1) as f64
    };
    levels.iter().map(|&level| Reliability { level, held: held(level), n: cases.len() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_holds_what_lies_in_the_middle() {
        let cases = [0.05, 0.12, 0.5, 0.88, 0.99];
        let held = |level: f64| reliability(&cases, &[level])[0].held;
        assert_eq!([held(0.1), held(0.8), held(0.92), held(0.99)], [0.2, 0.6, 0.8, 1.0]);
        assert_eq!(reliability(&[], &[0.5]), [Reliability { level: 0.5, held: 0.0, n: 0 }]);
    }
}
