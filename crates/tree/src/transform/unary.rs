//! Unary chains: X over nothing but Y over nothing but Z.
//!
//! Grammars in Chomsky normal form have no unary rules. [`collapse`] writes a chain as one node with the
//! joint label `X+Y+Z`, and [`expand`] takes it apart again.

use super::escape::{escape, split, unescape};
use super::walk::{Step, is_preterminal, only_constituent, splice, steps};
use crate::{Text, Tree, TreeBuilder};

/// Between the labels of a chain.
const JOINT: char = '+';

/// Which nodes take part in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chains {
    /// Whether a phrase over nothing but a preterminal is joined with it: `(NP (NN x))` to `(NP+NN x)`.
    pub preterminals: bool,
    /// Whether the topmost node is joined with its only child: `(TOP (S …))` to `(TOP+S …)`.
    pub top: bool,
}

impl Default for Chains {
    /// Chomsky normal form with an outer bracket: preterminals take part, the topmost node does not.
    fn default() -> Self {
        Self { preterminals: true, top: false }
    }
}

/// Which label of a chain [`drop`] leaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// The uppermost one.
    #[default]
    Highest,
    /// The lowest one.
    Lowest,
}

/// The tree with each chain as one node; `+` and `\` in labels are escaped with `\`.
///
/// ```text
///     (TOP (S (VP (VB Go))))  ↔  (TOP (S+VP+VB Go))
/// ```
/// Labels of all constituents are escaped, of those outside chains too, so that [`expand`] is the exact
/// inverse for any labels.
pub fn collapse(tree: &Tree<Text>, chains: Chains) -> Tree<Text> {
    let nodes = tree.nodes();
    let joint = |index: usize| {
        let mut joint = String::new();
        for part in chain_from(tree, index, chains) {
            if part != index {
                joint.push(JOINT);
            }
            joint.push_str(&escape(&nodes[part].label, &[JOINT]));
        }
        joint.into()
    };
    splice(tree, |index| !continues_chain(tree, index, chains), joint)
}

/// The tree with each joint label taken apart into a chain. Exact inverse of [`collapse`], whatever
/// [`Chains`] it was called with.
pub fn expand(tree: &Tree<Text>) -> Tree<Text> {
    let mut builder = TreeBuilder::new();
    for step in steps(tree) {
        match step {
            Step::Open(index) => {
                split(&tree.nodes()[index].label, &[JOINT]).for_each(|part| builder.open(unescape(part)));
            }
            Step::Word(index) => builder.word(tree.nodes()[index].label.clone()),
            Step::Close(index) => {
                split(&tree.nodes()[index].label, &[JOINT]).for_each(|_| _ = builder.close());
            }
        }
    }
    builder.finish().expect("each part of a label is opened once and closed once")
}

/// The tree with each chain as one node that has only one of its labels.
///
/// This is how Sun (2016, §2.4.2) removes unary chains. The other labels are lost and there is no way
/// back, so that no parse can have all brackets of the original tree. Labels are not escaped.
pub fn drop(tree: &Tree<Text>, chains: Chains, keep: Keep) -> Tree<Text> {
    let kept_label = |index: usize| {
        let mut chain = chain_from(tree, index, chains);
        let kept = if keep == Keep::Highest { chain.next() } else { chain.last() };
        tree.nodes()[kept.unwrap_or(index)].label.clone()
    };
    splice(tree, |index| !continues_chain(tree, index, chains), kept_label)
}

/// The labels of which a joint label consists, from the highest to the lowest.
pub fn parts(joint: &str) -> impl Iterator<Item = Text> {
    split(joint, &[JOINT]).map(unescape)
}

/// Nodes of the chain that starts at constituent `index`, downwards; at least `index` itself.
fn chain_from(tree: &Tree<Text>, index: usize, chains: Chains) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(index), move |&node| {
        only_constituent(tree, node).filter(|&child| continues_chain(tree, child, chains))
    })
}

/// Whether constituent `index`, not the topmost one, is joined with the node before it.
fn continues_chain(tree: &Tree<Text>, index: usize, chains: Chains) -> bool {
    let above = index - 1;
    !tree.nodes()[above].is_word()
        && only_constituent(tree, above) == Some(index)
        && (chains.top || above != 0)
        && (chains.preterminals || !is_preterminal(tree, index))
}
