//! Walking a tree as a list of steps, as a bracket reader would see it.

use crate::{Text, Tree, TreeBuilder};

/// One step of a walk from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The constituent with this preorder index begins.
    Open(usize),
    /// The word with this preorder index.
    Word(usize),
    /// The constituent with this preorder index ends.
    Close(usize),
}

/// All steps of `tree`. Linear time, memory in the depth of the tree.
pub(super) fn steps<L>(tree: &Tree<L>) -> impl Iterator<Item = Step> {
    let nodes = tree.nodes();
    let mut open: Vec<usize> = Vec::new();
    let mut next = 0;
    std::iter::from_fn(move || {
        if let Some(index) = open.pop_if(|index| *index + nodes[*index].size() == next) {
            return Some(Step::Close(index));
        }
        let node = nodes.get(next)?;
        let index = next;
        next += 1;
        if node.is_word() {
            return Some(Step::Word(index));
        }
        open.push(index);
        Some(Step::Open(index))
    })
}

/// Preorder indices of the children of node `parent`.
pub(super) fn children<L>(tree: &Tree<L>, parent: usize) -> impl Iterator<Item = usize> {
    let nodes = tree.nodes();
    let end = parent + nodes[parent].size();
    let mut next = parent + 1;
    std::iter::from_fn(move || {
        let child = next;
        (child < end).then(|| {
            next += nodes[child].size();
            child
        })
    })
}

/// Whether node `index` is a constituent whose only child is a word.
pub(super) fn is_preterminal<L>(tree: &Tree<L>, index: usize) -> bool {
    tree.nodes()[index].size() == 2 && tree.nodes()[index + 1].is_word()
}

/// The only child of constituent `index`, if it has one and that is a constituent.
pub(super) fn only_constituent<L>(tree: &Tree<L>, index: usize) -> Option<usize> {
    let nodes = tree.nodes();
    let child = nodes.get(index + 1).filter(|child| child.size() + 1 == nodes[index].size())?;
    (!child.is_word()).then_some(index + 1)
}

/// The tree without the constituents for which `keep` is false; their children move up.
///
/// The topmost node always stays, so that what remains is one tree.
pub(super) fn splice(
    tree: &Tree<Text>,
    mut keep: impl FnMut(usize) -> bool,
    mut label: impl FnMut(usize) -> Text,
) -> Tree<Text> {
    let mut builder = TreeBuilder::new();
    let kept: Vec<bool> = (0..tree.nodes().len()).map(|index| index == 0 || keep(index)).collect();
    for step in steps(tree) {
        match step {
            Step::Open(index) if kept[index] => builder.open(label(index)),
            Step::Word(index) => builder.word(tree.nodes()[index].label.clone()),
            Step::Close(index) if kept[index] => _ = builder.close(),
            _ => {}
        }
    }
    builder.finish().expect("every step of a tree that opens is followed by one that closes")
}
