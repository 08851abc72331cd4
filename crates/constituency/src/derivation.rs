//! An annotated tree as the list of its rules in preorder.

use forest::Edge;
use forest::substates::RefinedStep;
use forest::substates::fixed::{Below, Node};
use grammar::{Inventory, Sizes, Tensors};
use serde::{Deserialize, Serialize};

/// A rule with the annotations of its head and its parts; 0 where there is no part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Use {
    /// The rule.
    pub rule: u32,
    /// The annotation of what is expanded.
    pub head: u8,
    /// The annotations of its parts.
    pub parts: [u8; 2],
}

/// The uses of a given tree whose nodes have these annotations.
pub fn of_tree(nodes: &[Node], annotations: &[u32], uses: &mut Vec<Use>) {
    uses.clear();
    uses.extend(nodes.iter().zip(annotations).map(|(node, &head)| {
        let at = |child: u32| annotations[child as usize] as u8;
        let parts = match node.below {
            Below::Leaf => [0, 0],
            Below::One(child) => [at(child), 0],
            Below::Two(left, right) => [at(left), at(right)],
        };
        Use { rule: node.rule, head: head as u8, parts }
    }));
}

/// The uses of a derivation that was drawn.
pub fn of_steps(steps: &[RefinedStep]) -> Vec<Use> {
    let use_of = |step: &RefinedStep| Use {
        rule: step.step.rule,
        head: step.head as u8,
        parts: [step.tails[0] as u8, step.tails[1] as u8],
    };
    steps.iter().map(use_of).collect()
}

/// The nodes of a list of rules in preorder, for [`forest::substates::fixed`].
pub fn nodes(inventory: &Inventory, rules: impl Iterator<Item = u32>) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut hooks: Vec<(usize, bool)> = Vec::new();
    for rule in rules {
        let place = nodes.len();
        if let Some((parent, right)) = hooks.pop() {
            match &mut nodes[parent].below {
                Below::Two(_, other) if right => *other = place as u32,
                Below::One(child) | Below::Two(child, _) => *child = place as u32,
                Below::Leaf => {}
            }
        }
        let below = if inventory.is_lexical(rule) {
            Below::Leaf
        } else if inventory.rules().parts(rule).2.is_some() {
            hooks.extend([(place, true), (place, false)]);
            Below::Two(0, 0)
        } else {
            hooks.push((place, false));
            Below::One(0)
        };
        nodes.push(Node { rule, below });
    }
    nodes
}

/// The steps of a list of rules in preorder over spans, for [`grammar::Codec::decode`]: only the shape counts.
pub fn edge_of(inventory: &Inventory, rule: u32) -> Edge {
    let nowhere = forest::Item(0);
    if inventory.is_lexical(rule) {
        Edge::Leaf
    } else if inventory.rules().parts(rule).2.is_some() {
        Edge::Two(nowhere, nowhere)
    } else {
        Edge::One(nowhere)
    }
}

/// Adds one for every use.
pub fn add_counts(inventory: &Inventory, sizes: &Sizes, uses: &[Use], counts: &mut Tensors) {
    for used in uses {
        let (_, right) = inventory.widths(sizes, used.rule);
        let column = usize::from(used.parts[0]) * right + usize::from(used.parts[1]);
        counts.row_mut(used.rule, usize::from(used.head))[column] += 1.0;
    }
}

/// Gives every node a new annotation; a node that stays what it is hands its own down.
pub fn relabel(inventory: &Inventory, uses: &mut [Use], mut change: impl FnMut(grammar::Category, u8) -> u8) {
    // Which part of which use the next node is.
    let mut hooks: Vec<(usize, usize)> = Vec::new();
    for at in 0..uses.len() {
        let used = uses[at];
        let above = hooks.pop();
        let kept = above.filter(|&(parent, _)| inventory.rules().is_stay(uses[parent].rule));
        let head = match kept {
            Some((parent, _)) => uses[parent].head,
            None => change(inventory.head(used.rule), used.head),
        };
        uses[at].head = head;
        if let Some((parent, part)) = above {
            uses[parent].parts[part] = head;
        }
        match edge_of(inventory, used.rule) {
            Edge::Leaf => {}
            Edge::One(_) => hooks.push((at, 0)),
            Edge::Two(_, _) => hooks.extend([(at, 1), (at, 0)]),
        }
    }
}

/// The derivation over a chart that a list of rules in preorder stands for.
pub fn placed(inventory: &Inventory, spans: forest::Spans, rules: &[u32]) -> forest::Derivation {
    let nodes = nodes(inventory, rules.iter().copied());
    let mut n_words = vec![0u32; nodes.len()];
    for (at, node) in nodes.iter().enumerate().rev() {
        n_words[at] = match node.below {
            Below::Leaf => 1,
            Below::One(child) => n_words[child as usize],
            Below::Two(left, right) => n_words[left as usize] + n_words[right as usize],
        };
    }
    let mut starts = vec![0u32; nodes.len()];
    let mut steps = Vec::with_capacity(nodes.len());
    for (at, node) in nodes.iter().enumerate() {
        let item =
            |at: usize, start: u32| spans.item(inventory.head(nodes[at].rule).0, start, start + n_words[at]);
        let start = starts[at];
        let (split, edge) = match node.below {
            Below::Leaf => (0, Edge::Leaf),
            Below::One(child) => {
                starts[child as usize] = start;
                (0, Edge::One(item(child as usize, start)))
            }
            Below::Two(left, right) => {
                let middle = start + n_words[left as usize];
                starts[left as usize] = start;
                starts[right as usize] = middle;
                (middle - start - 1, Edge::Two(item(left as usize, start), item(right as usize, middle)))
            }
        };
        steps.push(forest::Step { item: item(at, start), rule: node.rule, split, edge });
    }
    forest::Derivation { steps }
}
