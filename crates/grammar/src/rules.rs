//! The coarse grammar: categories and the rules between them, before any latent annotation.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use tree::Text;

/// What a chart cell can hold, by number.
///
/// Numbers rise from [`Level::Inner`] over [`Level::Outer`] to the root, so within one span everything that a
/// unary rule leads to has a smaller number than what it starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Category(pub u32);

impl Category {
    /// The place in tables by category.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Which part of a node a category stands for.
///
/// A node first chooses whether to step through a unary chain (outer), then how to expand (inner). Because
/// the two choices are apart, at most one chain can stand over a span and all distributions are proper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Level {
    /// Expands into two parts or into a word.
    Inner,
    /// Stays what it is, or steps down a chain to another label. Labels that never do so have no outer level.
    Outer,
    /// Stands above the topmost label of a tree.
    Root,
}

/// A category's label and level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CategoryInfo {
    /// The label, as an index into [`Rules::labels`]; unused for the root.
    pub label: u32,
    /// The part of the node.
    pub level: Level,
    /// Whether it is seen right above words: whether it is a tag.
    pub has_words: bool,
}

/// A step from an outer category, or the root, to an inner one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Unary {
    /// Where it starts.
    pub head: Category,
    /// Where it ends.
    pub tail: Category,
    /// `None` if the node stays what it is and keeps its annotation; otherwise the labels between the two ends.
    pub chain: Option<Vec<u32>>,
}

/// An expansion into two parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Binary {
    /// What is expanded: an inner category.
    pub head: Category,
    /// The left part.
    pub left: Category,
    /// The right part.
    pub right: Category,
}

/// Categories and rules of a treebank.
///
/// Rules are numbered: unary ones first, then binary ones, each sorted by head.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    labels: Vec<Text>,
    categories: Vec<CategoryInfo>,
    unary: Vec<Unary>,
    binary: Vec<Binary>,
    unary_ranges: Vec<Range<u32>>,
    binary_ranges: Vec<Range<u32>>,
    joint_labels: bool,
}

impl Rules {
    /// Sorts the rules; the categories must stand in the order that [`Category`] asks for, the root last.
    pub(crate) fn new(
        labels: Vec<Text>,
        categories: Vec<CategoryInfo>,
        mut unary: Vec<Unary>,
        mut binary: Vec<Binary>,
    ) -> Rules {
        unary.sort_unstable();
        binary.sort_unstable();
        let n = categories.len();
        let unary_ranges = ranges(n, unary.iter().map(|rule| rule.head));
        let binary_ranges = ranges(n, binary.iter().map(|rule| rule.head));
        Rules { labels, categories, unary, binary, unary_ranges, binary_ranges, joint_labels: false }
    }

    /// The labels, stand-ins of binarisation included.
    pub fn labels(&self) -> &[Text] {
        &self.labels
    }

    /// Says that a label may be a whole chain, joined.
    pub(crate) fn with_joint_labels(self, joint_labels: bool) -> Rules {
        Rules { joint_labels, ..self }
    }

    /// Whether a label may be a whole chain, joined; otherwise a `+` in it means nothing.
    pub fn joint_labels(&self) -> bool {
        self.joint_labels
    }

    /// All categories in order.
    pub fn categories(&self) -> &[CategoryInfo] {
        &self.categories
    }

    /// How many categories there are.
    pub fn n_categories(&self) -> usize {
        self.categories.len()
    }

    /// How many unary and binary rules there are.
    pub fn n_rules(&self) -> usize {
        self.unary.len() + self.binary.len()
    }

    /// The category of the whole.
    pub fn root(&self) -> Category {
        Category(self.categories.len() as u32 - 1)
    }

    /// Label and level of a category.
    pub fn info(&self, category: Category) -> &CategoryInfo {
        &self.categories[category.index()]
    }

    /// The text of a category's label; empty for the root.
    pub fn label(&self, category: Category) -> &str {
        let info = self.info(category);
        if info.level == Level::Root { "" } else { &self.labels[info.label as usize] }
    }

    /// Unary rules by number.
    pub fn unary(&self) -> &[Unary] {
        &self.unary
    }

    /// Binary rules; the first has the number `unary().len()`.
    pub fn binary(&self) -> &[Binary] {
        &self.binary
    }

    /// The number of the first binary rule.
    pub fn first_binary(&self) -> u32 {
        self.unary.len() as u32
    }

    /// The unary rules of a head.
    pub fn unary_of(&self, head: Category) -> impl Iterator<Item = (u32, &Unary)> {
        let range = self.unary_ranges[head.index()].clone();
        range.map(|rule| (rule, &self.unary[rule as usize]))
    }

    /// The binary rules of a head.
    #[inline]
    pub fn binary_of(&self, head: Category) -> impl Iterator<Item = (u32, &Binary)> {
        let range = &self.binary_ranges[head.index()];
        let rules = &self.binary[range.start as usize..range.end as usize];
        (range.start + self.first_binary()..).zip(rules)
    }

    /// The number of a unary rule.
    pub fn find_unary(&self, rule: &Unary) -> Option<u32> {
        self.unary.binary_search(rule).ok().map(|at| at as u32)
    }

    /// The number of a binary rule.
    pub fn find_binary(&self, rule: &Binary) -> Option<u32> {
        self.binary.binary_search(rule).ok().map(|at| at as u32 + self.first_binary())
    }

    /// Head and tails of a rule.
    pub fn parts(&self, rule: u32) -> (Category, Category, Option<Category>) {
        match self.unary.get(rule as usize) {
            Some(rule) => (rule.head, rule.tail, None),
            None => {
                let rule = self.binary[(rule - self.first_binary()) as usize];
                (rule.head, rule.left, Some(rule.right))
            }
        }
    }

    /// Whether a rule leaves label and annotation as they are.
    pub fn is_stay(&self, rule: u32) -> bool {
        self.unary.get(rule as usize).is_some_and(|rule| rule.chain.is_none())
    }

    /// The outer category of a label if it has one, otherwise its inner one.
    pub(crate) fn uppermost(&self, label: u32) -> Option<Category> {
        let is = |level| {
            let found = self.categories.iter().position(|info| info.label == label && info.level == level);
            found.map(|at| Category(at as u32))
        };
        is(Level::Outer).or_else(|| is(Level::Inner))
    }
}

fn ranges(n_heads: usize, heads: impl Iterator<Item = Category>) -> Vec<Range<u32>> {
    let mut ranges = vec![0..0; n_heads];
    for (at, head) in (0u32..).zip(heads) {
        let range: &mut Range<u32> = &mut ranges[head.index()];
        if range.end == range.start {
            *range = at..at;
        }
        range.end = at + 1;
    }
    ranges
}
