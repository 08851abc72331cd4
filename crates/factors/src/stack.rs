//! Stacking: several models of one table, mixed for each column with the weights that predict hidden cells best.
//!
//! p(y) = Σ_m w_jm p_m(y) in column j. The models may read columns that are not continuous in different ways, or have
//! different numbers of factors. After Yao, Vehtari, Simpson & Gelman (2018), with weights for each column.

mod mixture;
mod plan;
#[cfg(test)]
mod tests;
mod weights;

use std::borrow::Cow;

use chain::{Stream, Workers};
use libm::log;
use num::special::log_sum_exp;
use serde::{Deserialize, Serialize};

use crate::predict::{MixtureWeights, ModelTable, predict_cells};
use crate::predictive::View;
use crate::{Coding, Data, Error, Kind, LogScore, Posterior, Prediction, Reading, Rows};

pub use plan::{Candidate, Done, FitTask, Hiding, Plan};
pub use weights::{Judged, mean_weights, weights};

/// A fitted model and how it reads the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// How columns become numbers, if it reads them so.
    pub coding: Option<Coding>,
    /// The draws.
    pub posterior: Posterior,
}

/// Fitted models with their weights in each column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stack {
    /// The models.
    pub members: Vec<Member>,
    /// For each column the weights of the models, which sum to one.
    pub weights: Vec<Vec<f64>>,
    /// For each column the weights of their means, except for categories, which have none: what makes cells most probable is not
    /// what comes nearest to them.
    pub mean_weights: Vec<Vec<f64>>,
}

impl Member {
    /// How it reads columns that are not continuous.
    pub fn reading(&self) -> Reading {
        if self.coding.is_some() { Reading::AsNumbers } else { Reading::ByKind }
    }

    /// The log-probability of each of these cells of fitted rows, which must have been missing in the fit.
    pub fn ln_probabilities(
        &self,
        data: &Data,
        cells: &[(usize, usize)],
        workers: &Workers,
    ) -> Result<Vec<f64>, Error> {
        self.view().ln_predictive(data, cells, workers)
    }

    /// The mean of each of these cells of fitted rows; of a level's number for levels.
    pub fn means(&self, cells: &[(usize, usize)], workers: &Workers) -> Result<Vec<f64>, Error> {
        self.view().means(cells, workers)
    }

    fn view(&self) -> View<'_> {
        View { posterior: &self.posterior, coding: self.coding.as_ref() }
    }

    fn reader<'a>(&'a self, data: &'a Data) -> Result<ModelTable<'a>, Error> {
        self.view().check(data)?;
        let data = match &self.coding {
            None => Cow::Borrowed(data),
            Some(coding) => Cow::Owned(coding.table(data)?),
        };
        Ok(ModelTable { view: self.view(), data })
    }
}

impl Stack {
    /// One model alone.
    pub fn alone(member: Member, n_columns: usize) -> Stack {
        let weights = vec![vec![1.0]; n_columns];
        Stack { members: vec![member], mean_weights: weights.clone(), weights }
    }

    /// Predicts all cells without a value, row by row. The columns must be those of the fit.
    pub fn predict(
        &self,
        data: &Data,
        rows: Rows,
        stream: Stream,
        workers: &Workers,
    ) -> Result<Vec<Prediction>, Error> {
        self.predict_cells(data, rows, |row| data.empty(row), stream, workers)
    }

    /// Predicts the cells that `targets` gives for each row.
    pub fn predict_cells(
        &self,
        data: &Data,
        rows: Rows,
        targets: impl Fn(usize) -> Vec<usize> + Sync,
        stream: Stream,
        workers: &Workers,
    ) -> Result<Vec<Prediction>, Error> {
        let readers = self.members.iter().map(|member| member.reader(data)).collect::<Result<Vec<_>, _>>()?;
        let weights = |column: usize| MixtureWeights {
            mixture: &self.weights[column],
            means: match data.columns()[column].kind {
                Kind::Categorical(_) => &self.weights[column],
                Kind::Continuous | Kind::Binary | Kind::Count | Kind::Ordinal(_) => {
                    &self.mean_weights[column]
                }
            },
        };
        predict_cells(&readers, weights, rows, targets, stream, workers)
    }

    /// ln Σ_m w_m p_m(y) of each of these cells of fitted rows, which must have been missing in the fit.
    pub fn ln_probabilities(
        &self,
        data: &Data,
        cells: &[(usize, usize)],
        workers: &Workers,
    ) -> Result<Vec<f64>, Error> {
        let said = self.members.iter().map(|member| member.ln_probabilities(data, cells, workers));
        let scores = said.collect::<Result<Vec<Vec<f64>>, _>>()?;
        let mixture = |(at, &(_, column)): (usize, &(usize, usize))| {
            let terms = self.weights[column].iter().zip(&scores).map(|(&w, scores)| log(w) + scores[at]);
            log_sum_exp(&terms.collect::<Vec<_>>())
        };
        Ok(cells.iter().enumerate().map(mixture).collect())
    }

    /// The score of these cells; see [`Stack::ln_probabilities`].
    pub fn held_out(
        &self,
        data: &Data,
        cells: &[(usize, usize)],
        workers: &Workers,
    ) -> Result<LogScore, Error> {
        Ok(LogScore::of_cells(&self.ln_probabilities(data, cells, workers)?))
    }
}
