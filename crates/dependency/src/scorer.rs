//! Trees and probabilities of a sentence.

use arcs::second_order::{PartMarginals, Parts};
use arcs::{ArcScores, k_best_projective};
use tree::PutInOrder;
use tree::{Constraints, Heads};
use tree::{Possible, possible::split};

use super::attributes::Attributes;
use super::candidates::ArcFeatures;
use super::first_order;
use super::parts::PartFeatures;
use super::prune::Pruning;
use super::second_order::{self, SecondOrderScratch};
use super::shape::TreeShape;
use super::table::Table;
use super::templates::Templates;
use arcs::Marginals as ArcPosteriors;

/// Which tree is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Decode {
    /// The one with the most arcs that are right, as far as can be expected.
    #[default]
    Mbr,
    /// The most probable one.
    Best,
}

/// What is needed to judge trees.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scorer<'a> {
    pub(super) templates: &'a Templates,
    pub(super) arcs: &'a Table,
    pub(super) second: Option<&'a Table>,
    pub(super) shape: TreeShape,
    pub(super) pruning: Pruning,
    /// p(tree) ∝ exp(score / T).
    pub(super) temperature: f64,
}

/// What is believed of a sentence's tree.
#[derive(Debug, Clone, Default)]
pub(super) struct Belief {
    /// P(arc), by dependent from 1 and then by head.
    pub(super) arcs: Vec<f64>,
    /// ln Σ exp(score / T).
    pub(super) ln_total: f64,
    parts: Parts,
}

impl Belief {
    /// The probabilities of arcs.
    pub(super) fn into_posteriors(self, n_words: usize) -> ArcPosteriors {
        let mut posteriors = ArcPosteriors::zero(n_words);
        for (word, row) in (1..).zip(self.arcs.chunks_exact(n_words + 1)) {
            posteriors.row_mut(word).copy_from_slice(row);
        }
        posteriors
    }
}

