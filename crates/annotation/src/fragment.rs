//! Between analyses and partial trees.

use crate::{Analysis, Attached, BlockKind, WordBlock, WordOrBlock};
use std::collections::{BTreeMap, BTreeSet};
use tree::{Arc, Group, GroupKind, Node, PartialTree, Place, PutTogether, Text};

/// Heads and blocks as a partial tree. Blocks inside of others become members of them.
pub(crate) fn said(analysis: &Analysis) -> PartialTree {
    let mut said = PartialTree::new(analysis.tokens().len());
    let places: BTreeMap<u32, usize> =
        analysis.blocks.keys().enumerate().map(|(at, &id)| (id, at)).into_map();
    let node = |unit: WordOrBlock| match unit {
        WordOrBlock::Word(word) => Some(Node::Word(word as usize)),
        WordOrBlock::Block { bracket } => places.get(&bracket).map(|&at| Node::Group(at)),
    };
    for (&id, block) in &analysis.blocks {
        said.groups.push(Group { kind: group(analysis, id, block, &node), place: Place::default() });
    }
    for (&unit, &head) in &analysis.heads {
        let Some(dependent) = node(unit) else { continue };
        match head {
            Attached::Root => said.roots.push((dependent, Place::default())),
            Attached::To(head) => {
                said.arcs.extend(node(head).map(|head| Arc { head, dependent, place: Place::default() }));
            }
        }
    }
    let forbidden = analysis.forbidden.iter().filter(|(_, head)| *head > 0);
    said.forbidden.extend(forbidden.map(|&(dependent, head)| Arc {
        head: Node::Word(head as usize),
        dependent: Node::Word(dependent as usize),
        place: Place::default(),
    }));
    // What is not to be a root depends on some word, whichever.
    let no_roots = analysis.forbidden.iter().filter(|(_, head)| *head == 0);
    said.dependents.extend(no_roots.map(|&(word, _)| (Node::Word(word as usize), Place::default())));
    let links = analysis
        .anaphora
        .iter()
        .filter_map(|&(one, other)| Some((node(one)?, node(other)?, Place::default())));
    said.anaphora.extend(links);
    said.mentioned = analysis.mentioned.iter().map(|&word| word as usize).collect();
    said
}

fn group(
    analysis: &Analysis,
    id: u32,
    block: &WordBlock,
    node: &dyn Fn(WordOrBlock) -> Option<Node>,
) -> GroupKind {
    match &block.kind {
        BlockKind::Multiword => {
            GroupKind::Multiword { words: block.words.iter().map(|&word| word as usize).collect() }
        }
        BlockKind::Coordination { name, conjuncts, coordinators } => GroupKind::Coordination {
            name: name.clone(),
            conjuncts: conjuncts.iter().filter_map(|&unit| node(unit)).collect(),
            coordinators: coordinators.iter().filter_map(|&unit| node(unit)).collect(),
        },
        BlockKind::Bracket { head } => {
            let members = members(analysis, id, block);
            // A head within a member stands for that member.
            let holder = |head: WordOrBlock| {
                let words = analysis.words_of(head);
                members.iter().copied().find(|&member| words.is_subset(&analysis.words_of(member)))
            };
            let head = head.and_then(holder).and_then(node);
            GroupKind::Bracket { members: members.iter().filter_map(|&unit| node(unit)).collect(), head }
        }
    }
}

/// Words and blocks directly inside of a block, in the order of the sentence.
fn members(analysis: &Analysis, id: u32, block: &WordBlock) -> Vec<WordOrBlock> {
    let inside: Vec<u32> =
        analysis.blocks.keys().copied().filter(|&other| analysis.is_inside(other, id)).collect();
    let is_direct = |&one: &u32| !inside.iter().any(|&other| analysis.is_inside(one, other));
    let direct: Vec<u32> = inside.iter().copied().filter(is_direct).collect();
    let covered: BTreeSet<u32> =
        direct.iter().flat_map(|one| analysis.blocks[one].words.iter().copied()).into_set();
    let mut members: Vec<(u32, WordOrBlock)> = direct
        .into_iter()
        .filter_map(|one| Some((*analysis.blocks[&one].words.first()?, WordOrBlock::Block { bracket: one })))
        .chain(block.words.difference(&covered).map(|&word| (word, WordOrBlock::Word(word))))
        .collect();
    members.sort_unstable();
    members.into_iter().map(|(_, unit)| unit).collect()
}

/// Puts the heads and blocks of a partial tree in the place of those that are there. Blocks of the same words keep their numbers and
/// labels, and units that still have a head keep their relations.
pub(crate) fn take(analysis: &mut Analysis, said: &PartialTree) {
    let before = std::mem::take(&mut analysis.blocks);
    let mut free = before.keys().max().map_or(1, |most| most + 1);
    let mut ids: Vec<u32> = Vec::new();
    for at in 0..said.groups.len() {
        let words = words(said, Node::Group(at));
        let is_same = |(id, block): &(&u32, &WordBlock)| block.words == words && !ids.contains(id);
        let known = before.iter().find(is_same).map(|(&id, _)| id);
        ids.push(known.unwrap_or_else(|| {
            free += 1;
            free - 1
        }));
    }
    let unit = |node: Node| match node {
        Node::Word(word) => WordOrBlock::Word(word as u32),
        Node::Group(at) => WordOrBlock::Block { bracket: ids[at] },
    };
    for (at, group) in said.groups.iter().enumerate() {
        let label: Option<Text> = before.get(&ids[at]).and_then(|block| block.label.clone());
        let kind = match &group.kind {
            GroupKind::Multiword { .. } => BlockKind::Multiword,
            GroupKind::Bracket { head, .. } => BlockKind::Bracket { head: head.map(unit) },
            GroupKind::Coordination { name, conjuncts, coordinators } => BlockKind::Coordination {
                name: name.clone(),
                conjuncts: conjuncts.iter().map(|&node| unit(node)).collect(),
                coordinators: coordinators.iter().map(|&node| unit(node)).collect(),
            },
        };
        analysis.blocks.insert(ids[at], WordBlock { kind, words: words(said, Node::Group(at)), label });
    }
    analysis.heads =
        said.arcs.iter().map(|arc| (unit(arc.dependent), Attached::To(unit(arc.head)))).collect();
    analysis.heads.extend(said.roots.iter().map(|&(node, _)| (unit(node), Attached::Root)));
    analysis.anaphora = said.anaphora.iter().map(|&(one, other, _)| (unit(one), unit(other))).collect();
    analysis.mentioned = said.mentioned.iter().map(|&word| word as u32).collect();
    let heads = &analysis.heads;
    analysis.relations.retain(|unit, _| heads.contains_key(unit));
}

fn words(said: &PartialTree, node: Node) -> BTreeSet<u32> {
    said.words_of(node).into_iter().map(|word| word as u32).collect()
}
