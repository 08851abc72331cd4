//! How well a model predicts cells: those it did not see, and by approximation those it saw.

use chain::Workers;
use chain::diagnose::psis_loo;
use libm::log;
use num::special::log_sum_exp;

use crate::predictive::View;
use crate::response::Foreign;
use crate::{Data, Error, Posterior};

/// The mean log-probability of some cells, with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogScore {
    /// The sum over cells.
    pub total: f64,
    /// The standard error of the sum.
    pub error: f64,
    /// How many cells there are.
    pub cells: usize,
    /// Cells for which the approximation cannot be trusted: Pareto k above 0.7, or a variance above 0.4.
    pub doubtful: usize,
}

impl Posterior {
    /// ln p(y) = ln mean over draws of p(y | draw), for cells of fitted rows that were missing in the fit.
    pub fn held_out(
        &self,
        data: &Data,
        cells: &[(usize, usize)],
        workers: &Workers,
    ) -> Result<LogScore, Error> {
        Ok(LogScore::of_cells(&self.view().ln_predictive(data, cells, workers)?))
    }

    /// The widely applicable information criterion on the log scale (Watanabe 2010): lppd − Σ var ln p.
    pub fn waic(&self, data: &Data, workers: &Workers) -> Result<LogScore, Error> {
        self.within(data, workers, |logs| {
            let n = logs.len() as f64;
            let mean = logs.iter().sum::<f64>() / n;
            let variance = logs.iter().map(|l| (l - mean) * (l - mean)).sum::<f64>() / (n - 1.0).max(1.0);
            (log_sum_exp(logs) - log(n) - variance, variance > 0.4)
        })
    }

    /// Leave-one-out by Pareto smoothed importance sampling (Vehtari, Gelman & Gabry 2017).
    pub fn loo(&self, data: &Data, workers: &Workers) -> Result<LogScore, Error> {
        self.within(data, workers, |logs| {
            let (ln_p, k) = psis_loo(logs);
            (ln_p, k > 0.7)
        })
    }

    fn within(
        &self,
        data: &Data,
        workers: &Workers,
        judge: impl Fn(&[f64]) -> (f64, bool) + Sync,
    ) -> Result<LogScore, Error> {
        self.view().check(data)?;
        let cells: Vec<(usize, usize)> = data.observed().collect();
        let scores = workers.map(&cells, |_, &(row, column)| {
            self.view().log_probabilities(data, row, column).map(|logs| judge(&logs))
        });
        Ok(LogScore::of(&scores.into_iter().collect::<Result<Vec<_>, _>>()?))
    }
}

impl View<'_> {
    /// ln p(y) = ln mean over draws of p(y | draw) of each of these cells of fitted rows.
    pub(crate) fn ln_predictive(
        self,
        data: &Data,
        cells: &[(usize, usize)],
        workers: &Workers,
    ) -> Result<Vec<f64>, Error> {
        self.check(data)?;
        let ln_p = workers.map(cells, |_, &(row, column)| {
            let logs = self.log_probabilities(data, row, column)?;
            Ok(log_sum_exp(&logs) - log(logs.len() as f64))
        });
        ln_p.into_iter().collect()
    }

    /// ln p(y | draw) of one cell for each draw.
    fn log_probabilities(self, data: &Data, row: usize, column: usize) -> Result<Vec<f64>, Error> {
        let value = data.columns()[column].cells.get(row).ok_or(Error::NoValue { row, column })?;
        let k = self.posterior.n_factors();
        let log = |draw: &crate::State| {
            let predictive = self.predictive(draw, column, &draw.factors[row * k..(row + 1) * k])?;
            predictive.ln_probability(value).map_err(|Foreign| Error::Foreign { column })
        };
        self.posterior.draws().map(log).collect()
    }
}

impl LogScore {
    /// The score of cells with these log-probabilities.
    pub(crate) fn of_cells(ln_probabilities: &[f64]) -> LogScore {
        LogScore::of(&ln_probabilities.iter().map(|&ln_p| (ln_p, false)).collect::<Vec<_>>())
    }

    fn of(scores: &[(f64, bool)]) -> LogScore {
        let n = scores.len() as f64;
        let total: f64 = scores.iter().map(|(score, _)| score).sum();
        let squares: f64 = scores.iter().map(|(score, _)| (score - total / n) * (score - total / n)).sum();
        let error = libm::sqrt(n * squares / (n - 1.0).max(1.0));
        LogScore { total, error, cells: scores.len(), doubtful: scores.iter().filter(|(_, d)| *d).count() }
    }

    /// The mean over cells.
    pub fn mean(&self) -> f64 {
        self.total / self.cells.max(1) as f64
    }
}
