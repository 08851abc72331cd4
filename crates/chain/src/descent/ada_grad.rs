//! Steps of a length of their own for every weight.

use std::ops::{Add, AddAssign, Div};

use num::packed;
use serde::{Deserialize, Serialize};

use super::{Batch, Method};

/// How weights are learned by AdaGrad (Duchi, Hazan & Singer 2011): every weight has a step of its own, the shorter the
/// more it was moved.
///
/// The gradient g of a batch is added up first; then, for every weight it touches,
///
/// ```text
/// G ← G + (g + λ₂ w)²,   w ← w − η (g + λ₂ w) / √G,   w ← sign(w) · max(0, |w| − η λ₁ / √G)
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Descent {
    /// Walks through the data.
    pub epochs: usize,
    /// Examples between two steps.
    pub batch: usize,
    /// η, the length of the first steps.
    pub rate: f64,
    /// λ₂, what pulls weights back to zero whenever they are moved.
    pub l2: f64,
    /// λ₁, what keeps small weights at zero.
    pub l1: f64,
}

/// Numbers that steps are computed in.
pub trait Real: Sized + Add<Output = Self> + Div<Output = Self> {
    /// √x
    fn root(self) -> Self;
}

impl Real for f32 {
    #[inline(always)]
    fn root(self) -> f32 {
        self.sqrt()
    }
}

impl Real for f64 {
    #[inline(always)]
    fn root(self) -> f64 {
        self.sqrt()
    }
}

/// How far a weight goes along its derivative g, in the steps of AdaGrad:
///
/// ```text
/// G ← G + g²,   η / (√(G + ε₁) + ε₂)
/// ```
///
/// One of the two ε is 0; the other keeps the first steps from being endless. G may be kept with fewer digits than the
/// step is computed with.
///
/// ```
/// let mut squares = 9.0f32;
/// assert_eq!(chain::descent::step_length(&mut squares, 16.0, 0.5, [0.0, 0.0]), 0.1);
/// assert_eq!(squares, 25.0);
/// ```
#[inline(always)]
pub fn step_length<S: Copy + AddAssign, R: Real + From<S>>(
    squares: &mut S,
    square: S,
    rate: R,
    [within, beside]: [R; 2],
) -> R {
    *squares += square;
    rate / ((R::from(*squares) + within).root() + beside)
}

/// What AdaGrad remembers: G, and room for g.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AdaGrad {
    #[serde(with = "packed::list")]
    squares: Vec<f32>,
    /// g; all zero between two steps, and made when it is needed.
    #[serde(skip)]
    gradient: Vec<f32>,
    #[serde(skip)]
    touched: Vec<u32>,
}

impl AdaGrad {
    fn new(n_weights: usize) -> AdaGrad {
        AdaGrad { squares: vec![0.0; n_weights], gradient: Vec::new(), touched: Vec::new() }
    }

    /// Adds to the gradient of a weight.
    #[inline]
    fn add(&mut self, slot: usize, gradient: f32) {
        let sum = &mut self.gradient[slot];
        if *sum == 0.0 {
            // A sum that came back to zero is listed twice; the second time there is nothing left to do.
            self.touched.push(slot as u32);
        }
        *sum += gradient;
    }

    /// Takes the step.
    fn step(&mut self, weights: &mut [f32], descent: &Descent) {
        let (length, l2, l1) = (descent.rate as f32, descent.l2 as f32, descent.l1 as f32);
        for slot in self.touched.drain(..).map(|slot| slot as usize) {
            let gradient = std::mem::take(&mut self.gradient[slot]);
            if gradient == 0.0 {
                continue;
            }
            let weight = &mut weights[slot];
            let gradient = gradient + l2 * *weight;
            let rate = step_length(&mut self.squares[slot], gradient * gradient, length, [0.0, 1e-6]);
            *weight -= rate * gradient;
            if l1 > 0.0 {
                *weight = weight.signum() * (weight.abs() - rate * l1).max(0.0);
            }
        }
    }
}

impl<W: AsRef<[f32]> + AsMut<[f32]>> Method<W> for Descent {
    type Memory = AdaGrad;

    fn epochs(&self) -> usize {
        self.epochs
    }

    fn batch(&self) -> usize {
        self.batch
    }

    fn memory(&self, weights: &W) -> AdaGrad {
        AdaGrad::new(weights.as_ref().len())
    }

