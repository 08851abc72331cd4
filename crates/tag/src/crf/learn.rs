//! Learning from what is known about tags.

use std::convert::Infallible;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use chain::container::crc64;
use chain::descent::{Descent, Examples, Gradient, Loss, State};
use chain::observe::{Fan, Memory};
use chain::{Checkpoint, Observer, Progress, RunError, Start, Stop, Stream, Workers};
use features::Index;

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

/// Gradients below this are left out.
const SMALLEST: f64 = 1e-4;

/// A tagger on its way: the state after each epoch.
pub type Training = State<Vec<f32>, Descent>;

/// Reads a checkpoint of a training.
pub fn read_checkpoint(path: &Path) -> Result<Checkpoint<Training>, chain::Error> {
    chain::fit::read_checkpoint::<Loss<'_, Vec<f32>, Descent, Sentences<'_, '_>>>(path)
}

/// Minimises Σ weight · (ln Z − ln Z(allowed)) over the sentences, Z being the sum over all sequences of tags and Z(allowed)
/// that over those which agree with what is known. `watch` may end the training after any epoch.
pub(super) fn learn(
    material: Material<'_>,
    further: Further<'_>,
    options: &CrfOptions,
    (start, observer): (Start<Training>, &mut dyn Observer<Training>),
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
    let sentences = Sentences { data: &data, n_tags, n_weights: (n_tags + index.keys().len()) * n_tags };
    let stream = Stream::new(options.seed).purpose("tagger");
    let fingerprint = fingerprint(&data, &index, material.held_out, options);
    let loss = Loss::new(&sentences, &options.descent, stream).with_fingerprint(fingerprint);
    let n_examples = data.examples.len();
    let mut trials = Trials { material, further, index: &index, n_examples, workers, watch, best: None };
    let mut observers = Fan::new().with(&mut trials).with(observer);
    let done = loss.descend(start, &mut observers, workers).map_err(|error| match error {
        RunError::Observer { source, .. } => CrfError::NotSaved(source.to_string()),
        error => CrfError::Run(error.to_string()),
    })?;
    drop(observers);
    let best = trials.best.map(|(_, weights)| weights);
    let weights = best.unwrap_or_else(|| mean(done.fitted()));
    Ok(Crf::new(material.tags.clone(), index, weights).condensed())
}

/// A checksum of what is learned from, what is seen of words, and what the best epoch is chosen by.
fn fingerprint(data: &Data<'_>, index: &Index, held_out: &[Tagged], options: &CrfOptions) -> u64 {
    let keys: Vec<u8> = index.keys().iter().flat_map(|key| key.to_le_bytes()).collect();
    let tried_on = crc64(format!("{held_out:?}").as_bytes());
    let sums = [data.fingerprint(options.seed), crc64(&keys), tried_on];
    crc64(&sums.map(u64::to_le_bytes).concat())
}

/// The mean of the weights of the epochs that count, or the last ones.
fn mean(training: &Training) -> Vec<f32> {
    training.params.mean().unwrap_or_else(|| training.params.weights.clone())
}

/// Tries the tagger on sentences that are held out, and shows every epoch to the one who watches.
struct Trials<'t> {
    material: Material<'t>,
    further: Further<'t>,
    index: &'t Index,
    n_examples: usize,
    workers: &'t Workers,
    watch: &'t mut dyn FnMut(&Epoch) -> ControlFlow<()>,
    /// The best accuracy so far, and the weights that had it.
    best: Option<(f64, Vec<f32>)>,
}

impl Trials<'_> {
    /// The share of right tags with the mean of the weights so far; `None` if there is nothing to try it on.
    fn accuracy(&mut self, training: &Training) -> Option<f64> {
        if !self.material.held_out.iter().any(Tagged::has_known) {
            return None;
        }
        let crf = Crf::new(self.material.tags.clone(), self.index.clone(), mean(training));
        let accuracy = crf.accuracy(self.material.held_out, self.further, self.workers);
        if self.best.as_ref().is_none_or(|(best, _)| accuracy > *best) {
            self.best = Some((accuracy, crf.weights));
        }
        Some(accuracy)
    }
}

