//! Learning from what is known about tags.

use std::ops::ControlFlow;

use chain::descent::{Course, Gradient};
use chain::{Stream, Workers};

use super::data::{Data, Example};
use super::features::Further;
use super::lattice::{Lattice, Transitions};
use super::options::CrfOptions;
use super::{Crf, CrfError};
use crate::{TagSet, Tagged};

/// An epoch that is over.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Epoch {
    /// How many are over.
    pub done: usize,
    /// How many there will be.
    pub total: usize,
    /// The mean loss of a sentence.
    pub loss: f64,
    /// The share of right tags among the known ones of the held-out sentences, if there are any.
    pub accuracy: Option<f64>,
}

/// What a tagger is trained on.
#[derive(Debug, Clone, Copy)]
pub struct Material<'d> {
    /// The tags.
    pub tags: &'d TagSet,
    /// Sentences to learn from; those of which nothing is known are passed over.
    pub sentences: &'d [Tagged],
    /// Other sentences. If some of their tags are known, the weights after that epoch are taken with which most of these are
    /// found; otherwise those after the last one.
    pub held_out: &'d [Tagged],
}

/// Slopes below this are left out.
const SMALLEST: f64 = 1e-4;

/// Minimises Σ weight · (ln Z − ln Z(allowed)) over the sentences, Z being the sum over all sequences of tags and Z(allowed)
/// that over those which agree with what is known. `watch` may end the training after any epoch.
pub(super) fn learn(
    material: Material<'_>,
    further: Further<'_>,
    options: &CrfOptions,
    workers: &Workers,
    watch: &mut dyn FnMut(&Epoch) -> ControlFlow<()>,
) -> Result<Crf, CrfError> {
    let n_tags = material.tags.len();
    if n_tags == 0 {
        return Err(CrfError::NoTags);
    }
    let (data, index) = Data::new(material.sentences, n_tags, further, options);
    if data.examples.is_empty() {
        return Err(CrfError::NothingKnown);
    }
    let descent = &options.descent;
    let mut weights = vec![0.0f32; (n_tags + index.keys().len()) * n_tags];
    let mut course = Course::new(weights.len(), descent);
    let stream = Stream::new(options.seed).purpose("tagger");
    let tries = material.held_out.iter().any(Tagged::has_known);
    let mut best: Option<(f64, Vec<f32>)> = None;
    while course.done() < descent.epochs.max(1) {
        let slopes = |i: usize, weights: &Vec<f32>, scratch: &mut Scratch| {
            scratch.gradient(&data, &data.examples[i], n_tags, weights)
        };
        let n_examples = data.examples.len();
        let loss = course.epoch(&mut weights, n_examples, descent, stream, workers, Scratch::default, slopes);
        let accuracy = tries.then(|| {
            let mut mean = weights.clone();
            course.average(&mut mean);
            let crf = Crf::new(material.tags.clone(), index.clone(), mean);
            let accuracy = crf.accuracy(material.held_out, further, workers);
            if best.as_ref().is_none_or(|(best, _)| accuracy > *best) {
                best = Some((accuracy, crf.weights));
            }
            accuracy
        });
        let (done, total) = (course.done(), descent.epochs.max(1));
        if watch(&Epoch { done, total, loss: loss / n_examples as f64, accuracy }).is_break() {
            break;
        }
    }
    course.average(&mut weights);
    let weights = best.map_or(weights, |(_, weights)| weights);
    Ok(Crf::new(material.tags.clone(), index, weights).condensed())
}

/// Memory of one thread.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    scores: Vec<f32>,
    transitions: Transitions,
    lattice: Lattice,
    /// p(tag) − p(tag | allowed), a row for each word.
    slopes: Vec<f64>,
    pairs: Vec<f64>,
}

impl Scratch {
    /// The loss of a sentence and its slopes in the weights; `None` if there are no sequences or nothing is known.
    pub(super) fn gradient(
        &mut self,
        data: &Data<'_>,
        example: &Example<'_>,
        n_tags: usize,
        weights: &[f32],
    ) -> Option<Gradient> {
        self.score(data, example, n_tags, weights);
        let loss = self.differ(example, n_tags, weights)?;
        let mut gradient = Gradient { loss: example.weight * loss, entries: Vec::new() };
        let mut push = |row: usize, slopes: &[f64]| {
            for (tag, slope) in slopes.iter().enumerate().filter(|(_, slope)| slope.abs() > SMALLEST) {
                gradient.push(row * n_tags + tag, (example.weight * slope) as f32);
            }
        };
        self.pairs.chunks_exact(n_tags).enumerate().for_each(|(tag, slopes)| push(tag, slopes));
        for (word, slopes) in self.slopes.chunks_exact(n_tags).enumerate() {
            if slopes.iter().any(|slope| slope.abs() > SMALLEST) {
                data.rows(example, word).for_each(|row| push(n_tags + row, slopes));
            }
        }
        Some(gradient)
    }

    fn score(&mut self, data: &Data<'_>, example: &Example<'_>, n_tags: usize, weights: &[f32]) {
        self.scores.clear();
        self.scores.resize(example.n_words() * n_tags, 0.0);
        for (word, scores) in self.scores.chunks_exact_mut(n_tags).enumerate() {
            for row in data.rows(example, word) {
                let weights = &weights[(n_tags + row) * n_tags..][..n_tags];
                scores.iter_mut().zip(weights).for_each(|(score, weight)| *score += weight);
            }
        }
    }

    /// ln Z − ln Z(allowed), and its slopes in the scores and transitions.
    fn differ(&mut self, example: &Example<'_>, n_tags: usize, weights: &[f32]) -> Option<f64> {
        self.transitions.fill(n_tags, &weights[..n_tags * n_tags]);
        let Scratch { scores, transitions, lattice, slopes, pairs } = self;
        let all = lattice.run(scores, transitions, &[])?;
        slopes.clear();
        slopes.extend_from_slice(lattice.marginals());
        pairs.clear();
        pairs.resize(n_tags * n_tags, 0.0);
        lattice.add_pairs(transitions, 1.0, pairs);
        let allowed = lattice.run(scores, transitions, example.choices)?;
        slopes.iter_mut().zip(lattice.marginals()).for_each(|(slope, p)| *slope -= p);
        lattice.add_pairs(transitions, -1.0, pairs);
        Some(all - allowed)
    }
}

impl Tagged {
    /// Whether a tag is known.
    pub(super) fn has_known(&self) -> bool {
        self.choices.iter().any(|choice| matches!(choice, crate::Choice::Known(_)))
    }
}
