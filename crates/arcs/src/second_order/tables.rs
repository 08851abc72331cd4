//! The weights of a sentence's parts in the places of [`Live`].

use super::Scores;
use super::live::Live;
use super::parts::Parts;

/// Scores no algorithm stumbles over lie within ± this.
const LARGEST: f64 = 1e200;

/// Exponents beyond this leave floats no room.
const LARGEST_EXPONENT: f64 = 700.0;

/// Weights, or their logarithms.
#[derive(Debug, Clone, Default)]
pub(super) struct Tables {
    /// By pair: of an arc and the siblings it makes, or of "no more" after a sibling.
    pub(super) lead: Vec<f64>,
    /// By cell; nothing stands above the arcs from the root.
    pub(super) grand: Vec<f64>,
}

/// What the scores of each dependent, and of each group for "no more", are relative to.
#[derive(Debug, Clone, Default)]
pub(super) struct Reference {
    pub(super) lead: Vec<f64>,
    pub(super) grand: Vec<f64>,
    pub(super) stop: Vec<f64>,
}

impl Tables {
    /// Takes over scores; what is no number counts as absent.
    pub(super) fn take_scores(&mut self, live: &Live, parts: &Parts, scores: &Scores) {
        self.lead.clear();
        self.lead.resize(live.n_pairs(), f64::NEG_INFINITY);
        for group in 1..2 * live.width {
            let children = live.children(group);
            for place in 0..=children.len() {
                let arc = children.get(place).map_or(0.0, |child| scores.arcs[live.arcs[child.arc].part]);
                let siblings = live.sibling_parts(parts, group, place);
                for (lead, sibling) in self.lead[live.pairs(group, place)].iter_mut().zip(siblings) {
                    *lead = clean(arc) + clean(scores.siblings[sibling]);
                }
            }
        }
        self.grand.clear();
        self.grand.resize(live.n_cells, 0.0);
        for number in 1..live.arcs.len() {
            for side in 0..2 {
                let grandparents = live.grandparent_parts(parts, number, side);
                for (grand, part) in self.grand[live.arcs[number].cells(side)].iter_mut().zip(grandparents) {
                    *grand = clean(scores.grandparents[part]);
                }
            }
        }
    }

    /// exp(score − reference); every arc is also divided by e^`growth`. Returns whether floats can hold all of it.
    pub(super) fn exponentiate(
        &mut self,
        live: &Live,
        scores: &Tables,
        reference: &Reference,
        growth: f64,
    ) -> bool {
        let mut largest = f64::NEG_INFINITY;
        let mut exp = |score: f64, reference: f64| {
            let relative = score - reference;
            largest = largest.max(relative);
            libm::exp(relative)
        };
        self.lead.clear();
        self.lead.resize(live.n_pairs(), 0.0);
        self.grand.clear();
        for group in 1..2 * live.width {
            let children = live.children(group);
            for place in 0..=children.len() {
                let reference = children
                    .get(place)
                    .map_or(reference.stop[group], |child| reference.lead[child.position] + growth);
                let pairs = live.pairs(group, place);
                let scores = &scores.lead[pairs.clone()];
                self.lead[pairs]
                    .iter_mut()
                    .zip(scores)
                    .for_each(|(lead, &score)| *lead = exp(score, reference));
            }
        }
        for arc in &live.arcs {
            for side in 0..2 {
                let cells = scores.grand[arc.cells(side)].iter().zip(live.children(2 * arc.dependent + side));
                self.grand.extend(cells.map(|(&score, child)| exp(score, reference.grand[child.position])));
            }
        }
        largest <= LARGEST_EXPONENT
    }
}

impl Reference {
    /// Makes room; nothing is relative to anything.
    pub(super) fn reset(&mut self, width: usize) {
        for (values, len) in [(&mut self.lead, width), (&mut self.grand, width), (&mut self.stop, 2 * width)]
        {
            values.clear();
            values.resize(len, 0.0);
        }
    }

    /// Every dependent and every group is relative to its own largest scores.
    pub(super) fn take_largest(&mut self, live: &Live, scores: &Tables) {
        self.reset(live.width);
        self.lead[1..].fill(-LARGEST);
        self.grand[1..].fill(-LARGEST);
        for group in 1..2 * live.width {
            let children = live.children(group);
            for (place, child) in children.iter().enumerate() {
                raise(&mut self.lead[child.position], &scores.lead[live.pairs(group, place)]);
            }
            self.stop[group] = -LARGEST;
            raise(&mut self.stop[group], &scores.lead[live.pairs(group, children.len())]);
        }
        for arc in &live.arcs {
            for side in 0..2 {
                let cells = scores.grand[arc.cells(side)].chunks(1);
                for (score, child) in cells.zip(live.children(2 * arc.dependent + side)) {
                    raise(&mut self.grand[child.position], score);
                }
            }
        }
    }

    /// The logarithm of what all trees were divided by.
    pub(super) fn total(&self) -> f64 {
        [&self.lead, &self.grand, &self.stop].into_iter().flatten().sum()
    }
}

/// The largest of a value and others.
#[inline]
fn raise(value: &mut f64, others: &[f64]) {
    *value = others.iter().fold(*value, |largest, &other| if other > largest { other } else { largest });
}

#[inline]
fn clean(score: f64) -> f64 {
    if score.is_nan() || score == f64::NEG_INFINITY {
        f64::NEG_INFINITY
    } else {
        score.clamp(-LARGEST, LARGEST)
    }
}
