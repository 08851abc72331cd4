//! What the draws say, in numbers that people look at.

use chain::Workers;
use chain::diagnose::{Summary, summarise};
use libm::sqrt;

use crate::Posterior;
use crate::state::State;

/// One loading, or one intercept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weight {
    /// Mean, interval and convergence.
    pub summary: Summary,
    /// In how many of the draws it is not exactly 0.
    pub present: f64,
}

/// The mean and spread of a row's factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FactorScore {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub sd: f64,
}

impl Posterior {
    /// How many latent values a row has.
    pub fn n_latent(&self) -> usize {
        self.kinds.iter().map(|kind| kind.n_latent()).sum()
    }

    /// The column of each latent value, and for categories its level.
    pub fn latent_places(&self) -> Vec<(usize, Option<usize>)> {
        let places = |(column, kind): (usize, &crate::Kind)| match kind {
            crate::Kind::Categorical(levels) => (1..*levels).map(|level| (column, Some(level))).collect(),
            _ => vec![(column, None)],
        };
        self.kinds.iter().enumerate().flat_map(places).collect()
    }

    /// Intercept and loadings of each latent value: K + 1 weights each.
    pub fn weights(&self, workers: &Workers) -> Vec<Weight> {
        let rows = self.flattened();
        let n = self.n_latent() * (self.n_factors() + 1);
        let places: Vec<usize> = (0..n).collect();
        workers.map(&places, |_, &at| {
            let series: Vec<Vec<f64>> =
                rows.iter().map(|chain| chain.iter().map(|weights| weights[at]).collect()).collect();
            let present = series.iter().flatten().filter(|b| **b != 0.0).count() as f64;
            let summary = summarise(&series).unwrap_or(NOTHING);
            Weight { summary, present: present / self.n_draws().max(1) as f64 }
        })
    }

    fn flattened(&self) -> Vec<Vec<Vec<f64>>> {
        let flat = |draw: &State| draw.columns.iter().flat_map(|c| c.weights.iter().copied()).collect();
        self.chains.iter().map(|chain| chain.iter().map(flat).collect()).collect()
    }

    /// For each latent value the share of each factor in its squared loadings, b²/Σ b² (Sun 2016, §4.4.2), by posterior
    /// means of the squares.
    pub fn shares(&self) -> Vec<f64> {
        let k = self.n_factors();
        let mut squares = self.mean_squares();
        for row in squares.chunks_exact_mut(k) {
            let total: f64 = row.iter().sum();
            row.iter_mut().for_each(|b| *b = if total > 0.0 { *b / total } else { 0.0 });
        }
        squares
    }

    /// The share of each factor in the variance of all latent values.
    pub fn factor_shares(&self) -> Vec<f64> {
        let k = self.n_factors();
        let squares = self.mean_squares();
        let total: f64 = squares.iter().sum();
        // Without any loading there is no variance to share.
        let total = if total > 0.0 { total } else { 1.0 };
        (0..k).map(|s| squares.iter().skip(s).step_by(k).sum::<f64>() / total).collect()
    }

    fn mean_squares(&self) -> Vec<f64> {
        let k = self.n_factors();
        let mut squares = vec![0.0; self.n_latent() * k];
        for draw in self.draws() {
            let rows = draw.columns.iter().flat_map(|column| column.weights.chunks_exact(k + 1));
            for (sums, row) in squares.chunks_exact_mut(k).zip(rows) {
                sums.iter_mut().zip(&row[1..]).for_each(|(sum, b)| *sum += b * b / self.n_draws() as f64);
            }
        }
        squares
    }

    /// The dimension of each latent value: how many factors it has on average whose loading is not exactly 0.
    pub fn dimensions(&self) -> Vec<f64> {
        let k = self.n_factors();
        let mut counts = vec![0.0; self.n_latent()];
        for draw in self.draws() {
            let rows = draw.columns.iter().flat_map(|column| column.weights.chunks_exact(k + 1));
            for (count, row) in counts.iter_mut().zip(rows) {
                let there = row[1..].iter().filter(|b| **b != 0.0).count();
                *count += there as f64 / self.n_draws() as f64;
            }
        }
        counts
    }

    /// The factors of the fitted rows, K for each.
    pub fn scores(&self) -> Vec<FactorScore> {
        let n = self.draws().next().map_or(0, |draw| draw.factors.len());
        let (mut sums, mut squares) = (vec![0.0; n], vec![0.0; n]);
        for draw in self.draws() {
            for (at, f) in draw.factors.iter().enumerate() {
                sums[at] += f;
                squares[at] += f * f;
            }
        }
        let n_draws = self.n_draws().max(1) as f64;
        let score = |(sum, square): (&f64, &f64)| {
            let mean = sum / n_draws;
            FactorScore { mean, sd: sqrt((square / n_draws - mean * mean).max(0.0)) }
        };
        sums.iter().zip(&squares).map(score).collect()
    }

    /// The posterior mean of the correlations of some latent values, cor(B Bᵀ), row by row.
    pub fn correlations(&self, latent: &[usize]) -> Vec<f64> {
        let n = latent.len();
        let mut sums = vec![0.0; n * n];
        for draw in self.draws() {
            let correlations = correlations(draw, latent);
            sums.iter_mut().zip(correlations).for_each(|(sum, r)| *sum += r / self.n_draws() as f64);
        }
        sums
    }

    /// The log-probability of the cells of columns that are not categorical, in each kept draw of each chain.
    pub fn log_likelihoods(&self) -> Vec<Vec<f64>> {
        self.chains.iter().map(|chain| chain.iter().map(|draw| draw.log_likelihood).collect()).collect()
    }
}

/// cor(B Bᵀ) of one state; a latent value without loadings is correlated with nothing.
pub fn correlations(draw: &State, latent: &[usize]) -> Vec<f64> {
    let k = draw.variances.len();
    let rows: Vec<&[f64]> = draw.columns.iter().flat_map(|c| c.weights.chunks_exact(k + 1)).collect();
    let chosen: Vec<&[f64]> = latent.iter().map(|&at| &rows[at][1..]).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let lengths: Vec<f64> = chosen.iter().map(|row| sqrt(dot(row, row))).collect();
    let correlation = |i: usize, j: usize| match lengths[i] * lengths[j] {
        _ if i == j => 1.0,
        length if length > 0.0 => dot(chosen[i], chosen[j]) / length,
        _ => 0.0,
    };
    (0..latent.len())
        .flat_map(|i| (0..latent.len()).map(move |j| (i, j)))
        .map(|(i, j)| correlation(i, j))
        .collect()
}

/// What there is to say without draws.
const NOTHING: Summary = Summary {
    mean: f64::NAN,
    sd: f64::NAN,
    quantiles: [f64::NAN; 3],
    rhat: None,
    ess_bulk: None,
    ess_tail: None,
    mcse: None,
};
