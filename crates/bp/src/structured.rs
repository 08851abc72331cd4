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
}
