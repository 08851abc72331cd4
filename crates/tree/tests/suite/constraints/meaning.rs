//! The meaning of an annotation, independently.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use testkit::annotations::all_trees;
use tree::{BracketReading, CoordinationHead, GroupKind, Heads, MultiwordHead, Node, PartialTree, Reading};

/// All trees of so many words.
pub(crate) static TREES: LazyLock<Vec<Vec<Heads>>> = LazyLock::new(|| (0..=5).map(all_trees).collect());

/// An annotation, how it is read, and a tree that it may or may not mean.
struct Meaning<'a> {
    said: &'a PartialTree,
    reading: Reading,
    heads: &'a Heads,
}

impl Meaning<'_> {
    /// The lexical head of a node in this tree; `None` if the node is not what the annotation says it is.
    fn head_word(&self, node: Node) -> Option<usize> {
        let group = match node {
            Node::Word(word) => return Some(word),
            Node::Group(group) => &self.said.groups[group],
        };
        match &group.kind {
            GroupKind::Multiword { words } => Some(self.multiword_head(words)),
            GroupKind::Bracket { members, head } => {
                let words: BTreeSet<usize> =
                    members.iter().map(|&member| self.head_word(member)).collect::<Option<_>>()?;
                let leaving: Vec<usize> =
                    words.iter().copied().filter(|&word| !words.contains(&self.heads.head(word))).collect();
                let [top] = leaving[..] else { return None };
                match head {
                    Some(head) => (self.head_word(*head)? == top).then_some(top),
                    None => Some(top),
                }
            }
            GroupKind::Coordination { conjuncts, coordinators, .. } => {
                let (heading, _) = self.coordination(conjuncts, coordinators);
                self.head_word(heading)
            }
        }
    }

    /// All words of a node, in the order of the sentence.
    fn words_of(&self, node: Node) -> Vec<usize> {
        let group = match node {
            Node::Word(word) => return vec![word],
            Node::Group(group) => &self.said.groups[group],
        };
        let inside: Vec<Node> = match &group.kind {
            GroupKind::Multiword { words } => words.iter().map(|&word| Node::Word(word)).collect(),
            GroupKind::Bracket { members, head } => members.iter().chain(head).copied().collect(),
            GroupKind::Coordination { conjuncts, coordinators, .. } => {
                conjuncts.iter().chain(coordinators).copied().collect()
            }
        };
        let words: BTreeSet<usize> = inside.into_iter().flat_map(|node| self.words_of(node)).collect();
        words.into_iter().collect()
    }

    /// Every word that is named in any way.
    fn mentioned_words(&self) -> BTreeSet<usize> {
        let PartialTree { n_words: _, groups, arcs, forbidden, roots, dependents, anaphora, mentioned } =
            self.said;
        let mut nodes: Vec<Node> = (0..groups.len()).map(Node::Group).collect();
        nodes.extend(arcs.iter().chain(forbidden).flat_map(|arc| [arc.head, arc.dependent]));
        nodes.extend(roots.iter().chain(dependents).map(|&(node, _)| node));
        nodes.extend(anaphora.iter().flat_map(|&(one, other, _)| [one, other]));
        nodes.extend(mentioned.iter().map(|&word| Node::Word(word)));
        nodes.into_iter().flat_map(|node| self.words_of(node)).collect()
    }

    fn multiword_head(&self, words: &[usize]) -> usize {
        let mut sorted = words.to_vec();
        sorted.sort_unstable();
        if self.reading.multiword == MultiwordHead::First { sorted[0] } else { sorted[sorted.len() - 1] }
    }

    fn position(&self, node: Node) -> usize {
        self.words_of(node)[0]
    }

    /// What heads a coordination, and its arcs (head, dependent).
    fn coordination(&self, conjuncts: &[Node], coordinators: &[Node]) -> (Node, Vec<(Node, Node)>) {
        let sorted = |nodes: &[Node]| {
            let mut nodes = nodes.to_vec();
            nodes.sort_by_key(|&node| self.position(node));
            nodes
        };
        let (conjuncts, coordinators) = (sorted(conjuncts), sorted(coordinators));
        if self.reading.coordination == CoordinationHead::Coordinator && !coordinators.is_empty() {
            let head = coordinators[0];
            let arcs = coordinators[1..].iter().chain(&conjuncts).map(|&node| (head, node)).collect();
            return (head, arcs);
        }
        let head = conjuncts[0];
        let mut arcs: Vec<_> = conjuncts[1..].iter().map(|&node| (head, node)).collect();
        for &coordinator in &coordinators {
            let after = conjuncts.iter().find(|&&node| self.position(node) > self.position(coordinator));
            arcs.push((*after.unwrap_or(&conjuncts[conjuncts.len() - 1]), coordinator));
        }
        (head, arcs)
    }

    /// Every arc that must be there, as nodes.
    fn arcs(&self) -> Vec<(Node, Node)> {
        let mut arcs: Vec<_> = self.said.arcs.iter().map(|arc| (arc.head, arc.dependent)).collect();
        for group in &self.said.groups {
            match &group.kind {
                GroupKind::Multiword { words } => {
                    let head = self.multiword_head(words);
                    let others = words.iter().filter(|&&word| word != head);
                    arcs.extend(others.map(|&word| (Node::Word(head), Node::Word(word))));
                }
                GroupKind::Coordination { conjuncts, coordinators, .. } => {
                    arcs.extend(self.coordination(conjuncts, coordinators).1);
                }
                GroupKind::Bracket { .. } => {}
            }
        }
        arcs
    }

    fn is_arc(&self, head: Node, dependent: Node) -> Option<bool> {
        Some(self.heads.head(self.head_word(dependent)?) == self.head_word(head)?)
    }

    fn admits(&self) -> bool {
        self.try_admits().unwrap_or(false)
    }

    fn try_admits(&self) -> Option<bool> {
        let n = self.said.n_words;
        let mentioned = self.mentioned_words();
        let is_kept = |word: usize| !self.reading.omit_unmentioned || mentioned.contains(&word);
        let mut fine = (1..=n)
            .all(|word| !is_kept(word) || self.heads.head(word) == 0 || is_kept(self.heads.head(word)));
        for (head, dependent) in self.arcs() {
            fine &= self.is_arc(head, dependent)?;
        }
        for arc in &self.said.forbidden {
            fine &= !self.is_arc(arc.head, arc.dependent)?;
        }
        for &(root, _) in &self.said.roots {
            fine &= self.heads.head(self.head_word(root)?) == 0;
        }
        for &(dependent, _) in &self.said.dependents {
            fine &= self.heads.head(self.head_word(dependent)?) != 0;
        }
        for (index, group) in self.said.groups.iter().enumerate() {
            let top = self.head_word(Node::Group(index))?;
            if let GroupKind::Multiword { words } = &group.kind {
                let others = words.iter().filter(|&&word| word != top);
                fine &= others.clone().all(|&word| self.heads.dependents(word).all(|below| !is_kept(below)));
            }
            let is_subtree = self.reading.brackets == BracketReading::Subtree;
            if matches!(group.kind, GroupKind::Bracket { .. }) && is_subtree {
                let words = self.words_of(Node::Group(index));
                for word in (1..words[0]).chain(words[words.len() - 1] + 1..=n).filter(|&word| is_kept(word))
                {
                    let head = self.heads.head(word);
                    if words.contains(&head) {
                        fine &= head == top && self.is_said(head, word);
                    }
                }
            }
        }
        Some(fine)
    }

    fn is_said(&self, head: usize, dependent: usize) -> bool {
        let is = |node: Node, word: usize| self.head_word(node) == Some(word);
        self.arcs().into_iter().any(|(h, d)| is(h, head) && is(d, dependent))
    }
}

/// The trees that an annotation means.
pub(crate) fn admitted(said: &PartialTree, reading: Reading) -> Vec<&'static Heads> {
    let trees = TREES[said.n_words].iter();
    trees.filter(|heads| Meaning { said, reading, heads }.admits()).collect()
}
