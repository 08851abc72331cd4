//! Estimators under which all items share one grammar: EM, EM-MAP and variational Bayes.
//!
//! ```text
//! EM        θ_k ∝ f_k                               value  Σ ln p(x | θ)
//! EM-MAP    θ_k ∝ f_k + α − 1, α > 1                value  Σ ln p(x | θ) + (α − 1) Σ ln θ
//! VB        q(θ_k) = Dirichlet(α + f_k)             value  Σ ln Z(w) − Σ_k KL(q(θ_k) ‖ Dirichlet(α))
//!           w = exp E_q[ln θ] = exp(ψ(γ_{k,i}) − ψ(Σ_i γ_{k,i}))
//! ```
//!
//! f are expected counts over all items. Instead of sums over derivations the best may count (*hard* EM), or both may take
//! turns, each as long as it helps (*lateen* EM, Spitkovsky et al. 2011); weights may be raised to a power that grows to
//! 1 (*annealing*, Smith & Eisner 2004); and counts may come from portions of the corpus (*stepwise* EM, Liang & Klein
//! 2009).

use std::convert::Infallible;

use chain::{Objective, Rng, Sweep};
use num::special::{digamma, ln_gamma};
use serde::{Deserialize, Serialize};

use crate::family::{Family, Rows};
use crate::per_item::LEAST;
use crate::rules::{Multiplier, Pull};

/// What is estimated.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Estimate {
    /// The likeliest parameters, or with α > 1 the most probable ones under a symmetric Dirichlet prior.
    Point {
        /// 1 for maximum likelihood.
        alpha: f64,
    },
    /// Their posterior distribution under a symmetric Dirichlet prior.
    Posterior {
        /// The parameter of the prior, above 0.
        alpha: f64,
    },
}

/// Which derivations count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Search {
    /// All, by their probability.
    #[default]
    Soft,
    /// The best only.
    Hard,
    /// All until that no longer helps, then the best, and so on.
    Lateen,
}

/// How an estimate is reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// Which derivations count.
    pub search: Search,
    /// Weights are raised to min(1, start · growth^pass); 1 for no annealing.
    pub anneal_start: f64,
    /// By what the power grows from pass to pass.
    pub anneal_growth: f64,
    /// The power of the step size (t + 2)^−power of counts from portions; `None` where passes take the whole corpus.
    pub stepwise: Option<f64>,
    /// Lateen EM changes over when a pass changes the value v by less than this · (1 + |v|).
    pub lateen_tolerance: f64,
}

impl Default for Course {
    fn default() -> Course {
        Course {
            search: Search::Soft,
            anneal_start: 1.0,
            anneal_growth: 1.1,
            stepwise: None,
            lateen_tolerance: 1e-4,
        }
    }
}

/// A corpus, a family and an estimator.
#[derive(Debug)]
pub struct Shared<'a, F: Family> {
    family: &'a F,
    items: &'a [F::Item],
    start: Vec<f64>,
    estimate: Estimate,
    course: Course,
    pull: Option<Pull>,
    fingerprint: u64,
}

/// A grammar on its way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SharedParams {
    /// What derivations are weighed with.
    pub weights: Vec<f64>,
    /// θ, or the parameters γ of its distribution.
    pub estimate: Vec<f64>,
    /// Whether only best derivations count now.
    hard: bool,
    /// The value of the last pass.
    before: Option<f64>,
    /// Portions seen, and their running counts.
    steps: u64,
    running: Vec<f64>,
    multiplier: Multiplier,
}

/// Expected counts, and the memory they are found with.
#[derive(Debug)]
pub struct SharedCounts<M> {
    /// By event.
    pub events: Vec<f64>,
    value: f64,
    n_items: usize,
    tempered: Vec<f64>,
    memory: M,
}

