//! What an annotator said: a partial tree.

use crate::{Place, Sentence, TokenId};

/// A partial dependency annotation of one sentence, after FUDG (Schneider et al. 2013).
///
/// It says only what was said. Nothing is derived here and nothing is checked beyond ranges: two heads for
/// one word, a cycle, crossing brackets are found when [`Constraints`](crate::Constraints) are built from
/// it, which names both places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartialTree {
    /// Number of words of the sentence.
    pub n_words: usize,
    /// Multiwords, brackets and coordinations.
    pub groups: Vec<Group>,
    /// Heads that were said.
    pub arcs: Vec<Arc>,
    /// Heads that were ruled out.
    pub forbidden: Vec<Arc>,
    /// Nodes that head an utterance.
    pub roots: Vec<(Node, Place)>,
    /// Links without influence on the tree.
    pub anaphora: Vec<(Node, Node, Place)>,
    /// Single words that are named without anything being said of them, besides those in other fields.
    pub mentioned: Vec<usize>,
}

/// Something that can be a head or a dependent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// A word, from 1.
    Word(usize),
    /// A group, an index into [`PartialTree::groups`].
    Group(usize),
}

/// Several words under one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What holds them together.
    pub kind: GroupKind,
    /// Where it was said.
    pub place: Place,
}

/// What holds the words of a [`Group`] together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GroupKind {
    /// One lexical node of several words (from 1), no inner structure claimed.
    Multiword {
        /// The words in sentence order.
        words: Vec<usize>,
    },
    /// A bracket (fudge expression): the members form one fragment.
    Bracket {
        /// Words and groups directly inside.
        members: Vec<Node>,
        /// The member that heads the others, if it was said.
        head: Option<Node>,
    },
    /// A coordination.
    Coordination {
        /// The variable that names it, `$x`.
        name: String,
        /// What is coordinated.
        conjuncts: Vec<Node>,
        /// What coordinates.
        coordinators: Vec<Node>,
    },
}

/// `dependent` depends on `head`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    /// The head; a group stands for its own head, whichever that is.
    pub head: Node,
    /// The dependent; a group stands for its own head, whichever that is.
    pub dependent: Node,
    /// Where it was said.
    pub place: Place,
}

impl PartialTree {
    /// Nothing said about a sentence of `n_words`.
    pub fn new(n_words: usize) -> Self {
        Self { n_words, ..Self::default() }
    }

    /// What the heads of a CoNLL-U sentence say: an open head says nothing. Multiword ranges are
    /// orthographic there and say nothing about the tree.
    pub fn from_sentence(sentence: &Sentence) -> Self {
        let mut said = Self::new(sentence.n_words());
        for token in sentence.words() {
            let TokenId::Word(word) = token.id else { continue };
            match token.head.index() {
                Some(0) => said.roots.push((Node::Word(word as usize), Place::default())),
                Some(head) => said.arcs.push(Arc {
                    head: Node::Word(head as usize),
                    dependent: Node::Word(word as usize),
                    place: Place::default(),
                }),
                None => {}
            }
        }
        said
    }

    /// Words of a node, all levels down, in sentence order without repetition.
    pub fn words_of(&self, node: Node) -> Vec<usize> {
        let mut words = Vec::new();
        let mut seen = vec![false; self.groups.len()];
        let mut todo = vec![node];
        while let Some(node) = todo.pop() {
            match node {
                Node::Word(word) => words.push(word),
                Node::Group(index) => {
                    let Some(group) = self.groups.get(index) else { continue };
                    if std::mem::replace(&mut seen[index], true) {
                        continue;
                    }
                    match &group.kind {
                        GroupKind::Multiword { words: inner } => words.extend(inner),
                        GroupKind::Bracket { members, .. } => todo.extend(members),
                        GroupKind::Coordination { conjuncts, coordinators, .. } => {
                            todo.extend(conjuncts);
                            todo.extend(coordinators);
                        }
                    }
                }
            }
        }
        words.sort_unstable();
        words.dedup();
        words
    }

    /// Words that are named anywhere in the annotation, in sentence order.
    pub fn mentioned_words(&self) -> Vec<usize> {
        let groups = (0..self.groups.len()).map(Node::Group);
        let arcs = self.arcs.iter().chain(&self.forbidden).flat_map(|arc| [arc.head, arc.dependent]);
        let roots = self.roots.iter().map(|&(node, _)| node);
        let links = self.anaphora.iter().flat_map(|&(one, other, _)| [one, other]);
        let nodes = groups.chain(arcs).chain(roots).chain(links);
        let mut words: Vec<usize> = nodes.flat_map(|node| self.words_of(node)).collect();
        words.extend(&self.mentioned);
        words.sort_unstable();
        words.dedup();
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_nested_groups_are_found_once() {
        let mut said = PartialTree::new(5);
        let place = Place::default();
        said.groups.push(Group { kind: GroupKind::Multiword { words: vec![4, 2] }, place });
        let members = vec![Node::Group(0), Node::Word(1), Node::Word(2)];
        said.groups.push(Group { kind: GroupKind::Bracket { members, head: None }, place });
        assert_eq!(said.words_of(Node::Group(1)), [1, 2, 4]);
        said.mentioned.push(5);
        assert_eq!(said.mentioned_words(), [1, 2, 4, 5]);
    }
}
