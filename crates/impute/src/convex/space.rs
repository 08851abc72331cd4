//! The trees a sentence may have, and the best of them.

use arcs::{ArcScores, Marginals, Projective, Roots, Spanning};
use tree::{Constraints, Heads};

use super::ConvexOptions;
use crate::branch::{Found, MAX_SPLITS, branch};
use crate::{ArcPosteriors, Fragment};

/// Memory of one thread.
#[derive(Debug, Clone, Default)]
pub(super) struct TreeScratch {
    pub(super) scores: ArcScores,
    masked: ArcScores,
    projective: Projective,
    spanning: Spanning,
}

/// The trees a sentence may have.
#[derive(Debug, Clone)]
pub(super) struct Space {
    shape: TreeShape,
    /// Cases that exclude one another; none if everything is allowed.
    cases: Vec<Constraints>,
    /// The annotation as a whole, if trees of the cases may contradict it.
    whole: Option<Constraints>,
}

/// What trees look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TreeShape {
    projective: bool,
    roots: Roots,
}

impl TreeShape {
    /// From what is asked for to what is always possible.
    fn wishes(options: &ConvexOptions) -> impl Iterator<Item = TreeShape> {
        let shapes = [(true, Roots::One), (true, Roots::Many), (false, Roots::One), (false, Roots::Many)];
        let (projective, roots) = (options.projective, options.roots);
        let shapes = shapes.into_iter().map(|(projective, roots)| TreeShape { projective, roots });
        shapes.filter(move |shape| {
            (projective || !shape.projective) && (roots == Roots::One || shape.roots == Roots::Many)
        })
    }

    fn best(self, scratch: &mut (Projective, Spanning), scores: &ArcScores) -> Option<Heads> {
        if self.projective { scratch.0.best(scores, self.roots) } else { scratch.1.best(scores, self.roots) }
    }
}

impl Space {
    /// The trees of a sentence: those that the annotation admits, or all. Words that are left out have no arcs in
    /// the scores, which is for who fills them in.
    pub(super) fn new(fragment: &Fragment, options: &ConvexOptions, scratch: &mut TreeScratch) -> Space {
        let shape = TreeShape { projective: options.projective, roots: options.roots };
        let possible = &fragment.possible;
        if possible.is_free() || !options.hard {
            return Space { shape, cases: Vec::new(), whole: None };
        }
        let (cases, exact) = possible.arc_cases();
        let mut space = Space { shape, cases, whole: (!exact).then(|| possible.whole().clone()) };
        scratch.scores = ArcScores::zero(fragment.len());
        let mut given_up = None;
        for wish in TreeShape::wishes(options) {
            space.shape = wish;
            // Any tree will do, so that the search goes deep first.
            match space.search(scratch, 0) {
                Found::Best(_) | Found::Admitted(_) => return space,
                Found::Broken(_) => given_up = given_up.or(Some(wish)),
                Found::Nothing => {}
            }
        }
        // What was given up may still have a tree. Annotations that leave none do not come this far; if one should, it
        // is not asked.
        match given_up {
            Some(shape) => Space { shape, ..space },
            None => Space { shape, cases: Vec::new(), whole: None },
        }
    }

    /// The best tree for `scratch.scores`, and whether the search for one that the annotation admits was given up, so that
    /// there may be better ones or it is not admitted.
    pub(super) fn best(&self, scratch: &mut TreeScratch) -> (Heads, bool) {
        let n_words = scratch.scores.n_words();
        match self.search(scratch, MAX_SPLITS) {
            Found::Best(heads) => (heads, false),
            Found::Admitted(heads) | Found::Broken(heads) => (heads, true),
            Found::Nothing => {
                (Heads::new(vec![0; n_words]).expect("words that hang from the root form no cycle"), false)
            }
        }
    }

    fn search(&self, scratch: &mut TreeScratch, max_splits: usize) -> Found {
        let TreeScratch { scores, masked, projective, spanning } = scratch;
        let mut engines = (std::mem::take(projective), std::mem::take(spanning));
        let found = if self.cases.is_empty() {
            self.shape.best(&mut engines, scores).map_or(Found::Nothing, Found::Best)
        } else {
            self.search_cases(scores, masked, &mut engines, max_splits)
        };
        (*projective, *spanning) = engines;
        found
    }

    fn search_cases(
        &self,
        scores: &ArcScores,
        masked: &mut ArcScores,
        engines: &mut (Projective, Spanning),
        max_splits: usize,
    ) -> Found {
        let mut best: Option<(f64, Heads)> = None;
        let mut solve = |case: &Constraints| {
            masked.clone_from(scores);
            masked.restrict(case);
            let heads = self.shape.best(engines, masked)?;
            Some((masked.of_tree(&heads), heads))
        };
        if let Some(whole) = &self.whole {
            return branch(&self.cases, whole, max_splits, solve);
        }
        for case in &self.cases {
            let found = solve(case);
            if let Some((score, heads)) = found
                && best.as_ref().is_none_or(|(best, _)| score > *best)
            {
                best = Some((score, heads));
            }
        }
        best.map_or(Found::Nothing, |(_, heads)| Found::Best(heads))
    }

    /// P(arc) under p(tree) ∝ exp(`scratch.scores`); where cases are too many to be told apart, trees of
    /// the same arcs that contradict the annotation count too.
    pub(super) fn posteriors(&self, scratch: &mut TreeScratch) -> ArcPosteriors {
        let n_words = scratch.scores.n_words();
        let mut parts = Vec::new();
        if self.cases.is_empty() {
            scratch.masked.clone_from(&scratch.scores);
            parts.extend(self.marginals(scratch));
        }
        for case in &self.cases {
            scratch.masked.clone_from(&scratch.scores);
            scratch.masked.restrict(case);
            parts.extend(self.marginals(scratch));
        }
        mixture(n_words, &parts)
    }

    fn marginals(&self, scratch: &mut TreeScratch) -> Option<(f64, Marginals)> {
        if self.shape.projective {
            scratch.projective.marginals(&scratch.masked, self.shape.roots)
        } else {
            scratch.spanning.marginals(&scratch.masked, self.shape.roots)
        }
    }
}

/// Σ_c Z_c P_c(arc) / Σ_c Z_c.
fn mixture(n_words: usize, parts: &[(f64, Marginals)]) -> ArcPosteriors {
    let mut posteriors = ArcPosteriors::zero(n_words);
    let largest = parts.iter().map(|(ln_total, _)| *ln_total).fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = parts.iter().map(|(ln_total, _)| libm::exp(ln_total - largest)).sum();
    for (ln_total, marginals) in parts {
        let share = libm::exp(ln_total - largest) / total;
        for word in 1..=n_words {
            for (sum, p) in posteriors.row_mut(word).iter_mut().zip(marginals.row(word)) {
                *sum += share * p;
            }
        }
    }
    posteriors
}
