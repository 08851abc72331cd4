//! What each kind of column adds to the model.
//!
//! A [`Response`] is the distribution of one cell given its latent values: it gives values their probabilities, and it
//! draws hidden numbers that make the likelihood of a latent value z normal: proportional to exp(pull · z − weight · z²/2),
//! which is the likelihood of a response pull/weight with precision weight. [`ColumnResponse`] does the same for a whole
//! column at once, where a missing value has weight and pull 0. The rest of the sampler knows nothing of kinds.

mod between;
mod binary;
mod categorical;
mod continuous;
mod count;
mod ordinal;
#[cfg(test)]
mod tests;
mod typed;

use chain::Rng;

pub(crate) use between::{ln_between, ln_cdf};
pub(crate) use continuous::ln_density;
pub(crate) use typed::{Foreign, Level, Typed};

use crate::options::Options;
use crate::predictive::Predictive;
use crate::state::{ColumnState, Pooled, Shape, dot_with_one};
use crate::{Cells, Column, Kind, Value};

/// The distribution of one cell given its latent values and the parameters of its column.
pub(crate) trait Response {
    /// A value of this kind.
    type Value: Typed<Value>;

    /// The log-probability (density for numbers) of a value.
    fn ln_probability(&self, value: Self::Value) -> f64;

    /// The probabilities of the levels; none for numbers and counts.
    fn probabilities(&self) -> Vec<f64>;

    /// The mean; of a level's number for levels, whose probabilities are given.
    fn mean(&self, probabilities: &[f64]) -> f64;

    /// A number or a count drawn; `None` for levels, which have probabilities.
    fn draw(&self, rng: &mut Rng) -> Option<f64>;

    /// Weight and pull of each latent value, given the value of the cell. A kind that goes on from the hidden numbers of the
    /// last time keeps them in `kept`, which is empty in the beginning.
    fn hidden(&self, value: Self::Value, kept: &mut Vec<f64>, rng: &mut Rng) -> Vec<(f64, f64)>;
}

/// A response whose kind only the state knows, so that a value may not belong to it.
pub(crate) trait AnyResponse: Predictive {
    /// See [`Response::hidden`].
    fn hidden(&self, value: Value, kept: &mut Vec<f64>, rng: &mut Rng) -> Result<Vec<(f64, f64)>, Foreign>;
}

impl<R: Response> Predictive for R {
    fn ln_probability(&self, value: Value) -> Result<f64, Foreign> {
        Ok(Response::ln_probability(self, R::Value::typed(value)?))
    }

    fn probabilities(&self) -> Vec<f64> {
        Response::probabilities(self)
    }

    fn mean(&self, probabilities: &[f64]) -> f64 {
        Response::mean(self, probabilities)
    }

    fn draw(&self, rng: &mut Rng) -> Option<f64> {
        Response::draw(self, rng)
    }
}

impl<R: Response> AnyResponse for R {
    fn hidden(&self, value: Value, kept: &mut Vec<f64>, rng: &mut Rng) -> Result<Vec<(f64, f64)>, Foreign> {
        Ok(Response::hidden(self, R::Value::typed(value)?, kept, rng))
    }
}

/// The response of a cell of this column in a row with these factors.
pub(crate) fn of_cell<'a>(
    column: &'a ColumnState,
    factors: &[f64],
    settings: &Options,
) -> Box<dyn AnyResponse + 'a> {
    let Options { link, tails, .. } = *settings;
    let z = || dot_with_one(&column.weights, factors);
    match &column.shape {
        Shape::Noise(variance) => Box::new(continuous::Continuous { z: z(), variance: *variance, tails }),
        Shape::Plain => Box::new(binary::Binary { z: z(), link }),
        Shape::Dispersion { h, .. } => Box::new(count::Count { z: z(), h: *h }),
        Shape::Cuts(cuts) => Box::new(ordinal::Ordinal { z: z(), cuts, link }),
        Shape::Utilities(_) => {
            let rows = column.weights.chunks_exact(factors.len() + 1);
            Box::new(categorical::Categorical {
                latent: rows.map(|row| dot_with_one(row, factors)).collect(),
            })
        }
    }
}

