//! Random annotations of all kinds, and lists of all trees.

use chain::Rng;
use tree::{
    Arc, BracketReading, CoordinationHead, Group, GroupKind, Heads, MultiwordHead, Node, PartialTree, Place,
    Reading,
};

/// Every list of heads over `n` words that is a tree.
pub fn all_trees(n: usize) -> Vec<Heads> {
    let n_lists = (n as u32 + 1).pow(n as u32);
    let digits = |mut number: u32| {
        let mut heads = Vec::with_capacity(n);
        for _ in 0..n {
            heads.push(number % (n as u32 + 1));
            number /= n as u32 + 1;
        }
        heads
    };
    (0..n_lists).filter_map(|number| Heads::new(digits(number)).ok()).collect()
}

/// Trees over the kept words of a longer sentence; the other words hang from the root.
///
/// # Panics
/// If there are fewer kept words than the tree has, or they are not in the sentence.
pub fn spread(tree: &Heads, kept: &[usize], n_words: usize) -> Heads {
    let mut heads = vec![0; n_words];
    for (at, &word) in kept.iter().enumerate() {
        let head = tree.head(at + 1);
        heads[word - 1] = if head == 0 { 0 } else { kept[head - 1] as u32 };
    }
    Heads::new(heads).expect("a tree stays a tree when its words are numbered otherwise")
}

/// Some distinct words in sentence order.
fn some_words(rng: &mut Rng, n: usize, least: usize) -> Vec<usize> {
    if n < least {
        return (1..=n).collect();
    }
    let len = least + rng.below(n - least + 1);
    let mut words: Vec<usize> = (1..=n).collect();
    if rng.bernoulli(0.6) {
        let start = rng.below(n - len + 1);
        return words[start..start + len].to_vec();
    }
    rng.shuffle(&mut words);
    words.truncate(len);
    words.sort_unstable();
    words
}

fn any_node(rng: &mut Rng, said: &PartialTree) -> Node {
    let at = rng.below(said.n_words + said.groups.len());
    if at < said.n_words { Node::Word(at + 1) } else { Node::Group(at - said.n_words) }
}

/// A bracket over words; words of one earlier group may be replaced by the group.
fn bracket(rng: &mut Rng, said: &PartialTree) -> GroupKind {
    let words = some_words(rng, said.n_words, 2);
    let mut members: Vec<Node> = words.iter().map(|&word| Node::Word(word)).collect();
    if !said.groups.is_empty() && rng.bernoulli(0.5) {
        let inner = Node::Group(rng.below(said.groups.len()));
        let within = said.words_of(inner);
        members.retain(|node| !matches!(node, Node::Word(word) if within.contains(word)));
        members.push(inner);
    }
    let head = rng.bernoulli(0.3).then(|| members[rng.below(members.len())]);
    GroupKind::Bracket { members, head }
}

fn group(rng: &mut Rng, said: &PartialTree) -> GroupKind {
    match rng.below(8) {
        0 => GroupKind::Multiword { words: some_words(rng, said.n_words.min(3), 2) },
        1 => {
            let mut nodes: Vec<Node> = (0..2 + rng.below(2)).map(|_| any_node(rng, said)).collect();
            let coordinators = if rng.bernoulli(0.7) { vec![nodes.remove(0)] } else { Vec::new() };
            GroupKind::Coordination { name: "x".to_owned(), conjuncts: nodes, coordinators }
        }
        _ => bracket(rng, said),
    }
}

/// An annotation with a few statements of any kind, which may contradict one another.
pub fn any_annotation(rng: &mut Rng, n_words: usize) -> PartialTree {
    let mut said = PartialTree::new(n_words);
    if n_words == 0 {
        return said;
    }
    let place = Place::default();
    for _ in 0..rng.below(4) {
        let kind = group(rng, &said);
        said.groups.push(Group { kind, place });
    }
    for _ in 0..rng.below(3) {
        let arc = Arc { head: any_node(rng, &said), dependent: any_node(rng, &said), place };
        said.arcs.push(arc);
    }
    if rng.bernoulli(0.3) {
        let arc = Arc { head: any_node(rng, &said), dependent: any_node(rng, &said), place };
        said.forbidden.push(arc);
    }
    if rng.bernoulli(0.2) {
        let root = any_node(rng, &said);
        said.roots.push((root, place));
    }
    said
}

/// Any reading.
pub fn any_reading(rng: &mut Rng) -> Reading {
    let pick = |rng: &mut Rng| rng.bernoulli(0.5);
    Reading {
        brackets: if rng.bernoulli(0.7) { BracketReading::Subtree } else { BracketReading::Connected },
        multiword: if pick(rng) { MultiwordHead::First } else { MultiwordHead::Last },
        coordination: if pick(rng) { CoordinationHead::Coordinator } else { CoordinationHead::Conjunct },
        omit_unmentioned: rng.bernoulli(0.15),
    }
}
