//! Brackets and multiwords of several annotators made one.

use crate::table::plural;
use crate::watch::Watch;
use std::collections::BTreeMap;
use tree::PutInOrder;
use tree::{Arc, BracketReading, Constraints, Group, GroupKind, Node, PartialTree, Place, Reading};

/// What became of brackets and multiwords, each counted once for a sentence however many annotators have it.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    n_brackets: usize,
    n_multiwords: usize,
    /// No more than half of the annotators have them.
    n_outvoted: usize,
    /// They contradict the heads that were taken, or brackets with more votes.
    n_contradicting: usize,
    n_coordinations: usize,
}

impl Tally {
    pub(super) fn report(&self, watch: &dyn Watch) {
        let n_kept = self.n_brackets + self.n_multiwords;
        if n_kept + self.n_outvoted + self.n_contradicting + self.n_coordinations == 0 {
            return;
        }
        let (brackets, multiwords) =
            (plural(self.n_brackets, "bracket"), plural(self.n_multiwords, "multiword"));
        watch.note(&format!(
            "groups: {brackets} and {multiwords} kept; dropped: {} without a majority, {} against the heads or other groups, {} of which only certain heads count",
            self.n_outvoted,
            self.n_contradicting,
            plural(self.n_coordinations, "coordination"),
        ));
    }
}

/// Whether it is a multiword, and its words.
type Key = (bool, Vec<usize>);

/// Who has a group, and what they say of its head.
#[derive(Debug, Default)]
struct Votes {
    n: usize,
    heads: Vec<usize>,
}

/// The combined heads, and the groups that more than half of the annotators have; of a union those that anyone has. Multiwords and then
/// brackets are added from the most votes to the fewest, and one that contradicts what is there is dropped.
pub(super) fn combine(
    annotations: &[&PartialTree],
    heads: &[Option<usize>],
    union: bool,
    tally: &mut Tally,
) -> PartialTree {
    let mut said = with_heads(heads);
    let mut votes: Vec<(Key, Votes)> = votes(annotations, tally).into_iter().collect();
    // Multiwords first, since they are the nodes that brackets are made of.
    votes.order_by_key(|((is_multiword, _), votes)| (!is_multiword, std::cmp::Reverse(votes.n)));
    for ((is_multiword, words), votes) in votes {
        if !union && 2 * votes.n <= annotations.len() {
            tally.n_outvoted += 1;
            continue;
        }
        let with_group =
            if is_multiword { with_multiword(&said, &words) } else { with_bracket(&said, &words, &votes) };
        if !is_consistent(&with_group) {
            tally.n_contradicting += 1;
            continue;
        }
        said = with_group;
        tally.n_multiwords += usize::from(is_multiword);
        tally.n_brackets += usize::from(!is_multiword);
    }
    said
}

fn with_heads(heads: &[Option<usize>]) -> PartialTree {
    let mut said = PartialTree::new(heads.len());
    let place = Place::default();
    for (word, head) in (1..).zip(heads) {
        let dependent = Node::Word(word);
        match head {
            Some(0) => said.roots.push((dependent, place)),
            Some(head) => said.arcs.push(Arc { head: Node::Word(*head), dependent, place }),
            None => {}
        }
    }
    said
}

fn votes(annotations: &[&PartialTree], tally: &mut Tally) -> BTreeMap<Key, Votes> {
    let mut all: BTreeMap<Key, Votes> = BTreeMap::new();
    for said in annotations {
        let mut own: BTreeMap<Key, Option<usize>> = BTreeMap::new();
        for (at, group) in said.groups.iter().enumerate() {
            let words = said.words_of(Node::Group(at));
            match &group.kind {
                GroupKind::Multiword { .. } => own.entry((true, words)).or_default(),
                GroupKind::Bracket { head: Some(Node::Word(head)), .. } => {
                    own.entry((false, words)).or_default().get_or_insert(*head);
                    continue;
                }
                GroupKind::Bracket { .. } => own.entry((false, words)).or_default(),
                GroupKind::Coordination { .. } => {
                    tally.n_coordinations += 1;
                    continue;
                }
            };
        }
        for (key, head) in own {
            let votes = all.entry(key).or_default();
            votes.n += 1;
            votes.heads.extend(head);
        }
    }
    all
}

/// The multiword takes the places of its words: it depends on what its first word depends on.
fn with_multiword(said: &PartialTree, words: &[usize]) -> PartialTree {
    let mut said = said.clone();
    let node = Node::Group(said.groups.len());
    let is_member = |node: Node| matches!(node, Node::Word(word) if words.contains(&word));
    let is_later = |node: Node| is_member(node) && node != Node::Word(words[0]);
    let is_inside = |arc: &Arc| is_member(arc.dependent) && is_member(arc.head);
    said.arcs.retain(|arc| !is_later(arc.dependent) && !is_inside(arc));
    said.roots.retain(|&(node, _)| !is_later(node));
    let rename = |place: &mut Node| *place = if is_member(*place) { node } else { *place };
    said.arcs.iter_mut().for_each(|arc| {
        rename(&mut arc.head);
        rename(&mut arc.dependent);
    });
    said.roots.iter_mut().for_each(|(node, _)| rename(node));
    let kind = GroupKind::Multiword { words: words.to_vec() };
    said.groups.push(Group { kind, place: Place::default() });
    said
}

/// The bracket, with a head if all who say one say the same.
fn with_bracket(said: &PartialTree, words: &[usize], votes: &Votes) -> PartialTree {
    let mut said = said.clone();
    let agreed = votes.heads.first().filter(|first| votes.heads.iter().all(|head| head == *first));
    let mut members: Vec<Node> = words.iter().map(|&word| node_of(&said, word)).collect();
    members.dedup();
    let head = agreed.map(|&head| node_of(&said, head));
    said.groups.push(Group { kind: GroupKind::Bracket { members, head }, place: Place::default() });
    said
}

/// The word, or the multiword that it is part of.
fn node_of(said: &PartialTree, word: usize) -> Node {
    let holds =
        |group: &Group| matches!(&group.kind, GroupKind::Multiword { words } if words.contains(&word));
    said.groups.iter().position(holds).map_or(Node::Word(word), Node::Group)
}

/// Whether a tree is left, by GFL's own reading of brackets.
fn is_consistent(said: &PartialTree) -> bool {
    let reading = Reading { brackets: BracketReading::Connected, ..Reading::default() };
    Constraints::from_partial(said, &reading).is_ok()
}
