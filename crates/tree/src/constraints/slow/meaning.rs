//! Which trees an annotation means: all trees are listed, and every statement is held against each.
//!
//! After `GFL`'s definitions. *Arc*: the dependent's head is the head. *Bracket*: all members but one have their heads among the
//! members, and that one, the head, has it outside. *Multiword*: words that are not its head head nothing. *Subtree
//! reading*: a word before or after the bracket is headed in it only by its head, and only where that was said.

use super::said::{Arrow, Said, SaidBracket, Who};

/// The heads of all words, from 1; 0 for the root. The first number, and those of words that are left out, mean nothing.
pub(super) type Tree = Vec<usize>;

/// All trees over so many words, several of which may hang from the root.
pub(super) fn all_trees(n_words: usize) -> Vec<Tree> {
    let mut lists = vec![vec![0]];
    for _ in 0..n_words {
        let longer =
            |list: &Tree| (0..=n_words).map(|head| [&list[..], &[head]].concat()).collect::<Vec<_>>();
        lists = lists.iter().flat_map(longer).collect();
    }
    lists.retain(|tree| (1..=n_words).all(|word| reaches_root(tree, word)));
    lists
}

fn reaches_root(tree: &Tree, word: usize) -> bool {
    (0..tree.len()).try_fold(word, |at, _| (at != 0).then(|| tree[at])).is_none()
}

/// Whether `above` is `word` or above it.
pub(super) fn dominates(tree: &Tree, above: usize, word: usize) -> bool {
    word == above || word != 0 && dominates(tree, above, tree[word])
}

/// The words that head each bracket in this tree; `None` if the tree is not what was said.
pub(super) fn tops(said: &Said, tree: &Tree) -> Option<Vec<usize>> {
    let mut tops = Vec::new();
    for bracket in &said.brackets {
        let members: Vec<usize> = bracket.members.iter().map(|&who| word(&tops, who)).collect();
        let mut leaving = members.clone();
        leaving.retain(|&member| !members.contains(&tree[member]));
        leaving.dedup();
        let &top = leaving.first().filter(|&&first| leaving.iter().all(|&other| other == first))?;
        if bracket.head.is_some_and(|head| word(&tops, head) != top) {
            return None;
        }
        tops.push(top);
    }
    let is_arc = |arrow: &Arrow| tree[word(&tops, arrow.dependent)] == word(&tops, arrow.head);
    let is_leaf = |&leaf: &usize| said.kept().all(|word| tree[word] != leaf);
    let means = said.arcs.iter().all(is_arc)
        && !said.forbidden.iter().any(is_arc)
        && said.leaves.iter().all(is_leaf)
        && said.brackets.iter().zip(&tops).all(|(bracket, &top)| is_closed(said, bracket, top, tree, &tops));
    means.then_some(tops)
}

fn word(tops: &[usize], who: Who) -> usize {
    match who {
        Who::Word(word) => word,
        Who::HeadOf(bracket) => tops[bracket],
    }
}

fn is_closed(said: &Said, bracket: &SaidBracket, top: usize, tree: &Tree, tops: &[usize]) -> bool {
    let is_said = |dependent: usize| {
        said.arcs
            .iter()
            .any(|arrow| word(tops, arrow.dependent) == dependent && word(tops, arrow.head) == top)
    };
    let mut entering = said.kept().filter(|&word| bracket.is_outside(word) && bracket.holds(tree[word]));
    !said.closed || entering.all(|dependent| tree[dependent] == top && is_said(dependent))
}
