//! Weights of a mixture by expectation and maximisation.

use std::convert::Infallible;
use std::ops::ControlFlow;

use chain::fit::{self, FitOptions, Fitted};
use chain::observe::Each;
use chain::{Objective, Progress, Rng, Start, Stop, Sweep, Workers};
use serde::{Deserialize, Serialize};

/// The weights w ≥ 0, Σ w = 1, that maximise Σ_i ln Σ_m w_m p_im + c Σ_m v_m ln w_m, where v are those to begin with:
///
/// w_m ← (c v_m + Σ_i w_m p_im / Σ_l w_l p_il) / (c + n), until nothing moves any more.
pub(super) fn climb(cells: &[Vec<f64>], towards: &[f64], c: f64) -> Vec<f64> {
    let options = FitOptions { max_iterations: MOST_STEPS, ..FitOptions::default() };
    let mut until_still = Each(|_: &Progress, state: &Fitted<Mixture>| {
        Ok(match state.params.moved < STILL {
            true => ControlFlow::Break(Stop::Converged),
            false => ControlFlow::Continue(()),
        })
    });
    let climb = Climb { cells, towards, c };
    let found = fit::fit(&climb, &options, Start::Fresh, &mut until_still, &Workers::serial());
    found.expect("there is no checkpoint to refuse, and no sum can fail").into_fitted().params.weights
}

const MOST_STEPS: u32 = 5000;
const STILL: f64 = 1e-9;

/// All cells as one item: sums begin with the pull and go from cell to cell.
struct Climb<'a> {
    cells: &'a [Vec<f64>],
    towards: &'a [f64],
    c: f64,
}

/// Weights on their way.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Mixture {
    weights: Vec<f64>,
    /// The largest step that one of them took last.
    moved: f64,
}

impl Objective for Climb<'_> {
    type Params = Mixture;
    type Counts = Vec<f64>;
    type Scratch = ();
    type Error = Infallible;
    const KIND: &'static str = "factors/stack";

    fn start(&self, _: &Sweep<'_>) -> Result<Mixture, Infallible> {
        Ok(Mixture { weights: self.towards.to_vec(), moved: f64::INFINITY })
    }

    fn n_items(&self) -> usize {
        1
    }

    /// c v
    fn no_counts(&self) -> Vec<f64> {
        self.towards.iter().map(|v| self.c * v).collect()
    }

    fn scratch(&self) {}

    /// Σ_i ln Σ_m w_m p_im
    fn expect(
        &self,
        Mixture { weights, .. }: &Mixture,
        _: usize,
        _: &mut Rng,
        (): &mut (),
        sums: &mut Vec<f64>,
    ) -> Result<f64, Infallible> {
        // Logarithms cost more than all else, so that one is taken of many cells' product.
        let (mut value, mut product) = (0.0, 1.0);
        for cell in self.cells {
            let total: f64 = weights.iter().zip(cell).map(|(w, p)| w * p).sum();
            if total > 0.0 {
                sums.iter_mut().zip(weights.iter().zip(cell)).for_each(|(sum, (w, p))| *sum += w * p / total);
            }
            product *= total;
            if product < 1e-150 {
                value += libm::log(product);
                product = 1.0;
            }
        }
        Ok(value + libm::log(product))
    }

    /// There is one item, so that there is nothing to merge.
    fn merge(&self, earlier: &mut Vec<f64>, later: Vec<f64>) {
        *earlier = later;
    }

    fn maximise(&self, mixture: &mut Mixture, mut sums: Vec<f64>, _: &Sweep<'_>) -> Result<(), Infallible> {
        let total: f64 = sums.iter().sum();
        sums.iter_mut().for_each(|w| *w /= total);
        mixture.moved = mixture.weights.iter().zip(&sums).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        mixture.weights = sums;
        Ok(())
    }

    /// c Σ_m v_m ln w_m
    fn prior(&self, Mixture { weights, .. }: &Mixture) -> f64 {
        let terms = self.towards.iter().zip(weights).filter(|(v, _)| **v > 0.0);
        terms.map(|(v, w)| self.c * v * libm::log(*w)).sum()
    }

    /// Steps tell when it is over: near the end the value does not change any more, and the weights still do.
    fn has_converged(&self, _: f64, _: f64, _: f64) -> bool {
        false
    }

    /// Cells that are impossible under models with any weight add nothing.
    fn is_hopeless(&self, _: f64) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chain::Stream;

    /// The iteration by the book.
    fn by_the_book(cells: &[Vec<f64>], towards: &[f64], c: f64) -> Vec<f64> {
        let mut weights = towards.to_vec();
        for _ in 0..MOST_STEPS {
            let mut next: Vec<f64> = towards.iter().map(|v| c * v).collect();
            for cell in cells {
                let total: f64 = weights.iter().zip(cell).map(|(w, p)| w * p).sum();
                if total > 0.0 {
                    for (sum, (w, p)) in next.iter_mut().zip(weights.iter().zip(cell)) {
                        *sum += w * p / total;
                    }
                }
            }
            let total: f64 = next.iter().sum();
            next.iter_mut().for_each(|w| *w /= total);
            let moved = weights.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            weights = next;
            if moved < STILL {
                break;
            }
        }
        weights
    }

    #[test]
    fn every_bit_is_that_of_the_iteration_by_the_book() {
        for case in 0..60 {
            let rng = &mut Stream::new(8).item(case).rng();
            let (n_models, n_cells) = (1 + rng.below(5), rng.below(40));
            let spread = [1.0, 30.0, 2000.0][case % 3];
            let cell = |_| (0..n_models).map(|_| libm::exp(-spread * rng.uniform())).collect();
            let cells: Vec<Vec<f64>> = (0..n_cells).map(cell).collect();
            let mut towards: Vec<f64> = (0..n_models).map(|m| 1.0 + m as f64).collect();
            if case % 4 == 0 {
                towards[0] = 0.0;
                towards[n_models - 1] = 1.0;
            }
            let total: f64 = towards.iter().sum();
            towards.iter_mut().for_each(|v| *v /= total);
            for c in [0.3, 3.0] {
                assert_eq!(climb(&cells, &towards, c), by_the_book(&cells, &towards, c), "case {case}");
            }
        }
    }

    #[test]
    fn no_step_makes_the_objective_smaller() {
        let rng = &mut Stream::new(9).rng();
        let cells: Vec<Vec<f64>> =
            (0..300).map(|_| (0..3).map(|_| libm::exp(-9.0 * rng.uniform())).collect()).collect();
        let climb = Climb { cells: &cells, towards: &[0.2, 0.3, 0.5], c: 2.0 };
        let options = FitOptions { max_iterations: 40, ..FitOptions::default() };
        let found = fit::fit(&climb, &options, Start::Fresh, &mut (), &Workers::serial()).unwrap();
        let history = found.into_fitted().history;
        assert!(history.len() == 40 && history.windows(2).all(|pair| pair[1] >= pair[0] - 1e-9));
        let of_cell = |cell: &Vec<f64>| libm::log(0.2 * cell[0] + 0.3 * cell[1] + 0.5 * cell[2]);
        let prior: f64 = [0.2, 0.3, 0.5].map(|v| 2.0 * v * libm::log(v)).iter().sum();
        assert!((history[0] - prior - cells.iter().map(of_cell).sum::<f64>()).abs() < 1e-9);
    }
}
