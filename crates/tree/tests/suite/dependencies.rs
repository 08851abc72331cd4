//! Constituents to dependencies by head rules, and dependencies to constituents and back.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::{any_heads, any_tree, nasty_label, read, read_file, show};
use proptest::prelude::*;
use tree::transform::{
    ConstituentsError, HeadRules, LexicalTree, Normalisation, NotLexical, from_constituents, normalise,
    to_constituents, to_dependencies,
};
use tree::{Heads, Text};

fn texts(text: &str) -> Vec<Text> {
    text.split(' ').map(Text::from).collect()
}

#[test]
fn english_sentence_gets_the_heads_of_the_textbooks() {
    let tree = read(
        "(TOP (S (NP (DT the) (NN dog)) (VP (VBD saw) (NP (NP (NNS cats)) (PP (IN in) (NP (NN town))))) (. .)))",
    );
    let found = to_dependencies(&tree, &HeadRules::english());
    assert_eq!(found.heads.as_slice(), [2, 3, 0, 3, 4, 5, 3]);
    assert_eq!(found.relations, texts("DT NP TOP NP PP NP ."));
}

#[test]
fn bare_words_have_heads_too() {
    let found = to_dependencies(&read("(IP (NP Òun) (VP ni (CP rí)))"), &HeadRules::leftmost());
    assert_eq!(found.heads.as_slice(), [0, 1, 2]);
    assert_eq!(found.relations, texts("IP VP CP"));
    let found = to_dependencies(&read("(NP Ìwé náà (X))"), &HeadRules::rightmost());
    assert_eq!((found.heads.as_slice(), found.relations), ([2, 0].as_slice(), texts("_ NP")));
}

#[test]
fn wall_street_journal_sentences_have_one_root_and_projective_heads() {
    let Some(file) = testkit::shared("data/constituency/english_wsj/norm/train.mrg") else { return };
    let rules = HeadRules::english();
    for tree in read_file(&file) {
        let found = to_dependencies(&tree, &rules);
        assert_eq!(found.heads.n_roots(), 1);
        assert!(found.heads.is_projective());
    }
}

fn example() -> LexicalTree {
    LexicalTree {
        heads: Heads::new(vec![2, 3, 0, 0]).unwrap(),
        words: texts("the dog barks !"),
        tags: texts("DET NOUN VERB PUNCT"),
        relations: Some(texts("det nsubj root root")),
    }
}

#[test]
fn every_word_projects_a_phrase() {
    let tree = to_constituents(&example()).unwrap();
    assert_eq!(
        show(&tree),
        "(TOP (VERBP-root (NOUNP-nsubj (DETP-det (DET the)) (NOUN dog)) (VERB barks)) (PUNCTP-root (PUNCT !)))"
    );
    assert_eq!(from_constituents(&tree), Ok(example()));
    let bare = LexicalTree { relations: None, ..example() };
    let tree = to_constituents(&bare).unwrap();
    assert_eq!(
        show(&tree),
        "(TOP (VERBP (NOUNP (DETP (DET the)) (NOUN dog)) (VERB barks)) (PUNCTP (PUNCT !)))"
    );
    assert_eq!(from_constituents(&tree), Ok(bare));
}

#[test]
fn relations_go_when_the_tree_is_normalised() {
    let normal = normalise(&to_constituents(&example()).unwrap(), &Normalisation::default()).unwrap();
    assert_eq!(from_constituents(&normal), Ok(LexicalTree { relations: None, ..example() }));
}

#[test]
fn crossing_arcs_are_refused_with_both_arcs() {
    let crossing = LexicalTree { heads: Heads::new(vec![3, 4, 0, 3]).unwrap(), ..example() };
    let error = to_constituents(&crossing).unwrap_err();
    assert_eq!(error, ConstituentsError::Crossing { arc: (3, 1), crossed: (4, 2) });
    assert_eq!(
        error.to_string(),
        "the arc from 3 to 1 crosses the arc from 4 to 2; projectivise the tree first or leave the sentence out"
    );
    let short = LexicalTree { tags: texts("DET NOUN"), ..example() };
    let expected = ConstituentsError::Lengths { n_heads: 4, what: "tags", n_given: 2 };
    assert_eq!(to_constituents(&short), Err(expected));
}

