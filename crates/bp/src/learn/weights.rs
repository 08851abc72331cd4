//! Weights, and how they move.

use chain::workers::Workers;
use num::packed::Packed;
use num::streams::Stream;
use serde::{Deserialize, Serialize};

/// How steps are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// θ ← θ + η g, the same η for all.
    Sgd,
    /// Steps of a weight shrink with the squares of its slopes so far.
    #[default]
    AdaGrad,
}

/// How weights are learned.
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
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Weights {
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

/// What an example asks for.
#[derive(Debug, Clone, Default)]
pub struct Step {
    /// Its log-likelihood.
    pub ln: f64,
    /// Weights and slopes of the log-likelihood in them; a weight may stand here several times.
    pub entries: Vec<(u32, f32)>,
}

/// The way of weights from epoch to epoch.
#[derive(Debug, Clone)]
pub struct Course {
    /// The weights.
    pub weights: Weights,
    learning: Learning,
    /// Σ g² of each weight under AdaGrad.
    squares: Vec<f32>,
    /// The step in which the prior last pulled at a weight, under AdaGrad.
    pulled: Vec<u32>,
    n_steps: u32,
    sums: Vec<f32>,
    n_summed: u32,
    done: usize,
}

/// A course as a checkpoint holds it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedCourse {
    values: Packed,
    scale: f64,
    squares: Packed,
    pulled: Vec<u32>,
    n_steps: u32,
    sums: Packed,
    n_summed: u32,
    done: u64,
}

impl Course {
    /// The beginning.
    pub fn new(weights: Weights, learning: Learning) -> Course {
        let n = weights.len();
        let n_squares = if learning.rule == Rule::AdaGrad { n } else { 0 };
        Course {
            weights,
            learning,
            squares: vec![0.0; n_squares],
            pulled: vec![0; n_squares],
            n_steps: 0,
            sums: if learning.average { vec![0.0; n] } else { Vec::new() },
            n_summed: 0,
            done: 0,
        }
    }

    /// How many epochs are over.
    pub fn done(&self) -> usize {
        self.done
    }

    /// One walk through the examples in an order of its own. Steps of a batch are found in parallel and added up in
    /// order, so that the number of threads makes no difference. Returns the sum of log-likelihoods.
    pub fn epoch<S>(
        &mut self,
        n_examples: usize,
        stream: Stream,
        workers: &Workers,
        scratch: impl Fn() -> S + Sync + Send,
        step: impl Fn(usize, &Weights, &mut S) -> Step + Sync,
    ) -> f64 {
        let mut order: Vec<usize> = (0..n_examples).collect();
        stream.item(self.done).rng().shuffle(&mut order);
        let mut ln = 0.0;
        for batch in order.chunks(self.learning.batch.max(1)) {
            let weights = &self.weights;
            let steps = workers.map_with(batch, &scratch, |scratch, _, &i| step(i, weights, scratch));
            ln += steps.iter().map(|step| step.ln).sum::<f64>();
            let share = self.learning.l2 * batch.len() as f64 / n_examples as f64;
            self.take(&steps, share);
        }
        self.done += 1;
        if self.learning.average && 2 * self.done > self.learning.epochs {
            let scale = self.weights.scale;
            let values = self.weights.values.iter();
            self.sums.iter_mut().zip(values).for_each(|(sum, &w)| *sum += (f64::from(w) * scale) as f32);
            self.n_summed += 1;
        }
        ln
    }

    /// θ ← θ + η (g − share · θ).
    fn take(&mut self, steps: &[Step], share: f64) {
        self.n_steps += 1;
        match self.learning.rule {
            Rule::Sgd => self.take_plain(steps, share),
            Rule::AdaGrad => self.take_adaptive(steps, share),
        }
    }

    fn take_plain(&mut self, steps: &[Step], share: f64) {
        let Weights { values, scale } = &mut self.weights;
        *scale *= (1.0 - self.learning.rate * share).max(1e-3);
        let rate = self.learning.rate / *scale;
        for &(at, slope) in steps.iter().flat_map(|step| &step.entries) {
            if let Some(value) = values.get_mut(at as usize) {
                *value += (rate * f64::from(slope)) as f32;
            }
        }
        self.weights.settle();
    }

    /// Slopes of a batch are added up before their square is taken, so they are sorted by weight, in the order in which
    /// they come. The prior pulls at a weight when it moves, for all the steps since it last did.
    fn take_adaptive(&mut self, steps: &[Step], share: f64) {
        let mut entries: Vec<(u32, f32)> =
            steps.iter().flat_map(|step| step.entries.iter().copied()).collect();
        entries.sort_by_key(|entry| entry.0);
        for group in entries.chunk_by(|a, b| a.0 == b.0) {
            let at = group[0].0 as usize;
            let slope: f64 = group.iter().map(|entry| f64::from(entry.1)).sum();
            let Some(value) = self.weights.values.get_mut(at) else { continue };
            self.squares[at] += (slope * slope) as f32;
            let rate = self.learning.rate / (f64::from(self.squares[at]).sqrt() + 1e-8);
            let elapsed = f64::from(self.n_steps - std::mem::replace(&mut self.pulled[at], self.n_steps));
            let kept = (1.0 - self.learning.rate.min(rate) * share).max(0.0).powf(elapsed);
            *value = (f64::from(*value) * kept + rate * slope) as f32;
        }
    }

    /// The weights in the end: those of the last epoch, or the mean of the second half of them.
    pub fn finish(&self) -> Weights {
        if self.n_summed == 0 {
            return Weights::from_values(self.weights.values());
        }
        Weights::from_values(self.sums.iter().map(|sum| sum / self.n_summed as f32).collect())
    }

    /// What a checkpoint needs.
    pub fn save(&self) -> SavedCourse {
        SavedCourse {
            values: Packed::new(&self.weights.values),
            scale: self.weights.scale,
            squares: Packed::new(&self.squares),
            pulled: self.pulled.clone(),
            n_steps: self.n_steps,
            sums: Packed::new(&self.sums),
            n_summed: self.n_summed,
            done: self.done as u64,
        }
    }

    /// Goes on where a checkpoint was made; `None` if it is of another number of weights.
    pub fn resume(saved: &SavedCourse, n_weights: usize, learning: Learning) -> Option<Course> {
        let empty = Course::new(Weights::zero(n_weights), learning);
        if saved.pulled.len() != empty.pulled.len() {
            return None;
        }
        Some(Course {
            weights: Weights { values: saved.values.unpack(n_weights)?, scale: saved.scale },
            learning,
            squares: saved.squares.unpack(empty.squares.len())?,
            pulled: saved.pulled.clone(),
            n_steps: saved.n_steps,
            sums: saved.sums.unpack(empty.sums.len())?,
            n_summed: saved.n_summed,
            done: usize::try_from(saved.done).ok()?,
        })
    }
}
