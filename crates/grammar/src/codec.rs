//! Trees to numbers and back.

use forest::Item;
use forest::substates::fixed::{Below, Node};
use forest::{Derivation, Edge, Step};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use tree::transform::unary::{Chains, Keep, collapse, drop, expand};
use tree::transform::{Binarisation, binarise, debinarise};
use tree::{Symbols, Text, Tree, TreeBuilder};

use crate::rules::{Binary, Category, CategoryInfo, Level, Rules, Unary};
use crate::shape::{BARE, Link, LinkBelow, links};

/// What is done with a node that has one child.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unaries {
    /// The chain is a rule of its own.
    #[default]
    Rules,
    /// The chain becomes one node with a joint label, which is taken apart again on output.
    Collapse,
    /// Only the highest label stays, as in the papers; no parse can then have all brackets.
    Drop,
}

/// How trees are prepared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CodecOptions {
    /// Nodes with one child.
    pub unaries: Unaries,
    /// Nodes with more than two.
    pub binarisation: Binarisation,
}

/// A tree that cannot be made into numbers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    /// A constituent has no words.
    #[error("a constituent is empty; take out traces and empty nodes first (`treelet convert --normalise`)")]
    Empty,
    /// A rule that the grammar does not have.
    #[error("the tree has a rule that the grammar lacks, at label {label}")]
    UnknownRule {
        /// The label that is expanded.
        label: Text,
    },
}

/// The grammar's side of a treebank: labels, categories and rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Codec {
    rules: Rules,
    unaries: Unaries,
}

/// A tree in numbers. The rule of a leaf is not known here: it is `tags` that say which category has the word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coded {
    /// In preorder, for [`forest::substates::fixed`].
    pub nodes: Vec<Node>,
    /// The node over each word and its category, from left to right.
    pub tags: Vec<(u32, Category)>,
}

/// The rule of a leaf before the lexicon has given it one.
pub const NO_RULE: u32 = u32::MAX;

impl Codec {
    /// Finds all rules of a treebank. Trees with empty constituents get an error of their own and take no part.
    pub fn learn(trees: &[Tree<Text>], options: &CodecOptions) -> (Codec, Vec<Result<Coded, CodecError>>) {
        let mut labels = Symbols::default();
        let linked: Vec<Option<Vec<Link>>> = trees
            .iter()
            .map(|tree| {
                let binary = prepare(tree, options);
                links(&binary, |label| labels.insert(label))
            })
            .collect();
        let rules = collect(labels.into_iter().collect(), linked.iter().flatten())
            .with_joint_labels(options.unaries == Unaries::Collapse);
        let codec = Codec { rules, unaries: options.unaries };
        let coded = linked.iter().map(|links| match links {
            Some(links) => codec.number(links),
            None => Err(CodecError::Empty),
        });
        let coded = coded.collect();
        (codec, coded)
    }

    /// Categories and rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The nodes of one more tree, prepared in the same way; fails on a rule that was not learnt.
    pub fn encode(&self, tree: &Tree<Text>, options: &CodecOptions) -> Result<Coded, CodecError> {
        let binary = prepare(tree, options);
        let mut unknown = None;
        let links = links(&binary, |label| {
            let found = self.rules.labels().iter().position(|known| known == label);
            found.map_or_else(
                || {
                    unknown.get_or_insert(Text::new(label));
                    u32::MAX
                },
                |at| at as u32,
            )
        });
        match (unknown, links) {
            (Some(label), _) => Err(CodecError::UnknownRule { label }),
            (None, Some(links)) => self.number(&links),
            (None, None) => Err(CodecError::Empty),
        }
    }

