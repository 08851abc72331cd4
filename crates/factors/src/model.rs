//! The Gibbs sampler: one pass over the columns, then the factors of all rows, then the hyperparameters.
//!
//! Given the factors, the columns know nothing of one another; so a column draws its hidden numbers, its parameters and its
//! loadings by itself and leaves behind only sums for each row. The hidden numbers of one column are the only ones in
//! memory, and a pass needs room for the values that are not 0, the loadings, and K²/2 sums for each row.

use chain::container::crc64;
use chain::{Kernel, Rng, Sweep};
use num::dist::{beta, inverse_gamma, normal};

use crate::loadings::{Beforehand, Evidence};
use crate::moves;
use crate::options::{Dispersions, Identification, Options, told};
use crate::pooling;
use crate::response::{self, Foreign, Working};
use crate::rows::{Products, RowSums};
use crate::state::{ColumnState, Pooled, State, dot_with_one};
use crate::{Data, Error};

/// The factor model of a table.
#[derive(Debug)]
pub struct FactorModel<'a> {
    data: &'a Data,
    settings: Options,
    /// The place of each column's first latent value among all of them.
    offsets: Vec<usize>,
}

impl<'a> FactorModel<'a> {
    /// A model of these data; settings with which nothing can be drawn are refused.
    pub fn new(data: &'a Data, settings: Options) -> Result<FactorModel<'a>, Error> {
        settings.check(data.n_latent())?;
        if data.observed().next().is_none() {
            return Err(Error::Empty);
        }
        let mut next = 0;
        let offset = |column: &crate::Column| {
            let at = next;
            next += column.kind.n_latent();
            at
        };
        let offsets = data.columns().iter().map(offset).collect();
        Ok(FactorModel { data, settings, offsets })
    }

    /// The data.
    pub fn data(&self) -> &Data {
        self.data
    }

    /// The settings.
    pub fn settings(&self) -> &Options {
        &self.settings
    }

    fn k(&self) -> usize {
        self.settings.n_factors
    }

    /// How many loadings of a latent value are free, and whether the last of them must be positive.
    pub(crate) fn freedom(&self, latent: usize) -> (usize, bool) {
        freedom(&self.settings, latent)
    }

    /// One pass over a block of columns.
    fn pass(
        &self,
        block: &mut Block<'_>,
        state: &Hyper<'_>,
        memory: &mut Memory,
        sweep: &Sweep<'_>,
    ) -> Result<RowSums, Error> {
        let mut sums = RowSums::new(self.data.n_rows(), self.k());
        for (at, column) in block.columns.iter_mut().enumerate() {
            let j = block.first + at;
            let mut rng = sweep.stream().purpose("column").item(j).rng();
            self.column(j, column, state, memory, &mut sums, &mut rng)?;
        }
        Ok(sums)
    }

    /// Draws everything that belongs to one column and adds it to the sums of the rows.
    fn column(
        &self,
        j: usize,
        column: &mut ColumnState,
        state: &Hyper<'_>,
        memory: &mut Memory,
        sums: &mut RowSums,
        rng: &mut chain::Rng,
    ) -> Result<(), Error> {
        let k = self.k();
        let source = &self.data.columns()[j];
        let n_latent = source.kind.n_latent();
        memory.working.resize_with(n_latent.max(memory.working.len()), Working::default);
        let working = &mut memory.working[..n_latent];
        for (working, row) in working.iter_mut().zip(column.weights.chunks_exact(k + 1)) {
            working.resize(self.data.n_rows());
            let factors = state.factors.chunks_exact(k);
            working.z.iter_mut().zip(factors).for_each(|(z, f)| *z = dot_with_one(row, f));
        }
        let (shape, settings, pooled) = (&mut column.shape, &self.settings, state.pooled);
        let drawn = response::augment(&source.cells, shape, settings, pooled, working, rng);
        sums.log_likelihood += drawn.map_err(|Foreign| Error::Foreign { column: j })?;
        for (latent, (working, row)) in working.iter().zip(column.weights.chunks_exact_mut(k + 1)).enumerate()
        {
            let Working { weights, pulls, .. } = working;
            state.products.evidence(state.factors, weights, pulls, &mut memory.evidence);
            let (n_free, positive) = self.freedom(self.offsets[j] + latent);
            let inclusion = self.settings.sparse.then_some(state.inclusion);
            let before = Beforehand { precisions: state.precisions, inclusion, n_free, positive };
            let drawn = memory.evidence.draw(row, before, self.settings.update, rng);
            drawn.ok_or(Error::Diverged { column: j })?;
            sums.add(row, weights, pulls);
        }
        Ok(())
    }

    /// ν_α ~ IG((c + n)/2, (cd_α + Σ α²)/2) for the n intercepts. Nothing else depends on it, so that it is drawn when it is needed
    /// and not kept.
    fn draw_intercept_variance(&self, columns: &[ColumnState], rng: &mut Rng) -> f64 {
        let (k, prior) = (self.k(), &self.settings.prior);
        let rows = columns.iter().flat_map(|column| column.weights.chunks_exact(k + 1));
        let (n, squares) = rows.fold((0.0, 0.0), |(n, squares), row| (n + 1.0, squares + row[0] * row[0]));
        let shape = 0.5 * (prior.loading_shape + n);
        inverse_gamma(rng, shape, 0.5 * (prior.loading_shape * prior.intercept_scale + squares))
    }

    /// ν ~ IG((c + n_s)/2, (cd + Σ b²)/2) and q ~ Beta(1 + n_s, 1 + ñ_s − n_s), where n_s loadings of ñ_s are not 0.
    fn draw_hyper(&self, state: &mut State, sweep: &Sweep<'_>) {
        let (k, prior) = (self.k(), &self.settings.prior);
        let mut rng = sweep.rng_for("hyper");
        let tally = LoadingTally::new(self, &state.columns);
        for s in 0..k {
            let shape = 0.5 * (prior.loading_shape + tally.present[s] as f64);
            let scale = 0.5 * (prior.loading_shape * prior.loading_scale + tally.squares[s]);
            state.variances[s] = inverse_gamma(&mut rng, shape, scale);
            if self.settings.sparse {
                let (there, gone) = (tally.chosen[s] as f64, (tally.optional[s] - tally.chosen[s]) as f64);
                // Kept off 0 and 1, where the odds would be infinite for ever.
                state.inclusion[s] = beta(&mut rng, 1.0 + there, 1.0 + gone).clamp(1e-12, 1.0 - 1e-12);
            }
        }
    }
}

/// How many loadings of a latent value are free, and whether the last of them must be positive.
pub(crate) fn freedom(settings: &Options, latent: usize) -> (usize, bool) {
    let k = settings.n_factors;
    match settings.identification {
        Identification::Free => (k, false),
        Identification::Triangular => ((latent + 1).min(k), latent < k),
    }
}

/// Loadings counted per factor.
struct LoadingTally {
    /// Not 0.
    present: Vec<usize>,
    /// Σ b²
    squares: Vec<f64>,
    /// Free to be 0 under the sparse prior.
    optional: Vec<usize>,
    /// Of these, not 0.
    chosen: Vec<usize>,
}

impl LoadingTally {
    fn new(model: &FactorModel<'_>, columns: &[ColumnState]) -> LoadingTally {
        let k = model.k();
        let zeros = || vec![0; k];
        let mut tally =
            LoadingTally { present: zeros(), squares: vec![0.0; k], optional: zeros(), chosen: zeros() };
        let rows = columns.iter().flat_map(|column| column.weights.chunks_exact(k + 1));
        for (latent, row) in rows.enumerate() {
            let (n_free, positive) = model.freedom(latent);
            for s in 0..n_free {
                let there = usize::from(row[s + 1] != 0.0);
                tally.present[s] += there;
                tally.squares[s] += row[s + 1] * row[s + 1];
                if !(positive && s + 1 == n_free) {
                    tally.optional[s] += 1;
                    tally.chosen[s] += there;
                }
            }
        }
        tally
    }
}

/// The part of the state that columns look at.
struct Hyper<'a> {
    factors: &'a [f64],
    products: &'a Products,
    precisions: &'a [f64],
    inclusion: &'a [f64],
    pooled: Option<Pooled>,
}

