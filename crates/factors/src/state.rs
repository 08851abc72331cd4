//! Everything that is sampled.

use serde::{Deserialize, Serialize};

use crate::Kind;

/// One state of the sampler.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// What belongs to each column.
    pub columns: Vec<ColumnState>,
    /// F: the factors, K numbers for each row.
    pub factors: Vec<f64>,
    /// ν: the variance of the loadings of each factor.
    pub variances: Vec<f64>,
    /// q: how probable it is that a loading of each factor is not 0; all 1 without the sparse prior.
    pub inclusion: Vec<f64>,
    /// Mean and shape of the dispersions of counts, if they are pooled.
    pub pooled: Option<Pooled>,
    /// The log-probability of the observed cells given the latent values before the last sweep, without those of categories.
    pub log_likelihood: f64,
}

/// The gamma distribution that the dispersions of all counts come from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pooled {
    /// Its mean m.
    pub mean: f64,
    /// Its shape a; the rate is a/m.
    pub shape: f64,
}

/// The part of the state that belongs to one column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnState {
    /// (α, b₁, …, b_K) for each latent value of a cell.
    pub weights: Vec<f64>,
    /// The parameters of its distribution.
    pub shape: Shape,
}

/// What a column's distribution has besides the latent value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shape {
    /// Binary: nothing.
    Plain,
    /// Continuous: σ².
    Noise(f64),
    /// Count: h and the rate r of its prior.
    Dispersion {
        /// The number of failures h of the negative binomial distribution.
        h: f64,
        /// The rate of the gamma prior of h.
        rate: f64,
    },
    /// Ordinal: the cut points, the first of which is 0.
    Cuts(Vec<f64>),
    /// Categorical: the hidden utilities, row by row, one for each level but the first; empty in a stored draw.
    Utilities(Vec<f64>),
}

impl ColumnState {
    /// The row of weights of one latent value.
    pub fn row(&self, latent: usize, n_factors: usize) -> &[f64] {
        &self.weights[latent * (n_factors + 1)..(latent + 1) * (n_factors + 1)]
    }
}

impl Shape {
    /// A shape to start from.
    pub fn initial(kind: Kind, n_rows: usize) -> Shape {
        match kind {
            Kind::Binary => Shape::Plain,
            Kind::Continuous => Shape::Noise(1.0),
            Kind::Count => Shape::Dispersion { h: 1.0, rate: 1.0 },
            Kind::Ordinal(levels) => Shape::Cuts((0..levels - 1).map(|cut| 0.5 * cut as f64).collect()),
            Kind::Categorical(levels) => Shape::Utilities(vec![0.0; n_rows * (levels - 1)]),
        }
    }
}

impl Shape {
    /// Whether a column of this kind has such parameters.
    pub(crate) fn suits(&self, kind: Kind) -> bool {
        match self {
            Shape::Plain => kind == Kind::Binary,
            Shape::Noise(_) => kind == Kind::Continuous,
            Shape::Dispersion { .. } => kind == Kind::Count,
            Shape::Cuts(cuts) => kind == Kind::Ordinal(cuts.len() + 1),
            Shape::Utilities(_) => matches!(kind, Kind::Categorical(_)),
        }
    }
}

impl State {
    /// The latent values of one cell, α + B f, into memory that is used again.
    pub fn latent_into(&self, row: usize, column: usize, latent: &mut Vec<f64>) {
        let k = self.variances.len();
        let factors = &self.factors[row * k..(row + 1) * k];
        latent.clear();
        latent.extend(self.columns[column].weights.chunks_exact(k + 1).map(|w| dot_with_one(w, factors)));
    }
}

/// α + Σ b f
pub(crate) fn dot_with_one(weights: &[f64], factors: &[f64]) -> f64 {
    weights[1..].iter().zip(factors).fold(weights[0], |sum, (b, f)| sum + b * f)
}
