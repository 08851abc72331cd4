//! Dirichlet grammars: every item has a grammar of its own, drawn from Dirichlet distributions that all share and whose
//! parameters are fitted (empirical Bayes; the *VB-EM-Dirichlet* of Cohen, Gimpel & Smith 2008, after Blei et al. 2003).
//!
//! ```text
//! q(θ_k) = Dirichlet(γ_k)    γ_k = α_k + f_k    weights exp(ψ(γ_{k,i}) − ψ(Σ γ_k))
//! ```
//!
//! The α_k that fit best satisfy ψ(α_{k,i}) − ψ(Σ α_k) = mean of E_q[ln θ_{k,i}] over items; Minka's (2000) fixed point
//! raises the bound in every step. The grammar in the end is the mean, α_k / Σ α_k.

use num::special::{digamma, ln_gamma, trigamma};
use serde::{Deserialize, Serialize};

use crate::family::Rows;
use crate::per_item::{LEAST, Prior};

/// θ_k ~ Dirichlet(α_k) for every multinomial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dirichlets {
    rows: Rows,
    alpha: Vec<f64>,
}

/// Σ E_q[ln θ] by event, and the number of items that use each multinomial.
#[derive(Debug)]
pub struct Logarithms {
    sums: Vec<f64>,
    used: Vec<u32>,
}

impl Dirichlets {
    /// A prior whose mean is this grammar, and whose parameters are 1 on average.
    pub fn around(rows: Rows, grammar: &[f64]) -> Dirichlets {
        let mut alpha = grammar.to_vec();
        for range in rows.ranges() {
            let n = range.len() as f64;
            alpha[range].iter_mut().for_each(|value| *value = (*value * n).max(SMALLEST));
        }
        Dirichlets { rows, alpha }
    }

    /// The parameters, by event.
    pub fn alpha(&self) -> &[f64] {
        &self.alpha
    }
}

/// Parameters stay above this.
const SMALLEST: f64 = 1e-6;
/// Steps of the fixed point; more make little difference, because the sums change with every pass.
const STEPS: usize = 20;

impl Prior for Dirichlets {
    type Posterior = Vec<f64>;
    type Sums = Logarithms;
    const KIND: &'static str = "induce/dirichlet";

    fn posterior(rows: &Rows) -> Vec<f64> {
        vec![0.0; rows.n_events()]
    }

    fn sums(rows: &Rows) -> Logarithms {
        Logarithms { sums: vec![0.0; rows.n_events()], used: vec![0; rows.len()] }
    }

    fn point(&self) -> Vec<f64> {
        let mut point = self.alpha.clone();
        self.rows.normalise(&mut point, &self.alpha);
        point
    }

    fn begin(&self, row: usize, gamma: &mut Vec<f64>) {
        let events = self.rows.range(row);
        gamma[events.clone()].copy_from_slice(&self.alpha[events]);
    }

    fn improve(&self, row: usize, counts: &[f64], gamma: &mut Vec<f64>, weights: &mut [f64]) {
        for event in self.rows.range(row) {
            gamma[event] = self.alpha[event] + counts[event];
        }
        let total = digamma(gamma[self.rows.range(row)].iter().sum());
        for event in self.rows.range(row) {
            weights[event] = libm::exp(digamma(gamma[event]) - total).max(LEAST);
        }
    }

    /// −KL(Dirichlet(γ) ‖ Dirichlet(α))
    fn bound(&self, row: usize, gamma: &mut Vec<f64>) -> f64 {
        let events = self.rows.range(row);
        let (gamma, alpha) = (&gamma[events.clone()], &self.alpha[events]);
        let total: f64 = gamma.iter().sum();
        let mean = digamma(total);
        let each =
            gamma.iter().zip(alpha).map(|(&g, &a)| ln_gamma(a) - ln_gamma(g) + (g - a) * (digamma(g) - mean));
        ln_gamma(alpha.iter().sum()) - ln_gamma(total) - each.sum::<f64>()
    }

    fn add(&self, row: usize, gamma: &mut Vec<f64>, sums: &mut Logarithms) {
        let total = digamma(gamma[self.rows.range(row)].iter().sum());
        for event in self.rows.range(row) {
            sums.sums[event] += digamma(gamma[event]) - total;
        }
        sums.used[row] += 1;
    }

    fn merge(earlier: &mut Logarithms, later: Logarithms) {
        earlier.sums.iter_mut().zip(later.sums).for_each(|(sum, value)| *sum += value);
        earlier.used.iter_mut().zip(later.used).for_each(|(sum, n)| *sum += n);
    }

    /// ψ(α_i) ← ψ(Σ α) + mean of E[ln θ_i]
    fn maximise(&mut self, sums: Logarithms) {
        for (row, range) in self.rows.ranges().enumerate().filter(|(row, _)| sums.used[*row] > 0) {
            let used = f64::from(sums.used[row]);
            for _ in 0..STEPS {
                let total = digamma(self.alpha[range.clone()].iter().sum());
                for event in range.clone() {
                    self.alpha[event] = inverse_digamma(total + sums.sums[event] / used).max(SMALLEST);
                }
            }
        }
    }
}

/// The x > 0 with ψ(x) = y, by Newton's method from Minka's (2000) guess.
fn inverse_digamma(y: f64) -> f64 {
    const EULER: f64 = 0.577_215_664_901_532_9;
    let mut x = if y >= -2.22 { libm::exp(y) + 0.5 } else { -1.0 / (y + EULER) };
    for _ in 0..6 {
        x -= (digamma(x) - y) / trigamma(x);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_of_the_digamma_function_undoes_it() {
        for x in [1e-5, 0.01, 0.3, 1.0, 2.5, 40.0, 1e4] {
            assert!((inverse_digamma(digamma(x)) / x - 1.0).abs() < 1e-10, "{x}");
        }
    }
}
