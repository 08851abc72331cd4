//! What a cell is likely to be, according to one draw from the posterior.

use chain::diagnose::quantile;
use chain::{Rng, Workers};

use crate::coding::Coding;
use crate::response::{self, Foreign};
use crate::state::State;
use crate::{Data, Error, Kind, Posterior, Value};

/// The predictive distribution of one cell.
pub(crate) trait Predictive {
    /// The log-probability (density for numbers) of a value.
    fn ln_probability(&self, value: Value) -> Result<f64, Foreign>;

    /// The probabilities of the levels; none for numbers and counts.
    fn probabilities(&self) -> Vec<f64>;

    /// The mean; of a level's number for levels, whose probabilities are given.
    fn mean(&self, probabilities: &[f64]) -> f64;

    /// A number or a count drawn; `None` for levels, which have probabilities.
    fn draw(&self, rng: &mut Rng) -> Option<f64>;
}

/// Draws from the posterior, and how the table was read for them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub(crate) posterior: &'a Posterior,
    pub(crate) coding: Option<&'a Coding>,
}

impl<'a> View<'a> {
    /// The kind that a column has in the table.
    pub(crate) fn kind(self, column: usize) -> Kind {
        self.coding.map_or_else(|| self.posterior.kinds[column], |coding| coding.kind(column))
    }

    /// Whether there are draws, and the columns of this table are those of the fit.
    pub(crate) fn check(self, data: &Data) -> Result<(), Error> {
        if self.posterior.n_draws() == 0 {
            return Err(Error::NoDraws);
        }
        let n_columns = self.coding.map_or(self.posterior.kinds.len(), Coding::n_columns);
        let columns = data.columns();
        let other = (0..n_columns.max(columns.len()))
            .find(|&j| j >= n_columns || columns.get(j).is_none_or(|column| column.kind != self.kind(j)));
        other.map_or(Ok(()), |column| Err(Error::Foreign { column }))
    }

    /// What a draw says of one cell of a row with these factors.
    pub(crate) fn predictive(
        self,
        draw: &'a State,
        column: usize,
        factors: &[f64],
    ) -> Result<Box<dyn Predictive + 'a>, Error> {
        match self.coding {
            Some(coding) => {
                coding.predictive(draw, column, factors).map_err(|Foreign| Error::Foreign { column })
            }
            None => Ok(response::of_cell(&draw.columns[column], factors, &self.posterior.settings)),
        }
    }
}

/// What all draws say of cells together.
impl View<'_> {
    /// The mean of each of these cells of fitted rows; see [`View::mean`].
    pub(crate) fn means(self, cells: &[(usize, usize)], workers: &Workers) -> Result<Vec<f64>, Error> {
        let k = self.posterior.n_factors();
        let means = workers.map(cells, |_, &(row, column)| {
            let mean = |draw: &State| {
                let predictive = self.predictive(draw, column, &draw.factors[row * k..(row + 1) * k])?;
                Ok(predictive.mean(&predictive.probabilities()))
            };
            let means = self.posterior.draws().map(mean).collect::<Result<Vec<_>, _>>()?;
            Ok(self.mean(column, &means))
        });
        means.into_iter().collect()
    }

    /// The mean of a cell from the means that all draws say; for counts the median of these. The tails of latent values fall
    /// like powers where little is known, so that h e^z need not have a mean, and the sum would hang on a few draws.
    ///
    /// A model that reads levels as numbers may go beyond them, where no mean can be.
    pub(crate) fn mean(self, column: usize, means: &[f64]) -> f64 {
        let kind = self.kind(column);
        let (least, most) = kind.bounds();
        let mean = match kind {
            Kind::Count => quantile(means, 0.5),
            Kind::Continuous | Kind::Binary | Kind::Ordinal(_) | Kind::Categorical(_) => {
                means.iter().sum::<f64>() / means.len() as f64
            }
        };
        mean.clamp(least, most)
    }
}
