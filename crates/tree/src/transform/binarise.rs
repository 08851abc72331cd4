//! At most two children everywhere, and back.

use super::escape::{escape, split, unescape};
use super::head_rules::HeadRules;
use super::walk::{Step, children, is_preterminal, splice, steps};
use crate::{Text, Tree, TreeBuilder};
use std::num::NonZeroUsize;

/// The first character of a stand-in's label.
const STAND_IN: char = '@';
/// Before each ancestor of a label.
const ANCESTOR: char = '^';
/// Before each sibling that a stand-in remembers.
const SIBLING: char = '|';
const SPECIAL: [char; 3] = [STAND_IN, ANCESTOR, SIBLING];
/// What is remembered of a word that stands among constituents; no escaped label looks like it.
const BARE_WORD: &str = "\\w";

/// How a constituent with more than two children is split.
///
/// Each drawing shows `(X a b c d)`, in the last one with head b, with all that is remembered:
///
/// ```text
/// RightmostHead     X              Left        X              Right  X
///                  / \                        / \                   / \
///               @X|d  d                @X|a|b|c  d                 a   @X|d|c|b
///               / \                       / \                          / \
///          @X|d|c  c                 @X|a|b  c                        b   @X|d|c
///            / \                       / \                                / \
///           a   b                     a   b                              c   d
///
/// HeadOutward   X
///              / \
///             a   @X|b|c|d
///                 / \
///            @X|b|c  d
///              / \
///             b   c
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// The theses' scheme: the rightmost child is the head, and a stand-in holds the remaining children, of
    /// which the rightmost is the head again. A stand-in remembers the heads split off above it, which it
    /// does not contain; the nearest stands last.
    #[default]
    RightmostHead,
    /// Left-branching. A stand-in remembers the children it holds, the one next to the cut last.
    Left,
    /// Right-branching. A stand-in remembers the children it holds, the one next to the cut last.
    Right,
    /// The head is innermost; what follows it is joined first, from the inside out, then what precedes it.
    /// A stand-in remembers the children it holds in the order in which they were joined, the head first.
    HeadOutward(HeadRules),
}

/// How [`binarise`] splits constituents and what it writes on the nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binarisation {
    /// The shape.
    pub scheme: Scheme,
    /// How many siblings a stand-in remembers, the last ones as [`Scheme`] orders them; `None` for all, which
    /// makes labels as long as constituents are wide.
    pub horizontal: Option<usize>,
    /// 1 leaves labels alone, 2 adds the parent (`NP^S`), 3 the grandparent (`NP^S^TOP`), and so on.
    pub vertical: NonZeroUsize,
    /// Whether labels of preterminals get ancestors too.
    pub annotate_tags: bool,
}

impl Default for Binarisation {
    /// The theses' scheme without memory.
    fn default() -> Self {
        let vertical = NonZeroUsize::MIN;
        Self { scheme: Scheme::default(), horizontal: Some(0), vertical, annotate_tags: false }
    }
}

/// The tree with stand-ins `@X…`, so that no node has more than two children.
///
/// Unary chains stay. Words beside constituents are children like others. `@`, `^`, `|` and `\` in labels
/// are escaped with `\`, so that [`debinarise`] is the exact inverse for any labels.
pub fn binarise(tree: &Tree<Text>, options: &Binarisation) -> Tree<Text> {
    let mut binary = Binariser { tree, options, builder: TreeBuilder::new(), open: Vec::new() };
    for step in steps(tree) {
        match step {
            Step::Open(index) => binary.open(index),
            Step::Word(index) => binary.word(index),
            Step::Close(_) => binary.close(),
        }
    }
    binary.builder.finish().expect("stand-ins are nested and each is opened once and closed once")
}

/// The tree without stand-ins and ancestors. Exact inverse of [`binarise`], whatever its options; on other
/// trees, such as a parser's, each node whose label starts with `@` goes and its children move up.
pub fn debinarise(tree: &Tree<Text>) -> Tree<Text> {
    let nodes = tree.nodes();
    let is_stand_in = |index: usize| !nodes[index].is_word() && nodes[index].label.starts_with(STAND_IN);
    let plain = |index: usize| {
        let label = nodes[index].label.strip_prefix(STAND_IN).unwrap_or(&nodes[index].label);
        unescape(split(label, &[ANCESTOR, SIBLING]).next().unwrap_or_default())
    };
    splice(tree, |index| !is_stand_in(index), plain)
}

/// A constituent whose children are being written.
struct Open {
    node: usize,
    /// Stand-ins from the outermost to the innermost.
    stand_ins: Vec<StandIn>,
    /// How many of them have been opened.
    n_opened: usize,
    /// Which child comes next.
    next: usize,
}

/// The children `first..=last` under one label.
struct StandIn {
    first: usize,
    last: usize,
    label: Text,
}