impl Scorer<'_> {
    /// Looks at a sentence. With `cases` only their trees count; `None` if there are none.
    pub(super) fn believe(
        &self,
        words: &Attributes,
        cases: Option<&[Constraints]>,
        scratch: &mut SecondOrderScratch,
    ) -> Option<Belief> {
        let SecondOrderScratch { first, .. } = scratch;
        let left_out =
            |word: usize| cases.is_some_and(|cases| cases.iter().all(|case| case.is_left_out(word)));
        ArcFeatures::new(self.templates, words).score(self.arcs, left_out, &mut first.scores);
        match self.second {
            None => self.believe_arcs(cases, first),
            Some(table) => self.believe_parts(words, table, cases, scratch),
        }
    }

    fn believe_arcs(
        &self,
        cases: Option<&[Constraints]>,
        scratch: &mut first_order::FirstOrderScratch,
    ) -> Option<Belief> {
        self.cool(&mut scratch.scores);
        let (ln_total, arcs) = match cases {
            Some(cases) => first_order::clamped(cases, &[], self.shape, scratch)?,
            None => {
                let (ln_total, all) = self.shape.marginals(&mut scratch.engines, &scratch.scores)?;
                (ln_total, all.values().to_vec())
            }
        };
        Some(Belief { arcs, ln_total, parts: Parts::default() })
    }

    fn believe_parts(
        &self,
        words: &Attributes,
        table: &Table,
        cases: Option<&[Constraints]>,
        scratch: &mut SecondOrderScratch,
    ) -> Option<Belief> {
        let n_words = words.n_words();
        let parts = Parts::new(n_words, self.promising(cases, &mut scratch.first)?);
        PartFeatures::new(self.templates, words).score(&parts, table, &mut scratch.scores);
        for scores in
            [&mut scratch.scores.arcs, &mut scratch.scores.siblings, &mut scratch.scores.grandparents]
        {
            scores.iter_mut().for_each(|score| *score /= self.temperature);
        }
        let (ln_total, marginals) = match cases {
            Some(cases) => second_order::clamped(cases, &[], &parts, self.shape, scratch)?,
            None => {
                let mut marginals = PartMarginals::default();
                let SecondOrderScratch { engine, scores, .. } = scratch;
                (engine.marginals(&parts, scores, self.shape.roots, &mut marginals)?, marginals)
            }
        };
        let mut arcs = vec![0.0; n_words * (n_words + 1)];
        for (arc, p) in parts.arcs().zip(marginals.arcs) {
            arcs[(arc.dependent - 1) * (n_words + 1) + arc.head] = p;
        }
        // Words that are left out hang from the root, as they do in the first order.
        for word in (1..=n_words).filter(|&word| parts.is_left_out(word)) {
            arcs[(word - 1) * (n_words + 1)] = 1.0;
        }
        Some(Belief { arcs, ln_total, parts })
    }

    /// The arcs that the first order leaves.
    fn promising(
        &self,
        cases: Option<&[Constraints]>,
        scratch: &mut first_order::FirstOrderScratch,
    ) -> Option<Vec<(usize, usize)>> {
        let Some(cases) = cases else {
            return self.pruning.arcs(&scratch.scores, self.shape, &mut scratch.engines);
        };
        // Without any tree there is nothing to promise; no arcs at all would leave all words out.
        let mut promising: Option<Vec<(usize, usize)>> = None;
        for case in cases {
            scratch.mask(case, &[]);
            if let Some(arcs) = self.pruning.arcs(&scratch.masked, self.shape, &mut scratch.engines) {
                promising.get_or_insert_default().extend(arcs);
            }
        }
        promising
    }

    fn cool(&self, scores: &mut ArcScores) {
        for word in 1..=scores.n_words() {
            scores.row_mut(word).iter_mut().for_each(|score| *score /= self.temperature);
        }
    }

    /// The tree that is taken, after [`believe`](Self::believe) with the same cases.
    pub(super) fn decode(
        &self,
        belief: &Belief,
        cases: Option<&[Constraints]>,
        decode: Decode,
        scratch: &mut SecondOrderScratch,
    ) -> Option<Heads> {
        match decode {
            Decode::Best => Some(self.k_best(belief, cases, 1, scratch).into_iter().next()?.0),
            Decode::Mbr => {
                let SecondOrderScratch { first, .. } = scratch;
                let n_words = first.scores.n_words();
                first.scores.reset(n_words);
                for (word, row) in (1..=n_words).zip(belief.arcs.chunks_exact(n_words + 1)) {
                    let scores = first.scores.row_mut(word).iter_mut();
                    scores.zip(row).filter(|(_, p)| **p > 0.0).for_each(|(score, p)| *score = *p);
                }
                self.best_of(cases, first)
            }
        }
    }

    /// The best tree for `scratch.scores`, of those in a case.
    fn best_of(
        &self,
        cases: Option<&[Constraints]>,
        scratch: &mut first_order::FirstOrderScratch,
    ) -> Option<Heads> {
        let Some(cases) = cases else {
            return self.shape.best(&mut scratch.engines, &scratch.scores);
        };
        let mut best: Option<(f64, Heads)> = None;
        for case in cases {
            scratch.mask(case, &[]);
            let Some(heads) = self.shape.best(&mut scratch.engines, &scratch.masked) else { continue };
            let score = scratch.masked.of_tree(&heads);
            if best.as_ref().is_none_or(|(best, _)| score > *best) {
                best = Some((score, heads));
            }
        }
        best.map(|(_, heads)| heads)
    }

    /// The k most probable trees with their probabilities, after [`believe`](Self::believe) with the same cases. Of trees that
    /// may cross there is only the best.
    pub(super) fn k_best(
        &self,
        belief: &Belief,
        cases: Option<&[Constraints]>,
        k: usize,
        scratch: &mut SecondOrderScratch,
    ) -> Vec<(Heads, f64)> {
        let mut found: Vec<(f64, Heads)> = Vec::new();
        let Some(cases) = cases else {
            self.add_best(belief, None, k, scratch, &mut found);
            return self.probable(belief, found, k);
        };
        for case in cases {
            self.add_best(belief, Some(case), k, scratch, &mut found);
        }
        self.probable(belief, found, k)
    }

    fn probable(&self, belief: &Belief, mut found: Vec<(f64, Heads)>, k: usize) -> Vec<(Heads, f64)> {
        // A stable sort keeps the order of cases among equals.
        found.order_by(|a, b| b.0.total_cmp(&a.0));
        // The best trees of several cases need not be the k best ones.
        found.truncate(if self.shape.projective { k } else { k.min(1) });
        let probability = |score: f64| libm::exp(score - belief.ln_total).min(1.0);
        found.into_iter().map(|(score, heads)| (heads, probability(score))).collect()
    }

    fn add_best(
        &self,
        belief: &Belief,
        case: Option<&Constraints>,
        k: usize,
        scratch: &mut SecondOrderScratch,
        found: &mut Vec<(f64, Heads)>,
    ) {
        let roots = self.shape.roots;
        if self.second.is_some() {
            match case {
                Some(case) => scratch.mask(case, &[], &belief.parts),
                None => scratch.masked.clone_from(&scratch.scores),
            }
            found.extend(scratch.engine.k_best(&belief.parts, &scratch.masked, roots, k));
            return;
        }
        let first = &mut scratch.first;
        match case {
            Some(case) => first.mask(case, &[]),
            None => first.masked.clone_from(&first.scores),
        }
        if self.shape.projective && k > 1 {
            let trees = k_best_projective(&first.masked, roots, k);
            found.extend(trees.into_iter().map(|(heads, score)| (score, heads)));
        } else if let Some(heads) = self.shape.best(&mut first.engines, &first.masked) {
            found.push((first.masked.of_tree(&heads), heads));
        }
    }
}

/// The cases that a parser must stay within; `None` if nothing is said.
pub(super) fn cases_of(possible: Option<&Possible>) -> Option<Vec<Constraints>> {
    possible.filter(|possible| !possible.is_free()).map(|possible| possible.arc_cases().0)
}

/// Finer cases around a tree that is in none of them as it should be; `None` if there are none.
///
/// Of an annotation with very many cases not all are told apart, and arcs alone do not say what its open brackets
/// demand. So a case that has the arcs of the tree is split by the head of its smallest open bracket.
pub(super) fn finer_cases(cases: &[Constraints], heads: &Heads) -> Option<Vec<Constraints>> {
    let words =
        |case: &Constraints| (1..=heads.len()).filter(|&word| !case.is_left_out(word)).collect::<Vec<_>>();
    let has_arcs =
        |case: &&Constraints| words(case).into_iter().all(|word| case.allows_arc(heads.head(word), word));
    let case = cases.iter().find(has_arcs)?;
    let open = case.brackets().iter().filter(|bracket| bracket.head.is_none());
    let smallest = open.min_by_key(|bracket| bracket.words.len())?;
    split(case, &smallest.words).ok()
}
