//! From trees to binary brackets with labels, and back.
//!
//! A node X over c₁ … c_m, m > 2, becomes X over c₁ and @X over c₂ … c_m, and so on: right-branching, without memory. A
//! chain of nodes over the same two words and more is one bracket, with the topmost label or with all of them; a chain
//! over one word is kept apart.

use serde::{Deserialize, Serialize};
use tree::PutInOrder;
use tree::{Text, Tree, TreeBuilder};

use super::words::Word;

/// What is written on a bracket.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Label {
    /// Whether the bracket only holds some children of a node of this label.
    pub is_stand_in: bool,
    /// The labels of the nodes, from the highest to the lowest.
    pub chain: Vec<Text>,
}

/// A bracket of a binary tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bracket<L> {
    /// The first word.
    pub start: u32,
    /// The word after the last one.
    pub end: u32,
    /// The label.
    pub label: L,
}

/// A tree as binary brackets.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Binary {
    /// The brackets of two words and more, each before those in it.
    pub brackets: Vec<Bracket<Label>>,
    /// The nodes between each word and its tag's mother, from the highest to the lowest.
    pub chains: Vec<Vec<Text>>,
}

/// The binary brackets of a tree. The outer bracket is left out if it has the label `top` and there is a node over the same
/// words below it. With `joins`, a chain over several words keeps all its labels, otherwise the topmost one alone.
pub fn binarise(tree: &Tree<Text>, top: Option<&Text>, joins: bool) -> Binary {
    let offsets = tree.word_offsets();
    let nodes = tree.nodes();
    let span = |index: usize| (offsets[index], offsets[index + nodes[index].size()]);
    let is_tag = |index: usize| nodes[index].size() == 2 && nodes[index + 1].is_word();
    let mut binary = Binary { brackets: Vec::new(), chains: vec![Vec::new(); tree.n_words()] };
    let mut skipped = 0;
    if top.is_some_and(|top| top == tree.label())
        && lower(tree, &offsets, 0).is_some_and(|child| !is_tag(child))
    {
        skipped = 1;
    }
    let mut index = 0;
    while index < nodes.len() {
        let (start, end) = span(index);
        if index < skipped || nodes[index].is_word() || start == end {
            index += 1;
            continue;
        }
        if end - start == 1 {
            if !is_tag(index) {
                binary.chains[start].push(nodes[index].label.clone());
            }
            index += 1;
            continue;
        }
        let mut chain = vec![nodes[index].label.clone()];
        while let Some(child) = lower(tree, &offsets, index) {
            index = child;
            chain.push(nodes[index].label.clone());
        }
        chain.truncate(if joins { chain.len() } else { 1 });
        let mut push = |start: usize, is_stand_in: bool| {
            let label = Label { is_stand_in, chain: chain.clone() };
            binary.brackets.push(Bracket { start: start as u32, end: end as u32, label });
        };
        push(start, false);
        let starts: Vec<usize> = starts_of_children(tree, &offsets, index);
        let between = starts.len().saturating_sub(1);
        starts.iter().take(between).skip(1).for_each(|&start| push(start, true));
        index += 1;
    }
    binary.brackets.order_by_key(|bracket| (bracket.start, std::cmp::Reverse(bracket.end)));
    binary
}

/// The child of a node that has all its words, if it is not a word.
fn lower(tree: &Tree<Text>, offsets: &[usize], index: usize) -> Option<usize> {
    let nodes = tree.nodes();
    let words = |index: usize| offsets[index]..offsets[index + nodes[index].size()];
    let mut child = index + 1;
    while child < index + nodes[index].size() {
        if words(child) == words(index) && !nodes[child].is_word() {
            return Some(child);
        }
        child += nodes[child].size();
    }
    None
}

/// Where the children of a node that have words begin.
fn starts_of_children(tree: &Tree<Text>, offsets: &[usize], index: usize) -> Vec<usize> {
    let nodes = tree.nodes();
    let mut starts = Vec::new();
    let mut child = index + 1;
    while child < index + nodes[index].size() {
        let next = child + nodes[child].size();
        if offsets[child] < offsets[next] {
            starts.push(offsets[child]);
        }
        child = next;
    }
    starts
}

/// The tree of binary brackets: what stands in for others goes, and its children move up. Brackets come each before those in
/// it; the whole sentence needs no bracket, but without one (and without `top`) it has an empty label.
pub fn debinarise(binary: &Binary, words: &[Word], top: Option<&Text>) -> Tree<Text> {
    let mut builder = TreeBuilder::new();
    let mut open: Vec<(u32, usize)> = Vec::new();
    let mut brackets = binary.brackets.iter().peekable();
    let n_tops = usize::from(needs_top(binary, words, top));
    if n_tops == 1 {
        builder.open(top.cloned().unwrap_or_default());
    }
    for (at, word) in words.iter().enumerate() {
        while let Some(bracket) = brackets.next_if(|bracket| bracket.start as usize <= at) {
            if !bracket.label.is_stand_in {
                bracket.label.chain.iter().for_each(|label| builder.open(label.clone()));
                open.push((bracket.end, bracket.label.chain.len()));
            }
        }
        let chain = binary.chains.get(at).map_or(&[][..], Vec::as_slice);
        let tag = word.tag.as_ref();
        chain.iter().chain(tag).for_each(|label| builder.open(label.clone()));
        builder.word(word.form.clone());
        (0..chain.len() + usize::from(tag.is_some())).for_each(|_| _ = builder.close());
        while let Some((_, n_nodes)) = open.pop_if(|(end, _)| *end as usize <= at + 1) {
            (0..n_nodes).for_each(|_| _ = builder.close());
        }
    }
    (0..n_tops).for_each(|_| _ = builder.close());
    // Brackets that cross leave no tree; then the words stand side by side.
    builder.finish().unwrap_or_else(|| flat(words, top))
}

/// Whether the outermost bracket is not among the brackets.
fn needs_top(binary: &Binary, words: &[Word], top: Option<&Text>) -> bool {
    let outer = match (binary.brackets.first(), binary.chains.first()) {
        (Some(first), _)
            if !first.label.is_stand_in && first.start == 0 && first.end as usize == words.len() =>
        {
            first.label.chain.first()
        }
        (_, Some(chain)) if words.len() == 1 => chain.first().or(words[0].tag.as_ref()),
        _ => None,
    };
    outer.is_none() || top.is_some_and(|top| outer != Some(top))
}

fn flat(words: &[Word], top: Option<&Text>) -> Tree<Text> {
    let leaf = |word: &Word| {
        let leaf = Tree::word(word.form.clone());
        word.tag.as_ref().map_or(leaf.clone(), |tag| Tree::constituent(tag.clone(), [leaf]))
    };
    Tree::constituent(top.cloned().unwrap_or_default(), words.iter().map(leaf))
}
