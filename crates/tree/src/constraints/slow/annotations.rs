//! Random annotations, and ways to read them.

use proptest::prelude::*;

use crate::{
    Arc, BracketReading, CoordinationHead, Group, GroupKind, MultiwordHead, Node, PartialTree, Place, Reading,
};

/// More have too many trees to be listed for each annotation.
pub(super) const MOST_WORDS: usize = 5;

pub(super) fn any_reading() -> impl Strategy<Value = Reading> {
    (any::<bool>(), any::<bool>(), any::<bool>(), prop::bool::weighted(0.1)).prop_map(
        |(closed, last, by_conjunct, omit_unmentioned)| Reading {
            brackets: if closed { BracketReading::Subtree } else { BracketReading::Connected },
            multiword: if last { MultiwordHead::Last } else { MultiwordHead::First },
            coordination: if by_conjunct {
                CoordinationHead::Conjunct
            } else {
                CoordinationHead::Coordinator
            },
            omit_unmentioned,
        },
    )
}

/// Places for words in a sentence that is as long as a block of bits and a little more: as many of its words, in rising order.
pub(super) fn any_places() -> impl Strategy<Value = Vec<usize>> {
    prop::sample::subsequence((1..=70).collect::<Vec<usize>>(), MOST_WORDS)
}

/// The same annotation of these words of a longer sentence, all of which are mentioned.
pub(super) fn spread(said: &PartialTree, places: &[usize]) -> PartialTree {
    let word = |word: usize| places[word - 1];
    let node = |node: &Node| match *node {
        Node::Word(at) => Node::Word(word(at)),
        group @ Node::Group(_) => group,
    };
    let nodes = |nodes: &[Node]| nodes.iter().map(node).collect();
    let arc = |arc: &Arc| Arc { head: node(&arc.head), dependent: node(&arc.dependent), place: arc.place };
    let kind = |kind: &GroupKind| match kind {
        GroupKind::Multiword { words } => {
            GroupKind::Multiword { words: words.iter().map(|&at| word(at)).collect() }
        }
        GroupKind::Bracket { members, head } => {
            GroupKind::Bracket { members: nodes(members), head: head.as_ref().map(node) }
        }
        GroupKind::Coordination { name, conjuncts, coordinators } => GroupKind::Coordination {
            name: name.clone(),
            conjuncts: nodes(conjuncts),
            coordinators: nodes(coordinators),
        },
    };
    PartialTree {
        n_words: 70,
        groups: said
            .groups
            .iter()
            .map(|group| Group { kind: kind(&group.kind), place: group.place })
            .collect(),
        arcs: said.arcs.iter().map(arc).collect(),
        forbidden: said.forbidden.iter().map(arc).collect(),
        roots: said.roots.iter().map(|(one, place)| (node(one), *place)).collect(),
        dependents: said.dependents.iter().map(|(one, place)| (node(one), *place)).collect(),
        anaphora: Vec::new(),
        mentioned: (1..=said.n_words).map(word).collect(),
    }
}

type Picks = (Vec<prop::sample::Index>, Option<prop::sample::Index>, bool, u8);

/// Nested and overlapping brackets, stretches more often than loose words, now and then a multiword or a coordination, with
/// arcs between all nodes.
pub(super) fn any_annotation() -> impl Strategy<Value = PartialTree> {
    let index = any::<prop::sample::Index>;
    let group =
        (prop::collection::vec(index(), 1..5), prop::option::of(index()), prop::bool::weighted(0.7), 0u8..10);
    let pairs = |n| prop::collection::vec((index(), index()), 0..n);
    let groups = prop::collection::vec(group, 0..4);
    let roots = prop::collection::vec(index(), 0..2);
    let dependents = prop::collection::vec(index(), 0..3);
    (1..=MOST_WORDS, groups, pairs(4), pairs(3), roots, dependents).prop_map(
        |(n, groups, arcs, forbidden, roots, dependents)| {
            let mut said = PartialTree::new(n);
            let mut lines = (1..).map(Place::line);
            let mut place = || lines.next().unwrap();
            for picks in groups {
                let kind = match picks.3 {
                    0 => multiword(&said, &picks),
                    1 => coordination(&said, &picks),
                    _ => bracket(&said, picks),
                };
                said.groups.push(Group { kind, place: place() });
            }
            let node = |said: &PartialTree, pick: prop::sample::Index| node(said, pick);
            for (head, dependent) in arcs {
                let (head, dependent) = (node(&said, head), node(&said, dependent));
                said.arcs.push(Arc { head, dependent, place: place() });
            }
            for (head, dependent) in forbidden {
                let (head, dependent) = (node(&said, head), node(&said, dependent));
                said.forbidden.push(Arc { head, dependent, place: place() });
            }
            for root in roots {
                said.roots.push((node(&said, root), place()));
            }
            for dependent in dependents {
                said.dependents.push((node(&said, dependent), place()));
            }
            said
        },
    )
}

/// A group as often as a word.
fn node(said: &PartialTree, pick: prop::sample::Index) -> Node {
    let n_choices = 2 * said.n_words * said.groups.len().max(1);
    match pick.index(n_choices) {
        choice if choice % 2 == 0 && !said.groups.is_empty() => Node::Group(choice / 2 % said.groups.len()),
        choice => Node::Word(choice / 2 % said.n_words + 1),
    }
}

fn multiword(said: &PartialTree, (picks, ..): &Picks) -> GroupKind {
    GroupKind::Multiword { words: picks.iter().map(|pick| pick.index(said.n_words) + 1).collect() }
}

/// The last pick coordinates the others, if there is to be a coordinator.
fn coordination(said: &PartialTree, (picks, last, ..): &Picks) -> GroupKind {
    let mut conjuncts: Vec<Node> = picks.iter().map(|&pick| node(said, pick)).collect();
    let mut coordinators: Vec<Node> = last.iter().map(|&pick| node(said, pick)).collect();
    if conjuncts.len() > 2 && !coordinators.is_empty() {
        coordinators.extend(conjuncts.pop());
    }
    GroupKind::Coordination { name: "$x".into(), conjuncts, coordinators }
}

fn bracket(said: &PartialTree, (picks, head, is_stretch, _): Picks) -> GroupKind {
    let mut members: Vec<Node> = picks.iter().map(|&pick| node(said, pick)).collect();
    if let (true, [Node::Word(one), .., Node::Word(other)]) = (is_stretch, &members[..]) {
        members = (*one.min(other)..=*one.max(other)).map(Node::Word).collect();
    }
    let head = head.map(|head| members[head.index(members.len())]);
    GroupKind::Bracket { members, head }
}
