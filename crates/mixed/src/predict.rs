//! Cells that have no value, with how sure one can be.

use chain::diagnose::quantile;
use chain::dist::normal;
use chain::linear::Cholesky;
use chain::{Rng, Stream, Workers};

use crate::predictive;
use crate::response::{self, draw_utilities, legal};
use crate::state::{State, dot_with_one};
use crate::{Data, Kind, Posterior};

/// What is known about one cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The row.
    pub row: usize,
    /// The column.
    pub column: usize,
    /// The mean; of a level's number for levels.
    pub mean: f64,
    /// The 5% and the 95% quantile of values drawn.
    pub interval: [f64; 2],
    /// The probability of each level; empty for numbers and counts.
    pub probabilities: Vec<f64>,
}

impl Prediction {
    /// The most probable level.
    pub fn level(&self) -> Option<usize> {
        let best =
            self.probabilities.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
        best.map(|(level, _)| level)
    }
}

/// Whose factors rows have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// The rows are those the model was fitted to: their factors are in the draws.
    Fitted,
    /// The rows are new: their factors are drawn from what their cells say.
    New,
}

impl Posterior {
    /// Predicts all cells without a value, row by row. The columns must be those of the fit.
    pub fn predict(&self, data: &Data, rows: Rows, stream: Stream, workers: &Workers) -> Vec<Prediction> {
        let empty = |row: usize| -> Vec<usize> {
            let missing = |&j: &usize| data.columns()[j].cells.get(row).is_none();
            (0..data.columns().len()).filter(missing).collect()
        };
        self.predict_cells(data, rows, empty, stream, workers)
    }

    /// Predicts the cells that `targets` gives for each row.
    pub fn predict_cells(
        &self,
        data: &Data,
        rows: Rows,
        targets: impl Fn(usize) -> Vec<usize> + Sync,
        stream: Stream,
        workers: &Workers,
    ) -> Vec<Prediction> {
        let all: Vec<usize> = (0..data.n_rows()).collect();
        let predictions = workers.map(&all, |_, &row| {
            let targets = targets(row);
            match targets.is_empty() {
                true => Vec::new(),
                false => self.predict_row(data, row, rows, &targets, &mut stream.item(row).rng()),
            }
        });
        predictions.into_iter().flatten().collect()
    }

    fn predict_row(
        &self,
        data: &Data,
        row: usize,
        rows: Rows,
        targets: &[usize],
        rng: &mut Rng,
    ) -> Vec<Prediction> {
        let k = self.n_factors();
        let mut gathered: Vec<Gathered> = targets.iter().map(|_| Gathered::default()).collect();
        let mut visitor = Visitor::new(self, data, row);
        for draw in self.draws() {
            let factors = match rows {
                Rows::Fitted => &draw.factors[row * k..(row + 1) * k],
                Rows::New => visitor.factors(draw, rng),
            };
            for (gathered, &column) in gathered.iter_mut().zip(targets) {
                gathered.add(self, draw, column, factors, rng);
            }
        }
        let predictions = gathered.into_iter().zip(targets);
        predictions.map(|(gathered, &column)| gathered.finish(row, column)).collect()
    }
}

/// The prediction of one cell, draw by draw.
#[derive(Default)]
struct Gathered {
    mean: f64,
    values: Vec<f64>,
    probabilities: Vec<f64>,
}

impl Gathered {
    fn add(&mut self, posterior: &Posterior, draw: &State, column: usize, factors: &[f64], rng: &mut Rng) {
        let (settings, kind) = (&posterior.settings, posterior.kinds[column]);
        let state = &draw.columns[column];
        let latent: Vec<f64> =
            state.weights.chunks_exact(factors.len() + 1).map(|row| dot_with_one(row, factors)).collect();
        let probabilities = predictive::probabilities(kind, &state.shape, settings, &latent);
        self.mean += predictive::mean(&state.shape, &latent, &probabilities);
        self.values.push(predictive::draw(kind, &state.shape, settings, &latent, rng).number());
        self.probabilities.resize(probabilities.len(), 0.0);
        self.probabilities.iter_mut().zip(probabilities).for_each(|(sum, p)| *sum += p);
    }

