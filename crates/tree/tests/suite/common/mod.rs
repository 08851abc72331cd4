//! What several tests share: a small bracket reader and strategies for trees.
#![allow(dead_code, reason = "not every test uses everything")]

use proptest::prelude::*;
use tree::{Heads, Text, Tree, TreeBuilder};

/// The tree written in `line`: the first name after `(` is a label, every other one a word.
pub(crate) fn read(line: &str) -> Tree<Text> {
    let mut builder = TreeBuilder::new();
    let mut rest = line.trim();
    while let Some(c) = rest.chars().next() {
        rest = match c {
            '(' => {
                let (label, after) = name(&rest[1..]);
                builder.open(label);
                after
            }
            ')' => {
                assert!(builder.close(), "surplus ) in {line}");
                &rest[1..]
            }
            _ => {
                let (form, after) = name(rest);
                builder.word(form);
                after
            }
        }
        .trim_start();
    }
    builder.finish().unwrap_or_else(|| panic!("not one tree: {line}"))
}

fn name(text: &str) -> (Text, &str) {
    let text = text.trim_start();
    let (name, rest) = text.split_at(text.find(['(', ')', ' ']).unwrap_or(text.len()));
    (name.into(), rest)
}

/// `tree` in brackets.
pub(crate) fn show(tree: &Tree<Text>) -> String {
    let mut shown = String::new();
    let mut ends: Vec<usize> = Vec::new();
    for (index, node) in tree.nodes().iter().enumerate() {
        while ends.pop_if(|end| *end == index).is_some() {
            shown.push(')');
        }
        if index > 0 {
            shown.push(' ');
        }
        if !node.is_word() {
            shown.push('(');
            ends.push(index + node.size());
        }
        shown.push_str(&node.label);
    }
    shown + &")".repeat(ends.len())
}

/// All trees of a file with one tree per line.
pub(crate) fn read_file(path: &std::path::Path) -> Vec<Tree<Text>> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().filter(|line| !line.trim().is_empty()).map(read).collect()
}

/// Labels made of everything that means something to some transformation, the empty one included.
pub(crate) fn nasty_label() -> impl Strategy<Value = Text> {
    "[A+@^|\\\\=-]{0,3}".prop_map(Text::from)
}

/// Trees with nasty labels, unary chains, bare words, wide and empty constituents; no bare word alone.
pub(crate) fn any_tree() -> impl Strategy<Value = Tree<Text>> {
    let leaf = prop_oneof![
        4 => (nasty_label(), nasty_label()).prop_map(|(tag, form)| Tree::constituent(tag, [Tree::word(form)])),
        1 => nasty_label().prop_map(Tree::word),
        1 => nasty_label().prop_map(|label| Tree::constituent(label, [])),
    ];
    let inner = leaf.prop_recursive(6, 40, 6, |inner| {
        (nasty_label(), prop::collection::vec(inner, 1..6))
            .prop_map(|(label, children)| Tree::constituent(label, children))
    });
    (nasty_label(), prop::collection::vec(inner, 1..4))
        .prop_map(|(label, children)| Tree::constituent(label, children))
}

/// Dependency trees, projective or not: attach the words in a random order, each to the root or an earlier one.
pub(crate) fn any_heads(max_words: usize) -> impl Strategy<Value = Heads> {
    (1..=max_words).prop_flat_map(|n| {
        let order = Just((1..=n).collect::<Vec<_>>()).prop_shuffle();
        (order, prop::collection::vec(any::<prop::sample::Index>(), n)).prop_map(|(order, picks)| {
            let mut heads = vec![0; order.len()];
            for (rank, &word) in order.iter().enumerate() {
                let pick = picks[rank].index(rank + 1);
                heads[word - 1] = if pick == 0 { 0 } else { order[pick - 1] as u32 };
            }
            Heads::new(heads).unwrap()
        })
    })
}
