//! What an annotator said: a partial tree.

use crate::{Place, Sentence, TokenId, Tree};
use thiserror::Error;

/// A partial dependency annotation of one sentence, after FUDG (Schneider et al. 2013).
///
/// It says only what was said. Nothing is derived here and, the fields being public, nothing is checked:
/// words and groups that do not exist, two heads for one word, a cycle, crossing brackets are found when
/// [`Constraints`](crate::Constraints) are built from it, which names the places.
///
/// ```
/// use tree::{Arc, Node, PartialTree, Place};
///
/// // Of "the old dog sleeps" an annotator said that "the" depends on "dog", and no more.
/// let mut said = PartialTree::new(4);
/// said.arcs.push(Arc { head: Node::Word(3), dependent: Node::Word(1), place: Place::default() });
/// assert_eq!(said.mentioned_words(), [1, 3]);
/// ```
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
    /// Nodes that depend on some word, whichever: their relation was said, and it is not that of a root.
    pub dependents: Vec<(Node, Place)>,
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

/// How many words the brackets of [`PartialTree::from_tree`] may hold, each counted once per bracket.
pub const MAX_BRACKETED_WORDS: usize = 10_000_000;

/// Why a constituency tree cannot be a partial annotation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FromTreeError {
    /// So many nested constituents over so many words that listing them is out of the question.
    #[error(
        "the constituents of the tree hold {n_words} words together, and more than {} are too many to list; split the sentence",
        MAX_BRACKETED_WORDS
    )]
    TooLarge {
        /// Lengths of all constituents together.
        n_words: usize,
    },
}

impl PartialTree {
    /// Nothing said about a sentence of `n_words`.
    pub fn new(n_words: usize) -> Self {
        Self { n_words, ..Self::default() }
    }

    /// What the heads of a CoNLL-U sentence say: an open head says nothing. Multiword ranges are
    /// orthographic there and say nothing about the tree.
    ///
    /// Words are numbered by position, whatever their ids, so that every word is one of `1..=n_words`; of
    /// several words with one id the first is meant. A head that is the id of no word says nothing here:
    /// the reader of the file has reported it.
    pub fn from_sentence(sentence: &Sentence) -> Self {
        let ids = word_ids(sentence);
        let position = |id: u32| {
            let found = ids.get(ids.partition_point(|&(other, _)| other < id));
            found.filter(|&&(other, _)| other == id).map(|&(_, position)| position)
        };
        let mut said = Self::new(sentence.n_words());
        for (word, token) in (1..).zip(sentence.words()) {
            let dependent = Node::Word(word);
            match token.head.index() {
                Some(0) => said.roots.push((dependent, Place::default())),
                Some(head) => said.arcs.extend(position(head).map(|head| Arc {
                    head: Node::Word(head),
                    dependent,
                    place: Place::default(),
                })),
                None => {}
            }
        }
        said
    }

    /// What a constituency tree says of dependencies: each constituent of more than one word and fewer than
    /// all is a bracket without a head, and its members are all its words. Constituents over the same words
    /// are one bracket; brackets stand by their first words, the longest first.
    ///
    /// The lists together have as many members as the constituents have words, which is n²/2 for trees that
    /// branch to one side; above [`MAX_BRACKETED_WORDS`] that is an error.
    pub fn from_tree<L>(tree: &Tree<L>) -> Result<Self, FromTreeError> {
        let mut said = Self::new(tree.n_words());
        let mut spans: Vec<_> = tree.constituents().into_iter().map(|(_, _, span)| span).collect();
        spans.retain(|span| span.len() > 1 && span.len() < said.n_words);
        spans.sort_unstable_by_key(|span| (span.start(), std::cmp::Reverse(span.end())));
        spans.dedup();
        let n_words = spans.iter().fold(0usize, |sum, span| sum.saturating_add(span.len()));
        if n_words > MAX_BRACKETED_WORDS {
            return Err(FromTreeError::TooLarge { n_words });
        }
        for span in spans {
            let members = (span.start() + 1..=span.end()).map(Node::Word).collect();
            let kind = GroupKind::Bracket { members, head: None };
            said.groups.push(Group { kind, place: Place::default() });
        }
        Ok(said)
    }

