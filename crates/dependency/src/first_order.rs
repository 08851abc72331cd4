//! The loss of arcs.
//!
//! p(tree) ∝ exp Σ score(arc), and what was said leaves a set A of trees. The loss of a sentence is
//!
//! ```text
//! − ln P(A) = ln Σ_{all trees} exp score − ln Σ_{trees in A} exp score
//! ```
//!
//! and its gradient in the score of an arc is P(arc) − P(arc | A). A whole tree, an arc, a bracket and what may not be are
//! all the same to it.
//!
//! With posterior regularisation (Ganchev et al. 2010) P(· | A) is replaced by q ∝ P(· | A) exp(ρ · number of arcs that
//! follow a universal rule), and the loss is KL(q ‖ P), whose gradient with q held fixed is P(arc) − q(arc).

use arcs::{ArcScores, Marginals};

use super::candidates::ArcFeatures;
use super::course::Gradient;
use super::example::{Example, Target};
use super::mixture::{mixed, shares};
use super::shape::{Engines, TreeShape};
use super::table::Table;
use super::templates::Templates;

/// Memory of one thread.
#[derive(Debug, Default)]
pub(super) struct FirstOrderScratch {
    pub(super) scores: ArcScores,
    pub(super) masked: ArcScores,
    pub(super) engines: Engines,
}

/// Gradients below this are left out: there are n² of them, and they come to nothing.
pub(super) const SMALLEST: f64 = 1e-4;

/// The loss of a sentence and its gradient in the weights; `None` if no tree is left.
pub(super) fn gradient(
    example: &Example,
    templates: &Templates,
    table: &Table,
    shape: TreeShape,
    scratch: &mut FirstOrderScratch,
) -> Option<Gradient> {
    let features = ArcFeatures::new(templates, &example.words);
    features.score(table, |word| example.left_out[word], &mut scratch.scores);
    let (loss, gradients) = gradients(example, shape, scratch)?;
    let mut gradient = Gradient { loss, entries: Vec::new() };
    let width = example.words.n_words() + 1;
    for (at, derivative) in
        gradients.into_iter().enumerate().filter(|(_, derivative)| derivative.abs() > SMALLEST)
    {
        let derivative = (example.weight * derivative) as f32;
        features.each(at % width, at / width + 1, |key| gradient.push(table.slot(key), derivative));
    }
    Some(gradient)
}

/// The loss of a sentence for `scratch.scores`, and its gradient in the score of every arc, by dependent from 1 and then by
/// head, weights not counted in the gradients.
pub(super) fn gradients(
    example: &Example,
    shape: TreeShape,
    scratch: &mut FirstOrderScratch,
) -> Option<(f64, Vec<f64>)> {
    let (ln_all, all) = shape.marginals(&mut scratch.engines, &scratch.scores)?;
    let mut gradients = all.values().to_vec();
    let width = example.words.n_words() + 1;
    let ln_said = match &example.target {
        Target::Tree(heads) => {
            let mut score = 0.0;
            for word in (1..width).filter(|&word| !example.left_out[word]) {
                gradients[(word - 1) * width + heads[word - 1]] -= 1.0;
                score += scratch.scores.get(heads[word - 1], word);
            }
            score
        }
        Target::Cases(cases) => {
            let (ln_said, said) = clamped(cases, &example.pull, shape, scratch)?;
            gradients.iter_mut().zip(said).for_each(|(derivative, p)| *derivative -= p);
            ln_said
        }
    };
    for word in (1..width).filter(|&word| example.left_out[word]) {
        gradients[(word - 1) * width..][..width].fill(0.0);
    }
    Some((example.weight * (ln_all - ln_said), gradients))
}

/// ln Σ over the trees of all cases, and P(arc | one of the cases), by dependent from 1 and then by head; `pull` is added to the
/// scores if it is not empty.
pub(super) fn clamped(
    cases: &[tree::Constraints],
    pull: &[f32],
    shape: TreeShape,
    scratch: &mut FirstOrderScratch,
) -> Option<(f64, Vec<f64>)> {
    let mut parts: Vec<(f64, Marginals)> = Vec::new();
    for case in cases {
        scratch.mask(case, pull);
        parts.extend(shape.marginals(&mut scratch.engines, &scratch.masked));
    }
    let totals: Vec<f64> = parts.iter().map(|(total, _)| *total).collect();
    let (ln_total, shares) = shares(&totals)?;
    Some((ln_total, mixed(shares.into_iter().zip(parts.iter().map(|(_, marginals)| marginals.values())))))
}

impl FirstOrderScratch {
    /// Leaves in `masked` the scores of arcs that a case allows.
    pub(super) fn mask(&mut self, case: &tree::Constraints, pull: &[f32]) {
        self.masked.clone_from(&self.scores);
        self.masked.restrict(case);
        let n_words = self.masked.n_words();
        for (word, pulls) in (1..=n_words).zip(pull.chunks_exact(n_words + 1)) {
            let row = self.masked.row_mut(word);
            row.iter_mut().zip(pulls).for_each(|(score, pull)| *score += f64::from(*pull));
        }
    }
}
