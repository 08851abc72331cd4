//! The regression of one latent value on the factors: intercept and loadings given a weighted Gaussian response.

use chain::Rng;
use libm::{exp, log, sqrt};
use num::dist::{normal, truncated_normal};
use num::linear::Cholesky;

use crate::options::Update;

/// What the data say: Σ ω g gᵀ as a packed lower triangle and Σ ω x g, with g = (1, f).
#[derive(Clone, Debug, Default)]
pub(crate) struct Evidence {
    pub(crate) gram: Vec<f64>,
    pub(crate) pull: Vec<f64>,
}

/// What is known beforehand about the row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beforehand<'a> {
    /// Prior precision of the intercept and of each loading.
    pub(crate) precisions: &'a [f64],
    /// The probability of each loading not to be 0, with the sparse prior.
    pub(crate) inclusion: Option<&'a [f64]>,
    /// How many loadings are free; the others are 0.
    pub(crate) n_free: usize,
    /// Whether the last free one must be positive.
    pub(crate) positive: bool,
}

/// Where row a, column b ≤ a of a lower triangle is packed.
pub(crate) fn packed(a: usize, b: usize) -> usize {
    a * (a + 1) / 2 + b
}

impl Evidence {
    fn gram(&self, a: usize, b: usize) -> f64 {
        self.gram[if a >= b { packed(a, b) } else { packed(b, a) }]
    }

    /// Draws the row of weights (α, b₁, …) anew; `None` if numbers have become too large.
    pub(crate) fn draw(
        &self,
        row: &mut [f64],
        before: Beforehand<'_>,
        update: Update,
        rng: &mut Rng,
    ) -> Option<()> {
        row[before.n_free + 1..].fill(0.0);
        if let Some(inclusion) = before.inclusion {
            self.draw_sparse(row, before, inclusion, rng);
        } else if update == Update::Single {
            (0..=before.n_free).for_each(|at| row[at] = self.draw_one(at, row, before, rng));
        }
        match update {
            Update::Blocked => self.draw_together(row, before, rng),
            Update::Single => row.iter().all(|w| w.is_finite()).then_some(()),
        }
    }

    /// The normal conditional of one weight given the others: V = 1/(prior + G_ss), m = V (r_s − Σ_{t≠s} G_st w_t).
    fn conditional(&self, at: usize, row: &[f64], before: Beforehand<'_>) -> (f64, f64) {
        let others: f64 = (0..=before.n_free).filter(|&t| t != at).map(|t| self.gram(at, t) * row[t]).sum();
        let variance = 1.0 / (before.precisions[at] + self.gram(at, at));
        (variance * (self.pull[at] - others), variance)
    }

    fn draw_one(&self, at: usize, row: &[f64], before: Beforehand<'_>, rng: &mut Rng) -> f64 {
        let (mean, variance) = self.conditional(at, row, before);
        if before.positive && at == before.n_free {
            truncated_normal(rng, mean, sqrt(variance), 0.0, f64::INFINITY)
        } else {
            mean + sqrt(variance) * normal(rng)
        }
    }

    /// Each loading is 0 or not, and if not, normal (eq. 4.36 with the errata):
    ///
    /// ρ = N(0 | 0, ν) / N(0 | m, V) = √(V/ν) exp(m²/2V);  P(b ≠ 0) = ρ / ((1 − q)/q + ρ)
    fn draw_sparse(&self, row: &mut [f64], before: Beforehand<'_>, inclusion: &[f64], rng: &mut Rng) {
        row[0] = self.draw_one(0, row, before, rng);
        for at in 1..=before.n_free {
            if before.positive && at == before.n_free {
                row[at] = self.draw_one(at, row, before, rng);
                continue;
            }
            let (mean, variance) = self.conditional(at, row, before);
            let q = inclusion[at - 1];
            let ln_rho = 0.5 * log(variance * before.precisions[at]) + 0.5 * mean * mean / variance;
            let ln_odds = ln_rho + log(q) - libm::log1p(-q);
            let there = rng.bernoulli(1.0 / (1.0 + exp(-ln_odds)));
            row[at] = if there { mean + sqrt(variance) * normal(rng) } else { 0.0 };
        }
    }

    /// All weights that are not 0 by prior or by choice from their joint normal distribution. With L Lᵀ the precision and
    /// m its mean, w = m + L⁻ᵀ ε; the last entry is m + ε/L, so a positive one is drawn by truncating the last ε.
    fn draw_together(&self, row: &mut [f64], before: Beforehand<'_>, rng: &mut Rng) -> Option<()> {
        let chosen = |&at: &usize| at == 0 || before.inclusion.is_none() || row[at] != 0.0;
        let active: Vec<usize> = (0..=before.n_free).filter(chosen).collect();
        let n = active.len();
        let mut precision = vec![0.0; n * n];
        for (i, &a) in active.iter().enumerate() {
            for (j, &b) in active[..=i].iter().enumerate() {
                precision[i * n + j] = self.gram(a, b);
            }
            precision[i * n + i] += before.precisions[a];
        }
        let factor = Cholesky::new(n, &precision)?;
        // y = L⁻¹ r; then m + L⁻ᵀ ε = L⁻ᵀ (y + ε).
        let mut draw: Vec<f64> = active.iter().map(|&at| self.pull[at]).collect();
        factor.solve_lower(&mut draw);
        let free = if before.positive { n - 1 } else { n };
        draw[..free].iter_mut().for_each(|y| *y += normal(rng));
        if before.positive {
            let scale = factor.last();
            draw[free] = scale * truncated_normal(rng, draw[free] / scale, 1.0 / scale, 0.0, f64::INFINITY);
        }
        factor.solve_upper(&mut draw);
        active.iter().zip(&draw).for_each(|(&at, &weight)| row[at] = weight);
        draw.iter().all(|w| w.is_finite()).then_some(())
    }
}