    /// Says all that `other` says of the same sentence, too.
    pub fn add(&mut self, other: Self) {
        let n_groups = self.groups.len();
        let node = |node: Node| match node {
            Node::Word(word) => Node::Word(word),
            Node::Group(group) => Node::Group(n_groups + group),
        };
        let nodes = |nodes: Vec<Node>| nodes.into_iter().map(node).collect();
        let arc = |arc: Arc| Arc { head: node(arc.head), dependent: node(arc.dependent), place: arc.place };
        self.groups.extend(other.groups.into_iter().map(|Group { kind, place }| {
            let kind = match kind {
                GroupKind::Multiword { words } => GroupKind::Multiword { words },
                GroupKind::Bracket { members, head } => {
                    GroupKind::Bracket { members: nodes(members), head: head.map(node) }
                }
                GroupKind::Coordination { name, conjuncts, coordinators } => GroupKind::Coordination {
                    name,
                    conjuncts: nodes(conjuncts),
                    coordinators: nodes(coordinators),
                },
            };
            Group { kind, place }
        }));
        self.arcs.extend(other.arcs.into_iter().map(arc));
        self.forbidden.extend(other.forbidden.into_iter().map(arc));
        self.roots.extend(other.roots.into_iter().map(|(root, place)| (node(root), place)));
        self.dependents.extend(other.dependents.into_iter().map(|(one, place)| (node(one), place)));
        let link = |(one, two, place)| (node(one), node(two), place);
        self.anaphora.extend(other.anaphora.into_iter().map(link));
        self.mentioned.extend(other.mentioned);
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
        let roots = self.roots.iter().chain(&self.dependents).map(|&(node, _)| node);
        let links = self.anaphora.iter().flat_map(|&(one, other, _)| [one, other]);
        let nodes = groups.chain(arcs).chain(roots).chain(links);
        let mut words: Vec<usize> = nodes.flat_map(|node| self.words_of(node)).collect();
        words.extend(&self.mentioned);
        words.sort_unstable();
        words.dedup();
        words
    }
}

