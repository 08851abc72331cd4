//! Search among cases that are too many to list.

use std::collections::BinaryHeap;

use grammar::anchor::split;
use tree::{Constraints, Heads};

/// After so many splits the search for a tree that the annotation admits is given up.
const MAX_SPLITS: usize = 4096;

/// The best tree that `whole` admits: of the case with the best tree, brackets whose head is open are split as long as
/// the tree is not admitted. A case's best tree is no worse than those of its parts, so the first that is
/// admitted is the best. `None` if there is none, or none was found in time.
pub(super) fn branch(
    cases: &[Constraints],
    whole: &Constraints,
    mut solve: impl FnMut(&Constraints) -> Option<(f64, Heads)>,
) -> Option<Heads> {
    let mut open = BinaryHeap::new();
    let mut order = 0;
    let mut push = |open: &mut BinaryHeap<Candidate>, case: Constraints| {
        if let Some((score, heads)) = solve(&case) {
            order += 1;
            open.push(Candidate { score, order, case, heads });
        }
    };
    for case in cases {
        push(&mut open, case.clone());
    }
    for _ in 0..MAX_SPLITS {
        let Candidate { case, heads, .. } = open.pop()?;
        if whole.admits(&heads) {
            return Some(heads);
        }
        // Arcs say everything of a case without open brackets, so that its trees are admitted.
        let Some(words) = bracket_to_split(&case, &heads) else { continue };
        for part in split(&case, words).unwrap_or_default() {
            push(&mut open, part);
        }
    }
    None
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
struct Candidate {
    score: f64,
    order: usize,
    case: Constraints,
    heads: Heads,
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.score.total_cmp(&other.score).then(other.order.cmp(&self.order))
    }
}
