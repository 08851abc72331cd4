//! Combinatorial factors: hard constraints over many literals whose messages come from a dynamic program.
//!
//! With u the odds of the literals and Z(u) = Σ over legal sets of Π u of what is in them, p = u · ∂ ln Z / ∂u is how
//! probable a literal is as far as the factor knows, and logit(p) − ln u is what it tells the literal.

mod brackets;
mod segments;
mod trees;

pub use brackets::Brackets;
pub use segments::{Cover, Segments};
pub use trees::Trees;

use crate::{HARD, is_absent, is_required};

/// A combinatorial factor.
pub trait Structured: std::fmt::Debug + Send + Sync {
    /// What people call it.
    fn name(&self) -> &'static str;

    /// How many literals it is over.
    fn n_literals(&self) -> usize;

    /// From log-odds to marginals p and ln(1 − p), both right to the last digits where they are small; returns ln Z, which
    /// is −∞ if nothing is legal. Odds of ±[`crate::HARD`] say what must and what cannot be; the odds of what must be do
    /// not count in ln Z, which would lose digits to them.
    fn marginals(&self, log_odds: &[f64], p: &mut [f64], ln_complement: &mut [f64]) -> f64;

    /// Below this a marginal may be nothing but rounding.
    fn rounding(&self) -> f64 {
        0.0
    }

    /// The legal set whose sum of values is largest: with marginals the one with the fewest expected errors, with their
    /// logarithms (or log-odds) the most probable product. Absent places have −∞; empty if nothing is legal.
    fn best(&self, values: &[f64]) -> Vec<bool>;

    /// The legal set whose sum of log-odds is largest, with odds of ±[`crate::HARD`] as in [`Structured::marginals`]; `None`
    /// if nothing is legal.
    ///
    /// Unless a factor does better, what must be is worth so much that nothing outweighs it, which leaves ten digits for the rest.
    fn most_probable(&self, log_odds: &[f64]) -> Option<Vec<bool>> {
        let absent = |odds: f64| if is_absent(odds) { f64::NEG_INFINITY } else { odds };
        best_if_any(self, &log_odds.iter().map(|&odds| absent(odds)).collect::<Vec<f64>>())
            .filter(|set| set.iter().zip(log_odds).all(|(held, odds)| *held || !is_required(*odds)))
    }

    /// From log-odds to max-marginals: the largest sum of log-odds of legal sets with each literal, and of those without
    /// it; −∞ where there is none. Returns the largest of all. The odds of what must be do not count.
    ///
    /// Unless a factor does better, it is asked once more for each literal.
    fn max_marginals(&self, log_odds: &[f64], with: &mut [f64], without: &mut [f64]) -> f64 {
        by_each(self, log_odds, with, without)
    }
}

/// Max-marginals from the best set, and from the best ones in which each literal is other than there.
fn by_each<S: Structured + ?Sized>(
    factor: &S,
    log_odds: &[f64],
    with: &mut [f64],
    without: &mut [f64],
) -> f64 {
    let sum = |set: &[bool]| -> f64 {
        let held = set.iter().zip(log_odds).filter(|(held, odds)| **held && !is_required(**odds));
        held.map(|(_, odds)| odds).sum()
    };
    let Some(best) = factor.most_probable(log_odds) else { return f64::NEG_INFINITY };
    let total = sum(&best);
    let mut changed = log_odds.to_vec();
    for (place, &held) in best.iter().enumerate() {
        let own = std::mem::replace(&mut changed[place], if held { -HARD } else { HARD });
        let other = match (held && is_required(own)) || (!held && is_absent(own)) {
            true => f64::NEG_INFINITY,
            false => factor.most_probable(&changed).map_or(f64::NEG_INFINITY, |set| sum(&set)),
        };
        changed[place] = own;
        (with[place], without[place]) = if held { (total, other) } else { (other, total) };
    }
    total
}

/// [`Structured::best`], `None` if nothing is legal. Without literals it is empty either way.
fn best_if_any<S: Structured + ?Sized>(factor: &S, values: &[f64]) -> Option<Vec<bool>> {
    let set = factor.best(values);
    let is_legal =
        !set.is_empty() || (values.is_empty() && factor.marginals(&[], &mut [], &mut []) > f64::NEG_INFINITY);
    is_legal.then_some(set)
}
