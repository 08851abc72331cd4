//! Multinomial logistic regression with binary features and a Gaussian prior.
//!
//! An instance i has a set of features F(i), a distribution y over tags and a weight m. With one row of
//! weights w(f, ·) per feature,
//!
//! ```text
//! p(t | i) ∝ exp Σ_{f ∈ F(i)} w(f, t)
//! loss(w)  = − Σ_i m(i) Σ_t y(i, t) log p(t | i)  +  ½ Σ_f λ(f) |w(f, ·)|²
//! ```
//!
//! The loss is convex. It is brought down by AdaGrad (Duchi, Hazan & Singer 2011) with one step size per
//! feature: features are binary, so the gradient m(i) (p(i, ·) − y(i, ·)) of an instance is the same for
//! all its rows, and one root per row serves all tags.

use std::convert::Infallible;

use chain::descent::step_length;
use chain::fit::{self, FitOptions, FitStart, Fitted};
use chain::{Fit, Objective, Observer, Rng, Start, Stream, Sweep, Workers};
use serde::{Deserialize, Serialize};

/// The training set.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problem {
    pub(crate) n_tags: usize,
    pub(crate) instances: Vec<Instance>,
    /// λ(f) of each row.
    pub(crate) l2: Vec<f64>,
}

/// One instance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Instance {
    /// Rows of the features that are present.
    pub(crate) rows: Vec<u32>,
    /// y, without its zeros.
    pub(crate) target: Vec<(u32, f64)>,
    pub(crate) weight: f64,
}

/// Weights on their way, row by row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Weights {
    values: Vec<f64>,
    /// Σ g² of each row.
    squares: Vec<f64>,
}

/// A problem with the way to its solution.
struct Descending<'p> {
    problem: &'p Problem,
    step: f64,
    shrinkage: Vec<f64>,
}

/// The gradient of an instance, the same for all its rows; m (p − y).
#[derive(Default)]
struct Residual {
    instance: usize,
    values: Vec<f64>,
}

impl Objective for Descending<'_> {
    type Params = Weights;
    type Counts = Residual;
    type Scratch = ();
    type Error = Infallible;
    const KIND: &'static str = "features/log-linear";

    fn start(&self, _: &Sweep<'_>) -> Result<Weights, Infallible> {
        let n_rows = self.problem.l2.len();
        Ok(Weights { values: vec![0.0; n_rows * self.problem.n_tags], squares: vec![0.0; n_rows] })
    }

    fn n_items(&self) -> usize {
        self.problem.instances.len()
    }

    /// A new order for every epoch, the same in every run: the orders before it are shuffled once more.
    fn order(&self, _: &Weights, sweep: &Sweep<'_>) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.n_items()).collect();
        let stream = Stream::new(0).purpose("log-linear");
        (0..sweep.number() as usize).for_each(|epoch| stream.item(epoch).rng().shuffle(&mut order));
        order
    }

    fn no_counts(&self) -> Residual {
        Residual::default()
    }

    fn scratch(&self) {}

    fn expect(
        &self,
        weights: &Weights,
        instance: usize,
        _: &mut Rng,
        (): &mut (),
        residual: &mut Residual,
    ) -> Result<f64, Infallible> {
        residual.instance = instance;
        Ok(self.problem.residual(&self.problem.instances[instance], &weights.values, &mut residual.values))
    }

    /// A step is taken after every instance, so that there is nothing to merge.
    fn merge(&self, earlier: &mut Residual, later: Residual) {
        *earlier = later;
    }

    fn maximise(&self, weights: &mut Weights, residual: Residual, _: &Sweep<'_>) -> Result<(), Infallible> {
        self.descend(&self.problem.instances[residual.instance], &residual.values, weights);
        Ok(())
    }

    fn is_hopeless(&self, _: f64) -> bool {
        false
    }
}

