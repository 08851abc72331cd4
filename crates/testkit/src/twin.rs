//! The flat twin of a grammar with annotations: every `A[x]` is a symbol of its own, and all trees are listed.

use std::path::PathBuf;

use crate::cfg::{Cfg, Listed, Used};
use crate::toys::{SplitMix64, random_brackets};
use forest::{Derivation, Edge, Spans, Step};
use grammar::anchor::Brackets;
use grammar::{Category, Inventory, Reading, Rules, Sizes, Tensors};
use tree::{Span, Text, Tree};

/// One tree in brackets.
///
/// # Panics
/// If the text has none.
pub fn tree(text: &str) -> Tree<Text> {
    trees(text, 1).remove(0)
}

/// The first trees of a text.
///
/// # Panics
/// Never: a text can be read.
pub fn trees(text: &str, most: usize) -> Vec<Tree<Text>> {
    let mut reader = formats::brackets::BracketReader::new(text.as_bytes());
    let mut trees = Vec::new();
    while trees.len() < most
        && let Some(read) = reader.read_tree().expect("a text can be read")
    {
        trees.extend(read.value.tree);
    }
    trees
}

/// The normalised training trees of all treebanks, with the names of the treebanks.
///
/// # Panics
/// If the folder of the treebanks cannot be read.
pub fn treebanks(most: usize) -> Vec<(String, Vec<Tree<Text>>)> {
    let Some(root) = crate::shared("data/constituency") else { return Vec::new() };
    let mut names: Vec<PathBuf> = std::fs::read_dir(root)
        .expect("a readable folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    names.sort();
    let load = |path: PathBuf| {
        let text = std::fs::read_to_string(path.join("norm/train.mrg")).ok()?;
        Some((path.file_name()?.to_string_lossy().into_owned(), trees(&text, most)))
    };
    names.into_iter().filter_map(load).collect()
}

/// A few random trees of at most four words.
pub fn toy_trees(random: &mut SplitMix64) -> Vec<Tree<Text>> {
    let n_trees = 3 + random.below(4);
    let sizes: Vec<usize> = (0..n_trees).map(|_| 1 + random.below(4)).collect();
    sizes.into_iter().map(|n_words| tree(&random_brackets(n_words, random))).collect()
}

/// Random positive numbers for every annotated rule; every sixth is zero.
pub fn random_tensors(inventory: &Inventory, sizes: &Sizes, random: &mut SplitMix64) -> Tensors {
    let mut tensors = inventory.zero(sizes);
    for value in tensors.values_mut() {
        *value = if random.uniform() < 1.0 / 6.0 { 0.0 } else { random.uniform() };
    }
    tensors
}

/// The flat twin over a sentence, and the number of the first symbol of each category.
pub fn flat(
    inventory: &Inventory,
    sizes: &Sizes,
    tensors: &Tensors,
    readings: &[Reading],
) -> (Cfg, Vec<usize>) {
    let rules = inventory.rules();
    let mut first = vec![0];
    for category in inventory.heads() {
        first.push(first[category.index()] + sizes.of(category));
    }
    let symbol = |category: Category, x: usize| first[category.index()] + x;
    let mut cfg = Cfg { start: symbol(rules.root(), 0), ..Cfg::default() };
    for (rule, unary) in (0u32..).zip(rules.unary()) {
        for x in 0..sizes.of(unary.head) {
            for (y, &weight) in tensors.row(rule, x).iter().enumerate() {
                cfg.unary.push((rule, symbol(unary.head, x), symbol(unary.tail, y), weight));
            }
        }
    }
    for (rule, binary) in (rules.first_binary()..).zip(rules.binary()) {
        for x in 0..sizes.of(binary.head) {
            for (at, &weight) in tensors.row(rule, x).iter().enumerate() {
                let (y, z) = (at / sizes.of(binary.right), at % sizes.of(binary.right));
                let parts = [symbol(binary.left, y), symbol(binary.right, z)];
                cfg.binary.push((rule, symbol(binary.head, x), parts, weight));
            }
        }
    }
    for reading in readings {
        let mut leaves = Vec::new();
        for &(rule, tag, factor) in &reading.tags {
            for x in 0..sizes.of(tag) {
                leaves.push((rule, symbol(tag, x), tensors.row(rule, x)[0] * factor));
            }
        }
        cfg.leaves.push(leaves);
    }
    (cfg, first)
}

/// The same steps with categories for symbols.
///
/// # Panics
/// If `first` is empty.
pub fn without_annotations(listed: &Listed, first: &[usize]) -> Vec<Used> {
    let category =
        |symbol: usize| first.iter().rposition(|&first| first <= symbol).expect("the first symbol is 0");
    listed.steps.iter().map(|step| Used { symbol: category(step.symbol), ..*step }).collect()
}

/// A derivation over a chart from its rules in preorder.
pub fn derivation(rules: &Rules, spans: Spans, steps: &[Used]) -> Derivation {
    let item = |category: usize, start: u32, end: u32| spans.item(category as u32, start, end);
    let step = |used: &Used| {
        let (start, split, end) = (used.start, used.split, used.end);
        let edge = if used.rule >= rules.n_rules() as u32 {
            Edge::Leaf
        } else {
            match rules.parts(used.rule) {
                (_, tail, None) => Edge::One(item(tail.index(), start, end)),
                (_, left, Some(right)) => {
                    Edge::Two(item(left.index(), start, split), item(right.index(), split, end))
                }
            }
        };
        let split = if matches!(edge, Edge::Two(_, _)) { split - start - 1 } else { 0 };
        Step { item: item(used.symbol, start, end), rule: used.rule, split, edge }
    };
    Derivation { steps: steps.iter().map(step).collect() }
}

/// Whether a tree has all that the brackets ask for.
///
/// # Panics
/// If they ask for a constituent without words.
pub fn honours(tree: &Tree<Text>, brackets: &Brackets) -> bool {
    let has = |start: u32, end: u32, label: Option<&Text>| {
        let span = Span::new(start as usize, end as usize).expect("constituents hold words");
        tree.constituents().iter().any(|(_, has, at)| *at == span && label.is_none_or(|label| *has == label))
    };
    let tags = tree.tagged_words();
    tree.words().eq(&brackets.words)
        && brackets.constituents.iter().all(|(start, end, label)| has(*start, *end, label.as_ref()))
        && brackets.tags.iter().zip(tags).all(|(wanted, (tag, _))| wanted.is_none() || wanted.as_ref() == tag)
}