/// Id and position (from 1) of each word, by id and then by position.
fn word_ids(sentence: &Sentence) -> Vec<(u32, usize)> {
    let ids = sentence.words().filter_map(|token| match token.id {
        TokenId::Word(id) => Some(id),
        _ => None,
    });
    let mut ids: Vec<(u32, usize)> = ids.zip(1..).collect();
    ids.sort_unstable();
    ids
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Constraints, Head, Reading, Token, TreeBuilder};
    use proptest::prelude::*;

    fn sentence(words: impl IntoIterator<Item = (u32, Head)>) -> Sentence {
        let tokens = words.into_iter().map(|(id, head)| Token { head, ..Token::word(id, "w") }).collect();
        Sentence { tokens, ..Sentence::default() }
    }

    fn arcs(said: &PartialTree) -> Vec<(Node, Node)> {
        said.arcs.iter().map(|arc| (arc.head, arc.dependent)).collect()
    }

    #[test]
    fn heads_that_do_not_exist_say_nothing() {
        let said = PartialTree::from_sentence(&sentence([(1, Head::Of(9)), (2, Head::Of(1))]));
        assert_eq!(arcs(&said), [(Node::Word(1), Node::Word(2))]);
        let between = PartialTree::from_sentence(&sentence([(1, Head::Of(3)), (5, Head::Of(1))]));
        assert_eq!(arcs(&between), [(Node::Word(1), Node::Word(2))]);
    }

    #[test]
    fn words_are_numbered_by_position_whatever_their_ids() {
        let said = PartialTree::from_sentence(&sentence([(1, Head::Of(5)), (5, Head::Of(0))]));
        assert_eq!(arcs(&said), [(Node::Word(2), Node::Word(1))]);
        assert_eq!(said.roots, [(Node::Word(2), Place::default())]);
        let twice =
            PartialTree::from_sentence(&sentence([(3, Head::Open), (3, Head::Open), (1, Head::Of(3))]));
        assert_eq!(arcs(&twice), [(Node::Word(1), Node::Word(3))]);
    }

    #[test]
    fn constituents_of_several_words_and_not_all_are_brackets() {
        let mut builder = TreeBuilder::new();
        // (S (NP a (X b)) (VP (V c d) e)), with a second node over c d.
        for symbol in "S( NP( a X( b ) ) VP( V( W( c d ) ) e ) )".split(' ') {
            match symbol.strip_suffix('(') {
                Some(label) => builder.open(label),
                None if symbol == ")" => assert!(builder.close()),
                None => builder.word(symbol),
            }
        }
        let said = PartialTree::from_tree(&builder.finish().unwrap()).unwrap();
        let words: Vec<_> = (0..said.groups.len()).map(|group| said.words_of(Node::Group(group))).collect();
        assert_eq!((said.n_words, words), (5, vec![vec![1, 2], vec![3, 4, 5], vec![3, 4]]));
        assert!(said.groups.iter().all(|group| matches!(group.kind, GroupKind::Bracket { head: None, .. })));
    }

    /// A tree over `n` words in which every constituent is a word and a smaller constituent.
    fn right_branching(n: usize) -> Tree<()> {
        let mut builder = TreeBuilder::new();
        for _ in 0..n {
            builder.open(());
            builder.word(());
        }
        while builder.close() {}
        builder.finish().unwrap()
    }

    #[test]
    fn trees_with_too_many_bracketed_words_are_refused() {
        // Spans of 2 to n − 1 words: n(n − 1)/2 − 1 in all, just below ten million for n = 4472.
        assert_eq!(PartialTree::from_tree(&right_branching(4_472)).unwrap().groups.len(), 4_470);
        let refused = PartialTree::from_tree(&right_branching(4_473)).unwrap_err();
        assert_eq!(refused, FromTreeError::TooLarge { n_words: 4_473 * 4_472 / 2 - 1 });
        let deep = PartialTree::from_tree(&right_branching(50_000));
        assert!(matches!(deep, Err(FromTreeError::TooLarge { .. })));
    }

    #[test]
    fn what_is_added_keeps_its_own_groups() {
        let bracket = |members: Vec<Node>| Group {
            kind: GroupKind::Bracket { members, head: None },
            place: Place::default(),
        };
        let mut said = PartialTree::new(4);
        said.groups.push(bracket(vec![Node::Word(1), Node::Word(2)]));
        let mut other = PartialTree::new(4);
        other.groups.push(bracket(vec![Node::Word(3), Node::Word(4)]));
        other.groups.push(bracket(vec![Node::Group(0), Node::Word(2)]));
        let place = Place::default();
        other.arcs.push(Arc { head: Node::Word(1), dependent: Node::Group(1), place });
        said.add(other);
        assert_eq!(said.words_of(Node::Group(2)), [2, 3, 4]);
        assert_eq!(arcs(&said), [(Node::Word(1), Node::Group(2))]);
    }

    #[test]
    fn the_head_of_an_added_bracket_is_one_of_its_members() {
        let headed = |members: Vec<Node>| {
            let head = members.first().copied();
            Group { kind: GroupKind::Bracket { members, head }, place: Place::default() }
        };
        let mut said = PartialTree::new(4);
        said.groups.push(headed(vec![Node::Word(1), Node::Word(2)]));
        let mut other = PartialTree::new(4);
        other.groups.push(headed(vec![Node::Word(2), Node::Word(3)]));
        other.groups.push(headed(vec![Node::Group(0), Node::Word(4)]));
        said.add(other);
        assert_eq!(said.groups[2], headed(vec![Node::Group(1), Node::Word(4)]));
    }

    proptest! {
        #[test]
        fn every_word_exists_however_odd_ids_and_heads_are(
            words in prop::collection::vec((0u32..6, prop::option::of(0u32..8), 0u32..5), 0..6),
        ) {
            let words = words.into_iter().map(|(id, head, far)| {
                let id = if far == 0 { u32::MAX - id } else { id };
                (id, head.map_or(Head::Open, |head| if far == 1 { Head::Of(u32::MAX - head) } else { Head::Of(head) }))
            });
            let said = PartialTree::from_sentence(&sentence(words));
            let nodes = said.arcs.iter().flat_map(|arc| [arc.head, arc.dependent]);
            for node in nodes.chain(said.roots.iter().map(|&(node, _)| node)) {
                prop_assert!(matches!(node, Node::Word(word) if (1..=said.n_words).contains(&word)));
            }
            let _ = Constraints::from_partial(&said, &Reading::default());
        }
    }

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