impl Observer<Training> for Trials<'_> {
    fn after_sweep(&mut self, at: &Progress, training: &Training) -> io::Result<ControlFlow<Stop>> {
        let accuracy = self.accuracy(training);
        let loss = (0.0 - at.log_joint.unwrap_or_default()) / self.n_examples as f64;
        let epoch = Epoch { done: at.sweep as usize, total: at.total as usize, loss, accuracy };
        Ok(match (self.watch)(&epoch) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(Stop::Interrupted),
        })
    }

    fn remember(&self, memory: &mut Memory) -> io::Result<()> {
        memory.put("best tagger", &self.best)
    }

    fn recall(&mut self, memory: &Memory) -> io::Result<()> {
        self.best = memory.get("best tagger")?;
        Ok(())
    }
}

/// The sentences as examples.
struct Sentences<'s, 'd> {
    data: &'s Data<'d>,
    n_tags: usize,
    n_weights: usize,
}

impl Examples<Vec<f32>> for Sentences<'_, '_> {
    type Scratch = LatticeScratch;
    type Error = Infallible;

    fn start(&self) -> Vec<f32> {
        vec![0.0; self.n_weights]
    }

    fn n_weights(&self) -> usize {
        self.n_weights
    }

    fn n_examples(&self) -> usize {
        self.data.examples.len()
    }

    fn scratch(&self) -> LatticeScratch {
        LatticeScratch::default()
    }

    fn gradient(
        &self,
        i: usize,
        weights: &Vec<f32>,
        scratch: &mut LatticeScratch,
    ) -> Result<Option<Gradient>, Infallible> {
        Ok(scratch.gradient(self.data, &self.data.examples[i], self.n_tags, weights))
    }
}

/// Memory of one thread.
#[derive(Debug, Default)]
pub(super) struct LatticeScratch {
    scores: Vec<f32>,
    transitions: Transitions,
    lattice: Lattice,
    /// p(tag) − p(tag | allowed), a row for each word.
    gradients: Vec<f64>,
    pairs: Vec<f64>,
}

impl LatticeScratch {
    /// The loss of a sentence and its gradients in the weights; `None` if there are no sequences or nothing is known.
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
        let mut push = |row: usize, gradients: &[f64]| {
            for (tag, derivative) in
                gradients.iter().enumerate().filter(|(_, derivative)| derivative.abs() > SMALLEST)
            {
                gradient.push(row * n_tags + tag, (example.weight * derivative) as f32);
            }
        };
        self.pairs.chunks_exact(n_tags).enumerate().for_each(|(tag, gradients)| push(tag, gradients));
        for (word, gradients) in self.gradients.chunks_exact(n_tags).enumerate() {
            if gradients.iter().any(|derivative| derivative.abs() > SMALLEST) {
                data.rows(example, word).for_each(|row| push(n_tags + row, gradients));
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

    /// ln Z − ln Z(allowed), and its gradients in the scores and transitions.
    fn differ(&mut self, example: &Example<'_>, n_tags: usize, weights: &[f32]) -> Option<f64> {
        self.transitions.fill(n_tags, &weights[..n_tags * n_tags]);
        let LatticeScratch { scores, transitions, lattice, gradients, pairs } = self;
        let all = lattice.run(scores, transitions, &[])?;
        gradients.clear();
        gradients.extend_from_slice(lattice.marginals());
        pairs.clear();
        pairs.resize(n_tags * n_tags, 0.0);
        lattice.add_pairs(transitions, 1.0, pairs);
        let allowed = lattice.run(scores, transitions, example.choices)?;
        gradients.iter_mut().zip(lattice.marginals()).for_each(|(derivative, p)| *derivative -= p);
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