/// The parameters of a column in the state, which are drawn together with the hidden numbers of all its cells.
pub(crate) trait ColumnResponse {
    /// The values of a column of this kind.
    type Cells<'c>: Typed<&'c Cells>;
    /// Memory for one latent value, or for several.
    type Working: ?Sized;

    /// Draws parameters and hidden numbers given the latent values, and fills in weights and pulls. Returns the
    /// log-probability of the values given the latent values and the parameters there were before; categories leave theirs
    /// out, whose integrals would take longer than all the rest.
    fn augment(self, cells: Self::Cells<'_>, working: &mut Self::Working, rng: &mut Rng) -> f64;
}

/// Memory for one latent value of a column, a number for each row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Working {
    /// The latent values.
    pub(crate) z: Vec<f64>,
    /// The precisions.
    pub(crate) weights: Vec<f64>,
    /// The precisions times the responses.
    pub(crate) pulls: Vec<f64>,
    /// For whatever a kind of column needs.
    spare: Vec<f64>,
}

impl Working {
    /// Room for so many rows. What the last column has left there stays: every kind writes all of its numbers.
    pub(crate) fn resize(&mut self, n_rows: usize) {
        for numbers in [&mut self.z, &mut self.weights, &mut self.pulls] {
            numbers.resize(n_rows, 0.0);
        }
    }
}

/// [`ColumnResponse::augment`] of the kind whose parameters these are; cells of another kind are refused.
pub(crate) fn augment(
    cells: &Cells,
    shape: &mut Shape,
    settings: &Options,
    pooled: Option<Pooled>,
    working: &mut [Working],
    rng: &mut Rng,
) -> Result<f64, Foreign> {
    match (shape, working) {
        (Shape::Noise(variance), [working]) => {
            run(continuous::ContinuousColumn { variance, settings }, cells, working, rng)
        }
        (Shape::Plain, [working]) => run(binary::BinaryColumn { link: settings.link }, cells, working, rng),
        (Shape::Dispersion { h, rate }, [working]) => {
            run(count::CountColumn { h, rate, pooled, prior: &settings.prior }, cells, working, rng)
        }
        (Shape::Cuts(cuts), [working]) => run(ordinal::OrdinalColumn { cuts, settings }, cells, working, rng),
        (Shape::Utilities(utilities), working) => {
            run(categorical::CategoricalColumn { utilities }, cells, working, rng)
        }
        // Only categories have more latent values than one.
        (Shape::Noise(_) | Shape::Plain | Shape::Dispersion { .. } | Shape::Cuts(_), _) => Err(Foreign),
    }
}

fn run<C: ColumnResponse>(
    column: C,
    cells: &Cells,
    working: &mut C::Working,
    rng: &mut Rng,
) -> Result<f64, Foreign> {
    Ok(column.augment(C::Cells::typed(cells)?, working, rng))
}

/// The parameters that a column starts from, with utilities that agree with the levels.
pub(crate) fn start(column: &Column, n_rows: usize) -> Result<Shape, Foreign> {
    match column.kind {
        Kind::Categorical(_) => {
            let levels = Typed::typed(&column.cells)?;
            Ok(Shape::Utilities(categorical::start(levels, column.kind.n_latent())))
        }
        Kind::Continuous | Kind::Binary | Kind::Count | Kind::Ordinal(_) => {
            Ok(Shape::initial(column.kind, n_rows))
        }
    }
}

/// The mean of a level's number.
pub(crate) fn mean_level(probabilities: &[f64]) -> f64 {
    probabilities.iter().enumerate().map(|(level, p)| level as f64 * p).sum()
}
