//! Scores of arcs, siblings and grandparents.

use arcs::second_order::{Grandparent, Parts, Scores, Sibling};

use super::attributes::Attributes;
use super::candidates::ArcFeatures;
use super::codes::{Codes, directions};
use super::table::Table;
use super::templates::{TemplateKind, Templates};

/// The features of all parts of a sentence.
#[derive(Debug, Clone)]
pub(super) struct PartFeatures {
    pub(super) arcs: ArcFeatures,
    siblings: Codes,
    grandparents: Codes,
    nobody: usize,
}

impl PartFeatures {
    pub(super) fn new(templates: &Templates, words: &Attributes) -> PartFeatures {
        PartFeatures {
            arcs: ArcFeatures::new(templates, words),
            siblings: Codes::new(&templates.sibling, TemplateKind::Sibling.roles().len(), words),
            grandparents: Codes::new(&templates.grandparent, TemplateKind::Grandparent.roles().len(), words),
            nobody: words.nobody(),
        }
    }

    /// Fills in the scores of all parts.
    pub(super) fn score(&self, parts: &Parts, table: &Table, scores: &mut Scores) {
        match table.halves() {
            Some(halves) => self.score_by(parts, |key| halves.weight(key), scores),
            None => self.score_by(parts, |key| table.weight(key), scores),
        }
    }

    fn score_by(&self, parts: &Parts, weight: impl Fn(u64) -> f32 + Copy, scores: &mut Scores) {
        scores.reset(parts);
        for (score, arc) in scores.arcs.iter_mut().zip(parts.arcs()) {
            *score = self.arcs.score_one(weight, arc.head, arc.dependent);
        }
        for (score, part) in scores.siblings.iter_mut().zip(parts.siblings()) {
            let mut sum = 0f32;
            self.each_sibling(part, |key| sum += weight(key));
            *score = f64::from(sum);
        }
        for (score, part) in scores.grandparents.iter_mut().zip(parts.grandparents()) {
            let mut sum = 0f32;
            self.each_grandparent(part, |key| sum += weight(key));
            *score = f64::from(sum);
        }
    }

    /// Shows the keys of all features of two siblings.
    #[inline]
    pub(super) fn each_sibling(&self, part: Sibling, visit: impl FnMut(u64)) {
        let (inner, outer) = (part.inner.unwrap_or(self.nobody), part.outer.unwrap_or(self.nobody));
        let side = (0, part.side as usize);
        let shape = directions(side, side);
        self.siblings.each(&[part.head, inner, outer], shape, shape, visit);
    }

    /// Shows the keys of all features of an arc and the arc above it.
    #[inline]
    pub(super) fn each_grandparent(&self, part: Grandparent, visit: impl FnMut(u64)) {
        let Grandparent { grandparent, head, dependent } = part;
        let shape = directions((grandparent, head), (head, dependent));
        self.grandparents.each(&[grandparent, head, dependent], shape, shape, visit);
    }
}
