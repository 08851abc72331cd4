//! Steps under a prior that pulls at every weight, for all examples together.

use num::packed;
use serde::{Deserialize, Serialize};

use super::{Averaged, Batch, Course, Gradient, Method, step_length};

/// How steps are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// θ ← θ − η g, the same η for all.
    Sgd,
    /// Steps of a weight shrink with the squares of its derivatives so far.
    #[default]
    AdaGrad,
}

/// How weights are learned under a prior.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Learning {
    /// Steps.
    pub rule: Rule,
    /// Walks through the examples.
    pub epochs: usize,
    /// η.
    pub rate: f64,
    /// 1/σ², the strength of the prior that pulls weights to 0, for all examples together.
    pub l2: f64,
    /// Examples between two steps.
    pub batch: usize,
    /// Whether the weights of the second half of the epochs are averaged in the end.
    pub average: bool,
}

/// Weights of features.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Weights {
    #[serde(with = "packed::list")]
    values: Vec<f32>,
    /// What all values are multiplied by: a prior that pulls at every weight in every step moves this alone.
    scale: f64,
}

impl Weights {
    /// All 0.
    pub fn zero(n_weights: usize) -> Weights {
        Weights { values: vec![0.0; n_weights], scale: 1.0 }
    }

    /// Weights as they are.
    pub fn from_values(values: Vec<f32>) -> Weights {
        Weights { values, scale: 1.0 }
    }

    /// The weights.
    pub fn values(&self) -> Vec<f32> {
        self.values.iter().map(|value| (f64::from(*value) * self.scale) as f32).collect()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// A weight; 0 if there is none of that number.
    pub fn get(&self, at: usize) -> f64 {
        self.values.get(at).map_or(0.0, |&value| f64::from(value) * self.scale)
    }

    /// score(k) += Σ w(row + k).
    pub fn add_rows(&self, rows: &[u32], scores: &mut [f64]) {
        let n = scores.len();
        if let [score] = scores {
            let sum: f64 =
                rows.iter().filter_map(|&row| self.values.get(row as usize)).map(|&w| f64::from(w)).sum();
            *score += sum * self.scale;
            return;
        }
        for &row in rows {
            let weights = self.values.get(row as usize..row as usize + n).unwrap_or(&[]);
            scores
                .iter_mut()
                .zip(weights)
                .for_each(|(score, &weight)| *score += f64::from(weight) * self.scale);
        }
    }

    /// Folds the scale into the values before floats lose it.
    fn settle(&mut self) {
        if !(1e-6..=1e6).contains(&self.scale) {
            let scale = self.scale;
            self.values.iter_mut().for_each(|value| *value = (f64::from(*value) * scale) as f32);
            self.scale = 1.0;
        }
    }
}

/// What steps remember: nothing, or for each weight Σ g² and the step in which the prior last pulled at it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pulls {
    #[serde(with = "packed::list")]
    squares: Vec<f32>,
    pulled: Vec<u32>,
    n_steps: u32,
}

impl Averaged for Weights {
    fn n_weights(&self) -> usize {
        self.len()
    }

    fn add_to(&self, sums: &mut [f32]) {
        let values = self.values.iter();
        sums.iter_mut().zip(values).for_each(|(sum, &w)| *sum += (f64::from(w) * self.scale) as f32);
    }
}

impl Method<Weights> for Learning {
    type Memory = Pulls;

    fn epochs(&self) -> usize {
        self.epochs
    }

    fn batch(&self) -> usize {
        self.batch
    }

    fn memory(&self, weights: &Weights) -> Pulls {
        let n = if self.rule == Rule::AdaGrad { weights.len() } else { 0 };
        Pulls { squares: vec![0.0; n], pulled: vec![0; n], n_steps: 0 }
    }

    /// θ ← θ − η (g + λ · n(batch) / n · θ).
    fn step(&self, weights: &mut Weights, memory: &mut Pulls, batch: &Batch, n_examples: usize) {
        memory.n_steps += 1;
        let share = self.l2 * batch.n_examples as f64 / n_examples as f64;
        match self.rule {
            Rule::Sgd => self.step_plainly(weights, &batch.gradients, share),
            Rule::AdaGrad => self.step_adaptively(weights, memory, &batch.gradients, share),
        }
    }

    fn counts(&self, done: usize) -> bool {
        self.average && 2 * done > self.epochs
    }
}

impl Learning {
    fn step_plainly(&self, weights: &mut Weights, gradients: &[Gradient], share: f64) {
        let Weights { values, scale } = weights;
        *scale *= (1.0 - self.rate * share).max(1e-3);
        let rate = self.rate / *scale;
        for &(at, derivative) in gradients.iter().flat_map(|gradient| &gradient.entries) {
            if let Some(value) = values.get_mut(at as usize) {
                *value -= (rate * f64::from(derivative)) as f32;
            }
        }
        weights.settle();
    }

    /// Derivatives of a batch are added up before their square is taken, so they are sorted by weight, in the order in which
    /// they come. The prior pulls at a weight when it moves, for all the steps since it last did.
    fn step_adaptively(&self, weights: &mut Weights, memory: &mut Pulls, gradients: &[Gradient], share: f64) {
        let mut entries: Vec<(u32, f32)> =
            gradients.iter().flat_map(|gradient| gradient.entries.iter().copied()).collect();
        entries.sort_by_key(|entry| entry.0);
        for group in entries.chunk_by(|a, b| a.0 == b.0) {
            let at = group[0].0 as usize;
            let derivative: f64 = group.iter().map(|entry| f64::from(entry.1)).sum();
            let Some(value) = weights.values.get_mut(at) else { continue };
            let square = (derivative * derivative) as f32;
            let rate = step_length(&mut memory.squares[at], square, self.rate, [0.0, 1e-8]);
            let elapsed =
                f64::from(memory.n_steps - std::mem::replace(&mut memory.pulled[at], memory.n_steps));
            let kept = (1.0 - self.rate.min(rate) * share).max(0.0).powf(elapsed);
            *value = (f64::from(*value) * kept - rate * derivative) as f32;
        }
    }
}

impl<S> Course<Weights, S> {
    /// The weights in the end: those of the last epoch, or their mean if one is taken.
    pub fn finish(&self) -> Weights {
        Weights::from_values(self.mean().unwrap_or_else(|| self.weights.values()))
    }
}
