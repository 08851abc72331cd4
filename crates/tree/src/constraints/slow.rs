//! Oracle for tests: lists all trees of a sentence and asks of each whether it is what was said.
//!
//! It shares neither code nor rules with what it tests: [`said`] reads the annotation by itself, and [`meaning`] holds every
//! statement against whole trees. So it knows which arcs are left, and not by which steps they are found.

mod annotations;
mod meaning;
mod said;

use std::sync::LazyLock;

use super::Constraints;
use super::claims::{Claim, Claims, End};
use super::narrow::{Narrowed, narrow};
use crate::{Arc, BracketReading, Group, GroupKind, Node, PartialTree, Place, Reading, Span};
use annotations::{MOST_WORDS, any_annotation, any_places, any_reading, spread};
use meaning::{Tree, all_trees, dominates, tops};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use said::Said;

/// All trees of so many words.
static TREES: LazyLock<Vec<Vec<Tree>>> = LazyLock::new(|| (0..=MOST_WORDS).map(all_trees).collect());

/// The trees that are what was said, over the words that are not left out, with the heads of brackets in each.
fn admitted(said: &Said) -> Vec<(Tree, Vec<usize>)> {
    let kept: Vec<usize> = said.kept().collect();
    let spread = |tree: &Tree| {
        let mut heads = vec![0; said.n_words + 1];
        for (at, &word) in kept.iter().enumerate() {
            heads[word] = tree[at + 1].checked_sub(1).map_or(0, |head| kept[head]);
        }
        heads
    };
    let trees = TREES[kept.len()].iter().map(spread);
    trees.filter_map(|tree| Some((tops(said, &tree)?, tree))).map(|(tops, tree)| (tree, tops)).collect()
}

