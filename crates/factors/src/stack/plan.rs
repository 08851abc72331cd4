//! Which fits a stack needs, and how it is put together from them.

use std::borrow::Cow;

use chain::container::crc64;
use chain::{Stream, Workers};
use serde::{Deserialize, Serialize};

use super::weights::{Judged, mean_weights, weights};
use super::{Member, Stack};
use crate::coding::deviations;
use crate::options::told;
use crate::{Column, Data, Error, FactorModel, Kind, Options, Posterior, Prior, Reading, State};

/// A model that is to be stacked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// How it reads columns that are not continuous.
    pub reading: Reading,
    /// Its settings.
    pub settings: Options,
}

impl Candidate {
    /// A model with these settings, of which some do not suit a table read as numbers: its noise is normal, since nothing
    /// else is rounded to levels here, and a tenth of the scale a priori, since columns of 0 and 1 are often exact sums of
    /// one another.
    pub fn new(reading: Reading, settings: Options) -> Candidate {
        let settings = match reading {
            Reading::ByKind => settings,
            Reading::AsNumbers => {
                let prior = Prior { noise_scale: 0.1 * settings.prior.noise_scale, ..settings.prior };
                Options { tails: None, prior, ..settings }
            }
        };
        Candidate { reading, settings }
    }
}

/// How cells are hidden to find out the weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Hiding {
    /// The share of the cells that is hidden at a time, between 0.01 and 1.
    pub share: f64,
    /// How many times, each time others; `None` for as often as it takes to hide 100 cells of a column on average, at most
    /// until all cells have been hidden.
    pub folds: Option<usize>,
    /// As if so many more cells of a column had been seen that follow the weights of the whole table.
    pub pull: f64,
    /// The same for the weights of means. Squares hang on a few large errors, so it takes more cells to tell models apart.
    pub mean_pull: f64,
    /// Seed of what is hidden.
    pub seed: u64,
}

impl Default for Hiding {
    fn default() -> Hiding {
        Hiding { share: 0.1, folds: None, pull: 3.0, mean_pull: 30.0, seed: 0 }
    }
}

/// One of the fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FitTask {
    /// The candidate.
    pub candidate: usize,
    /// Which cells are hidden; none are in the last fit of a candidate.
    pub fold: Option<usize>,
}

/// What is kept of one fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Done {
    /// Of each cell that was hidden the log-probability, and by how many standard deviations of the column it is above the mean.
    Scores(Vec<(f64, f64)>),
    /// The model of all cells.
    Fitted(Member),
}

/// All fits that a stack needs: each candidate once for each fold, and once with all cells.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    data: &'a Data,
    candidates: Vec<Candidate>,
    folds: Vec<Vec<(usize, usize)>>,
    /// The standard deviation of each column.
    deviations: Vec<f64>,
    pull: f64,
    mean_pull: f64,
}

/// Hidden cells of a column, on average, that tell weights apart.
const ENOUGH: f64 = 100.0;

