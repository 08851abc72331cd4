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

use chain::Stream;

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

impl Problem {
    /// Weights near the minimum of the loss, row by row.
    pub(crate) fn solve(&self, epochs: usize, step: f64) -> Vec<f64> {
        let mut weights = vec![0.0; self.l2.len() * self.n_tags];
        let mut squares = vec![0.0; self.l2.len()];
        let shrinkage = self.shrinkage();
        let mut order: Vec<usize> = (0..self.instances.len()).collect();
        let mut residual = Vec::new();
        let stream = Stream::new(0).purpose("log-linear");
        for epoch in 0..epochs {
            // A new order for every epoch, the same in every run.
            stream.item(epoch).rng().shuffle(&mut order);
            for instance in order.iter().map(|&i| &self.instances[i]) {
                self.residual(instance, &weights, &mut residual);
                self.descend(instance, &residual, step, &shrinkage, &mut weights, &mut squares);
            }
        }
        weights
    }

    /// λ(f)/n(f), the share of the prior that each of the n(f) instances with the feature f carries.
    fn shrinkage(&self) -> Vec<f64> {
        let mut n = vec![0.0; self.l2.len()];
        for &row in self.instances.iter().flat_map(|instance| &instance.rows) {
            n[row as usize] += 1.0;
        }
        self.l2.iter().zip(n).map(|(l2, n)| l2 / f64::max(n, 1.0)).collect()
    }

    /// w(f, ·) ← w(f, ·) − η / √Σg² · (g + λ(f)/n(f) w(f, ·)) for the features of one instance.
    fn descend(
        &self,
        instance: &Instance,
        residual: &[f64],
        step: f64,
        shrinkage: &[f64],
        weights: &mut [f64],
        squares: &mut [f64],
    ) {
        let square: f64 = residual.iter().map(|g| g * g).sum();
        for &row in &instance.rows {
            let row = row as usize;
            squares[row] += square;
            let rate = step / libm::sqrt(squares[row] + 1e-12);
            let keep = 1.0 - f64::min(rate * shrinkage[row], 1.0);
            let weights = &mut weights[row * self.n_tags..][..self.n_tags];
            for (weight, g) in weights.iter_mut().zip(residual) {
                *weight = *weight * keep - rate * g;
            }
        }
    }

    /// m (p − y): the gradient of the instance's loss with respect to its scores.
    fn residual(&self, instance: &Instance, weights: &[f64], out: &mut Vec<f64>) {
        self.scores(instance, weights, out);
        softmax(out);
        for &(tag, share) in &instance.target {
            out[tag as usize] -= share;
        }
        out.iter_mut().for_each(|g| *g *= instance.weight);
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
    use super::*;
    use proptest::prelude::*;

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
    fn a_few_epochs_come_close_to_the_minimum() {
        let problem = toy();
        let minimum = problem.loss(&problem.solve(3000, 0.5));
        assert!(problem.loss(&problem.solve(20, 0.5)) < minimum + 0.05);
    }
}