struct Binariser<'a> {
    tree: &'a Tree<Text>,
    options: &'a Binarisation,
    builder: TreeBuilder<Text>,
    open: Vec<Open>,
}

impl Binariser<'_> {
    fn open(&mut self, node: usize) {
        self.before_child();
        let label = self.annotated(node);
        let stand_ins = self.stand_ins(node, &label);
        self.builder.open(label);
        self.open.push(Open { node, stand_ins, n_opened: 0, next: 0 });
    }

    fn word(&mut self, index: usize) {
        self.before_child();
        self.builder.word(self.tree.nodes()[index].label.clone());
        self.after_child();
    }

    fn close(&mut self) {
        self.builder.close();
        self.open.pop();
        self.after_child();
    }

    /// Opens the stand-ins that begin with the next child.
    fn before_child(&mut self) {
        let Some(parent) = self.open.last_mut() else { return };
        while let Some(begins) = parent.stand_ins.get(parent.n_opened).filter(|s| s.first == parent.next) {
            self.builder.open(begins.label.clone());
            parent.n_opened += 1;
        }
    }

    /// Closes the stand-ins that end with the child just written.
    fn after_child(&mut self) {
        let Some(parent) = self.open.last_mut() else { return };
        // Stand-ins are nested, so that those which end here are the innermost ones still open.
        while parent.stand_ins.pop_if(|s| s.last == parent.next).is_some() {
            self.builder.close();
        }
        parent.n_opened = parent.n_opened.min(parent.stand_ins.len());
        parent.next += 1;
    }

    /// The escaped label of `node` with as many ancestors as the options ask for.
    fn annotated(&self, node: usize) -> Text {
        let nodes = self.tree.nodes();
        let label = escape(&nodes[node].label, &SPECIAL);
        let n_ancestors = self.options.vertical.get() - 1;
        if n_ancestors == 0 || is_preterminal(self.tree, node) && !self.options.annotate_tags {
            return label;
        }
        let mut annotated = label.to_string();
        for above in self.open.iter().rev().take(n_ancestors) {
            annotated.push(ANCESTOR);
            annotated.push_str(&escape(&nodes[above.node].label, &SPECIAL));
        }
        annotated.into()
    }

    /// The stand-ins below `node` from the outermost to the innermost.
    fn stand_ins(&self, node: usize, label: &Text) -> Vec<StandIn> {
        let children: Vec<usize> = children(self.tree, node).collect();
        if children.len() < 3 {
            return Vec::new();
        }
        let memories: Vec<Text> = children.iter().map(|&child| self.memory_of(child)).collect();
        let last = children.len() - 1;
        let stand_in = |first: usize, last: usize, siblings: &mut dyn DoubleEndedIterator<Item = usize>| {
            StandIn { first, last, label: self.stand_in_label(label, siblings, &memories) }
        };
        // Each arm lists the siblings from the best remembered to the first forgotten.
        match &self.options.scheme {
            Scheme::RightmostHead => (1..last).rev().map(|k| stand_in(0, k, &mut (k + 1..=last))).collect(),
            Scheme::Left => (1..last).rev().map(|k| stand_in(0, k, &mut (0..=k).rev())).collect(),
            Scheme::Right => (1..last).map(|k| stand_in(k, last, &mut (k..=last))).collect(),
            Scheme::HeadOutward(rules) => {
                let head = self.head(rules, node, &children);
                let around = |first: usize, last: usize| {
                    let before = first..head;
                    let after = (head + 1..=last).rev();
                    stand_in(first, last, &mut before.chain(after).chain([head]))
                };
                let from_left = (1..=head.min(last - 1)).map(|first| around(first, last));
                from_left.chain((head + 1..last).rev().map(|last| around(head, last))).collect()
            }
        }
    }

    /// `@X|A|B` with the first `horizontal` of `siblings`, the first one last.
    fn stand_in_label(
        &self,
        label: &Text,
        siblings: &mut dyn DoubleEndedIterator<Item = usize>,
        memories: &[Text],
    ) -> Text {
        let horizontal = self.options.horizontal.unwrap_or(usize::MAX);
        let remembered: Vec<usize> = siblings.take(horizontal).collect();
        let mut written = format!("{STAND_IN}{label}");
        for &sibling in remembered.iter().rev() {
            written.push(SIBLING);
            written.push_str(&memories[sibling]);
        }
        written.into()
    }

    fn memory_of(&self, child: usize) -> Text {
        let node = &self.tree.nodes()[child];
        if node.is_word() { BARE_WORD.into() } else { escape(&node.label, &SPECIAL) }
    }

    fn head(&self, rules: &HeadRules, node: usize, children: &[usize]) -> usize {
        let nodes = self.tree.nodes();
        let labels: Vec<&str> = children.iter().map(|&child| nodes[child].label.as_str()).collect();
        rules.head(&nodes[node].label, &labels).unwrap_or(0)
    }
}
