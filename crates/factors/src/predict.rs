//! Cells that have no value, with how sure one can be.

use std::borrow::Cow;

use chain::diagnose::quantile;
use chain::{Rng, Stream, Workers};
use num::dist::normal;
use num::linear::Cholesky;

use crate::predictive::{Predictive, View};
use crate::response::{self, Foreign};
use crate::simulate::LARGEST;
use crate::state::State;
use crate::{Data, Error, Kind, Posterior};

/// What is known about one cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The row.
    pub row: usize,
    /// The column.
    pub column: usize,
    /// The mean; of a level's number for levels. For counts the median over draws of the mean h e^z, whose own mean may not
    /// exist.
    pub mean: f64,
    /// The median, which is a count for counts and a level's number for levels.
    pub median: f64,
    /// The 5% and the 95% quantile, counts and numbers of levels as well.
    pub interval: [f64; 2],
    /// The 25% and the 75% quantile, the same.
    pub quartiles: [f64; 2],
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
    pub fn predict(
        &self,
        data: &Data,
        rows: Rows,
        stream: Stream,
        workers: &Workers,
    ) -> Result<Vec<Prediction>, Error> {
        self.view().check(data)?;
        let reader = ModelTable { view: self.view(), data: Cow::Borrowed(data) };
        let alone = |_| MixtureWeights { mixture: &[1.0], means: &[1.0] };
        predict_cells(&[reader], alone, rows, |row| data.empty(row), stream, workers)
    }

    pub(crate) fn view(&self) -> View<'_> {
        View { posterior: self, coding: None }
    }
}

/// A model and the table as it reads it.
pub(crate) struct ModelTable<'a> {
    pub(crate) view: View<'a>,
    pub(crate) data: Cow<'a, Data>,
}

/// The weights of models in one column: of their distributions, and of their means.
#[derive(Clone, Copy)]
pub(crate) struct MixtureWeights<'a> {
    pub(crate) mixture: &'a [f64],
    pub(crate) means: &'a [f64],
}

/// Predicts cells by mixtures of what several models say, with the weights of each column. Mixed with nothing, a model
/// says what it says alone, to the last bit.
pub(crate) fn predict_cells<'w>(
    readers: &[ModelTable<'_>],
    weights: impl Fn(usize) -> MixtureWeights<'w> + Sync,
    rows: Rows,
    targets: impl Fn(usize) -> Vec<usize> + Sync,
    stream: Stream,
    workers: &Workers,
) -> Result<Vec<Prediction>, Error> {
    let n_rows = readers.first().map_or(0, |reader| reader.data.n_rows());
    let all: Vec<usize> = (0..n_rows).collect();
    let predictions = workers.map(&all, |_, &row| {
        let targets = targets(row);
        let mut said = vec![Vec::new(); targets.len()];
        for (at, reader) in readers.iter().enumerate().filter(|_| !targets.is_empty()) {
            let stream = if at == 0 { stream } else { stream.tag(at as u64) };
            let gathered = reader.gather(row, rows, &targets, &mut stream.item(row).rng())?;
            said.iter_mut().zip(gathered).for_each(|(said, gathered)| said.push(gathered));
        }
        let cells = targets.iter().zip(said);
        let kind = |column| readers[0].view.kind(column);
        cells
            .map(|(&column, said)| mix(row, column, kind(column), weights(column), &said))
            .collect::<Result<Vec<_>, Error>>()
    });
    Ok(predictions.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
}

impl ModelTable<'_> {
    /// What all draws say of some cells of a row.
    fn gather(
        &self,
        row: usize,
        rows: Rows,
        targets: &[usize],
        rng: &mut Rng,
    ) -> Result<Vec<Gathered>, Error> {
        let posterior = self.view.posterior;
        let k = posterior.n_factors();
        let mut gathered = vec![Gathered::default(); targets.len()];
        let mut visitor = Visitor::new(posterior, &self.data, row);
        for draw in posterior.draws() {
            let factors = match rows {
                Rows::Fitted => &draw.factors[row * k..(row + 1) * k],
                Rows::New => visitor.factors(draw, rng)?,
            };
            for (gathered, &column) in gathered.iter_mut().zip(targets) {
                gathered.add(&*self.view.predictive(draw, column, factors)?, rng);
            }
        }
        let cells = gathered.iter_mut().zip(targets);
        cells.for_each(|(gathered, &column)| gathered.average(self.view, column));
        Ok(gathered)
    }
}

/// What one model says of one cell.
#[derive(Clone, Default)]
struct Gathered {
    /// The means of all draws, and what becomes of them.
    means: Vec<f64>,
    mean: f64,
    /// Numbers or counts drawn.
    values: Vec<f64>,
    probabilities: Vec<f64>,
}

impl Gathered {
    fn add(&mut self, predictive: &dyn Predictive, rng: &mut Rng) {
        let probabilities = predictive.probabilities();
        self.means.push(predictive.mean(&probabilities));
        self.values.extend(predictive.draw(rng));
        self.probabilities.resize(probabilities.len(), 0.0);
        self.probabilities.iter_mut().zip(probabilities).for_each(|(sum, p)| *sum += p);
    }

