//! What holds for any annotation.

use proptest::prelude::*;
use tree::{Arc, BracketReading, Constraints, Heads, Node, PartialTree, Place, Reading, Span};

use super::annotations::{any_annotation, any_reading};
use super::meaning::{TREES, admitted};
use super::saying::{arc, bracket};
use crate::common::any_heads;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn exactly_the_trees_that_the_annotation_means_are_admitted(
        said in any_annotation(3),
        reading in any_reading(),
    ) {
        check_exact(&said, reading)?;
    }

    #[test]
    fn no_arc_span_or_bracket_of_an_admitted_tree_is_ruled_out(
        said in any_annotation(2),
        reading in any_reading(),
    ) {
        let reading = Reading { omit_unmentioned: false, ..reading };
        let Ok(constraints) = Constraints::from_partial(&said, &reading) else { return Ok(()) };
        for tree in admitted(&said, reading) {
            for word in 1..=tree.len() {
                prop_assert!(constraints.allows_arc(tree.head(word), word));
                if let Some(head) = constraints.required_head(word) {
                    prop_assert_eq!(head, tree.head(word));
                }
            }
            for bracket in constraints.brackets() {
                let head = bracket.head.or_else(|| Some(top_of(tree, &bracket.words))).unwrap();
                prop_assert_eq!(head, top_of(tree, &bracket.words));
                if let Some(outer) = bracket.outer_head {
                    prop_assert_eq!(tree.head(head), outer);
                }
            }
            if tree.is_projective() {
                check_spans(&constraints, tree)?;
            }
        }
    }

    #[test]
    fn both_together_admit_what_each_admits(
        one in any_annotation(2),
        other in any_annotation(2),
        reading in any_reading(),
    ) {
        let reading = Reading { omit_unmentioned: false, ..reading };
        let n_words = one.n_words.max(other.n_words);
        let (one, other) = (PartialTree { n_words, ..one }, PartialTree { n_words, ..other });
        let read = |said| Constraints::from_partial(said, &reading);
        let (Ok(a), Ok(b)) = (read(&one), read(&other)) else { return Ok(()) };
        let both = a.clone().and(&b);
        for tree in &TREES[one.n_words] {
            let admitted = both.as_ref().is_ok_and(|both| both.admits(tree));
            prop_assert_eq!(admitted, a.admits(tree) && b.admits(tree));
        }
    }

    #[test]
    fn arcs_and_roots_between_words_leave_only_arcs_of_admitted_trees(tree in any_heads(5), said_of in any::<u8>()) {
        let mut said = PartialTree::new(tree.len());
        for word in (1..=tree.len()).filter(|word| said_of >> word & 1 == 1) {
            match tree.head(word) {
                0 => said.roots.push((Node::Word(word), Place::default())),
                head => said.arcs.push(arc(head, word, 0)),
            }
        }
        check_tight(&said)?;
    }

    #[test]
    fn single_bracket_leaves_only_arcs_of_admitted_trees(
        n in 1usize..=5,
        members in 1u8..32,
        head in prop::option::of(any::<prop::sample::Index>()),
        outer in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let words: Vec<usize> = (1..=n).filter(|word| members >> (word - 1) & 1 == 1).collect();
        prop_assume!(!words.is_empty());
        let mut said = PartialTree::new(n);
        let head = head.map(|head| Node::Word(words[head.index(words.len())]));
        said.groups.push(bracket(&words, head, 1));
        let outside: Vec<usize> = (1..=n).filter(|word| !words.contains(word)).collect();
        if let Some(outer) = outer.filter(|_| !outside.is_empty()) {
            let head = Node::Word(outside[outer.index(outside.len())]);
            said.arcs.push(Arc { head, dependent: Node::Group(0), place: Place::line(2) });
        }
        check_tight(&said)?;
    }
}

/// The constraints admit what the annotation means, and a conflict means that there is no tree.
pub(crate) fn check_exact(said: &PartialTree, reading: Reading) -> Result<(), TestCaseError> {
    let expected = admitted(said, reading);
    match Constraints::from_partial(said, &reading) {
        Err(conflict) => prop_assert!(expected.is_empty(), "{conflict} but {expected:?}"),
        Ok(constraints) => {
            let trees = TREES[said.n_words].iter();
            let found: Vec<&Heads> = trees.filter(|tree| constraints.admits(tree)).collect();
            prop_assert_eq!(found, expected);
        }
    }
    Ok(())
}

/// The member that dominates the others.
fn top_of(tree: &Heads, words: &[usize]) -> usize {
    *words.iter().find(|&&top| words.iter().all(|&word| tree.dominates(top, word))).unwrap()
}

/// Constituents of a projective tree, and the spans of its split-head derivations, are allowed.
fn check_spans(constraints: &Constraints, tree: &Heads) -> Result<(), TestCaseError> {
    let reach = tree.reach();
    for word in 1..=tree.len() {
        let (first, last, _) = reach[word];
        let span = Span::new(first - 1, last).unwrap();
        prop_assert!(constraints.allows_span(span), "{} of {:?}", span, tree);
        let mut split =
            vec![(2 * first - 2, 2 * last), (2 * word - 2, 2 * word - 1), (2 * word - 1, 2 * word)];
        for below in tree.dependents(word) {
            let (first, last, _) = reach[below];
            split.push(if below < word { (2 * first - 2, 2 * word - 1) } else { (2 * word - 1, 2 * last) });
        }
        for (start, end) in split {
            let span = Span::new(start, end).unwrap();
            prop_assert!(constraints.allows_split_span(span), "halves {} of {:?}", span, tree);
        }
    }
    Ok(())
}

fn check_tight(said: &PartialTree) -> Result<(), TestCaseError> {
    for brackets in [BracketReading::Subtree, BracketReading::Connected] {
        let reading = Reading { brackets, ..Reading::default() };
        let constraints = Constraints::from_partial(said, &reading).unwrap();
        let trees = admitted(said, reading);
        for dependent in 1..=said.n_words {
            for head in 0..=said.n_words {
                let is_used = trees.iter().any(|tree| tree.head(dependent) == head);
                prop_assert_eq!(constraints.allows_arc(head, dependent), is_used, "{} → {}", head, dependent);
            }
        }
    }
    Ok(())
}
