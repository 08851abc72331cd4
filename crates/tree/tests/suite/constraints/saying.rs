//! Annotations in few words, and what is read from them.

use tree::{Arc, Conflict, Constraints, Group, GroupKind, Node, PartialTree, Place, Reading};

pub(crate) fn arc(head: usize, dependent: usize, line: u32) -> Arc {
    Arc { head: Node::Word(head), dependent: Node::Word(dependent), place: Place::line(line) }
}

pub(crate) fn bracket(words: &[usize], head: Option<Node>, line: u32) -> Group {
    let members = words.iter().map(|&word| Node::Word(word)).collect();
    Group { kind: GroupKind::Bracket { members, head }, place: Place::line(line) }
}

pub(crate) fn read(said: &PartialTree) -> Constraints {
    Constraints::from_partial(said, &Reading::default()).unwrap()
}

pub(crate) fn conflict(said: &PartialTree) -> Conflict {
    Constraints::from_partial(said, &Reading::default()).unwrap_err()
}

/// Possible heads of each word, such as `02 13 0`.
pub(crate) fn arcs(constraints: &Constraints) -> String {
    let n = constraints.n_words();
    let heads =
        |word| (0..=n).filter(move |&head| constraints.allows_arc(head, word)).map(|head| head.to_string());
    (1..=n).map(|word| heads(word).collect::<String>()).collect::<Vec<_>>().join(" ")
}