impl<'a, F: Family> Shared<'a, F> {
    /// Starts from these parameters. The fingerprint tells corpora and settings apart when a run is resumed.
    pub fn new(
        family: &'a F,
        items: &'a [F::Item],
        start: Vec<f64>,
        estimate: Estimate,
        course: Course,
        fingerprint: u64,
    ) -> Shared<'a, F> {
        Shared { family, items, start, estimate, course, pull: None, fingerprint }
    }

    /// The same with a pull towards arcs that rules name.
    pub fn pulled(self, pull: Pull) -> Shared<'a, F> {
        Shared { pull: Some(pull), ..self }
    }

    /// The grammar that an estimate stands for: θ itself, or the mean of its distribution.
    pub fn point(&self, params: &SharedParams) -> Vec<f64> {
        let mut point = params.estimate.clone();
        self.family.rows().normalise(&mut point, &self.start);
        point
    }

    /// The power of the weights: below 1 while a run is hot.
    fn power(&self, steps: u64) -> f64 {
        let power = self.course.anneal_start * libm::pow(self.course.anneal_growth, steps as f64);
        power.min(1.0)
    }

    fn set_weights(&self, params: &mut SharedParams) {
        params.weights = match self.estimate {
            Estimate::Point { .. } => params.estimate.clone(),
            Estimate::Posterior { .. } => geometric_means(self.family.rows(), &params.estimate),
        };
        if let Some(pull) = &self.pull {
            pull.tilt(&mut params.weights, params.multiplier);
        }
    }

    fn with_prior(&self, counts: &mut [f64], before: &[f64]) {
        match self.estimate {
            Estimate::Point { alpha } => {
                counts.iter_mut().for_each(|count| *count += alpha - 1.0);
                self.family.rows().normalise(counts, before);
                // Charts of plain numbers cannot hold less, and nothing that small is heard of again.
                counts.iter_mut().filter(|theta| **theta < LEAST).for_each(|theta| *theta = 0.0);
            }
            Estimate::Posterior { alpha } => counts.iter_mut().for_each(|count| *count += alpha),
        }
    }

    /// Whether the next pass counts best derivations.
    fn changes_over(&self, params: &SharedParams, value: f64) -> bool {
        let tolerance = self.course.lateen_tolerance * (1.0 + value.abs());
        self.course.search == Search::Lateen
            && params.before.is_some_and(|before| (value - before).abs() <= tolerance)
    }
}

