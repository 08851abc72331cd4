//! Toy kernels with known answers.

use std::convert::Infallible;

use chain::{Kernel, Sweep};
use num::dist;
use serde::{Deserialize, Serialize};

/// y ~ N(μ, σ²) with σ² ~ InverseGamma(a, b) and μ | σ² ~ N(m, σ²/k): Gibbs, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct NormalGibbs {
    pub(crate) y: Vec<f64>,
    pub(crate) mistake: Mistake,
}

/// What is planted in the sampler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mistake {
    None,
    /// One degree of freedom is forgotten in the conditional of σ².
    DegreesOfFreedom,
    /// μ is drawn with twice its variance.
    WideMean,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) mean: f64,
    pub(crate) variance: f64,
}

pub(crate) const A: f64 = 4.0;
pub(crate) const B: f64 = 3.0;
pub(crate) const M: f64 = 0.5;
pub(crate) const K: f64 = 2.0;

impl NormalGibbs {
    pub(crate) fn new(y: &[f64]) -> NormalGibbs {
        NormalGibbs { y: y.to_vec(), mistake: Mistake::None }
    }

    /// (m, k, a, b) of the posterior, which is of the same family as the prior.
    pub(crate) fn posterior(&self) -> (f64, f64, f64, f64) {
        let n = self.y.len() as f64;
        let mean = self.y.iter().sum::<f64>() / n;
        let squares: f64 = self.y.iter().map(|y| (y - mean).powi(2)).sum();
        let (k, a) = (K + n, A + n / 2.0);
        let b = B + 0.5 * squares + 0.5 * K * n / k * (mean - M).powi(2);
        ((K * M + n * mean) / k, k, a, b)
    }
}

pub(crate) fn draw_prior(sweep: &Sweep<'_>) -> State {
    let mut rng = sweep.rng_for("prior");
    let variance = dist::inverse_gamma(&mut rng, A, B);
    State { mean: M + (variance / K).sqrt() * dist::normal(&mut rng), variance }
}

impl Kernel for NormalGibbs {
    type State = State;
    type Error = Infallible;
    const KIND: &'static str = "toy-normal";

    fn start(&self, sweep: &Sweep<'_>) -> Result<State, Infallible> {
        Ok(draw_prior(sweep))
    }

    fn sweep(&self, state: &mut State, sweep: &Sweep<'_>) -> Result<(), Infallible> {
        let (m, k, _, _) = self.posterior();
        let widen = if self.mistake == Mistake::WideMean { 2.0 } else { 1.0 };
        state.mean = m + (widen * state.variance / k).sqrt() * dist::normal(&mut sweep.rng_for("mean"));
        // The prior of μ depends on σ² too, which adds half a count and the term with K.
        let own = if self.mistake == Mistake::DegreesOfFreedom { 0.0 } else { 0.5 };
        let shape = A + self.y.len() as f64 / 2.0 + own;
        let squares: f64 = self.y.iter().map(|y| (y - state.mean).powi(2)).sum();
        let scale = B + 0.5 * squares + 0.5 * K * (state.mean - M).powi(2);
        state.variance = dist::inverse_gamma(&mut sweep.rng_for("variance"), shape, scale);
        Ok(())
    }

    fn log_joint(&self, state: &State) -> Option<f64> {
        let sd = state.variance.sqrt();
        let prior = dist::density::inverse_gamma(state.variance, A, B)
            + dist::density::normal(state.mean, M, sd / K.sqrt());
        Some(prior + self.y.iter().map(|&y| dist::density::normal(y, state.mean, sd)).sum::<f64>())
    }
}

/// Many items that influence one another through a floating-point sum: any change of order shows.
pub(crate) struct Swarm {
    pub(crate) n_items: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Positions {
    pub(crate) items: Vec<f64>,
    pub(crate) centre: f64,
}

impl Kernel for Swarm {
    type State = Positions;
    type Error = Infallible;
    const KIND: &'static str = "toy-swarm";

    fn start(&self, sweep: &Sweep<'_>) -> Result<Positions, Infallible> {
        let items = sweep.map(&vec![(); self.n_items], |_, _, rng| dist::normal(rng));
        Ok(Positions { items, centre: 0.0 })
    }

    fn sweep(&self, state: &mut Positions, sweep: &Sweep<'_>) -> Result<(), Infallible> {
        let centre = state.centre;
        sweep.map_mut(&mut state.items, |_, x, rng| *x = 0.7 * *x + 0.3 * centre + dist::normal(rng));
        let items = &state.items;
        let add = |sum: &mut f64, i: usize, _: &mut chain::Rng| *sum += items[i].exp();
        let total = sweep.fold(self.n_items, 7, || 0.0, add, |a, b| *a += b);
        state.centre = (total / self.n_items as f64).ln() - 1.0;
        Ok(())
    }

    fn fingerprint(&self) -> u64 {
        self.n_items as u64
    }
}
