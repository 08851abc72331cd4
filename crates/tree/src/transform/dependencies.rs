//! From constituents to dependencies by head rules.

use super::head_rules::HeadRules;
use super::walk::children;
use crate::{Heads, Text, Tree};

/// A dependency tree with a relation for each word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependencies {
    /// The head of each word.
    pub heads: Heads,
    /// The relation of each word to its head, in word order.
    pub relations: Vec<Text>,
}

/// The relation of a word that stands directly under a phrase without being its head.
const NO_RELATION: &str = "_";

/// The dependencies that `rules` find in `tree`.
///
/// The head of a constituent is the head of its head child; the heads of its other children depend on it.
/// The relation of a word is the label of its maximal projection: the highest constituent it heads, for
/// the root word the topmost label; a bare word that heads nothing has `_`. A tree with words has exactly
/// one root; constituents without words count for nothing. Linear time.
///
/// ```text
/// (S (NP (DT the) (NN dog)) (VP (VBZ barks)))    the ─DT→ dog ─NP→ barks ─S→ root
/// ```
pub fn to_dependencies(tree: &Tree<Text>, rules: &HeadRules) -> Dependencies {
    let head_children = head_children(tree, rules);
    let head_words = head_words(tree, &head_children);
    let n_words = tree.n_words();
    let mut heads = vec![0; n_words];
    let mut relations = vec![Text::from(NO_RELATION); n_words];
    for (parent, &head_child) in head_children.iter().enumerate() {
        // The topmost node has no parent; it is the maximal projection of the root word.
        if let (0, Some(root)) = (parent, head_words[0]) {
            relations[root - 1] = relation(tree, 0);
        }
        let (Some(head_child), Some(head)) = (head_child, head_words[parent]) else { continue };
        for child in children(tree, parent).filter(|&child| child != head_child) {
            let Some(word) = head_words[child] else { continue };
            heads[word - 1] = u32::try_from(head).expect("a tree has fewer than four thousand million words");
            relations[word - 1] = relation(tree, child);
        }
    }
    let heads = Heads::new(heads).expect("each word depends on the head of a constituent that contains both");
    Dependencies { heads, relations }
}

fn relation(tree: &Tree<Text>, node: usize) -> Text {
    let node = &tree.nodes()[node];
    if node.is_word() { NO_RELATION.into() } else { node.label.clone() }
}

/// The head child of each constituent that has words; `None` for words and empty constituents.
fn head_children(tree: &Tree<Text>, rules: &HeadRules) -> Vec<Option<usize>> {
    let nodes = tree.nodes();
    let offsets = tree.word_offsets();
    let has_words = |index: usize| offsets[index] < offsets[index + nodes[index].size()];
    let head_child = |parent: usize| {
        let able: Vec<usize> = children(tree, parent).filter(|&child| has_words(child)).collect();
        let labels: Vec<&str> = able.iter().map(|&child| nodes[child].label.as_str()).collect();
        rules.head(&nodes[parent].label, &labels).map(|head| able[head])
    };
    (0..nodes.len()).map(|index| if nodes[index].is_word() { None } else { head_child(index) }).collect()
}

/// The word (from 1) that heads each node, found from the bottom up: children follow their parents.
fn head_words(tree: &Tree<Text>, head_children: &[Option<usize>]) -> Vec<Option<usize>> {
    let nodes = tree.nodes();
    let offsets = tree.word_offsets();
    let mut head_words = vec![None; nodes.len()];
    for index in (0..nodes.len()).rev() {
        head_words[index] = match head_children[index] {
            Some(child) => head_words[child],
            None => nodes[index].is_word().then(|| offsets[index] + 1),
        };
    }
    head_words
}
