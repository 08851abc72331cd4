//! Tables drawn from the model: to test the sampler, and to see what a study of a given size can find out.

use chain::Rng;
use libm::{exp, log, sqrt};
use num::dist::{beta, gamma, inverse_gamma, log_gamma, normal};
use serde::{Deserialize, Serialize};

use crate::cells::Counts;
use crate::model::freedom;
use crate::options::{Dispersions, Link, Options, Prior};
use crate::pooling;
use crate::state::{ColumnState, Pooled, Shape, State, dot_with_one};
use crate::{Cells, Column, Data, Error, Kind};

/// A table and the state it was drawn from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Simulation {
    /// The table.
    pub data: Data,
    /// The truth.
    pub truth: State,
}

/// The simulation of Sun (2016), §4.4.1: a third of the columns counts with h = 1, a third binary, the rest continuous with
/// variance 1. Factors are from N(0, 1), intercepts and loadings from N(0, spread²), of which the thesis does not tell the
/// spread.
pub fn thesis(
    n_rows: usize,
    n_columns: usize,
    n_factors: usize,
    spread: f64,
    rng: &mut Rng,
) -> Result<Simulation, Error> {
    let third = n_columns / 3;
    let kind = |j: usize| match j {
        j if j < third => Kind::Count,
        j if j < 2 * third => Kind::Binary,
        _ => Kind::Continuous,
    };
    let kinds: Vec<Kind> = (0..n_columns).map(kind).collect();
    let settings = Options { n_factors, ..Options::default() };
    settings.check(n_columns)?;
    let mut truth = standard(&kinds, n_rows, n_factors, rng);
    truth.columns.iter_mut().flat_map(|column| &mut column.weights).for_each(|weight| *weight *= spread);
    truth.variances.fill(spread * spread);
    let data = draw_data(&kinds, &mut truth, &settings, rng)?;
    Ok(Simulation { data, truth })
}

/// A state with standard normal intercepts, loadings and factors, σ² = 1, h = 1 and cut points at distance 1.
pub fn standard(kinds: &[Kind], n_rows: usize, n_factors: usize, rng: &mut Rng) -> State {
    let column = |&kind: &Kind, rng: &mut Rng| {
        let weights = (0..kind.n_latent() * (n_factors + 1)).map(|_| normal(rng)).collect();
        let mut shape = Shape::initial(kind, n_rows);
        if let Shape::Cuts(cuts) = &mut shape {
            cuts.iter_mut().for_each(|cut| *cut *= 2.0);
        }
        ColumnState { weights, shape }
    };
    State {
        columns: kinds.iter().map(|kind| column(kind, rng)).collect(),
        factors: (0..n_rows * n_factors).map(|_| normal(rng)).collect(),
        variances: vec![1.0; n_factors],
        inclusion: vec![1.0; n_factors],
        pooled: None,
        log_likelihood: f64::NAN,
    }
}

/// A state from the prior.
pub fn prior(kinds: &[Kind], n_rows: usize, settings: &Options, rng: &mut Rng) -> State {
    let (k, prior) = (settings.n_factors, &settings.prior);
    let half = 0.5 * prior.loading_shape;
    let variances: Vec<f64> = (0..k).map(|_| inverse_gamma(rng, half, half * prior.loading_scale)).collect();
    let deviation = sqrt(inverse_gamma(rng, half, half * prior.intercept_scale));
    let chance = |rng: &mut Rng| if settings.sparse { beta(rng, 1.0, 1.0) } else { 1.0 };
    let inclusion: Vec<f64> = (0..k).map(|_| chance(rng)).collect();
    let pooled = (settings.dispersions == Dispersions::Pooled).then(|| pooling::prior(rng));
    let mut columns = Vec::new();
    let mut latent = 0;
    for &kind in kinds {
        let mut weights = vec![0.0; kind.n_latent() * (k + 1)];
        for row in weights.chunks_exact_mut(k + 1) {
            row[0] = deviation * normal(rng);
            draw_loadings(&mut row[1..], freedom(settings, latent), &variances, &inclusion, rng);
            latent += 1;
        }
        columns.push(ColumnState { weights, shape: draw_shape(kind, n_rows, prior, pooled, rng) });
    }
    let factors = (0..n_rows * k).map(|_| normal(rng)).collect();
    State { columns, factors, variances, inclusion, pooled, log_likelihood: f64::NAN }
}

fn draw_loadings(
    loadings: &mut [f64],
    (n_free, positive): (usize, bool),
    variances: &[f64],
    inclusion: &[f64],
    rng: &mut Rng,
) {
    for s in 0..n_free {
        let b = sqrt(variances[s]) * normal(rng);
        let kept = positive && s + 1 == n_free;
        loadings[s] = match kept {
            true => b.abs(),
            false if rng.bernoulli(inclusion[s]) => b,
            false => 0.0,
        };
    }
}

fn draw_shape(kind: Kind, n_rows: usize, prior: &Prior, pooled: Option<Pooled>, rng: &mut Rng) -> Shape {
    match kind {
        Kind::Continuous => {
            let half = 0.5 * prior.noise_shape;
            Shape::Noise(inverse_gamma(rng, half, half * prior.noise_scale))
        }
        Kind::Count => {
            let own =
                |rng: &mut Rng| (prior.dispersion_shape, gamma(rng, prior.rate_shape, 1.0 / prior.rate_rate));
            let (shape, rate) = pooled.map_or_else(|| own(rng), |p| (p.shape, p.shape / p.mean));
            Shape::Dispersion { h: gamma(rng, shape, 1.0 / rate), rate }
        }
        Kind::Ordinal(levels) => {
            let mut cuts = vec![0.0];
            cuts.extend((2..levels).map(|_| (prior.cut_sd * normal(rng)).abs()));
            cuts.sort_unstable_by(f64::total_cmp);
            Shape::Cuts(cuts)
        }
        Kind::Binary | Kind::Categorical(_) => Shape::initial(kind, n_rows),
    }
}

