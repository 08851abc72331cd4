//! Random annotations.

use proptest::prelude::*;
use tree::{
    Arc, BracketReading, CoordinationHead, Group, GroupKind, MultiwordHead, Node, PartialTree, Place, Reading,
};

pub(crate) fn any_reading() -> impl Strategy<Value = Reading> {
    (any::<bool>(), any::<bool>(), any::<bool>(), prop::bool::weighted(0.2)).prop_map(|(b, m, c, omit)| {
        Reading {
            brackets: if b { BracketReading::Subtree } else { BracketReading::Connected },
            multiword: if m { MultiwordHead::First } else { MultiwordHead::Last },
            coordination: if c { CoordinationHead::Coordinator } else { CoordinationHead::Conjunct },
            omit_unmentioned: omit,
        }
    })
}

type Picks = (u8, Vec<prop::sample::Index>, Option<prop::sample::Index>, prop::sample::Index);

/// Annotations with nested groups and arcs between all kinds of nodes; places are numbered lines.
pub(crate) fn any_annotation(max_arcs: usize) -> impl Strategy<Value = PartialTree> {
    let index = any::<prop::sample::Index>;
    let group = (0u8..6, prop::collection::vec(index(), 1..4), prop::option::of(index()), index());
    let pair = || (index(), index());
    (
        1usize..=5,
        prop::collection::vec(group, 0..3),
        prop::collection::vec(pair(), 0..=max_arcs),
        prop::collection::vec(pair(), 0..2),
        prop::collection::vec(index(), 0..2),
        prop::collection::vec(index(), 0..2),
    )
        .prop_map(|(n, groups, arcs, forbidden, roots, dependents)| {
            let mut said = PartialTree::new(n);
            let mut line = 0;
            let mut place = || {
                line += 1;
                Place::line(line)
            };
            for picks in groups {
                let kind = group_kind(&said, picks);
                said.groups.push(Group { kind, place: place() });
            }
            let node = |said: &PartialTree, pick: prop::sample::Index| {
                let choice = pick.index(n + said.groups.len());
                if choice < n { Node::Word(choice + 1) } else { Node::Group(choice - n) }
            };
            for (head, dependent) in arcs {
                let arc = Arc { head: node(&said, head), dependent: node(&said, dependent), place: place() };
                said.arcs.push(arc);
            }
            for (head, dependent) in forbidden {
                let arc = Arc { head: node(&said, head), dependent: node(&said, dependent), place: place() };
                said.forbidden.push(arc);
            }
            for root in roots {
                said.roots.push((node(&said, root), place()));
            }
            for dependent in dependents {
                said.dependents.push((node(&said, dependent), place()));
            }
            said
        })
}

fn group_kind(said: &PartialTree, (kind, picks, head, last): Picks) -> GroupKind {
    let n = said.n_words;
    let mut nodes: Vec<Node> = Vec::new();
    for pick in &picks {
        let choice = pick.index(n + said.groups.len());
        let node = if choice < n { Node::Word(choice + 1) } else { Node::Group(choice - n) };
        if !nodes.contains(&node) {
            nodes.push(node);
        }
    }
    match kind {
        0 => GroupKind::Multiword { words: picks.iter().map(|pick| pick.index(n) + 1).collect() },
        1 => GroupKind::Coordination {
            name: "$x".into(),
            conjuncts: nodes,
            coordinators: if last.index(4) == 0 { vec![] } else { vec![Node::Word(last.index(n) + 1)] },
        },
        _ => {
            let head = head.map(|head| nodes[head.index(nodes.len())]);
            GroupKind::Bracket { members: nodes, head }
        }
    }
}
