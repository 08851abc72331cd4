//! A pull towards universal rules: posterior regularisation (Ganchev et al. 2010; the constraint of Naseem et al. 2010).
//!
//! Of all distributions q of derivations under which at least a share b of the words hang as rules say, the one nearest to
//! the model's is
//!
//! ```text
//! q(y) ∝ p(y | x) exp(λ φ(x, y))    φ = number of arcs that rules name    λ ≥ 0, and λ = 0 or E_q[φ] = b · words
//! ```
//!
//! so the weights of these arcs are multiplied by exp λ. λ is worked at along with the grammar: after every pass it takes
//! a step of Newton's method, whose derivative dE[φ]/dλ is the difference quotient of the last two passes.

use serde::{Deserialize, Serialize};

/// Which arcs, and how many.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pull {
    /// For each event, whether it is an arc that rules name.
    pub named: Vec<bool>,
    /// Every event that is an arc, so that a share can be taken.
    pub arcs: Vec<bool>,
    /// b: the share of arcs that rules shall name at least.
    pub share: f64,
}

/// λ on its way.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Multiplier {
    pub(crate) lambda: f64,
    /// λ and the share of the pass before.
    before: Option<(f64, f64)>,
}

/// A step of λ is at most this long, and exp λ stays within what charts hold.
const LONGEST: f64 = 1.0;
const MOST: f64 = 20.0;

impl Pull {
    /// The share of arcs that rules name.
    fn share_of(&self, counts: &[f64]) -> f64 {
        let sum = |chosen: &[bool]| -> f64 {
            counts.iter().zip(chosen).filter(|(_, chosen)| **chosen).map(|(count, _)| count).sum()
        };
        let all = sum(&self.arcs);
        if all > 0.0 { sum(&self.named) / all } else { 1.0 }
    }

    /// Multiplies the weights of named arcs by exp λ.
    pub(crate) fn tilt(&self, weights: &mut [f64], multiplier: Multiplier) {
        let factor = libm::exp(multiplier.lambda);
        for (weight, _) in weights.iter_mut().zip(&self.named).filter(|(_, named)| **named) {
            *weight *= factor;
        }
    }

    /// The next λ, given what the present one led to.
    pub(crate) fn next(&self, multiplier: Multiplier, counts: &[f64]) -> Multiplier {
        let share = self.share_of(counts);
        // Before there are two passes to compare, a derivative of p(1 − p), as if every arc stood alone.
        let alone = (share * (1.0 - share)).max(0.05);
        let derivative = match multiplier.before {
            Some((lambda, before)) if (multiplier.lambda - lambda).abs() > 1e-3 => {
                ((share - before) / (multiplier.lambda - lambda)).max(0.25 * alone)
            }
            _ => alone,
        };
        let step = ((self.share - share) / derivative).clamp(-LONGEST, LONGEST);
        let lambda = (multiplier.lambda + step).clamp(0.0, MOST);
        Multiplier { lambda, before: Some((multiplier.lambda, share)) }
    }
}