    fn step(&self, weights: &mut W, memory: &mut AdaGrad, batch: &Batch, _: usize) {
        memory.gradient.resize(memory.squares.len(), 0.0);
        let entries = batch.gradients.iter().flat_map(|gradient| &gradient.entries);
        entries.for_each(|&(slot, derivative)| memory.add(slot as usize, derivative));
        memory.step(weights.as_mut(), self);
    }

    fn counts(&self, done: usize) -> bool {
        2 * done > self.epochs
    }
}

#[cfg(test)]
mod tests {
    use super::super::Gradient;
    use super::*;

    /// A step for a batch of one example each.
    fn step(descent: &Descent, weights: &mut Vec<f32>, memory: &mut AdaGrad, batch: &[&[(u32, f32)]]) {
        let gradients: Vec<Gradient> =
            batch.iter().map(|entries| Gradient { loss: 0.0, entries: entries.to_vec() }).collect();
        let n_examples = gradients.len();
        descent.step(weights, memory, &Batch { gradients, n_examples }, n_examples);
    }

    fn descent(rate: f64, l2: f64, l1: f64) -> Descent {
        Descent { epochs: 1, batch: 1, rate, l2, l1 }
    }

    #[test]
    fn gradients_of_a_batch_are_added_up_before_the_step() {
        let (descent, mut weights) = (descent(0.5, 0.0, 0.0), vec![0.0f32, 1.0]);
        let mut memory = descent.memory(&weights);
        step(&descent, &mut weights, &mut memory, &[&[(0, 3.0)], &[(0, -3.0)], &[(0, 2.0)]]);
        // The first step is η long, whatever the gradient is.
        assert!((weights[0] + 0.5).abs() < 1e-5 && weights[1] == 1.0);
        assert_eq!(memory.squares[0], 4.0);
        step(&descent, &mut weights, &mut memory, &[]);
        assert_eq!(memory.squares[0], 4.0);
    }

    #[test]
    fn lengths_have_the_bits_of_one_epsilon_within_the_root_or_beside_it() {
        let rng = &mut crate::Stream::new(3).rng();
        let (mut narrow, mut mixed, mut wide) = (0.0f32, 0.0f32, 0.0f64);
        for _ in 0..2000 {
            let derivative = libm::exp(30.0 * rng.uniform() - 25.0);
            let square = derivative as f32 * derivative as f32;
            let found = step_length(&mut narrow, square, 0.3f32, [0.0, 1e-6]);
            assert_eq!(found.to_bits(), (0.3 / (narrow.sqrt() + 1e-6)).to_bits());
            let found = step_length(&mut mixed, (derivative * derivative) as f32, 0.3f64, [0.0, 1e-8]);
            assert_eq!(found.to_bits(), (0.3 / (f64::from(mixed).sqrt() + 1e-8)).to_bits());
            let found = step_length(&mut wide, derivative * derivative, 0.3f64, [1e-12, 0.0]);
            assert_eq!(found.to_bits(), (0.3f64 / libm::sqrt(wide + 1e-12)).to_bits());
        }
    }

    #[test]
    fn steps_are_those_of_the_formula() {
        let (rate, l2, l1) = (0.3, 0.2, 0.1);
        let (descent, mut weights) = (descent(rate, l2, l1), vec![1.5f32, -0.02]);
        let mut memory = descent.memory(&weights);
        let (mut expected, mut squares) = ([1.5f64, -0.02], [0.0f64; 2]);
        for gradients in [[2.0, -0.1], [-1.0, 0.3], [0.5, 0.0]] {
            for at in 0..2 {
                if gradients[at] != 0.0 {
                    let gradient: f64 = gradients[at] + l2 * expected[at];
                    squares[at] += gradient * gradient;
                    let moved = expected[at] - rate * gradient / squares[at].sqrt();
                    let shrunk = (moved.abs() - rate * l1 / squares[at].sqrt()).max(0.0);
                    expected[at] = moved.signum() * shrunk;
                }
            }
            let entries = [(0, gradients[0] as f32), (1, gradients[1] as f32)];
            step(&descent, &mut weights, &mut memory, &[&entries]);
            for (weight, expected) in weights.iter().zip(expected) {
                assert!((f64::from(*weight) - expected).abs() < 1e-4, "{weight} {expected}");
            }
        }
    }
}