impl<'a> Plan<'a> {
    /// Plans a stack of these candidates for these data. One alone needs no hidden cells.
    pub fn new(data: &'a Data, candidates: Vec<Candidate>, hiding: &Hiding) -> Plan<'a> {
        let cells: Vec<(usize, usize)> = data.observed().collect();
        let share = hiding.share.clamp(0.01, 1.0);
        let most = (1.0 / share).floor().max(1.0);
        let hidden = share * cells.len() as f64 / data.columns().len().max(1) as f64;
        let wanted = hiding.folds.map_or(ENOUGH / hidden.max(1e-9), |folds| folds as f64);
        let n_folds = if candidates.len() < 2 { 0 } else { wanted.ceil().clamp(1.0, most) as usize };
        let mut folds = vec![Vec::new(); n_folds];
        let mut rng = Stream::new(hiding.seed).purpose("folds").rng();
        for cell in cells {
            let fold = (rng.uniform() / share) as usize;
            if let Some(fold) = folds.get_mut(fold) {
                fold.push(cell);
            }
        }
        let Hiding { pull, mean_pull, .. } = *hiding;
        Plan { data, candidates, folds, deviations: deviations(data), pull, mean_pull }
    }

    /// The candidates.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// The fits in their order: first those with hidden cells, then those with all cells, of which the first candidate's
    /// is the very last.
    pub fn tasks(&self) -> Vec<FitTask> {
        let n = self.candidates.len();
        let hidden = (0..self.folds.len())
            .flat_map(|fold| (0..n).map(move |candidate| FitTask { candidate, fold: Some(fold) }));
        hidden.chain((0..n).rev().map(|candidate| FitTask { candidate, fold: None })).collect()
    }

    /// How many cells are hidden from a fit.
    pub fn n_hidden(&self, task: FitTask) -> usize {
        self.hidden(task).len()
    }

    fn hidden(&self, task: FitTask) -> &[(usize, usize)] {
        task.fold.map_or(&[], |fold| &self.folds[fold])
    }

    /// A checksum of the data, the candidates and what is hidden.
    pub fn fingerprint(&self) -> u64 {
        let rest = crc64(
            format!("{} {:?} {} {}", told(&self.candidates), self.folds, self.pull, self.mean_pull)
                .as_bytes(),
        );
        crc64(&[self.data.fingerprint().to_le_bytes(), rest.to_le_bytes()].concat())
    }

    /// Does one fit: `sample` draws from the posterior of the model that it is given.
    pub fn fit<E: From<Error>>(
        &self,
        task: FitTask,
        workers: &Workers,
        sample: impl FnOnce(&FactorModel<'_>) -> Result<Vec<Vec<State>>, E>,
    ) -> Result<Done, E> {
        let Candidate { reading, settings } = &self.candidates[task.candidate];
        let hidden = self.hidden(task);
        let seen = match hidden {
            [] => Cow::Borrowed(self.data),
            hidden => Cow::Owned(self.data.without(hidden)),
        };
        let (table, coding) = reading.table(&seen)?;
        let chains = sample(&FactorModel::new(&table, settings.clone())?)?;
        let member = Member { coding, posterior: Posterior::new(&table, settings.clone(), chains) };
        Ok(match task.fold {
            None => Done::Fitted(member),
            Some(_) => {
                let ln_p = member.ln_probabilities(self.data, hidden, workers)?;
                let errors = self.errors(hidden, &member.means(hidden, workers)?);
                Done::Scores(ln_p.into_iter().zip(errors).collect())
            }
        })
    }

    /// (y − mean) / sd of these cells; NaN for categories, which have no mean.
    fn errors(&self, cells: &[(usize, usize)], means: &[f64]) -> Vec<f64> {
        let error = |(&(row, column), mean): (&(usize, usize), &f64)| {
            let Column { kind, cells, .. } = &self.data.columns()[column];
            match (kind, cells.get(row)) {
                // Compared with nothing, and left out where errors are summed up.
                (Kind::Categorical(_), _) | (_, None) => f64::NAN,
                (_, Some(value)) => (value.number() - mean) / self.deviations[column],
            }
        };
        cells.iter().zip(means).map(error).collect()
    }

    /// What the models say of all hidden cells, from what is left of the fits in their order.
    pub fn judged(&self, done: &[Done]) -> Result<Vec<Judged>, Error> {
        let mut judged = Vec::new();
        for (fold, done) in self.folds.iter().zip(done.chunks(self.candidates.len())) {
            for (at, &(_, column)) in fold.iter().enumerate() {
                let said = |done: &Done| match done {
                    Done::Scores(scores) => scores.get(at).copied().ok_or(Error::OtherFits),
                    Done::Fitted(_) => Err(Error::OtherFits),
                };
                let said = done.iter().map(said).collect::<Result<Vec<_>, _>>()?;
                let (ln_p, errors) = said.into_iter().unzip();
                judged.push(Judged { column, ln_p, errors });
            }
        }
        Ok(judged)
    }

    /// The candidates fitted to all cells, in their order.
    pub fn members(&self, done: Vec<Done>) -> Vec<Member> {
        let member = |done: Done| match done {
            Done::Fitted(member) => Some(member),
            Done::Scores(_) => None,
        };
        done.into_iter().rev().filter_map(member).collect()
    }

    /// The stack, from what is left of all fits in their order.
    pub fn stack(&self, done: Vec<Done>, workers: &Workers) -> Result<Stack, Error> {
        let judged = self.judged(&done)?;
        let (n_columns, n_models) = (self.data.columns().len(), self.candidates.len());
        let weights = weights(&judged, n_columns, n_models, self.pull, workers)?;
        let mean_weights = mean_weights(&judged, &weights, n_models, self.mean_pull, workers);
        Ok(Stack { members: self.members(done), weights, mean_weights })
    }
}
