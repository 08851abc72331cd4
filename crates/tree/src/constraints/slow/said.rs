//! What an annotation says, read once more: from the definitions in [`PartialTree`] and [`Reading`], not from the code that
//! reads them for parsers.

use crate::PutInOrder;
use crate::{BracketReading, CoordinationHead, GroupKind, MultiwordHead, Node, PartialTree, Reading};

/// What stands at one end of an arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// A word, 0 for the root.
    Word(usize),
    /// Whatever heads a bracket.
    HeadOf(usize),
}

/// An arc that was said, or ruled out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrow {
    pub(super) head: Who,
    pub(super) dependent: Who,
}

/// A bracket with all its words, lists in rising order.
#[derive(Clone, Debug)]
pub(super) struct SaidBracket {
    pub(super) members: Vec<Who>,
    pub(super) head: Option<Who>,
    pub(super) words: Vec<usize>,
}

impl SaidBracket {
    pub(super) fn holds(&self, word: usize) -> bool {
        self.words.contains(&word)
    }

    /// Before all of its words, or after all of them.
    pub(super) fn is_outside(&self, word: usize) -> bool {
        self.words.iter().all(|&inner| word < inner) || self.words.iter().all(|&inner| inner < word)
    }
}

/// Everything that is said of a sentence.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    pub(super) n_words: usize,
    pub(super) brackets: Vec<SaidBracket>,
    pub(super) arcs: Vec<Arrow>,
    pub(super) forbidden: Vec<Arrow>,
    /// Words of multiwords that are not the head.
    pub(super) leaves: Vec<usize>,
    pub(super) left_out: Vec<usize>,
    /// Whether brackets are constituents.
    pub(super) closed: bool,
}

impl Said {
    /// Groups are read from the inside out; of several in one group the last is read first.
    pub(super) fn read(tree: &PartialTree, reading: &Reading) -> Said {
        let closed = reading.brackets == BracketReading::Subtree;
        let said = Said { n_words: tree.n_words, closed, ..Said::default() };
        let mut reader = SaidReader { tree, reading, said, whos: vec![None; tree.groups.len()] };
        (0..tree.groups.len()).for_each(|group| _ = reader.who(Node::Group(group)));
        for arc in &tree.arcs {
            let (head, dependent) = (reader.who(arc.head), reader.who(arc.dependent));
            reader.said.arcs.push(Arrow { head, dependent });
        }
        for arc in &tree.forbidden {
            let (head, dependent) = (reader.who(arc.head), reader.who(arc.dependent));
            reader.said.forbidden.push(Arrow { head, dependent });
        }
        for &(root, _) in &tree.roots {
            let dependent = reader.who(root);
            reader.said.arcs.push(Arrow { head: Who::Word(0), dependent });
        }
        for &(node, _) in &tree.dependents {
            let dependent = reader.who(node);
            reader.said.forbidden.push(Arrow { head: Who::Word(0), dependent });
        }
        let mut said = reader.said;
        if reading.omit_unmentioned {
            said.left_out = (1..=tree.n_words).filter(|&word| !is_mentioned(tree, word)).collect();
        }
        said
    }

    /// The words that are part of the tree.
    pub(super) fn kept(&self) -> impl Iterator<Item = usize> {
        (1..=self.n_words).filter(|word| !self.left_out.contains(word))
    }
}

/// Whether an annotation names a word anywhere.
fn is_mentioned(tree: &PartialTree, word: usize) -> bool {
    let has = |node: Node| words_of(tree, node).contains(&word);
    let mut arcs = tree.arcs.iter().chain(&tree.forbidden);
    tree.mentioned.contains(&word)
        || (0..tree.groups.len()).any(|group| has(Node::Group(group)))
        || arcs.any(|arc| has(arc.head) || has(arc.dependent))
        || tree.roots.iter().chain(&tree.dependents).any(|&(node, _)| has(node))
        || tree.anaphora.iter().any(|&(one, other, _)| has(one) || has(other))
}