    /// The tree of a derivation over these words, with all labels and no stand-ins.
    pub fn decode(
        &self,
        derivation: &Derivation,
        words: &[Text],
        category: impl Fn(Item) -> Category,
    ) -> Tree<Text> {
        let mut builder = TreeBuilder::new();
        let mut words = words.iter();
        // How many constituents end with the part that is being written, for each part that is still to come.
        let mut pending: Vec<usize> = vec![0];
        for step in &derivation.steps {
            let opened = self.open(step, category(step.item), &mut builder);
            let closes = pending.pop().unwrap_or(0) + opened;
            match step.edge {
                Edge::One(_) => pending.push(closes),
                Edge::Two(_, _) => pending.extend([closes, 0]),
                Edge::Leaf => {
                    builder.word(words.next().cloned().unwrap_or_default());
                    (0..closes).for_each(|_| {
                        builder.close();
                    });
                }
            }
        }
        let tree = builder.finish().unwrap_or_else(|| Tree::word(Text::default()));
        let tree = debinarise(&tree);
        if self.unaries == Unaries::Collapse { expand(&tree) } else { tree }
    }

    /// Opens the labels that a step brings and says how many.
    fn open(&self, step: &Step, category: Category, builder: &mut TreeBuilder<Text>) -> usize {
        let rules = &self.rules;
        let info = rules.info(category);
        let mut opened = 0;
        let mut open = |label: u32| {
            let label = &rules.labels()[label as usize];
            if label != BARE {
                builder.open(label.clone());
                opened += 1;
            }
        };
        if info.level == Level::Inner {
            open(info.label);
        } else if let Some(chain) = rules.unary().get(step.rule as usize).and_then(|rule| rule.chain.as_ref())
        {
            if info.level == Level::Outer {
                open(info.label);
            }
            chain.iter().for_each(|&label| open(label));
        }
        opened
    }

    fn number(&self, links: &[Link]) -> Result<Coded, CodecError> {
        let rules = &self.rules;
        let mut coded = Coded { nodes: Vec::new(), tags: Vec::new() };
        // Places of the nodes to which each link hangs, with the side; links stand in preorder.
        let mut hooks: Vec<(usize, u8)> = Vec::new();
        for (at, link) in links.iter().enumerate() {
            let label = |label: u32| rules.labels().get(label as usize).cloned().unwrap_or_default();
            let unknown = || CodecError::UnknownRule { label: label(link.labels[0]) };
            let hook = hooks.pop();
            attach(&mut coded.nodes, hook);
            let head =
                if at == 0 { rules.root() } else { rules.uppermost(link.labels[0]).ok_or_else(unknown)? };
            let mut inner = head;
            if rules.info(head).level != Level::Inner {
                let rule = unary_of(rules, head, &link.labels).ok_or_else(unknown)?;
                inner = rule.tail;
                let rule = rules.find_unary(&rule).ok_or_else(unknown)?;
                let below = Below::One(coded.nodes.len() as u32 + 1);
                coded.nodes.push(Node { rule, below });
            } else if link.labels.len() > 1 {
                return Err(unknown());
            }
            let place = coded.nodes.len();
            match link.below {
                LinkBelow::Word(_) => {
                    coded.tags.push((place as u32, inner));
                    coded.nodes.push(Node { rule: NO_RULE, below: Below::Leaf });
                }
                LinkBelow::Two(left, right) => {
                    let above = |link: u32| rules.uppermost(links[link as usize].labels[0]);
                    let left = above(left).ok_or_else(unknown)?;
                    let right = above(right).ok_or_else(unknown)?;
                    let rule = rules.find_binary(&Binary { head: inner, left, right }).ok_or_else(unknown)?;
                    coded.nodes.push(Node { rule, below: Below::Two(0, 0) });
                    hooks.extend([(place, 1), (place, 0)]);
                }
            }
        }
        Ok(coded)
    }
}

/// Collapses or drops chains, then binarises.
fn prepare(tree: &Tree<Text>, options: &CodecOptions) -> Tree<Text> {
    let chains = Chains { preterminals: true, top: false };
    match options.unaries {
        Unaries::Rules => binarise(tree, &options.binarisation),
        Unaries::Collapse => binarise(&collapse(tree, chains), &options.binarisation),
        Unaries::Drop => binarise(&drop(tree, chains, Keep::default()), &options.binarisation),
    }
}

fn attach(nodes: &mut [Node], hook: Option<(usize, u8)>) {
    let next = nodes.len() as u32;
    let Some((place, side)) = hook else { return };
    if let Below::Two(left, right) = &mut nodes[place].below {
        *(if side == 0 { left } else { right }) = next;
    }
}