impl Descending<'_> {
    /// w(f, ·) ← w(f, ·) − η / √Σg² · (g + λ(f)/n(f) w(f, ·)) for the features of one instance.
    fn descend(&self, instance: &Instance, residual: &[f64], weights: &mut Weights) {
        let n_tags = self.problem.n_tags;
        let square: f64 = residual.iter().map(|g| g * g).sum();
        for &row in &instance.rows {
            let row = row as usize;
            let rate = step_length(&mut weights.squares[row], square, self.step, [1e-12, 0.0]);
            let keep = 1.0 - f64::min(rate * self.shrinkage[row], 1.0);
            let values = &mut weights.values[row * n_tags..][..n_tags];
            for (weight, g) in values.iter_mut().zip(residual) {
                *weight = *weight * keep - rate * g;
            }
        }
    }
}

impl Problem {
    /// Weights near the minimum of the loss, row by row.
    pub(crate) fn solve(&self, epochs: usize, step: f64) -> Vec<f64> {
        if epochs == 0 {
            return vec![0.0; self.l2.len() * self.n_tags];
        }
        self.descend(epochs, step, Start::Fresh, &mut ()).into_fitted().params.values
    }

    /// All epochs, of which there are some. A step is taken after every instance, so that there is nothing for threads to do.
    fn descend(
        &self,
        epochs: usize,
        step: f64,
        start: FitStart<Weights>,
        observer: &mut dyn Observer<Fitted<Weights>>,
    ) -> Fit<Weights> {
        let descending = Descending { problem: self, step, shrinkage: self.shrinkage() };
        let max_iterations = u32::try_from(epochs).unwrap_or(u32::MAX);
        let options =
            FitOptions { max_iterations, tolerance: 0.0, batch: Some(1), block: 1, ..FitOptions::default() };
        let found = fit::fit(&descending, &options, start, observer, &Workers::serial());
        found.expect("values may be anything, and nobody outside of this file watches")
    }

    /// λ(f)/n(f), the share of the prior that each of the n(f) instances with the feature f carries.
    fn shrinkage(&self) -> Vec<f64> {
        let mut n = vec![0.0; self.l2.len()];
        for &row in self.instances.iter().flat_map(|instance| &instance.rows) {
            n[row as usize] += 1.0;
        }
        self.l2.iter().zip(n).map(|(l2, n)| l2 / f64::max(n, 1.0)).collect()
    }

    /// m (p − y): the gradient of the instance's loss with respect to its scores. Returns m Σ y log p, minus its loss.
    fn residual(&self, instance: &Instance, weights: &[f64], out: &mut Vec<f64>) -> f64 {
        self.scores(instance, weights, out);
        softmax(out);
        let log: f64 = instance.target.iter().map(|&(tag, y)| y * libm::log(out[tag as usize])).sum();
        for &(tag, share) in &instance.target {
            out[tag as usize] -= share;
        }
        out.iter_mut().for_each(|g| *g *= instance.weight);
        instance.weight * log
    }

    fn scores(&self, instance: &Instance, weights: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.n_tags, 0.0);
        for &row in &instance.rows {
            let weights = &weights[row as usize * self.n_tags..][..self.n_tags];
            out.iter_mut().zip(weights).for_each(|(score, weight)| *score += weight);
        }
    }
}

