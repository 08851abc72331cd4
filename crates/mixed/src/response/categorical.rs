//! Categorical columns: multinomial probit. Level 0 has utility 0, the others N(z, 1); the largest wins.

use std::f64::consts::TAU;

use chain::Rng;
use chain::dist::truncated_normal;
use chain::special::ln_normal_cdf;
use libm::{exp, log, sqrt};

use super::Working;
use crate::cells::MISSING;

/// One Gibbs step for each utility given the others of its cell: the winner above all, the others below it.
pub(super) fn augment(levels: &[u16], utilities: &mut [f64], working: &mut [Working], rng: &mut Rng) {
    let n = working.len();
    let mut latent = vec![0.0; n];
    for (row, (&level, cell)) in levels.iter().zip(utilities.chunks_exact_mut(n.max(1))).enumerate() {
        latent.iter_mut().zip(&*working).for_each(|(z, working)| *z = working.z[row]);
        if level == MISSING {
            working.iter_mut().for_each(|w| (w.weights[row], w.pulls[row]) = (0.0, 0.0));
            continue;
        }
        draw_cell(rng, usize::from(level), &latent, cell);
        for (w, &utility) in working.iter_mut().zip(&*cell) {
            (w.weights[row], w.pulls[row]) = (1.0, utility);
        }
    }
}

pub(crate) fn draw_cell(rng: &mut Rng, level: usize, latent: &[f64], utilities: &mut [f64]) {
    for at in 0..latent.len() {
        let rest = utilities.iter().enumerate().filter(|&(other, _)| other != at);
        let (low, high) = match level {
            0 => (f64::NEG_INFINITY, 0.0),
            won if won == at + 1 => (rest.fold(0.0, |most: f64, (_, &u)| most.max(u)), f64::INFINITY),
            won => (f64::NEG_INFINITY, utilities[won - 1]),
        };
        utilities[at] = truncated_normal(rng, latent[at], 1.0, low, high);
    }
}

/// A legal set of utilities for a level, to start from.
pub(crate) fn legal(level: usize, utilities: &mut [f64]) {
    utilities.fill(-0.5);
    if level > 0 {
        utilities[level - 1] = 0.5;
    }
}

/// ln P(level): Π Φ(−z) for level 0, and ∫₀^∞ φ(u − z_j) Π Φ(u − z_l) du for the others.
pub(crate) fn ln_probability(level: usize, latent: &[f64]) -> f64 {
    if level == 0 {
        return latent.iter().map(|z| ln_normal_cdf(-z)).sum();
    }
    let own = latent[level - 1];
    let ln_integrand = |u: f64| {
        let others = latent.iter().enumerate().filter(|&(at, _)| at + 1 != level);
        -0.5 * (u - own) * (u - own) + others.map(|(_, z)| ln_normal_cdf(u - z)).sum::<f64>()
    };
    // The integrand is log-concave: it is largest between its own mean and where the rivals stop mattering.
    let centre = peak(&ln_integrand, own, latent);
    let top = ln_integrand(centre);
    let (from, to) = ((centre - REACH).max(0.0), centre + REACH);
    let step = (to - from) / STEPS as f64;
    let inner: f64 = (1..STEPS).map(|i| weight(i) * exp(ln_integrand(from + i as f64 * step) - top)).sum();
    let ends = exp(ln_integrand(from) - top) + exp(ln_integrand(to) - top);
    top + log((ends + inner) * step / 3.0) - log(sqrt(TAU))
}

/// Simpson's rule: 4, 2, 4, …
fn weight(at: usize) -> f64 {
    if at % 2 == 1 { 4.0 } else { 2.0 }
}

/// Beyond this many standard deviations nothing is left of the integrand.
const REACH: f64 = 9.0;
const STEPS: usize = 96;

/// Where a log-concave function is largest on [0, ∞), by golden sections.
fn peak(f: &impl Fn(f64) -> f64, own: f64, latent: &[f64]) -> f64 {
    let highest = latent.iter().fold(own, |most: f64, &z| most.max(z));
    let (mut low, mut high) = (own.max(0.0), highest.max(0.0) + 1.0);
    for _ in 0..24 {
        let (a, b) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
        if f(a) < f(b) { low = a } else { high = b }
    }
    0.5 * (low + high)
}

const GOLDEN: f64 = 0.618_033_988_749_894_9;
