//! Frank–Wolfe steps.

use chain::Workers;
use serde::{Deserialize, Serialize};

use super::ConvexOptions;
use super::corpus::{ArcCorpus, Arcs};
use super::ridge::{Ridge, dot, sum_sentences};
use super::space::TreeScratch;
use super::watch::{CHUNK, Watch};

/// One step of training.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SolverProgress {
    /// The objective before the step.
    pub objective: f64,
    /// An upper bound of its distance from the optimum.
    pub gap: f64,
    /// How far the step went, from 0 to 1.
    pub gamma: f64,
}

/// Where the steps ended; y stands in the corpus.
#[derive(Debug)]
pub(super) struct Solution {
    pub(super) weights: Vec<f64>,
    pub(super) progress: Vec<SolverProgress>,
}

/// Minimises the objective.
///
/// Arcs of words whose head is known count 1 in the fit and others ω ≤ 1: what the annotator said is worth more than what
/// the model says of itself. Ω is the diagonal matrix of that; the papers have Ω = I. For given y the best weights are
/// w(y) = (XᵀΩX + nλI)⁻¹ XᵀΩy, linear in y. With c = n Ω (μu + ξv) and ‖v‖² for vᵀΩv, the objective times n, as a function
/// of both, is
///
/// ```text
/// J(y, w) = ½ ‖y − Xw‖² + nλ/2 ‖w‖² − cᵀy
/// ```
///
/// and at w = w(y) its gradient in y is −(Ω(Xw − y) + c). The vertex s of the hull with the lowest derivative is a best tree for
/// each sentence, with scores Ω(Xw − y) + c. The step goes along d = s − y and e = w(s) − w, which is w(d): y + γd
/// keeps its best weights w + γe. With r = y − Xw and a = d − Xe,
///
/// ```text
/// J(y + γd, w + γe) = J(y, w) + γ (rᵀΩa + nλ wᵀe − cᵀd) + γ²/2 (‖a‖² + nλ ‖e‖²)
/// ```
///
/// whose minimum over 0 ≤ γ ≤ 1 is where the derivative is zero, or at an end. Where w(s) is solved for inexactly, this is
/// still the exact minimum of J along the step, so that the objective never rises. By convexity the optimum lies
/// at most (Ω(Xw − y) + c)ᵀd below.
///
/// `None` if somebody stopped it.
pub(super) fn solve(
    corpus: &mut ArcCorpus,
    options: &ConvexOptions,
    workers: &Workers,
    watch: &mut Watch<'_>,
) -> Option<Solution> {
    let ridge = Ridge::new(corpus, options.lambda, workers);
    let mut weights = vec![0.0; corpus.table.len()];
    let b = sum_sentences(corpus, workers, |sentence, sums| {
        for (arc, &y) in sentence.y.iter().enumerate().filter(|&(_, &y)| y != 0.0) {
            sentence.add_row(arc, y, sums);
        }
    });
    ridge.solve(corpus, &b, &mut weights, options.ridge_tolerance, workers, watch)?;
    workers.map_mut(&mut corpus.sentences, |_, sentence| {
        sentence.fitted = sentence.products(&weights);
    });
    let mut vertex_weights = weights.clone();
    let mut progress = Vec::new();
    for _ in 0..options.max_iterations {
        for chunk in corpus.sentences.chunks_mut(CHUNK) {
            watch.ask()?;
            workers.map_mut_with(chunk, TreeScratch::default, |scratch, _, sentence| {
                sentence.find_vertex(scratch);
            });
        }
        let b = sum_sentences(corpus, workers, |sentence, sums| {
            sentence.vertex_arcs().for_each(|arc| sentence.add_row(arc, 1.0, sums));
        });
        ridge.solve(corpus, &b, &mut vertex_weights, options.ridge_tolerance, workers, watch)?;
        let step = step(corpus, &ridge, &weights, &vertex_weights, workers);
        progress.push(step);
        watch.took(step)?;
        if step.gap <= options.gap {
            break;
        }
        let gamma = step.gamma;
        workers.map_mut(&mut corpus.sentences, |_, sentence| sentence.walk(gamma));
        weights.iter_mut().zip(&vertex_weights).for_each(|(w, vertex)| *w += gamma * (vertex - *w));
    }
    Some(Solution { weights, progress })
}

