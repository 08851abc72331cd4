//! Getting it right: a test that finds mistakes in samplers (Geweke 2004).
//!
//! There are two ways to draw parameters and data together. The *marginal-conditional* way draws parameters
//! from the prior and data given them; it is simple and trusted. The *successive-conditional* way goes back and forth:
//! data given parameters, then one sweep of the sampler given the data. If the sampler is right, both have
//! the same distribution, so every statistic has the same mean. A wrong conditional shows as a large z.
//!
//! Each successive chain starts with a draw from the prior, where it is stationary at once, and the chains
//! are independent of one another; so the spread of their means gives the standard error without any
//! estimate of autocorrelation.

use chain::Stream;
use chain::Sweep;
use chain::Workers;

/// A model that can be simulated forwards, with the sampler that is to be tested.
pub trait Joint: Sync {
    /// Everything that is sampled: parameters and hidden variables.
    type Theta: Send;
    /// Everything that is observed.
    type Data: Send;

    /// Draws from the prior.
    fn prior(&self, sweep: &Sweep<'_>) -> Self::Theta;

    /// Draws data given parameters. Hidden variables that hang on the data are drawn anew along with them.
    fn data(&self, theta: &mut Self::Theta, sweep: &Sweep<'_>) -> Self::Data;

    /// One sweep of the sampler under test.
    fn step(&self, theta: &mut Self::Theta, data: &Self::Data, sweep: &Sweep<'_>);

    /// Named functions whose means are compared. They should have a variance, and a mistake should move
    /// them: take squares and products too, and functions of parameters and data together.
    fn statistics(&self, theta: &Self::Theta, data: &Self::Data) -> Vec<(&'static str, f64)>;
}

/// How much to simulate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GewekeOptions {
    /// Independent draws of the trusted simulator.
    pub draws: usize,
    /// Chains of the simulator under test.
    pub chains: usize,
    /// Steps of each chain; a bias needs about as many as the sampler takes to forget its start.
    pub steps: usize,
    /// The seed.
    pub seed: u64,
}

impl Default for GewekeOptions {
    fn default() -> GewekeOptions {
        GewekeOptions { draws: 10_000, chains: 400, steps: 50, seed: 0 }
    }
}

/// One statistic by both ways.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The name of the statistic.
    pub name: &'static str,
    /// Its mean when simulated forwards.
    pub forward: f64,
    /// Its mean when simulated with the sampler.
    pub successive: f64,
    /// The difference in standard errors; about N(0, 1) if the sampler is right. NaN counts as wrong.
    pub z: f64,
}

/// Simulates both ways and compares the means.
pub fn compare<J: Joint>(model: &J, options: &GewekeOptions, workers: &Workers) -> Vec<Comparison> {
    let draws: Vec<u32> = (0..options.draws as u32).collect();
    let forward = workers.map(&draws, |_, &draw| forward(model, options.seed, draw, workers));
    let chains: Vec<u32> = (0..options.chains as u32).collect();
    let successive = workers.map(&chains, |_, &chain| successive(model, options, chain, workers));
    let names = forward.first().map(Named::names).unwrap_or_default();
    let compare = |(i, name): (usize, &'static str)| {
        let (a, b) = (Mean::of(&forward, i), Mean::of(&successive, i));
        let z = (b.mean - a.mean) / libm::sqrt(a.squared_error + b.squared_error);
        Comparison { name, forward: a.mean, successive: b.mean, z }
    };
    names.into_iter().enumerate().map(compare).collect()
}

/// The comparison with the largest |z|, a NaN before all others.
pub fn worst(comparisons: &[Comparison]) -> Option<&Comparison> {
    let size = |c: &Comparison| if c.z.is_nan() { f64::INFINITY } else { c.z.abs() };
    comparisons.iter().max_by(|a, b| size(a).total_cmp(&size(b)))
}

struct Named(Vec<(&'static str, f64)>);

impl Named {
    fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|&(name, _)| name).collect()
    }
}

fn forward<J: Joint>(model: &J, seed: u64, draw: u32, workers: &Workers) -> Named {
    let sweep = Sweep::new(apart(seed, "forward"), draw, 0, workers);
    let mut theta = model.prior(&sweep);
    let data = model.data(&mut theta, &Sweep::new(apart(seed, "forward data"), draw, 0, workers));
    Named(model.statistics(&theta, &data))
}

/// The means of one chain. Statistics are taken after the sweep, so that each step may show its mistake.
fn successive<J: Joint>(model: &J, options: &GewekeOptions, chain: u32, workers: &Workers) -> Named {
    let at = |purpose, step| Sweep::new(apart(options.seed, purpose), chain, step, workers);
    let mut theta = model.prior(&at("prior", 0));
    let mut total: Vec<(&'static str, f64)> = Vec::new();
    for step in 1..=options.steps as u64 {
        let data = model.data(&mut theta, &at("data", step));
        model.step(&mut theta, &data, &at("step", step));
        let now = model.statistics(&theta, &data);
        match total.is_empty() {
            true => total = now,
            false => total.iter_mut().zip(now).for_each(|(sum, (_, x))| sum.1 += x),
        }
    }
    Named(total.into_iter().map(|(name, sum)| (name, sum / options.steps as f64)).collect())
}

/// A seed of its own for each part of the simulation, so that no two share a stream.
pub(crate) fn apart(seed: u64, purpose: &str) -> u64 {
    Stream::new(seed).purpose(purpose).rng().bits()
}

struct Mean {
    mean: f64,
    squared_error: f64,
}

impl Mean {
    fn of(rows: &[Named], column: usize) -> Mean {
        let n = rows.len() as f64;
        let column = || rows.iter().map(|row| row.0.get(column).map_or(f64::NAN, |&(_, x)| x));
        let mean = column().sum::<f64>() / n;
        let variance = column().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
        Mean { mean, squared_error: variance / n }
    }
}