/// Whether a chart over split heads may build `span`, word by word.
fn allows_split_span(constraints: &Constraints, reach: &[(usize, usize)], span: Span) -> bool {
    let crosses =
        |words: Span| Span::new(2 * words.start(), 2 * words.end()).is_some_and(|half| half.crosses(span));
    if constraints.brackets.iter().any(|bracket| bracket.span.is_some_and(crosses)) {
        return false;
    }
    let whole_words = span.start().div_ceil(2) + 1..=(span.end() / 2).min(constraints.n_words());
    whole_words.into_iter().all(|word| {
        let (first, last) = reach[word];
        span.start() <= 2 * first - 2 && 2 * last <= span.end()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn nothing_of_a_tree_that_was_meant_is_ruled_out(said in any_annotation(), reading in any_reading()) {
        check(&said, &reading)?;
    }

    #[test]
    fn nothing_is_ruled_out_beyond_a_block_of_bits(
        said in any_annotation(),
        reading in any_reading(),
        places in any_places(),
    ) {
        check(&spread(&said, &places), &Reading { omit_unmentioned: true, ..reading })?;
    }
}

/// Arcs that no tree has, of annotations that mean some tree.
#[derive(Debug, Default)]
struct ArcTally {
    impossible: usize,
    /// Of these, those that were not ruled out.
    left: usize,
}

impl ArcTally {
    fn add(&mut self, said: &PartialTree, reading: &Reading) {
        let trees = admitted(&Said::read(said, reading));
        let narrowed = narrow(&Claims::new(said, reading).unwrap());
        for dependent in (1..=said.n_words).filter(|_| !trees.is_empty()) {
            let heads = (0..=said.n_words).filter(|&head| head != dependent);
            for head in heads.filter(|&head| trees.iter().all(|(tree, _)| tree[dependent] != head)) {
                self.impossible += 1;
                self.left += usize::from(narrowed.as_ref().is_ok_and(|n| n.mask.allows(head, dependent)));
            }
        }
    }
}

/// Not every arc that no tree has is found by rules that look at one statement at a time; but few are not. A rule that is
/// missing or too weak leaves more.
#[test]
fn few_arcs_are_left_that_no_tree_has() {
    let mut runner = TestRunner::deterministic();
    for (brackets, per_mille) in [(BracketReading::Connected, 45), (BracketReading::Subtree, 26)] {
        let mut tally = ArcTally::default();
        for _ in 0..10_000 {
            let (said, reading) = (any_annotation(), any_reading()).new_tree(&mut runner).unwrap().current();
            tally.add(&said, &Reading { brackets, ..reading });
        }
        assert!(1000 * tally.left <= per_mille * tally.impossible, "{brackets:?}: {tally:?}");
    }
}

/// Brackets without heads; places are numbered lines.
fn brackets(n_words: usize, groups: &[&[Node]]) -> PartialTree {
    let kinds = groups.iter().map(|members| GroupKind::Bracket { members: members.to_vec(), head: None });
    let groups = kinds.zip((1..).map(Place::line)).map(|(kind, place)| Group { kind, place }).collect();
    PartialTree { groups, ..PartialTree::new(n_words) }
}

#[test]
fn closed_bracket_is_looked_at_again_when_an_arc_no_longer_exempts_it() {
    let mut said = brackets(5, &[&[Node::Word(1), Node::Word(4)], &[Node::Word(2)], &[Node::Word(1)]]);
    said.arcs.push(Arc { head: Node::Group(0), dependent: Node::Word(2), place: Place::line(4) });
    check(&said, &Reading::default()).unwrap();
}

#[test]
fn bracket_is_looked_at_again_when_the_head_of_a_member_becomes_known() {
    let nested = [&[Node::Word(1), Node::Word(2)], &[Node::Word(1)][..], &[Node::Group(0)]];
    let said = brackets(3, &[nested[0], nested[1], nested[2], &[Node::Group(2), Node::Word(1)]]);
    check(&said, &Reading::default()).unwrap();
}

/// What follows holds in every tree that was meant, nothing more follows from it, and a conflict means that there is no tree.
fn check(said: &PartialTree, reading: &Reading) -> Result<(), TestCaseError> {
    let claims = Claims::new(said, reading).unwrap();
    let trees = admitted(&Said::read(said, reading));
    match narrow(&claims) {
        Err(conflict) => prop_assert!(trees.is_empty(), "{:?} but {:?}", conflict, trees),
        Ok(narrowed) => {
            for (tree, tops) in &trees {
                check_tree(&narrowed, &claims, tree, tops)?;
            }
            check_settled(&claims, &narrowed)?;
            if is_simple(&claims) {
                check_exact(&narrowed, &claims, &trees)?;
            }
            if let Ok(constraints) = Constraints::new(claims) {
                check_spans(&constraints, &narrowed.reach)?;
            }
        }
    }
    Ok(())
}

/// Whether rules must find everything: arcs and roots between words, or a single bracket.
fn is_simple(claims: &Claims) -> bool {
    claims.forbidden.is_empty()
        && (claims.brackets.is_empty() || claims.brackets.len() == 1 && claims.arcs.is_empty())
}

/// Every arc that is left is one of a tree that was meant.
fn check_exact(
    narrowed: &Narrowed,
    claims: &Claims,
    trees: &[(Tree, Vec<usize>)],
) -> Result<(), TestCaseError> {
    for dependent in 1..=claims.n_words {
        for head in narrowed.mask.heads(dependent) {
            let is_used = trees.iter().any(|(tree, _)| tree[dependent] == head);
            prop_assert!(is_used, "{} → {} of no tree", head, dependent);
        }
    }
    Ok(())
}

fn check_tree(
    narrowed: &Narrowed,
    claims: &Claims,
    tree: &Tree,
    tops: &[usize],
) -> Result<(), TestCaseError> {
    for word in (1..tree.len()).filter(|&word| !claims.is_left_out(word)) {
        prop_assert!(narrowed.mask.allows(tree[word], word), "{} → {} of {:?}", tree[word], word, tree);
        let (first, last) = narrowed.reach[word];
        prop_assert!(
            dominates(tree, word, first) && dominates(tree, word, last),
            "below {} in {:?}",
            word,
            tree
        );
    }
    for (possible, &top) in narrowed.tops.iter().zip(tops) {
        prop_assert!(possible.holds(top), "head {} of a bracket in {:?}", top, tree);
    }
    Ok(())
}

/// With all arcs that are ruled out said to be so, every rule looks at everything once more, and finds nothing new.
fn check_settled(claims: &Claims, narrowed: &Narrowed) -> Result<(), TestCaseError> {
    let mut again = claims.clone();
    for dependent in 1..=claims.n_words {
        for head in (0..=claims.n_words).filter(|&head| head != dependent) {
            let reason = narrowed.mask.reason(head, dependent);
            prop_assert_eq!(reason.is_none(), narrowed.mask.allows(head, dependent));
            again.forbidden.extend(reason.map(|place| Claim {
                head: End::Word(head),
                dependent: End::Word(dependent),
                place,
                source: 0,
            }));
        }
    }
    let again = match narrow(&again) {
        Ok(again) => again,
        Err(conflict) => return Err(TestCaseError::fail(format!("{conflict:?} was not seen"))),
    };
    for dependent in 1..=claims.n_words {
        let heads = |narrowed: &Narrowed| narrowed.mask.heads(dependent).collect::<Vec<_>>();
        prop_assert_eq!(heads(&again), heads(narrowed), "heads of {}", dependent);
    }
    prop_assert_eq!(&again.reach, &narrowed.reach);
    let tops =
        |narrowed: &Narrowed| narrowed.tops.iter().map(|tops| tops.iter().collect()).collect::<Vec<Vec<_>>>();
    prop_assert_eq!(tops(&again), tops(narrowed));
    Ok(())
}

fn check_spans(constraints: &Constraints, reach: &[(usize, usize)]) -> Result<(), TestCaseError> {
    for start in 0..2 * constraints.n_words() + 2 {
        for end in start + 1..2 * constraints.n_words() + 4 {
            let span = Span::new(start, end).unwrap();
            let expected = constraints.crossed_bracket(span).is_none();
            prop_assert_eq!(constraints.allows_span(span), expected, "{}", span);
            let expected = allows_split_span(constraints, reach, span);
            prop_assert_eq!(constraints.allows_split_span(span), expected, "halves {}", span);
        }
    }
    Ok(())
}
