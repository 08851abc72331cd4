//! Trees that an annotation admits, by arcs whose scores or probabilities come from anywhere.
//!
//! Cases are those of [`Possible::arc_cases`]: in each of them arcs say everything.

use arcs::{ArcScores, Roots};
use tree::{Constraints, Heads, Possible};

use crate::ArcPosteriors;
use crate::branch::{Found, MAX_SPLITS, branch};

/// Which trees there are, whatever was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trees {
    /// How many words may hang from the root.
    pub roots: Roots,
    /// Whether arcs must not cross.
    pub projective: bool,
}

/// How probable each arc is over the trees of all cases, in proportion to exp Σ score of their arcs; `None` if there is no
/// tree.
pub fn posteriors(scores: &ArcScores, cases: &[Constraints], trees: Trees) -> Option<ArcPosteriors> {
    let marginals = |case: &Constraints| {
        let mut scores = scores.clone();
        scores.restrict(case);
        match trees.projective {
            true => arcs::projective_marginals(&scores, trees.roots),
            false => arcs::spanning_marginals(&scores, trees.roots),
        }
    };
    let found: Vec<(f64, ArcPosteriors)> = cases.iter().filter_map(marginals).collect();
    let totals: Vec<f64> = found.iter().map(|(total, _)| *total).collect();
    if totals.is_empty() {
        return None;
    }
    let (all, n_words) = (num::special::log_sum_exp(&totals), scores.n_words());
    let mut posteriors = ArcPosteriors::zero(n_words);
    for (total, marginals) in &found {
        let share = libm::exp(total - all);
        for word in 1..=n_words {
            let row = posteriors.row_mut(word).iter_mut().zip(marginals.row(word));
            row.for_each(|(sum, p)| *sum += share * p);
        }
    }
    Some(posteriors)
}

/// The admitted tree of the greatest expected number of right arcs; `None` if none is found.
pub fn best(
    possible: &Possible,
    cases: &[Constraints],
    posteriors: &ArcPosteriors,
    trees: Trees,
) -> Option<Heads> {
    let solve = |case: &Constraints| best_of_case(posteriors, case, trees);
    match branch(cases, possible.whole(), MAX_SPLITS, solve) {
        Found::Best(heads) | Found::Admitted(heads) => Some(heads),
        Found::Broken(_) | Found::Nothing => None,
    }
}

/// Σ P(arc) of the best tree of a case, and the tree.
pub(crate) fn best_of_case(
    posteriors: &ArcPosteriors,
    case: &Constraints,
    trees: Trees,
) -> Option<(f64, Heads)> {
    let mut scores = ArcScores::new(posteriors.n_words());
    for word in 1..=posteriors.n_words() {
        for (head, &p) in posteriors.row(word).iter().enumerate() {
            if head != word && case.allows_arc(head, word) {
                scores.set(head, word, p);
            }
        }
    }
    let heads = match trees.projective {
        true => arcs::best_projective(&scores, trees.roots),
        false => arcs::best_spanning(&scores, trees.roots),
    }?;
    Some((scores.of_tree(&heads), heads))
}