/// The sums over arcs that a step needs.
#[derive(Debug, Clone, Copy, Default)]
struct StepSums {
    objective: f64,
    derivative: f64,
    curvature: f64,
    gap: f64,
}

/// Finds out how far to go.
fn step(
    corpus: &mut ArcCorpus,
    ridge: &Ridge,
    weights: &[f64],
    vertex: &[f64],
    workers: &Workers,
) -> SolverProgress {
    let sums = workers.map_mut(&mut corpus.sentences, |_, sentence| {
        sentence.fitted_vertex = sentence.products(vertex);
        sentence.sums()
    });
    let sums = sums.into_iter().fold(StepSums::default(), |a, b| StepSums {
        objective: a.objective + b.objective,
        derivative: a.derivative + b.derivative,
        curvature: a.curvature + b.curvature,
        gap: a.gap + b.gap,
    });
    let e: Vec<f64> = vertex.iter().zip(weights).map(|(vertex, w)| vertex - w).collect();
    let derivative = sums.derivative + ridge.shrink() * dot(weights, &e);
    let curvature = sums.curvature + ridge.shrink() * dot(&e, &e);
    let objective = sums.objective + 0.5 * ridge.shrink() * dot(weights, weights);
    let n = corpus.n_arcs as f64;
    SolverProgress { objective: objective / n, gap: sums.gap / n, gamma: line_search(derivative, curvature) }
}

/// The minimum of γ · derivative + γ²/2 · curvature over 0 ≤ γ ≤ 1.
fn line_search(derivative: f64, curvature: f64) -> f64 {
    if derivative >= 0.0 {
        0.0
    } else if curvature <= -derivative {
        1.0
    } else {
        -derivative / curvature
    }
}

impl Arcs {
    /// Xw.
    fn products(&self, weights: &[f64]) -> Vec<f64> {
        (0..self.prior.len()).map(|arc| self.product(arc, weights)).collect()
    }

    /// The best tree for the scores Ω(Xw − y) + c.
    fn find_vertex(&mut self, scratch: &mut TreeScratch) {
        let width = self.n_words + 1;
        scratch.scores.reset(self.n_words);
        for word in (1..=self.n_words).filter(|&word| !self.is_left_out(word)) {
            let arcs = (word - 1) * width..word * width;
            let row = scratch.scores.row_mut(word);
            for (score, arc) in row.iter_mut().zip(arcs) {
                *score = self.trust(arc) * (self.fitted[arc] - self.y[arc]) + self.prior[arc];
            }
        }
        (self.vertex, _) = self.space.best(scratch);
    }

    fn sums(&self) -> StepSums {
        let mut sums = StepSums::default();
        let mut vertex = vec![0.0; self.prior.len()];
        self.vertex_arcs().for_each(|arc| vertex[arc] = 1.0);
        for (arc, vertex) in vertex.into_iter().enumerate() {
            let r = self.y[arc] - self.fitted[arc];
            let d = vertex - self.y[arc];
            let a = d - (self.fitted_vertex[arc] - self.fitted[arc]);
            let trust = self.trust(arc);
            sums.objective += 0.5 * trust * r * r - self.prior[arc] * self.y[arc];
            sums.derivative += trust * r * a - self.prior[arc] * d;
            sums.curvature += trust * a * a;
            sums.gap += (self.prior[arc] - trust * r) * d;
        }
        sums
    }

    /// y += γ d, Xw += γ Xe.
    fn walk(&mut self, gamma: f64) {
        for (arc, y) in self.y.iter_mut().enumerate() {
            *y *= 1.0 - gamma;
            self.fitted[arc] += gamma * (self.fitted_vertex[arc] - self.fitted[arc]);
        }
        let arcs: Vec<usize> = self.vertex_arcs().collect();
        arcs.into_iter().for_each(|arc| self.y[arc] += gamma);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_search_is_the_minimum_of_the_parabola() {
        for (derivative, curvature) in
            [(-1.0, 4.0), (-1.0, 0.5), (0.5, 1.0), (-2.0, 0.0), (-0.3, 0.31), (0.0, 0.0)]
        {
            let value = |gamma: f64| gamma * derivative + 0.5 * gamma * gamma * curvature;
            let best = (0..=1000).map(|at| value(f64::from(at) / 1000.0)).fold(f64::INFINITY, f64::min);
            assert!(value(line_search(derivative, curvature)) <= best + 1e-12, "{derivative} {curvature}");
        }
    }
}