/// Columns that are worked on together, by one thread.
struct Block<'a> {
    first: usize,
    columns: &'a mut [ColumnState],
}

#[derive(Default)]
struct Memory {
    working: Vec<Working>,
    evidence: Evidence,
}

/// Columns in a block: at most so many blocks, since each has sums for all rows, of at least so many columns. It does not
/// depend on the threads, because the order of the sums is part of the result.
fn block_size(n_columns: usize) -> usize {
    const BLOCKS: usize = 48;
    const FEWEST: usize = 4;
    n_columns.div_ceil(BLOCKS).max(FEWEST)
}

impl Kernel for FactorModel<'_> {
    type State = State;
    type Error = Error;
    const KIND: &'static str = "mixed-factors";

    /// Small random loadings and random factors.
    fn start(&self, sweep: &Sweep<'_>) -> Result<State, Error> {
        let (k, n_rows) = (self.k(), self.data.n_rows());
        let mut rng = sweep.rng_for("start");
        let mut columns = Vec::with_capacity(self.data.columns().len());
        for (j, (column, &offset)) in self.data.columns().iter().zip(&self.offsets).enumerate() {
            let mut weights = vec![0.0; column.kind.n_latent() * (k + 1)];
            for (latent, row) in weights.chunks_exact_mut(k + 1).enumerate() {
                let (n_free, positive) = self.freedom(offset + latent);
                // Not 0, or the first draw of their variance would hold them there.
                row[0] = libm::sqrt(self.settings.prior.intercept_scale) * normal(&mut rng);
                row[1..=n_free].iter_mut().for_each(|b| *b = 0.1 * normal(&mut rng));
                if positive {
                    row[n_free] = row[n_free].abs();
                }
            }
            let shape = response::start(column, n_rows).map_err(|Foreign| Error::Foreign { column: j })?;
            columns.push(ColumnState { weights, shape });
        }
        Ok(State {
            columns,
            factors: (0..n_rows * k).map(|_| normal(&mut rng)).collect(),
            variances: vec![self.settings.prior.loading_scale; k],
            inclusion: vec![if self.settings.sparse { 0.5 } else { 1.0 }; k],
            pooled: (self.settings.dispersions == Dispersions::Pooled)
                .then_some(Pooled { mean: 1.0, shape: 1.0 }),
            log_likelihood: f64::NAN,
        })
    }

    fn sweep(&self, state: &mut State, sweep: &Sweep<'_>) -> Result<(), Error> {
        let k = self.k();
        let State { columns, factors, variances, inclusion, pooled, .. } = state;
        let products = Products::new(factors, k);
        let intercept_variance = self.draw_intercept_variance(columns, &mut sweep.rng_for("intercepts"));
        let mut precisions = vec![1.0 / intercept_variance];
        precisions.extend(variances.iter().map(|variance| 1.0 / variance));
        let pooled = *pooled;
        let hyper = Hyper { factors, products: &products, precisions: &precisions, inclusion, pooled };
        let size = block_size(columns.len());
        let blocks = columns.chunks_mut(size).enumerate();
        let mut blocks: Vec<Block<'_>> =
            blocks.map(|(at, columns)| Block { first: at * size, columns }).collect();
        let parts = sweep.workers().map_mut_with(&mut blocks, Memory::default, |memory, _, block| {
            self.pass(block, &hyper, memory, sweep)
        });
        let mut sums = RowSums::new(self.data.n_rows(), k);
        for part in parts {
            sums.merge(&part?);
        }
        let mut rows: Vec<&mut [f64]> = factors.chunks_exact_mut(k).collect();
        let drawn = sweep.map_mut(&mut rows, |row, f, rng| sums.draw(row, rng, f));
        if let Some(row) = drawn.iter().position(Option::is_none) {
            return Err(Error::DivergedRow { row });
        }
        state.log_likelihood = sums.log_likelihood;
        self.draw_hyper(state, sweep);
        if let Some(pooled) = &mut state.pooled {
            pooling::draw(pooled, &state.columns, &mut sweep.rng_for("pooled"));
        }
        if self.settings.update == crate::Update::Blocked {
            moves::rescale(state, &self.settings.prior, &mut sweep.rng_for("rescale"));
            moves::shift(state, intercept_variance, &mut sweep.rng_for("shift"));
        }
        Ok(())
    }

    fn fingerprint(&self) -> u64 {
        let settings = crc64(told(&self.settings).as_bytes());
        crc64(&[self.data.fingerprint().to_le_bytes(), settings.to_le_bytes()].concat())
    }
}
