//! Search among cases that are too many to list.

use std::collections::BinaryHeap;

use tree::possible::split;
use tree::{Constraints, Heads};

/// After so many splits the search for the best tree that the annotation admits is given up, and after as many more that
/// for any.
pub(super) const MAX_SPLITS: usize = 4096;

/// How a search ended.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Found {
    /// With the best tree that is admitted.
    Best(Heads),
    /// After so many splits that it was given up, with a good tree that is admitted.
    Admitted(Heads),
    /// After so many splits that it was given up, with a tree that keeps the arcs that were said, but takes a bracket apart.
    Broken(Heads),
    /// Without any tree: there is none.
    Nothing,
}

/// The best tree that `whole` admits: of the case with the best tree, brackets whose head is open are split as long as
/// the tree is not admitted. A case's best tree is no worse than those of its parts, so the first that is
/// admitted is the best.
///
/// That order looks at very many cases if there are many brackets of equally good heads. After `max_splits` it is left for
/// another that goes deep first: the next bracket of the case that was split last is split, the best head first.
pub(super) fn branch(
    cases: &[Constraints],
    whole: &Constraints,
    max_splits: usize,
    mut solve: impl FnMut(&Constraints) -> Option<(f64, Heads)>,
) -> Found {
    let mut order = 0;
    let mut candidate = |case: Constraints| {
        let (score, heads) = solve(&case)?;
        order += 1;
        Some(Branch { score, order, case, heads })
    };
    let mut open: BinaryHeap<Branch> = cases.iter().cloned().filter_map(&mut candidate).collect();
    for _ in 0..max_splits {
        let Some(best) = open.pop() else { return Found::Nothing };
        if whole.admits(&best.heads) {
            return Found::Best(best.heads);
        }
        open.extend(best.parts().into_iter().filter_map(&mut candidate));
    }
    dive(open.into_sorted_vec(), whole, candidate)
}

/// Some admitted tree of the cases, of which the last is looked at first.
fn dive(
    mut open: Vec<Branch>,
    whole: &Constraints,
    mut candidate: impl FnMut(Constraints) -> Option<Branch>,
) -> Found {
    let best = open.last().map(|best| best.heads.clone());
    for _ in 0..MAX_SPLITS {
        let Some(next) = open.pop() else { return Found::Nothing };
        if whole.admits(&next.heads) {
            return Found::Admitted(next.heads);
        }
        let mut parts: Vec<Branch> = next.parts().into_iter().filter_map(&mut candidate).collect();
        parts.sort_unstable();
        open.append(&mut parts);
    }
    best.map_or(Found::Nothing, Found::Broken)
}

impl Branch {
    /// The case by the head of one of its brackets. Arcs say everything of a case without open brackets, so that its
    /// trees are admitted, and it has no parts.
    fn parts(&self) -> Vec<Constraints> {
        let words = bracket_to_split(&self.case, &self.heads);
        words.and_then(|words| split(&self.case, words).ok()).unwrap_or_default()
    }
}

/// An open bracket of the case, one that the tree takes apart if there is any: only such a split rules the tree out.
fn bracket_to_split<'a>(case: &'a Constraints, heads: &Heads) -> Option<&'a [usize]> {
    let open = || case.brackets().iter().filter(|bracket| bracket.head.is_none());
    let leaves = |words: &[usize], word: usize| words.binary_search(&heads.head(word)).is_err();
    let is_apart = |words: &[usize]| words.iter().filter(|&&word| leaves(words, word)).count() != 1;
    let apart = open().find(|bracket| is_apart(&bracket.words));
    apart.or_else(|| open().next()).map(|bracket| bracket.words.as_slice())
}

/// A case and its best tree, ordered by the tree's score.
struct Branch {
    score: f64,
    order: usize,
    case: Constraints,
    heads: Heads,
}

impl PartialEq for Branch {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Branch {}

impl PartialOrd for Branch {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Branch {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.score.total_cmp(&other.score).then(other.order.cmp(&self.order))
    }
}

#[cfg(test)]
mod tests;
