//! Agreement measures on examples worked out by hand.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use formats::gfl::parse_annotation;
use score::agreement::{
    com_prec, committed_arcs, definite_heads, gfl_agree, gfl_agree_strict, same_lexemes, soft_com_prec,
    soft_com_prec_all,
};
use score::commitment::{Nodes, measure};
use tree::{PartialTree, Text};

fn said(text: &str, annotation: &str) -> PartialTree {
    let tokens: Vec<Text> = text.split(' ').map(Text::from).collect();
    let (said, problems) = parse_annotation((1..).zip(annotation.lines()), &tokens);
    assert_eq!(problems, []);
    said
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found}, expected {expected}");
}

#[test]
fn one_arrow_among_three_words_commits_by_half() {
    // n = 4 with the root: 16 trees. With a > b the other two blocks give (b–c–root with two words in one):
    // root→b and root→c; b→c; c→b; a→c: 4 trees. com = 1 − log 4 / log 16.
    let ours = measure(&said("a b c", "a > b\nc"), &Nodes::Mentioned);
    assert_eq!(ours.promiscuity.trees.to_u64(), Some(4));
    near(ours.commitment().unwrap(), 0.5);
}

#[test]
fn silence_commits_to_nothing() {
    let silent = said("a b c", "");
    assert_eq!(measure(&silent, &Nodes::Mentioned).commitment(), Some(0.0));
    assert_eq!(measure(&silent, &Nodes::Mentioned).spanning_commitment(), Some(0.0));
    near(com_prec(&silent, &silent).value, 0.0);
    near(soft_com_prec(&silent, &silent).value, 0.0);
}

#[test]
fn com_prec_is_the_share_of_common_trees_times_commitment() {
    let (one, other) = (said("a b c", "a > b\nc"), said("a b c", "a > b > c"));
    // The second supports one tree, one of the four of the first.
    near(com_prec(&one, &other).value, 0.5 * 0.25);
    near(com_prec(&other, &one).value, 1.0);
    near(com_prec(&one, &one).value, 0.5);
    assert!(com_prec(&one, &other).exact);
}

#[test]
fn contradictions_void_com_prec_but_not_its_soft_form() {
    let (one, other) = (said("a b c", "a > b > c**"), said("a b c", "b > a > c**"));
    near(com_prec(&one, &other).value, 0.0);
    // Each supports one head for each word; they share only that of c.
    near(soft_com_prec(&one, &other).value, 1.0 / 3.0);
}

#[test]
fn soft_com_prec_counts_supported_heads() {
    let (one, other) = (said("a b c", "a > b\nc"), said("a b c", "a > b > c"));
    // a: {b}; b: {root, c}; c: {root, a, b} against a: {b}; b: {c}; c: {root}. Shared 3 of 6.
    near(soft_com_prec(&one, &other).value, 0.5 * 0.5);
    near(soft_com_prec(&other, &one).value, 1.0);
    let third = said("a b c", "a > c**\nb");
    near(soft_com_prec_all(&[&one, &other, &third]).value, 0.5 * 2.0 / 6.0);
}

#[test]
fn multiwords_that_only_one_annotator_has_become_brackets() {
    let (one, other) = (said("a b c", "[a b] > c"), said("a b c", "a > b > c"));
    let (level, _) = same_lexemes(&[&one, &other]);
    // (a b) > c: two trees below c, and c must be a root: the second supports one of them.
    assert_eq!(measure(&level[0], &Nodes::All).promiscuity.trees.to_u64(), Some(2));
    near(com_prec(&other, &one).value, 1.0);
    let silent = said("a b c", "c**");
    let (level, _) = same_lexemes(&[&one, &silent]);
    assert_eq!(measure(&level[1], &Nodes::Mentioned).n_multiwords, 1);
}

#[test]
fn heads_are_definite_if_said_or_the_only_ones_left() {
    assert_eq!(definite_heads(&said("a b c", "a > b > c")), [Some(2), Some(3), Some(0)]);
    assert_eq!(definite_heads(&said("a b c", "a > b")), [Some(2), None, None]);
    assert_eq!(definite_heads(&said("a b c", "(a b*) > c")), [Some(2), Some(3), Some(0)]);
    assert_eq!(definite_heads(&said("a b c", "[a b] > c")), [Some(3), None, Some(0)]);
}

#[test]
fn gfl_agree_leaves_out_tokens_with_fewer_than_two_heads() {
    let heads = [
        vec![Some(2), Some(0), None, Some(1)],
        vec![Some(2), Some(3), Some(1), None],
        vec![Some(2), Some(0), None, None],
    ];
    // Token 1: 3 of 3; token 2: 2 of 3; tokens 3 and 4 have one head each.
    let agree = gfl_agree(&heads);
    near(agree.value().unwrap(), (1.0 + 2.0 / 3.0) / 2.0);
    assert_eq!(agree.n_tokens, 2);
    // As printed: (3 + 2 + 1 + 1) / 3 / 4.
    near(gfl_agree_strict(&heads).value().unwrap(), 7.0 / 12.0);
    assert_eq!(gfl_agree(&heads[..1]).value(), None);
    assert_eq!(gfl_agree_strict(&[]).value(), None);
}

#[test]
fn committed_arcs_are_scored_against_gold_words() {
    let gold = [Some(2), Some(0), Some(2), Some(3), None];
    let counts = committed_arcs(&[Some(2), Some(3), None, Some(3), Some(1)], &gold);
    assert_eq!((counts.matched, counts.system, counts.gold), (2, 3, 4));
    near(counts.precision(), 2.0 / 3.0);
    near(counts.recall(), 0.5);
}