impl<F: Family> Objective for Shared<'_, F> {
    type Params = SharedParams;
    type Counts = SharedCounts<F::Memory>;
    type Scratch = ();
    type Error = Infallible;
    const KIND: &'static str = "induce/shared";

    fn start(&self, sweep: &Sweep<'_>) -> Result<SharedParams, Infallible> {
        let mut params = SharedParams {
            weights: self.start.clone(),
            estimate: self.start.clone(),
            hard: self.course.search == Search::Hard,
            before: None,
            steps: 0,
            running: Vec::new(),
            multiplier: Multiplier::default(),
        };
        let is_posterior = matches!(self.estimate, Estimate::Posterior { .. });
        if is_posterior || self.course.stepwise.is_some() {
            // What the starting grammar expects: a distribution to begin with, or counts that portions are mixed into.
            let add = |sum: &mut SharedCounts<F::Memory>, i: usize| {
                self.family.expect(&self.items[i], &params.weights, &mut sum.memory, &mut sum.events);
            };
            let merge = |sum: &mut SharedCounts<F::Memory>, later| self.merge(sum, later);
            let sum = sweep.workers().fold(self.items.len(), 64, || self.no_counts(), add, merge);
            params.running = if self.course.stepwise.is_some() { sum.events.clone() } else { Vec::new() };
            if is_posterior {
                params.estimate = sum.events;
                self.with_prior(&mut params.estimate, &self.start);
                self.set_weights(&mut params);
            }
        }
        Ok(params)
    }

    fn n_items(&self) -> usize {
        self.items.len()
    }

    fn no_counts(&self) -> SharedCounts<F::Memory> {
        let events = vec![0.0; self.family.rows().n_events()];
        SharedCounts { events, value: 0.0, n_items: 0, tempered: Vec::new(), memory: F::Memory::default() }
    }

    /// Charts are kept with the counts.
    fn scratch(&self) {}

    fn expect(
        &self,
        params: &SharedParams,
        item: usize,
        _: &mut Rng,
        (): &mut (),
        counts: &mut SharedCounts<F::Memory>,
    ) -> Result<f64, Infallible> {
        let (power, item) = (self.power(params.steps), &self.items[item]);
        let weights = if power < 1.0 {
            if counts.tempered.is_empty() {
                counts.tempered = params.weights.iter().map(|&weight| libm::pow(weight, power)).collect();
            }
            &counts.tempered
        } else {
            &params.weights
        };
        let value = match params.hard {
            false => self.family.expect(item, weights, &mut counts.memory, &mut counts.events),
            true => self.family.best(item, weights, &mut counts.memory, &mut counts.events),
        };
        counts.value += value;
        counts.n_items += 1;
        Ok(value)
    }

    fn merge(&self, earlier: &mut SharedCounts<F::Memory>, later: SharedCounts<F::Memory>) {
        earlier.value += later.value;
        earlier.n_items += later.n_items;
        for (sum, count) in earlier.events.iter_mut().zip(later.events) {
            *sum += count;
        }
    }

    fn maximise(
        &self,
        params: &mut SharedParams,
        counts: SharedCounts<F::Memory>,
        _: &Sweep<'_>,
    ) -> Result<(), Infallible> {
        let SharedCounts { mut events, value, n_items, .. } = counts;
        if let Some(power) = self.course.stepwise {
            // running ← (1 − η) running + η · (counts as if of the whole corpus), η = (t + 2)^−power
            let scale = self.items.len() as f64 / n_items.max(1) as f64;
            let step = libm::pow(params.steps as f64 + 2.0, -power);
            for (running, event) in params.running.iter_mut().zip(&mut events) {
                *running += step * (scale * *event - *running);
                *event = *running;
            }
        }
        let value = value + self.prior(params);
        if let Some(pull) = &self.pull {
            params.multiplier = pull.next(params.multiplier, &events);
        }
        let before = std::mem::take(&mut params.estimate);
        self.with_prior(&mut events, &before);
        params.estimate = events;
        self.set_weights(params);
        params.steps += 1;
        if self.changes_over(params, value) {
            params.hard = !params.hard;
            params.before = None;
        } else {
            params.before = Some(value);
        }
        Ok(())
    }

    fn prior(&self, params: &SharedParams) -> f64 {
        match self.estimate {
            Estimate::Point { alpha: 1.0 } => 0.0,
            Estimate::Point { alpha } => {
                (alpha - 1.0) * params.estimate.iter().map(|&theta| libm::log(theta)).sum::<f64>()
            }
            Estimate::Posterior { alpha } => -divergence(self.family.rows(), &params.estimate, alpha),
        }
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
}

/// exp E[ln θ] under Dirichlet distributions.
pub(crate) fn geometric_means(rows: &Rows, gamma: &[f64]) -> Vec<f64> {
    let mut means = vec![0.0; gamma.len()];
    for range in rows.ranges() {
        let total = digamma(gamma[range.clone()].iter().sum());
        for at in range {
            means[at] = libm::exp(digamma(gamma[at]) - total).max(LEAST);
        }
    }
    means
}

/// Σ_k KL(Dirichlet(γ_k) ‖ Dirichlet(α)).
fn divergence(rows: &Rows, gamma: &[f64], alpha: f64) -> f64 {
    let of_row = |range: std::ops::Range<usize>| {
        let n = range.len() as f64;
        let row = &gamma[range];
        let total: f64 = row.iter().sum();
        let mean = digamma(total);
        let each = row.iter().map(|&g| ln_gamma(alpha) - ln_gamma(g) + (g - alpha) * (digamma(g) - mean));
        ln_gamma(total) - ln_gamma(n * alpha) + each.sum::<f64>()
    };
    rows.ranges().map(of_row).sum()
}