/// Scores to probabilities; no scores, no probabilities.
pub(crate) fn softmax(scores: &mut [f64]) {
    let max = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    scores.iter_mut().for_each(|score| *score = libm::exp(*score - max));
    let total: f64 = scores.iter().sum();
    scores.iter_mut().for_each(|score| *score /= total);
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use chain::observe::Each;
    use chain::{Progress, Stop};
    use proptest::prelude::*;

    use super::*;

    impl Problem {
        fn loss(&self, weights: &[f64]) -> f64 {
            let mut p = Vec::new();
            let l2 = self.l2.iter().flat_map(|&l2| std::iter::repeat_n(l2, self.n_tags));
            let mut loss: f64 = l2.zip(weights).map(|(l2, w)| l2 / 2.0 * w * w).sum();
            for instance in &self.instances {
                self.scores(instance, weights, &mut p);
                softmax(&mut p);
                let log = instance.target.iter().map(|&(t, y)| y * libm::log(p[t as usize])).sum::<f64>();
                loss -= instance.weight * log;
            }
            loss
        }

        fn gradient(&self, weights: &[f64]) -> Vec<f64> {
            let mut gradient = vec![0.0; weights.len()];
            let (shrinkage, mut residual) = (self.shrinkage(), Vec::new());
            for instance in &self.instances {
                self.residual(instance, weights, &mut residual);
                for &row in &instance.rows {
                    for (tag, g) in residual.iter().enumerate() {
                        let at = row as usize * self.n_tags + tag;
                        gradient[at] += g + shrinkage[row as usize] * weights[at];
                    }
                }
            }
            gradient
        }
    }

    fn toy() -> Problem {
        let instance = |rows: &[u32], target: &[(u32, f64)], weight| Instance {
            rows: rows.to_vec(),
            target: target.to_vec(),
            weight,
        };
        let instances = vec![
            instance(&[0, 1], &[(0, 1.0)], 1.0),
            instance(&[0, 2], &[(1, 0.25), (2, 0.75)], 2.0),
            instance(&[0, 1, 2, 3], &[(2, 1.0)], 0.5),
            instance(&[0], &[(1, 1.0)], 1.5),
        ];
        Problem { n_tags: 3, instances, l2: vec![0.3, 0.1, 0.5, 0.2] }
    }

    proptest! {
        #[test]
        fn gradient_agrees_with_finite_differences(
            weights in proptest::collection::vec(-2.0..2.0f64, 12)
        ) {
            let problem = toy();
            let gradient = problem.gradient(&weights);
            for at in 0..weights.len() {
                let moved = |by: f64| {
                    let mut weights = weights.clone();
                    weights[at] += by;
                    problem.loss(&weights)
                };
                let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                prop_assert!((difference - gradient[at]).abs() < 1e-7, "{} {}", difference, gradient[at]);
            }
        }
    }

    #[test]
    fn the_gradient_vanishes_at_the_solution() {
        let problem = toy();
        let weights = problem.solve(3000, 0.5);
        let largest = problem.gradient(&weights).iter().fold(0.0, |max: f64, g| max.max(g.abs()));
        assert!(largest < 0.01, "{largest}");
    }

    #[test]
    fn epochs_are_seen_and_a_descent_that_was_stopped_goes_on_as_if_it_had_not_been() {
        let problem = toy();
        let mut values = Vec::new();
        let mut watch = Each(|at: &Progress, _: &Fitted<Weights>| {
            values.push(at.log_joint.unwrap());
            Ok(ControlFlow::Continue(()))
        });
        let straight = problem.descend(20, 0.5, Start::Fresh, &mut watch).into_fitted();
        assert_eq!(straight.params.values, problem.solve(20, 0.5));
        assert_eq!(straight.history, values, "every epoch is seen");
        assert!(values[19] > values[0], "{values:?}");
        let mut stop = Each(|at: &Progress, _: &Fitted<Weights>| {
            Ok(if at.sweep == 7 { ControlFlow::Break(Stop::Interrupted) } else { ControlFlow::Continue(()) })
        });
        let half = problem.descend(20, 0.5, Start::Fresh, &mut stop);
        assert_eq!(half.checkpoint.sweep, 7);
        let resumed = problem.descend(20, 0.5, Start::From(half.checkpoint), &mut ());
        assert_eq!(resumed.into_fitted(), straight);
    }

    #[test]
    fn steps_are_taken_in_the_order_in_which_models_that_are_there_were_learned() {
        let problem = toy();
        let shrinkage = problem.shrinkage();
        let descending = Descending { problem: &problem, step: 0.5, shrinkage };
        let workers = Workers::serial();
        let mut weights = descending.start(&Sweep::new(0, 0, 0, &workers)).unwrap();
        let mut order: Vec<usize> = (0..4).collect();
        for epoch in 0..9 {
            Stream::new(0).purpose("log-linear").item(epoch).rng().shuffle(&mut order);
            for &i in &order {
                let (instance, mut residual) = (&problem.instances[i], Vec::new());
                problem.residual(instance, &weights.values, &mut residual);
                descending.descend(instance, &residual, &mut weights);
            }
        }
        assert_eq!(problem.solve(9, 0.5), weights.values);
    }

    #[test]
    fn a_few_epochs_come_close_to_the_minimum() {
        let problem = toy();
        let minimum = problem.loss(&problem.solve(3000, 0.5));
        assert!(problem.loss(&problem.solve(20, 0.5)) < minimum + 0.05);
    }
}