    fn finish(mut self, row: usize, column: usize) -> Prediction {
        let n = self.values.len() as f64;
        self.probabilities.iter_mut().for_each(|p| *p /= n);
        let interval = [0.05, 0.95].map(|p| quantile(&self.values, p));
        Prediction { row, column, mean: self.mean / n, interval, probabilities: self.probabilities }
    }
}

/// A new row, whose factors are drawn by a chain of their own that goes on from draw to draw.
struct Visitor<'a> {
    posterior: &'a Posterior,
    data: &'a Data,
    row: usize,
    factors: Vec<f64>,
    /// Of each categorical column with a value.
    utilities: Vec<Vec<f64>>,
    fresh: bool,
}

/// Steps before the first draw, and for each draw.
const FIRST: usize = 20;
const EACH: usize = 5;

impl<'a> Visitor<'a> {
    fn new(posterior: &'a Posterior, data: &'a Data, row: usize) -> Visitor<'a> {
        let start = |column: &crate::Column| {
            let mut utilities = vec![0.0; column.kind.n_latent()];
            if let (Kind::Categorical(_), Some(crate::Value::Level(level))) =
                (column.kind, column.cells.get(row))
            {
                legal(level, &mut utilities);
            }
            utilities
        };
        let utilities = data.columns().iter().map(start).collect();
        Visitor { posterior, data, row, factors: vec![0.0; posterior.n_factors()], utilities, fresh: true }
    }

    fn factors(&mut self, draw: &State, rng: &mut Rng) -> &[f64] {
        let steps = if std::mem::take(&mut self.fresh) { FIRST } else { EACH };
        (0..steps).for_each(|_| self.step(draw, rng));
        &self.factors
    }

    /// Hidden numbers of the row's cells given its factors, and factors given these: V⁻¹ = I + Σ ω b bᵀ.
    fn step(&mut self, draw: &State, rng: &mut Rng) {
        let k = self.factors.len();
        let mut precision: Vec<f64> = (0..k * k).map(|at| f64::from(at / k == at % k)).collect();
        let mut pull = vec![0.0; k];
        let settings = &self.posterior.settings;
        for (j, (column, state)) in self.data.columns().iter().zip(&draw.columns).enumerate() {
            let Some(value) = column.cells.get(self.row) else { continue };
            let rows = state.weights.chunks_exact(k + 1);
            let latent: Vec<f64> = rows.clone().map(|row| dot_with_one(row, &self.factors)).collect();
            let working: Vec<(f64, f64)> = match (column.kind, value) {
                (Kind::Categorical(_), crate::Value::Level(level)) => {
                    draw_utilities(rng, level, &latent, &mut self.utilities[j]);
                    self.utilities[j].iter().map(|&utility| (1.0, utility)).collect()
                }
                _ => vec![response::cell(value, &state.shape, settings, latent[0], rng)],
            };
            for (row, (weight, response)) in rows.zip(working) {
                let rest = response - weight * row[0];
                for (a, &b) in row[1..].iter().enumerate().filter(|(_, b)| **b != 0.0) {
                    pull[a] += rest * b;
                    precision[a * k..=a * k + a]
                        .iter_mut()
                        .zip(&row[1..])
                        .for_each(|(p, c)| *p += weight * b * c);
                }
            }
        }
        // Numbers too large to be factorised leave the row where it was.
        let Some(factor) = Cholesky::new(k, &precision) else { return };
        factor.solve_lower(&mut pull);
        pull.iter_mut().for_each(|x| *x += normal(rng));
        factor.solve_upper(&mut pull);
        if pull.iter().all(|x| x.is_finite()) {
            self.factors = pull;
        }
    }
}