/// Everything that is named in a group.
fn inside(kind: &GroupKind) -> Vec<Node> {
    match kind {
        GroupKind::Multiword { words } => words.iter().map(|&word| Node::Word(word)).collect(),
        GroupKind::Bracket { members, head } => [members.clone(), head.iter().copied().collect()].concat(),
        GroupKind::Coordination { conjuncts, coordinators, .. } => [&conjuncts[..], coordinators].concat(),
    }
}

/// All words of a node, those of groups in it included, in rising order.
fn words_of(tree: &PartialTree, node: Node) -> Vec<usize> {
    let mut words = match node {
        Node::Word(word) => vec![word],
        Node::Group(group) => {
            inside(&tree.groups[group].kind).into_iter().flat_map(|node| words_of(tree, node)).collect()
        }
    };
    words.sort_unstable();
    words.dedup();
    words
}

struct SaidReader<'a> {
    tree: &'a PartialTree,
    reading: &'a Reading,
    said: Said,
    whos: Vec<Option<Who>>,
}

impl SaidReader<'_> {
    /// What a node stands for in an arc; a group is read when it is first asked for.
    fn who(&mut self, node: Node) -> Who {
        let group = match node {
            Node::Word(word) => return Who::Word(word),
            Node::Group(group) => group,
        };
        if let Some(known) = self.whos[group] {
            return known;
        }
        let tree = self.tree;
        let kind = &tree.groups[group].kind;
        inside(kind).into_iter().rev().for_each(|inner| _ = self.who(inner));
        let who = match kind {
            GroupKind::Multiword { words } => self.multiword(words),
            GroupKind::Bracket { members, head } => self.bracket(group, members, *head),
            GroupKind::Coordination { conjuncts, coordinators, .. } => {
                self.coordination(conjuncts, coordinators)
            }
        };
        self.whos[group] = Some(who);
        who
    }

    fn say(&mut self, head: Who, dependent: Who) {
        self.said.arcs.push(Arrow { head, dependent });
    }

    fn multiword(&mut self, words: &[usize]) -> Who {
        let (mut first, mut last) = (words[0], words[0]);
        for &word in words {
            (first, last) = (first.min(word), last.max(word));
        }
        let head = if self.reading.multiword == MultiwordHead::First { first } else { last };
        for &word in words.iter().filter(|&&word| word != head) {
            self.say(Who::Word(head), Who::Word(word));
            self.said.leaves.push(word);
        }
        Who::Word(head)
    }

    fn bracket(&mut self, group: usize, members: &[Node], head: Option<Node>) -> Who {
        let mut whos: Vec<Who> = Vec::new();
        for &node in members.iter().chain(&head) {
            let who = self.who(node);
            if !whos.contains(&who) {
                whos.push(who);
            }
        }
        // A bracket with a single member has it for its head.
        let head = match (head, &whos[..]) {
            (Some(head), _) => Some(self.who(head)),
            (None, [only]) => Some(*only),
            (None, _) => None,
        };
        let words = words_of(self.tree, Node::Group(group));
        self.said.brackets.push(SaidBracket { members: whos, head, words });
        Who::HeadOf(self.said.brackets.len() - 1)
    }

    fn coordination(&mut self, conjuncts: &[Node], coordinators: &[Node]) -> Who {
        let tree = self.tree;
        let first_word = |node: &Node| words_of(tree, *node)[0];
        let (mut conjuncts, mut coordinators) = (conjuncts.to_vec(), coordinators.to_vec());
        conjuncts.order_by_key(first_word);
        coordinators.order_by_key(first_word);
        if self.reading.coordination == CoordinationHead::Coordinator && !coordinators.is_empty() {
            let head = self.who(coordinators[0]);
            for &node in coordinators[1..].iter().chain(&conjuncts) {
                let dependent = self.who(node);
                self.say(head, dependent);
            }
            return head;
        }
        let head = self.who(conjuncts[0]);
        for &node in &conjuncts[1..] {
            let dependent = self.who(node);
            self.say(head, dependent);
        }
        for &coordinator in &coordinators {
            let mut following = conjuncts.iter().filter(|node| first_word(node) > first_word(&coordinator));
            let above = *following.next().unwrap_or(&conjuncts[conjuncts.len() - 1]);
            let (above, below) = (self.who(above), self.who(coordinator));
            self.say(above, below);
        }
        head
    }
}