/// The unary rule from `head` through the labels of a link; the root steps through all of them.
fn unary_of(rules: &Rules, head: Category, labels: &[u32]) -> Option<Unary> {
    let (&last, above) = labels.split_last()?;
    let inner = |label: u32| {
        let is = |info: &CategoryInfo| info.label == label && info.level == Level::Inner;
        rules.categories().iter().position(is).map(|at| Category(at as u32))
    };
    let tail = inner(last)?;
    let chain = match rules.info(head).level {
        Level::Root => Some(above.to_vec()),
        _ if above.is_empty() => None,
        _ => Some(above[1..].to_vec()),
    };
    Some(Unary { head, tail, chain })
}

/// Categories and rules of all links.
fn collect<'a>(labels: Vec<Text>, trees: impl Iterator<Item = &'a Vec<Link>> + Clone) -> Rules {
    let n_labels = labels.len();
    let mut has_inner = vec![false; n_labels];
    let mut has_outer = vec![false; n_labels];
    let mut has_words = vec![false; n_labels];
    for links in trees.clone() {
        for (at, link) in links.iter().enumerate() {
            if let Some(&last) = link.labels.last() {
                has_inner[last as usize] = true;
                has_words[last as usize] |= matches!(link.below, LinkBelow::Word(_));
            }
            if at > 0 && link.labels.len() > 1 {
                has_outer[link.labels[0] as usize] = true;
            }
        }
    }
    let mut categories = Vec::new();
    let level = |wanted: &[bool], level: Level| {
        let labels = wanted.iter().enumerate().filter(|(_, wanted)| **wanted);
        let has_words = |label: usize| level == Level::Inner && has_words[label];
        labels
            .map(|(label, _)| CategoryInfo { label: label as u32, level, has_words: has_words(label) })
            .collect::<Vec<_>>()
    };
    categories.extend(level(&has_inner, Level::Inner));
    categories.extend(level(&has_outer, Level::Outer));
    categories.push(CategoryInfo { label: 0, level: Level::Root, has_words: false });
    let bare = Rules::new(labels, categories, Vec::new(), Vec::new());
    let mut unary: IndexSet<Unary> = IndexSet::new();
    let mut binary: IndexSet<Binary, FxBuildHasher> = IndexSet::default();
    for links in trees {
        for (at, link) in links.iter().enumerate() {
            let head = if at == 0 { Some(bare.root()) } else { bare.uppermost(link.labels[0]) };
            let Some(head) = head else { continue };
            let mut inner = head;
            if bare.info(head).level != Level::Inner {
                let Some(rule) = unary_of(&bare, head, &link.labels) else { continue };
                inner = rule.tail;
                unary.insert(rule);
            }
            if let LinkBelow::Two(left, right) = link.below {
                let above = |link: u32| bare.uppermost(links[link as usize].labels[0]);
                if let (Some(left), Some(right)) = (above(left), above(right)) {
                    binary.insert(Binary { head: inner, left, right });
                }
            }
        }
    }
    stay_everywhere(&bare, &mut unary);
    let (labels, categories) = (bare.labels().to_vec(), bare.categories().to_vec());
    Rules::new(labels, categories, unary.into_iter().collect(), binary.into_iter().collect())
}

/// An outer category whose label also has an inner one may always stay what it is.
fn stay_everywhere(rules: &Rules, unary: &mut IndexSet<Unary>) {
    for (at, info) in rules.categories().iter().enumerate() {
        if info.level == Level::Outer
            && let Some(stay) = unary_of(rules, Category(at as u32), &[info.label])
        {
            unary.insert(stay);
        }
    }
}

/// The category of an item of [`crate::anchor`]'s charts, for [`Codec::decode`].
pub fn category_of(spans: forest::Spans) -> impl Fn(Item) -> Category {
    move |item| Category(spans.locate(item).0)
}

/// A label as trees have it, without the escapes of binarisation.
pub fn plain(label: &str) -> Text {
    let alone = Tree::constituent(Text::new(label), [Tree::word(Text::default())]);
    debinarise(&alone).label().clone()
}
