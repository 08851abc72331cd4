//! Concentrations drawn, not fixed.
//!
//! With θ and β integrated out, the counts of one `A[x]` have the density
//!
//! ```text
//! Γ(C) / Γ(C + n) · Π_r Γ(c m_r + n_r) / Γ(c m_r),    C = Σ_r c m_r
//! ```
//!
//! and those of its annotations the same with b / (K_B K_C) for c m_r. Each concentration is drawn given the
//! counts by slice sampling of its logarithm, under a Gamma(2, scale) prior; then θ and β are drawn given it.
//! Drawing the concentrations first, with θ and β out of the way, is a blocked step and leaves the joint
//! distribution as it is.

use chain::Rng;
use grammar::{Category, Sizes, Tensors};
use num::dist::{self, Slice};
use num::special;

use super::prior::{Concentrations, RulePrior};

/// The mean of the Gamma(2, ·) priors of concentrations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HyperPrior {
    /// Of c for rules.
    pub rules: f64,
    /// Of c for words.
    pub words: f64,
    /// Of b.
    pub annotations: f64,
}

impl Default for HyperPrior {
    fn default() -> Self {
        let c = Concentrations::default();
        HyperPrior { rules: c.rules, words: c.words, annotations: c.annotations }
    }
}

/// Draws all three concentrations, one after another.
pub fn draw(
    prior: &RulePrior<'_>,
    hyper: &HyperPrior,
    sizes: &Sizes,
    counts: &Tensors,
    rng: &mut Rng,
) -> Concentrations {
    let totals = Totals::new(prior, sizes, counts);
    let mut c = prior.concentrations;
    c.rules =
        slice(rng, c.rules, hyper.rules, |rules| totals.ln_rules(prior, &Concentrations { rules, ..c }));
    c.words =
        slice(rng, c.words, hyper.words, |words| totals.ln_rules(prior, &Concentrations { words, ..c }));
    c.annotations = slice(rng, c.annotations, hyper.annotations, |b| totals.ln_annotations(b));
    c
}

/// The log density of Gamma(2, mean / 2) at c, times c for the change of variable to ln c.
pub fn ln_hyper(c: f64, mean: f64) -> f64 {
    2.0 * libm::log(c) - 2.0 * c / mean
}

fn slice(rng: &mut Rng, at: f64, mean: f64, mut ln_density: impl FnMut(f64) -> f64) -> f64 {
    let ln = dist::slice(rng, libm::log(at), &Slice::default(), |ln| {
        let c = libm::exp(ln);
        ln_density(c) + ln_hyper(c, mean)
    });
    libm::exp(ln)
}

/// Counts as the densities need them: nothing that is zero.
struct Totals {
    /// For each `A[x]` with a count: its rules with counts, and the head.
    heads: Vec<(Category, Vec<(u32, f64)>)>,
    /// For each (`A[x]`, r) with a count and more than one pair: the number of pairs and the counts.
    pairs: Vec<(f64, Vec<f64>)>,
}

impl Totals {
    fn new(prior: &RulePrior<'_>, sizes: &Sizes, counts: &Tensors) -> Totals {
        let mut totals = Totals { heads: Vec::new(), pairs: Vec::new() };
        for head in prior.inventory.heads() {
            for x in 0..sizes.of(head) {
                let mut rules = Vec::new();
                for &rule in prior.inventory.rules_of(head) {
                    let row = counts.row(rule, x);
                    let n: f64 = row.iter().sum();
                    if n == 0.0 {
                        continue;
                    }
                    rules.push((rule, n));
                    if row.len() > 1 && !prior.inventory.rules().is_stay(rule) {
                        totals
                            .pairs
                            .push((row.len() as f64, row.iter().copied().filter(|&n| n > 0.0).collect()));
                    }
                }
                if !rules.is_empty() {
                    totals.heads.push((head, rules));
                }
            }
        }
        totals
    }

    fn ln_rules(&self, prior: &RulePrior<'_>, c: &Concentrations) -> f64 {
        let prior = RulePrior { concentrations: *c, ..*prior };
        let mut whole = vec![None; prior.inventory.rules().n_categories()];
        let mut sum = 0.0;
        for (head, rules) in &self.heads {
            let all = *whole[head.index()].get_or_insert_with(|| {
                prior.inventory.rules_of(*head).iter().map(|&rule| prior.shape(rule)).sum::<f64>()
            });
            let n: f64 = rules.iter().map(|(_, n)| n).sum();
            sum -= rise(all, n);
            sum += rules.iter().map(|&(rule, n)| rise(prior.shape(rule), n)).sum::<f64>();
        }
        sum
    }

    fn ln_annotations(&self, b: f64) -> f64 {
        let one = |(pairs, counts): &(f64, Vec<f64>)| {
            let n: f64 = counts.iter().sum();
            counts.iter().map(|&n| rise(b / pairs, n)).sum::<f64>() - rise(b, n)
        };
        self.pairs.iter().map(one).sum()
    }
}

/// ln Γ(a + n) − ln Γ(a).
fn rise(a: f64, n: f64) -> f64 {
    if a > 0.0 { special::ln_gamma(a + n) - special::ln_gamma(a) } else { 0.0 }
}