    /// Sums over draws become means.
    fn average(&mut self, view: View<'_>, column: usize) {
        let n = self.means.len() as f64;
        self.mean = view.mean(column, &self.means);
        self.probabilities.iter_mut().for_each(|p| *p /= n);
    }
}

/// Σ u mean and Σ w P(level), and quantiles: of the levels by their probabilities, otherwise of the values drawn, of which
/// each model's have its weight w together.
fn mix(
    row: usize,
    column: usize,
    kind: Kind,
    weights: MixtureWeights<'_>,
    said: &[Gathered],
) -> Result<Prediction, Error> {
    let mean = weights.means.iter().zip(said).map(|(weight, said)| weight * said.mean).sum();
    let mut probabilities = Vec::new();
    for (&weight, said) in weights.mixture.iter().zip(said) {
        probabilities.resize(said.probabilities.len(), 0.0);
        probabilities.iter_mut().zip(&said.probabilities).for_each(|(sum, p)| *sum += weight * p);
    }
    let quantiles = match (kind, said) {
        (Kind::Continuous, [alone]) => Some(QUANTILES.map(|p| quantile(&alone.values, p))),
        (Kind::Continuous | Kind::Count, _) => {
            let parts = weights.mixture.iter().zip(said).flat_map(|(&weight, said)| {
                said.values.iter().map(move |&value| (value, weight / said.values.len() as f64))
            });
            weighted_quantiles(parts.collect(), QUANTILES)
        }
        (Kind::Binary | Kind::Ordinal(_) | Kind::Categorical(_), _) => {
            let levels = probabilities.iter().enumerate().map(|(level, &p)| (level as f64, p));
            weighted_quantiles(levels.collect(), QUANTILES)
        }
    };
    let [low, quarter, median, three, high] = quantiles.ok_or(Error::NoDraws)?;
    let (interval, quartiles) = ([low, high], [quarter, three]);
    Ok(Prediction { row, column, mean, median, interval, quartiles, probabilities })
}

/// The bounds of the interval, and the quartiles with the median between them.
const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// The least values below or at which there are such shares of the whole weight; `None` without values.
pub(crate) fn weighted_quantiles<const N: usize>(
    mut values: Vec<(f64, f64)>,
    shares: [f64; N],
) -> Option<[f64; N]> {
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = values.iter().map(|(_, weight)| weight).sum();
    let last = values.last()?;
    Some(shares.map(|share| {
        let mut sum = 0.0;
        let found = values.iter().find(|(_, weight)| {
            sum += weight;
            sum >= share * total
        });
        found.unwrap_or(last).0
    }))
}

/// A new row, whose factors are drawn by a chain of their own that goes on from draw to draw.
struct Visitor<'a> {
    posterior: &'a Posterior,
    data: &'a Data,
    row: usize,
    factors: Vec<f64>,
    /// The hidden numbers of each column that go on from step to step.
    kept: Vec<Vec<f64>>,
    fresh: bool,
}

/// Steps before the first draw, and for each draw.
const FIRST: usize = 20;
const EACH: usize = 5;

impl<'a> Visitor<'a> {
    fn new(posterior: &'a Posterior, data: &'a Data, row: usize) -> Visitor<'a> {
        let kept = vec![Vec::new(); data.columns().len()];
        Visitor { posterior, data, row, factors: vec![0.0; posterior.n_factors()], kept, fresh: true }
    }

    fn factors(&mut self, draw: &State, rng: &mut Rng) -> Result<&[f64], Error> {
        let steps = if std::mem::take(&mut self.fresh) { FIRST } else { EACH };
        (0..steps).try_for_each(|_| self.step(draw, rng))?;
        Ok(&self.factors)
    }

    /// Hidden numbers of the row's cells given its factors, and factors given these: V⁻¹ = I + Σ ω b bᵀ.
    fn step(&mut self, draw: &State, rng: &mut Rng) -> Result<(), Error> {
        let k = self.factors.len();
        let mut precision: Vec<f64> = (0..k * k).map(|at| f64::from(at / k == at % k)).collect();
        let mut pull = vec![0.0; k];
        let settings = &self.posterior.settings;
        for (j, (column, state)) in self.data.columns().iter().zip(&draw.columns).enumerate() {
            let Some(value) = column.cells.get(self.row) else { continue };
            let response = response::of_cell(state, &self.factors, settings);
            let hidden = response.hidden(value, &mut self.kept[j], rng);
            let hidden = hidden.map_err(|Foreign| Error::Foreign { column: j })?;
            for (row, (weight, response)) in state.weights.chunks_exact(k + 1).zip(hidden) {
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
        let Some(factor) = Cholesky::new(k, &precision) else { return Ok(()) };
        factor.solve_lower(&mut pull);
        pull.iter_mut().for_each(|x| *x += normal(rng));
        factor.solve_upper(&mut pull);
        if pull.iter().all(|x| x.abs() < LARGEST) {
            self.factors = pull;
        }
        Ok(())
    }
}