/// Draws a table given a state; the utilities of categorical columns in the state are drawn along with it.
pub fn draw_data(
    kinds: &[Kind],
    state: &mut State,
    settings: &Options,
    rng: &mut Rng,
) -> Result<Data, Error> {
    let k = settings.n_factors;
    let mut columns = Vec::with_capacity(kinds.len());
    for (j, (&kind, column)) in kinds.iter().zip(&mut state.columns).enumerate() {
        let cells = draw_cells(column, &state.factors, k, settings, rng);
        columns.push(Column { name: format!("{}{}", letter(kind), j + 1), kind, cells });
    }
    Data::new(columns)
}

fn letter(kind: Kind) -> &'static str {
    match kind {
        Kind::Continuous => "continuous",
        Kind::Binary => "binary",
        Kind::Count => "count",
        Kind::Ordinal(_) => "ordinal",
        Kind::Categorical(_) => "categorical",
    }
}

/// Cells of the kind whose parameters the state has.
fn draw_cells(
    column: &mut ColumnState,
    factors: &[f64],
    k: usize,
    settings: &Options,
    rng: &mut Rng,
) -> Cells {
    let ColumnState { weights, shape } = column;
    let z = |f: &[f64]| dot_with_one(weights, f);
    let rows = factors.chunks_exact(k);
    match shape {
        Shape::Noise(variance) => {
            Cells::Numbers(rows.map(|f| draw_number(z(f), *variance, settings.tails, rng)).collect())
        }
        Shape::Dispersion { h, .. } => {
            Cells::Counts(Counts::gather(rows.map(|f| Some(draw_count(z(f), *h, rng)))))
        }
        Shape::Cuts(cuts) => {
            Cells::Levels(rows.map(|f| draw_ordinal(z(f), cuts, settings.link, rng)).collect())
        }
        Shape::Utilities(utilities) => {
            let cells = rows.zip(utilities.chunks_exact_mut(weights.len() / (k + 1)));
            Cells::Levels(cells.map(|(f, utilities)| draw_category(weights, f, utilities, rng)).collect())
        }
        Shape::Plain => {
            Cells::Levels(rows.map(|f| u16::from(hidden(z(f), settings.link, rng) > 0.0)).collect())
        }
    }
}

/// z and noise, with the tails of a t distribution if so wished.
pub(crate) fn draw_number(z: f64, variance: f64, tails: Option<f64>, rng: &mut Rng) -> f64 {
    let weight = tails.map_or(1.0, |d| gamma(rng, 0.5 * d, 2.0 / d));
    // With few degrees of freedom the weight may be 0 for a computer.
    (z + sqrt(variance / weight) * normal(rng)).clamp(-LARGEST, LARGEST)
}

/// No number, latent value or factor goes farther than this, so that squares of all of them stay finite.
pub(crate) const LARGEST: f64 = 1e100;

/// A logistic or normal number around z.
fn hidden(z: f64, link: Link, rng: &mut Rng) -> f64 {
    match link {
        Link::Probit => z + normal(rng),
        Link::Logit => {
            let p = rng.uniform_open();
            z + log(p) - libm::log1p(-p)
        }
    }
}

fn draw_ordinal(z: f64, cuts: &[f64], link: Link, rng: &mut Rng) -> u16 {
    let hidden = hidden(z, link, rng);
    cuts.iter().filter(|&&cut| hidden > cut).count() as u16
}

/// A Poisson number with mean Gamma(h) · e^z, which is negative binomial.
pub(crate) fn draw_count(z: f64, h: f64, rng: &mut Rng) -> u32 {
    // e^z may be infinite where the product is not.
    let mean = if z < 700.0 { gamma(rng, h, exp(z)) } else { exp(log_gamma(rng, h) + z) };
    poisson(rng, mean)
}

fn draw_category(weights: &[f64], f: &[f64], utilities: &mut [f64], rng: &mut Rng) -> u16 {
    for (utility, row) in utilities.iter_mut().zip(weights.chunks_exact(f.len() + 1)) {
        *utility = dot_with_one(row, f) + normal(rng);
    }
    winner(utilities)
}

/// The level whose utility is largest; the first level has utility 0.
fn winner(utilities: &[f64]) -> u16 {
    let best = utilities.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
    best.filter(|(_, utility)| **utility > 0.0).map_or(0, |(at, _)| at as u16 + 1)
}

/// A Poisson number: the k-th arrival of a large mean is gamma distributed, which halves the mean until it is small;
/// then arrivals are counted one by one. The largest count there is stands for all that are larger.
fn poisson(rng: &mut Rng, mean: f64) -> u32 {
    let (mut mean, mut count) = (mean.min(2.0 * f64::from(u32::MAX)), 0u64);
    let least = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
    while mean > 16.0 {
        let k = (mean * 0.875) as u64;
        let arrival = gamma(rng, k as f64, 1.0);
        if arrival > mean {
            // k − 1 arrivals came before, uniformly; those before the mean are binomial (Ahrens & Dieter 1974).
            return least(count + num::dist::binomial(rng, k - 1, mean / arrival));
        }
        count += k;
        mean -= arrival;
    }
    let (mut product, floor) = (rng.uniform_open(), exp(-mean));
    while product > floor {
        count += 1;
        product *= rng.uniform_open();
    }
    least(count)
}
