//! Collapsing and binarising can be undone on every tree there is.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::{any_tree, read, read_file, show};
use proptest::prelude::*;
use std::num::NonZeroUsize;
use tree::transform::unary::{self, Chains, Keep};
use tree::transform::{Binarisation, HeadRules, Normalisation, Scheme, binarise, debinarise, normalise};
use tree::{Text, Tree};

fn schemes() -> [Scheme; 4] {
    [Scheme::RightmostHead, Scheme::Left, Scheme::Right, Scheme::HeadOutward(HeadRules::english())]
}

fn options(scheme: &Scheme, horizontal: Option<usize>, vertical: usize) -> Binarisation {
    let vertical = NonZeroUsize::new(vertical).unwrap();
    Binarisation { scheme: scheme.clone(), horizontal, vertical, annotate_tags: false }
}

fn check_round_trip(tree: &Tree<Text>, collapsed: &Tree<Text>, options: &Binarisation) {
    let binary = binarise(collapsed, options);
    let wide = binary.constituents().into_iter().find(|&(index, ..)| n_children(&binary, index) > 2);
    assert!(wide.is_none(), "{wide:?} in {}", show(&binary));
    assert_eq!(&unary::expand(&debinarise(&binary)), tree, "{options:?} through {}", show(&binary));
}

fn n_children(tree: &Tree<Text>, index: usize) -> usize {
    let mut next = index + 1;
    let mut n = 0;
    while next < index + tree.nodes()[index].size() {
        next += tree.nodes()[next].size();
        n += 1;
    }
    n
}

#[test]
fn every_tree_of_every_treebank_survives_the_round_trip() {
    let Some(root) = testkit::shared("data/constituency") else { return };
    let schemes = schemes();
    let mut n_trees = 0;
    for file in
        testkit::files_below(&root, ".mrg").iter().filter(|file| file.parent().unwrap().ends_with("raw"))
    {
        for raw in read_file(file) {
            let Some(tree) = normalise(&raw, &Normalisation::default()) else { continue };
            let collapsed = unary::collapse(&tree, Chains::default());
            for scheme in &schemes {
                check_round_trip(&tree, &collapsed, &options(scheme, Some(1), 2));
            }
            if n_trees % 10 == 0 {
                for scheme in &schemes {
                    for horizontal in [Some(0), Some(1), Some(2), None] {
                        for vertical in [1, 2] {
                            check_round_trip(&tree, &collapsed, &options(scheme, horizontal, vertical));
                        }
                    }
                }
            }
            n_trees += 1;
        }
    }
    assert_eq!(n_trees, 50_311);
}

fn shown(scheme: Scheme, horizontal: Option<usize>, vertical: usize, tree: &str) -> String {
    show(&binarise(&read(tree), &options(&scheme, horizontal, vertical)))
}

#[test]
fn schemes_build_what_their_drawings_show() {
    let tree = "(X (a 1) (b 2) (c 3) (d 4))";
    let head_b = || Scheme::HeadOutward("X left b".parse().unwrap());
    assert_eq!(shown(Scheme::RightmostHead, None, 1, tree), "(X (@X|d (@X|d|c (a 1) (b 2)) (c 3)) (d 4))");
    assert_eq!(shown(Scheme::Left, None, 1, tree), "(X (@X|a|b|c (@X|a|b (a 1) (b 2)) (c 3)) (d 4))");
    assert_eq!(shown(Scheme::Right, None, 1, tree), "(X (a 1) (@X|d|c|b (b 2) (@X|d|c (c 3) (d 4))))");
    assert_eq!(shown(head_b(), None, 1, tree), "(X (a 1) (@X|b|c|d (@X|b|c (b 2) (c 3)) (d 4)))");
    assert_eq!(shown(head_b(), Some(1), 1, tree), "(X (a 1) (@X|d (@X|c (b 2) (c 3)) (d 4)))");
    assert_eq!(shown(head_b(), Some(0), 1, tree), "(X (a 1) (@X (@X (b 2) (c 3)) (d 4)))");
    let rightmost = Scheme::HeadOutward(HeadRules::rightmost());
    assert_eq!(shown(rightmost, None, 1, tree), "(X (a 1) (@X|d|c|b (b 2) (@X|d|c (c 3) (d 4))))");
    let leftmost = Scheme::HeadOutward(HeadRules::leftmost());
    assert_eq!(shown(leftmost, None, 1, tree), "(X (@X|a|b|c (@X|a|b (a 1) (b 2)) (c 3)) (d 4))");
}

