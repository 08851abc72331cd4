//! What every imputer has to beat.
//!
//! After Sun (2016, §3.4): right-branching trees (RB), training on complete sentences only (GFL-DROP), and
//! right-branching completion of what was not said (GFL-RBC). Left-branching trees are the mirror image.

use arcs::{ArcScores, Projective, Roots, Spanning};
use tree::{Constraints, Heads};

use super::Fragment;
use super::branch::{Found, MAX_SPLITS, branch};

/// To which side a baseline's trees grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Branching {
    /// Every word depends on the word before it, the first on the root: the first word heads the sentence and each
    /// generates the next to its right.
    Right,
    /// Every word depends on the word after it, the last on the root.
    Left,
}

/// The tree of a sentence of so many words that grows to one side (RB, LB).
pub fn branching(n_words: usize, side: Branching) -> Heads {
    let n = n_words as u32;
    let heads = match side {
        Branching::Right => (0..n).collect(),
        Branching::Left => (1..=n).map(|word| if word == n { 0 } else { word + 1 }).collect(),
    };
    Heads::new(heads).expect("heads in one direction form no cycle")
}

/// Which sentences remain if those with anything left open are dropped (GFL-DROP): the index and the tree of each
/// sentence of which the annotation admits exactly one tree by its arcs.
pub fn complete_ones(fragments: &[Fragment]) -> Vec<(usize, Heads)> {
    let complete = |(at, fragment): (usize, &Fragment)| Some((at, only_tree(fragment)?));
    fragments.iter().enumerate().filter_map(complete).collect()
}

/// The tree of a sentence whose words all have but one head left; words that are left out hang from the root.
fn only_tree(fragment: &Fragment) -> Option<Heads> {
    let whole = fragment.possible.whole();
    let head = |word| if whole.is_left_out(word) { Some(0) } else { whole.required_head(word) };
    let heads: Option<Vec<u32>> = (1..=fragment.len()).map(|word| Some(head(word)? as u32)).collect();
    Heads::new(heads?).ok().filter(|heads| fragment.possible.admits(heads))
}

/// Which words of a sentence remain if it is the words that are dropped: those with a known head, from 1.
pub fn known_words(fragment: &Fragment) -> Vec<usize> {
    let whole = fragment.possible.whole();
    (1..=fragment.len()).filter(|&word| whole.required_head(word).is_some()).collect()
}

/// The tree that satisfies the annotation and is otherwise as near to a branching one as possible (GFL-RBC).
///
/// Of all admitted trees it has the most arcs in common with [`branching`]; among these the others are short and lead in
/// the same direction. Projective trees come first, and trees with one root, if the annotation leaves any. Where brackets
/// with open heads leave too many cases to search, the tree keeps all arcs but may take a bracket apart; ask
/// `Possible::admits`.
pub fn branching_completion(fragment: &Fragment, side: Branching) -> Heads {
    let scores = preference(fragment, side);
    let (cases, _) = fragment.possible.arc_cases();
    let mut given_up = None;
    for (projective, roots) in
        [(true, Roots::One), (true, Roots::Many), (false, Roots::One), (false, Roots::Many)]
    {
        let solve = |case: &Constraints| best_of_case(&scores, case, projective, roots);
        match branch(&cases, fragment.possible.whole(), MAX_SPLITS, solve) {
            Found::Best(heads) | Found::Admitted(heads) => return heads,
            Found::Broken(heads) => given_up = given_up.or(Some(heads)),
            Found::Nothing => {}
        }
    }
    given_up.unwrap_or_else(|| branching(fragment.len(), side))
}

fn best_of_case(
    scores: &ArcScores,
    case: &Constraints,
    projective: bool,
    roots: Roots,
) -> Option<(f64, Heads)> {
    let mut scores = scores.clone();
    scores.restrict(case);
    let heads = if projective {
        Projective::default().best(&scores, roots)?
    } else {
        Spanning::default().best(&scores, roots)?
    };
    Some((scores.of_tree(&heads), heads))
}

/// An arc of the branching tree is worth more than all distances together; other arcs cost their length, and twice
/// that against the direction.
fn preference(fragment: &Fragment, side: Branching) -> ArcScores {
    let n_words = fragment.len();
    let tree = branching(n_words, side);
    let mut scores = ArcScores::new(n_words);
    let worth = 2.0 * ((n_words + 1) * (n_words + 1)) as f64;
    for word in 1..=n_words {
        for head in 0..=n_words {
            let along = head == 0 || (head < word) == (side == Branching::Right);
            let cost = head.abs_diff(word) as f64 * if along { 1.0 } else { 2.0 };
            scores.set(head, word, if tree.head(word) == head { worth } else { -cost });
        }
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use tree::Possible;
    use tree::{Arc, Node, PartialTree, Place, Reading};

    fn fragment(n_words: usize, arcs: &[(usize, usize)]) -> Fragment {
        let mut said = PartialTree::new(n_words);
        for &(head, dependent) in arcs {
            let place = Place::default();
            match head {
                0 => said.roots.push((Node::Word(dependent), place)),
                _ => said.arcs.push(Arc { head: Node::Word(head), dependent: Node::Word(dependent), place }),
            }
        }
        let tags = vec!["X".into(); n_words];
        Fragment { forms: tags.clone(), tags, possible: Possible::new(&said, &Reading::default()).unwrap() }
    }

    #[test]
    fn branching_trees_are_chains() {
        assert_eq!(branching(4, Branching::Right).as_slice(), [0, 1, 2, 3]);
        assert_eq!(branching(4, Branching::Left).as_slice(), [2, 3, 4, 0]);
        assert!(branching(0, Branching::Left).is_empty());
    }

    #[test]
    fn completion_of_nothing_is_the_branching_tree() {
        for side in [Branching::Right, Branching::Left] {
            assert_eq!(branching_completion(&fragment(5, &[]), side), branching(5, side));
        }
    }

    #[test]
    fn completion_keeps_what_was_said() {
        let completed = branching_completion(&fragment(4, &[(0, 2), (4, 3)]), Branching::Right);
        // Words 1 and 4 cannot have the heads of the branching tree, and take the nearest that are left.
        assert_eq!(completed.as_slice(), [2, 0, 4, 2]);
    }

    #[test]
    fn a_crossing_annotation_is_completed_without_projectivity() {
        let crossing = fragment(4, &[(3, 1), (4, 2)]);
        let completed = branching_completion(&crossing, Branching::Right);
        assert!(crossing.possible.admits(&completed));
    }

    #[test]
    fn only_complete_sentences_remain() {
        let fragments = [fragment(2, &[(0, 1), (1, 2)]), fragment(3, &[(0, 1)]), fragment(2, &[])];
        let kept = complete_ones(&fragments);
        assert_eq!(kept.len(), 1);
        assert_eq!((kept[0].0, kept[0].1.as_slice()), (0, &[0, 1][..]));
        assert_eq!(known_words(&fragments[1]), [1]);
    }
}
