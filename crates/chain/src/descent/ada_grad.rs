//! Steps of a length of their own for every weight.

/// AdaGrad (Duchi, Hazan & Singer 2011): every weight has a step of its own, the shorter the more it was moved.
///
/// The gradient g of a batch is added up first; then, for every weight it touches,
///
/// ```text
/// G ← G + (g + λ₂ w)²,   w ← w − η (g + λ₂ w) / √G,   w ← sign(w) · max(0, |w| − η λ₁ / √G)
/// ```
#[derive(Debug, Clone)]
pub(super) struct AdaGrad {
    rate: f32,
    l2: f32,
    l1: f32,
    pub(super) squares: Vec<f32>,
    gradient: Vec<f32>,
    touched: Vec<u32>,
}

impl AdaGrad {
    pub(super) fn new(n_weights: usize, [rate, l2, l1]: [f64; 3]) -> AdaGrad {
        AdaGrad {
            rate: rate as f32,
            l2: l2 as f32,
            l1: l1 as f32,
            squares: vec![0.0; n_weights],
            gradient: vec![0.0; n_weights],
            touched: Vec::new(),
        }
    }

    /// Adds to the gradient of a weight.
    #[inline]
    pub(super) fn add(&mut self, slot: usize, gradient: f32) {
        let sum = &mut self.gradient[slot];
        if *sum == 0.0 {
            // A sum that came back to zero is listed twice; the second time there is nothing left to do.
            self.touched.push(slot as u32);
        }
        *sum += gradient;
    }

    /// Takes the step.
    pub(super) fn step(&mut self, weights: &mut [f32]) {
        for slot in self.touched.drain(..).map(|slot| slot as usize) {
            let gradient = std::mem::take(&mut self.gradient[slot]);
            if gradient == 0.0 {
                continue;
            }
            let weight = &mut weights[slot];
            let gradient = gradient + self.l2 * *weight;
            self.squares[slot] += gradient * gradient;
            let rate = self.rate / (self.squares[slot].sqrt() + 1e-6);
            *weight -= rate * gradient;
            if self.l1 > 0.0 {
                *weight = weight.signum() * (weight.abs() - rate * self.l1).max(0.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_of_a_batch_are_added_up_before_the_step() {
        let mut weights = [0.0f32, 1.0];
        let mut optimiser = AdaGrad::new(2, [0.5, 0.0, 0.0]);
        for gradient in [3.0, -3.0, 2.0] {
            optimiser.add(0, gradient);
        }
        optimiser.step(&mut weights);
        // The first step is η long, whatever the gradient is.
        assert!((weights[0] + 0.5).abs() < 1e-5 && weights[1] == 1.0);
        assert_eq!(optimiser.squares[0], 4.0);
        optimiser.step(&mut weights);
        assert_eq!(optimiser.squares[0], 4.0);
    }

    #[test]
    fn steps_are_those_of_the_formula() {
        let (rate, l2, l1) = (0.3, 0.2, 0.1);
        let mut weights = [1.5f32, -0.02];
        let mut optimiser = AdaGrad::new(2, [rate, l2, l1]);
        let (mut expected, mut squares) = ([1.5f64, -0.02], [0.0f64; 2]);
        for slopes in [[2.0, -0.1], [-1.0, 0.3], [0.5, 0.0]] {
            for at in 0..2 {
                optimiser.add(at, slopes[at] as f32);
                if slopes[at] != 0.0 {
                    let slope: f64 = slopes[at] + l2 * expected[at];
                    squares[at] += slope * slope;
                    let moved = expected[at] - rate * slope / squares[at].sqrt();
                    let shrunk = (moved.abs() - rate * l1 / squares[at].sqrt()).max(0.0);
                    expected[at] = moved.signum() * shrunk;
                }
            }
            optimiser.step(&mut weights);
            for (weight, expected) in weights.iter().zip(expected) {
                assert!((f64::from(*weight) - expected).abs() < 1e-4, "{weight} {expected}");
            }
        }
    }
}
