//! The loss of arcs, siblings and grandparents, over the arcs that the first order leaves.
//!
//! It is the loss of the [first order](super::first_order), with scores of more parts.

use arcs::second_order::{PartMarginals, Parts, Scores, SecondOrder};
use tree::{Constraints, Heads};

use super::course::Gradient;
use super::example::{Example, Target};
use super::first_order::{self, SMALLEST};
use super::mixture::{mixed, shares};
use super::parts::PartFeatures;
use super::shape::TreeShape;
use super::table::Table;
use super::templates::Templates;

/// Memory of one thread.
#[derive(Debug, Default)]
pub(super) struct SecondOrderScratch {
    pub(super) first: first_order::FirstOrderScratch,
    pub(super) engine: SecondOrder,
    pub(super) scores: Scores,
    pub(super) masked: Scores,
    marginals: PartMarginals,
}

/// The loss of a sentence over some arcs, and its gradient in the weights; `None` if no tree is left.
pub(super) fn gradient(
    example: &Example,
    arcs: &[(usize, usize)],
    templates: &Templates,
    table: &Table,
    shape: TreeShape,
    scratch: &mut SecondOrderScratch,
) -> Option<Gradient> {
    let parts = Parts::new(example.words.n_words(), arcs.iter().copied());
    let features = PartFeatures::new(templates, &example.words);
    features.score(&parts, table, &mut scratch.scores);
    let loss = gradients(example, &parts, shape, scratch)?;
    let mut gradient = Gradient { loss, entries: Vec::new() };
    let gradients = &scratch.marginals;
    let weigh =
        |derivative: &f64| (derivative.abs() > SMALLEST).then_some((example.weight * derivative) as f32);
    for (part, derivative) in parts.arcs().zip(&gradients.arcs) {
        if let Some(derivative) = weigh(derivative) {
            features.arcs.each(part.head, part.dependent, |key| gradient.push(table.slot(key), derivative));
        }
    }
    for (part, derivative) in parts.siblings().zip(&gradients.siblings) {
        if let Some(derivative) = weigh(derivative) {
            features.each_sibling(part, |key| gradient.push(table.slot(key), derivative));
        }
    }
    for (part, derivative) in parts.grandparents().zip(&gradients.grandparents) {
        if let Some(derivative) = weigh(derivative) {
            features.each_grandparent(part, |key| gradient.push(table.slot(key), derivative));
        }
    }
    Some(gradient)
}

/// The loss for `scratch.scores`, and in `scratch.marginals` its gradient in the score of each part.
fn gradients(
    example: &Example,
    parts: &Parts,
    shape: TreeShape,
    scratch: &mut SecondOrderScratch,
) -> Option<f64> {
    let ln_all = scratch.engine.marginals(parts, &scratch.scores, shape.roots, &mut scratch.marginals)?;
    let ln_said = match &example.target {
        Target::Tree(heads) => {
            let heads = Heads::new(heads.iter().map(|&head| head as u32).collect()).ok()?;
            let list = parts.of_tree(&heads)?;
            let gradients = &mut scratch.marginals;
            list.arcs.iter().for_each(|&at| gradients.arcs[at] -= 1.0);
            list.siblings.iter().for_each(|&at| gradients.siblings[at] -= 1.0);
            list.grandparents.iter().for_each(|&at| gradients.grandparents[at] -= 1.0);
            scratch.scores.of_tree(parts, &heads)
        }
        Target::Cases(cases) => {
            let (ln_said, said) = clamped(cases, &example.pull, parts, shape, scratch)?;
            let gradients = &mut scratch.marginals;
            for (gradients, said) in [
                (&mut gradients.arcs, said.arcs),
                (&mut gradients.siblings, said.siblings),
                (&mut gradients.grandparents, said.grandparents),
            ] {
                gradients.iter_mut().zip(said).for_each(|(derivative, p)| *derivative -= p);
            }
            ln_said
        }
    };
    Some(example.weight * (ln_all - ln_said))
}

/// ln Σ over the trees of all cases, and P(part | one of the cases); `pull` is added to the scores of arcs if it is not empty.
pub(super) fn clamped(
    cases: &[Constraints],
    pull: &[f32],
    parts: &Parts,
    shape: TreeShape,
    scratch: &mut SecondOrderScratch,
) -> Option<(f64, PartMarginals)> {
    let mut totals = Vec::new();
    let mut found: Vec<PartMarginals> = Vec::new();
    for case in cases {
        scratch.mask(case, pull, parts);
        let mut marginals = PartMarginals::default();
        let total = scratch.engine.marginals(parts, &scratch.masked, shape.roots, &mut marginals);
        if let Some(total) = total {
            totals.push(total);
            found.push(marginals);
        }
    }
    let (ln_total, shares) = shares(&totals)?;
    let mix = |of: fn(&PartMarginals) -> &[f64]| mixed(shares.iter().copied().zip(found.iter().map(of)));
    let (arcs, siblings) = (mix(|found| &found.arcs), mix(|found| &found.siblings));
    Some((ln_total, PartMarginals { arcs, siblings, grandparents: mix(|found| &found.grandparents) }))
}

impl SecondOrderScratch {
    /// Leaves in `masked` the scores of parts whose arcs a case allows.
    pub(super) fn mask(&mut self, case: &Constraints, pull: &[f32], parts: &Parts) {
        self.masked.clone_from(&self.scores);
        let width = parts.n_words() + 1;
        for (score, arc) in self.masked.arcs.iter_mut().zip(parts.arcs()) {
            if !case.allows_arc(arc.head, arc.dependent) {
                *score = f64::NEG_INFINITY;
            } else if let Some(pull) = pull.get((arc.dependent - 1) * width + arc.head) {
                *score += f64::from(*pull);
            }
        }
    }
}
