//! Trees of the grammar.

use serde::{Deserialize, Serialize};
use tree::Span;

use super::CnfShape;

/// A label over the words `start..end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Node {
    /// A nonterminal, or a preterminal over one word.
    pub label: u32,
    /// The first word, from 0.
    pub start: u32,
    /// The word after the last.
    pub end: u32,
}

/// A binary tree as its nodes in preorder, left before right. Empty where a sentence has none.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Tree {
    /// 2n − 1 nodes over n words.
    pub nodes: Vec<Node>,
}

impl Tree {
    /// The children of a node, by number; `None` for preterminals.
    pub fn children(&self, node: usize) -> Option<(usize, usize)> {
        let Node { start, end, .. } = self.nodes[node];
        if end - start < 2 {
            return None;
        }
        // The left child and all below it come first: 2m − 1 nodes over m words.
        let split = self.nodes[node + 1].end;
        Some((node + 1, node + 2 * (split - start) as usize))
    }

    /// Shows the events of the tree over a sentence.
    pub fn events(&self, shape: &CnfShape, words: &[u32], mut event: impl FnMut(usize)) {
        let label = |node: usize| self.nodes[node].label as usize;
        if !self.nodes.is_empty() {
            event(shape.root(label(0)));
        }
        for (at, node) in self.nodes.iter().enumerate() {
            match self.children(at) {
                Some((left, right)) => event(shape.rule(label(at), label(left), label(right))),
                None => shape.emit(label(at), words[node.start as usize]).into_iter().for_each(&mut event),
            }
        }
    }

    /// The brackets: nodes over two words or more, outer before inner.
    pub fn brackets(&self) -> Vec<Span> {
        let wide = self.nodes.iter().filter(|node| node.end - node.start > 1);
        wide.filter_map(|node| Span::new(node.start as usize, node.end as usize)).collect()
    }
}
