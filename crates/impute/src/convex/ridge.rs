//! The weights that fit a y.

use chain::Workers;

use super::corpus::ArcCorpus;
use super::watch::Watch;

/// Sentences that are added up in one go; part of the definition of the sums.
const BLOCK: usize = 64;

/// (XᵀΩX + nλI) w = b, by conjugate gradients.
///
/// X has about fifteen ones in a row, so that a product with XᵀX costs two walks over them and nothing is ever as large as
/// the square of the number of features. The diagonal is the preconditioner: features that occur often and seldom
/// differ by the factor of their counts.
#[derive(Debug)]
pub(super) struct Ridge {
    /// nλ.
    shrink: f64,
    diagonal: Vec<f64>,
}

impl Ridge {
    pub(super) fn new(corpus: &ArcCorpus, lambda: f64, workers: &Workers) -> Ridge {
        let shrink = (corpus.n_arcs as f64 * lambda).max(f64::MIN_POSITIVE);
        let mut diagonal = sum_sentences(corpus, workers, |sentence, sums| {
            for arc in 0..sentence.prior.len() {
                sentence.add_row(arc, 1.0, sums);
            }
        });
        diagonal.iter_mut().for_each(|value| *value += shrink);
        Ridge { shrink, diagonal }
    }

    pub(super) fn shrink(&self) -> f64 {
        self.shrink
    }

    /// Improves `weights` until ‖b − A w‖ ≤ tolerance · ‖b‖; `None` if somebody stopped it before.
    pub(super) fn solve(
        &self,
        corpus: &ArcCorpus,
        b: &[f64],
        weights: &mut [f64],
        tolerance: f64,
        workers: &Workers,
        watch: &mut Watch<'_>,
    ) -> Option<()> {
        let target = tolerance * dot(b, b).sqrt();
        let product = self.product(corpus, weights, workers);
        let mut residual: Vec<f64> = b.iter().zip(&product).map(|(b, product)| b - product).collect();
        let mut step: Vec<f64> = self.precondition(&residual);
        let mut size = dot(&residual, &step);
        for _ in 0..10 * b.len().max(10) {
            if dot(&residual, &residual).sqrt() <= target || size <= 0.0 {
                break;
            }
            watch.ask()?;
            let image = self.product(corpus, &step, workers);
            let curvature = dot(&step, &image);
            if curvature <= 0.0 {
                break;
            }
            let length = size / curvature;
            add(weights, length, &step);
            add(&mut residual, -length, &image);
            let conditioned = self.precondition(&residual);
            let next = dot(&residual, &conditioned);
            let keep = next / size;
            size = next;
            step.iter_mut().zip(&conditioned).for_each(|(step, new)| *step = new + keep * *step);
        }
        Some(())
    }

    fn precondition(&self, residual: &[f64]) -> Vec<f64> {
        residual.iter().zip(&self.diagonal).map(|(value, diagonal)| value / diagonal).collect()
    }

    /// (XᵀΩX + nλI) w.
    fn product(&self, corpus: &ArcCorpus, weights: &[f64], workers: &Workers) -> Vec<f64> {
        let mut product = sum_sentences(corpus, workers, |sentence, sums| sentence.add_gram(weights, sums));
        add(&mut product, self.shrink, weights);
        product
    }
}

/// Σ over sentences of a vector of features, in blocks.
pub(super) fn sum_sentences(
    corpus: &ArcCorpus,
    workers: &Workers,
    add_sentence: impl Fn(&super::corpus::Arcs, &mut [f64]) + Sync,
) -> Vec<f64> {
    workers.fold(
        corpus.sentences.len(),
        BLOCK,
        || vec![0.0; corpus.table.len()],
        |sums, i| add_sentence(&corpus.sentences[i], sums),
        |total, sums| add(total, 1.0, &sums),
    )
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(super) fn add(sums: &mut [f64], factor: f64, values: &[f64]) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += factor * value);
}