#[test]
fn ancestors_are_written_on_phrases_and_bare_words_are_remembered_as_words() {
    let tree = "(S (NP a (N b) c) (V d))";
    assert_eq!(shown(Scheme::Left, Some(1), 2, tree), "(S (NP^S (@NP^S|N a (N b)) c) (V d))");
    assert_eq!(shown(Scheme::RightmostHead, Some(1), 2, tree), "(S (NP^S (@NP^S|\\w a (N b)) c) (V d))");
    let deep = "(A (B (C (D d) (E e))))";
    assert_eq!(shown(Scheme::Left, None, 3, deep), "(A (B^A (C^B^A (D d) (E e))))");
    let tags_too = Binarisation { annotate_tags: true, ..options(&Scheme::Left, None, 2) };
    assert_eq!(show(&binarise(&read("(A (B b))"), &tags_too)), "(A (B^A b))");
}

#[test]
fn chains_are_joined_as_the_options_say() {
    let tree = read("(TOP (S (VP (VB Go)) (X+Y (Z z))))");
    let collapsed = |preterminals, top| show(&unary::collapse(&tree, Chains { preterminals, top }));
    assert_eq!(collapsed(true, false), "(TOP (S (VP+VB Go) (X\\+Y+Z z)))");
    assert_eq!(collapsed(false, true), "(TOP+S (VP (VB Go)) (X\\+Y (Z z)))");
    let one_word = read("(TOP (S (VP (VB Go))))");
    let joined = |chains| show(&unary::collapse(&one_word, chains));
    assert_eq!(joined(Chains::default()), "(TOP (S+VP+VB Go))");
    assert_eq!(joined(Chains { preterminals: false, top: true }), "(TOP+S+VP (VB Go))");
    assert_eq!(joined(Chains { preterminals: true, top: true }), "(TOP+S+VP+VB Go)");
    let dropped = |keep| show(&unary::drop(&one_word, Chains::default(), keep));
    assert_eq!(dropped(Keep::Highest), "(TOP (S Go))");
    assert_eq!(dropped(Keep::Lowest), "(TOP (VB Go))");
}

#[test]
fn parsers_stand_ins_go_wherever_they_are() {
    let parse = read("(@X|a (S^TOP (@NP (a 1) (@Q|r (b 2) (c 3)))))");
    assert_eq!(show(&debinarise(&parse)), "(X (S (a 1) (b 2) (c 3)))");
}

#[test]
fn trees_a_hundred_thousand_deep_do_not_overflow_the_stack() {
    let depth = 100_000;
    let mut builder = tree::TreeBuilder::new();
    for _ in 0..depth {
        builder.open(Text::from("NP-SBJ"));
        builder.open("X".into());
        builder.word("a".into());
        builder.close();
        builder.open("Y".into());
        builder.word("b".into());
        builder.close();
    }
    builder.open("Z".into());
    builder.word("c".into());
    for _ in 0..=depth {
        builder.close();
    }
    let deep = normalise(&builder.finish().unwrap(), &Normalisation::default()).unwrap();
    let collapsed = unary::collapse(&deep, Chains::default());
    for scheme in schemes() {
        check_round_trip(&deep, &collapsed, &options(&scheme, None, 3));
    }
    let dependencies = tree::transform::to_dependencies(&deep, &HeadRules::english());
    assert_eq!((dependencies.heads.len(), dependencies.heads.n_roots()), (2 * depth + 1, 1));
}

#[test]
fn chains_a_hundred_thousand_long_do_not_overflow_the_stack() {
    let mut builder = tree::TreeBuilder::new();
    (0..100_000).for_each(|_| builder.open(Text::from("X+")));
    builder.word("a".into());
    (0..100_000).for_each(|_| _ = builder.close());
    let deep = builder.finish().unwrap();
    let collapsed = unary::collapse(&deep, Chains { preterminals: true, top: true });
    assert_eq!(collapsed.nodes().len(), 2);
    assert_eq!(unary::expand(&collapsed), deep);
}

proptest! {
    #[test]
    fn collapsed_trees_expand_to_themselves(tree in any_tree(), preterminals: bool, top: bool) {
        let collapsed = unary::collapse(&tree, Chains { preterminals, top });
        prop_assert_eq!(unary::expand(&collapsed), tree);
    }

    #[test]
    fn binary_trees_become_what_they_were(
        tree in any_tree(),
        scheme in prop::sample::select(schemes().to_vec()),
        horizontal in prop::sample::select(vec![Some(0), Some(1), Some(2), None]),
        vertical in 1usize..4,
        annotate_tags: bool,
    ) {
        let options = Binarisation { annotate_tags, ..options(&scheme, horizontal, vertical) };
        let binary = binarise(&tree, &options);
        prop_assert_eq!(debinarise(&binary), tree.clone());
        let collapsed = unary::collapse(&tree, Chains::default());
        check_round_trip(&tree, &collapsed, &options);
    }
}