#[test]
fn other_trees_are_refused_with_the_node() {
    let refused = |tree: &str| from_constituents(&read(tree)).unwrap_err();
    assert_eq!(refused("(NOUN dog)"), NotLexical::Top);
    assert_eq!(refused("(TOP (NOUN dog))"), NotLexical::Head { node: 0, label: "TOP".into(), n_heads: 1 });
    assert_eq!(
        refused("(TOP (NOUNP (NOUN dog) (NOUN cat)))"),
        NotLexical::Head { node: 1, label: "NOUNP".into(), n_heads: 2 }
    );
    assert_eq!(refused("(TOP (NP (N a) b))"), NotLexical::BareWord { node: 4, form: "b".into() });
    assert_eq!(
        refused("(TOP (NP (NOUN a)))"),
        NotLexical::Label { node: 1, label: "NP".into(), tag: "NOUN".into() }
    );
    assert_eq!(
        refused("(TOP (NP-x (NP (N b)) (N a)))"),
        NotLexical::Relations { node: 1, label: "NP-x".into() }
    );
}

#[test]
fn chains_a_hundred_thousand_long_do_not_overflow_the_stack() {
    let n = 100_000;
    let lexical = LexicalTree {
        heads: Heads::new((0..n).collect()).unwrap(),
        words: vec!["w".into(); n as usize],
        tags: vec!["T".into(); n as usize],
        relations: None,
    };
    assert_eq!(from_constituents(&to_constituents(&lexical).unwrap()), Ok(lexical));
}

#[test]
fn every_projective_sentence_of_universal_dependencies_survives_the_round_trip() {
    let Some(root) = testkit::shared("data/dependency/ud") else { return };
    let (mut n_projective, mut n_crossing) = (0, 0);
    for file in testkit::files_below(&root, ".conllu") {
        for block in std::fs::read_to_string(file).unwrap().split("\n\n") {
            let Some(lexical) = lexical_tree(block) else { continue };
            match to_constituents(&lexical) {
                Ok(tree) => {
                    n_projective += 1;
                    assert_eq!(from_constituents(&tree), Ok(lexical));
                }
                Err(error) => {
                    n_crossing += 1;
                    assert!(matches!(error, ConstituentsError::Crossing { .. }), "{error}");
                    assert!(!lexical.heads.crossing().is_empty());
                }
            }
        }
    }
    assert_eq!((n_projective, n_crossing), (59_748, 2_986));
}

fn lexical_tree(block: &str) -> Option<LexicalTree> {
    let rows: Vec<Vec<&str>> = block.lines().map(|line| line.split('\t').collect()).collect();
    let words: Vec<&Vec<&str>> =
        rows.iter().filter(|row| row.len() == 10 && row[0].parse::<u32>().is_ok()).collect();
    let column = |index: usize| words.iter().map(|row| Text::from(row[index])).collect::<Vec<_>>();
    let heads: Result<Vec<u32>, _> = words.iter().map(|row| row[6].parse()).collect();
    let heads = Heads::new(heads.ok().filter(|heads| !heads.is_empty())?).ok()?;
    Some(LexicalTree { heads, words: column(1), tags: column(3), relations: Some(column(7)) })
}

proptest! {
    #[test]
    fn lexical_trees_give_back_heads_tags_and_relations(
        heads in any_heads(8),
        labels in prop::collection::vec((nasty_label(), nasty_label(), nasty_label()), 8),
        has_relations: bool,
    ) {
        let labels = &labels[..heads.len()];
        let column = |label: fn(&(Text, Text, Text)) -> &Text| labels.iter().map(|row| label(row).clone()).collect();
        let relations = has_relations.then(|| column(|row| &row.2));
        let lexical = LexicalTree { heads, words: column(|row| &row.0), tags: column(|row| &row.1), relations };
        let tree = to_constituents(&lexical);
        prop_assert_eq!(tree.is_ok(), lexical.heads.is_projective());
        if let Ok(tree) = tree {
            prop_assert_eq!(from_constituents(&tree), Ok(lexical));
        }
    }

    #[test]
    fn head_rules_give_one_root_whatever_the_tree(
        tree in any_tree(),
        rules in prop::sample::select(vec![HeadRules::english(), HeadRules::leftmost(), HeadRules::rightmost()]),
    ) {
        let found = to_dependencies(&tree, &rules);
        prop_assert_eq!(found.heads.len(), tree.n_words());
        prop_assert_eq!(found.heads.n_roots(), usize::from(tree.n_words() > 0));
        prop_assert!(found.heads.is_projective());
    }
}
