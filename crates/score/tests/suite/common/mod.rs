//! Tiny readers for the tests of this folder.
#![allow(dead_code, reason = "each test program uses its share")]

use tree::{Head, Sentence, Text, Token, Tree, TreeBuilder};

/// Top-level trees of one line.
pub(crate) fn trees(line: &str) -> Vec<Tree<Text>> {
    let spaced = line.replace('(', " ( ").replace(')', " ) ");
    let mut trees = Vec::new();
    let mut builder = TreeBuilder::new();
    let mut after_open = false;
    for piece in spaced.split_whitespace() {
        let is_label = after_open && piece != "(" && piece != ")";
        if std::mem::take(&mut after_open) {
            builder.open(if is_label { piece.into() } else { Text::default() });
        }
        match piece {
            "(" => after_open = true,
            ")" => assert!(builder.close(), "too many closing brackets: {line}"),
            _ if is_label => {}
            form => builder.word(form.into()),
        }
        if builder.depth() == 0 && !after_open {
            trees.extend(std::mem::take(&mut builder).finish());
        }
    }
    assert_eq!(builder.depth(), 0, "not closed: {line}");
    trees
}

/// One tree.
pub(crate) fn tree(line: &str) -> Tree<Text> {
    let [tree] = trees(line).try_into().unwrap();
    tree
}

/// Sentences of a CoNLL-U text.
pub(crate) fn conllu(text: &str) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    let mut sentence = Sentence::default();
    for line in text.lines().chain([""]) {
        if line.is_empty() {
            if !sentence.tokens.is_empty() {
                sentences.push(std::mem::take(&mut sentence));
            }
        } else if line.starts_with('#') {
            sentence.comments.push(line.into());
        } else {
            sentence.tokens.push(token(line));
        }
    }
    sentences
}

fn token(line: &str) -> Token {
    let columns: Vec<_> = line.split('\t').collect();
    let [id, form, lemma, upos, xpos, feats, head, deprel, deps, misc] = columns[..] else {
        panic!("{line}")
    };
    Token {
        id: id.parse().unwrap(),
        form: form.into(),
        lemma: lemma.into(),
        upos: upos.into(),
        xpos: xpos.into(),
        feats: feats.into(),
        head: Head::read(head),
        deprel: deprel.into(),
        deps: deps.into(),
        misc: misc.into(),
        extra: Vec::new(),
    }
}
