//! Simulation-based calibration: are posteriors as wide as they should be? (Talts et al. 2018)
//!
//! Draw a truth from the prior and data from the truth, sample the posterior, and ask for the rank of the
//! truth among the samples. If the sampler is right and the samples are nearly independent, all ranks
//! are equally likely. A ∪-shaped histogram means posteriors that are too narrow, a ∩-shaped one too wide,
//! a slope a bias.

use crate::geweke::{Joint, apart};
use chain::Stream;
use chain::Sweep;
use chain::Workers;
use num::special::chi_square_tail;

/// A model whose sampler can be started on given data.
pub trait Posterior: Joint {
    /// A starting state for these data that does not know the truth.
    fn begin(&self, data: &Self::Data, sweep: &Sweep<'_>) -> Self::Theta;
}

/// How much to simulate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalibrateOptions {
    /// Truths to be drawn.
    pub truths: usize,
    /// Sweeps thrown away for each truth.
    pub burn_in: u64,
    /// Sweeps from one sample to the next; enough to make them nearly independent.
    pub thin: u64,
    /// Bins of the histogram.
    pub bins: usize,
    /// Ranks per bin; there are `bins · per_bin − 1` samples for each truth.
    pub per_bin: usize,
    /// The seed.
    pub seed: u64,
}

impl Default for CalibrateOptions {
    fn default() -> CalibrateOptions {
        CalibrateOptions { truths: 1000, burn_in: 20, thin: 5, bins: 10, per_bin: 2, seed: 0 }
    }
}

/// The ranks of one statistic.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranks {
    /// The name of the statistic.
    pub name: &'static str,
    /// How many truths fell into each bin.
    pub histogram: Vec<u64>,
    /// Σ (observed − expected)² / expected.
    pub chi_square: f64,
    /// The probability of so large a value if the sampler is right.
    pub p: f64,
}

/// Ranks the truth among posterior samples, many times.
pub fn calibrate<P: Posterior>(model: &P, options: &CalibrateOptions, workers: &Workers) -> Vec<Ranks> {
    let truths: Vec<u32> = (0..options.truths as u32).collect();
    let ranks = workers.map(&truths, |_, &truth| rank(model, options, truth, workers));
    let names: Vec<&'static str> = ranks.iter().take(1).flatten().map(|&(name, _)| name).collect();
    let histogram = |(i, name): (usize, &'static str)| {
        let mut bins = vec![0; options.bins.max(1)];
        for &(_, rank) in ranks.iter().filter_map(|row| row.get(i)) {
            bins[rank / options.per_bin.max(1)] += 1;
        }
        Ranks::new(name, bins)
    };
    names.into_iter().enumerate().map(histogram).collect()
}

impl Ranks {
    fn new(name: &'static str, histogram: Vec<u64>) -> Ranks {
        let expected = histogram.iter().sum::<u64>() as f64 / histogram.len() as f64;
        let misses = histogram.iter().map(|&n| (n as f64 - expected) * (n as f64 - expected) / expected);
        let chi_square: f64 = misses.sum();
        let p = chi_square_tail(chi_square, histogram.len() as f64 - 1.0);
        Ranks { name, histogram, chi_square, p }
    }
}

/// How many samples each statistic of one truth exceeds. Of t samples that tie with it, a number from 0 to t is
/// drawn that count as smaller: a coin for each would favour the middle of the tie.
fn rank<P: Posterior>(
    model: &P,
    options: &CalibrateOptions,
    truth: u32,
    workers: &Workers,
) -> Vec<(&'static str, usize)> {
    let at = |purpose, step| Sweep::new(apart(options.seed, purpose), truth, step, workers);
    let mut theta = model.prior(&at("prior", 0));
    let data = model.data(&mut theta, &at("data", 0));
    let target = model.statistics(&theta, &data);
    let mut below: Vec<(usize, usize)> = vec![(0, 0); target.len()];
    let mut dice = Stream::new(options.seed).purpose("ties").item(truth as usize).rng();
    let mut state = model.begin(&data, &at("begin", 0));
    let n_samples = (options.bins.max(1) * options.per_bin.max(1) - 1) as u64;
    for step in 1..=options.burn_in + n_samples * options.thin {
        model.step(&mut state, &data, &at("step", step));
        if step <= options.burn_in || !(step - options.burn_in).is_multiple_of(options.thin) {
            continue;
        }
        for ((smaller, equal), (&(_, truth), (_, sample))) in
            below.iter_mut().zip(target.iter().zip(model.statistics(&state, &data)))
        {
            *smaller += usize::from(truth > sample);
            *equal += usize::from(truth == sample);
        }
    }
    let names = target.iter().map(|&(name, _)| name);
    names.zip(below).map(|(name, (smaller, equal))| (name, smaller + dice.below(equal + 1))).collect()
}
