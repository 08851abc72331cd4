//! An annotation as GFL and back.

use crate::anything::{after, change_by_hand, changes, changes_by_hand, gfl, tokens};
use annotation::{Analysis, BlockKind, Change, WordOrBlock};
use formats::Problem;
use proptest::prelude::*;
use std::collections::BTreeSet;
use tree::{GroupKind, Node, PartialTree};

/// The words of a node, and whether it is a block.
type Named = (bool, Vec<usize>);

/// What is said, whatever the blocks are numbered: blocks with what heads them, arcs, roots.
type Meaning = (BTreeSet<(String, Vec<usize>, Vec<Named>)>, BTreeSet<(Named, Option<Named>)>);

fn meaning(said: &PartialTree) -> Meaning {
    let named = |&node: &Node| (matches!(node, Node::Group(_)), said.words_of(node));
    let blocks = said.groups.iter().zip((0..).map(Node::Group)).map(|(group, node)| {
        let (kind, parts) = match &group.kind {
            GroupKind::Multiword { .. } => ("multiword".to_string(), Vec::new()),
            GroupKind::Bracket { head, .. } => ("bracket".to_string(), head.iter().map(named).collect()),
            GroupKind::Coordination { name, conjuncts, coordinators } => {
                let mut parts: Vec<Named> = conjuncts.iter().chain(coordinators).map(named).collect();
                parts.sort();
                (name.clone(), parts)
            }
        };
        (kind, said.words_of(node), parts)
    });
    let arcs = said.arcs.iter().map(|arc| (named(&arc.dependent), Some(named(&arc.head))));
    let roots = said.roots.iter().map(|(node, _)| (named(node), None));
    (blocks.collect(), arcs.chain(roots).collect())
}

/// Everything that is no head and no block.
fn beside(analysis: &Analysis) -> impl PartialEq + std::fmt::Debug + use<'_> {
    let words = 1..=analysis.tokens().len() as u32;
    let of_words: Vec<_> =
        words.map(|word| (analysis.tag(word), analysis.is_main(word), analysis.is_unsure(word))).collect();
    (of_words, analysis.forbidden(), analysis.comments())
}

fn is_fine(analysis: &Analysis) -> bool {
    !analysis.gfl().problems.iter().any(Problem::is_error)
}

/// Whether two blocks have the same words, which only text can say: `(($x))`, `((a b))`. Written once
/// more there is one of them.
fn has_twins(analysis: &Analysis) -> bool {
    let words: BTreeSet<_> = analysis.blocks().values().map(|block| &block.words).collect();
    words.len() < analysis.blocks().len()
}

/// Whether a coordination was given other words than those of what is coordinated.
fn has_other_words(analysis: &Analysis) -> bool {
    analysis.blocks().values().any(|block| {
        let BlockKind::Coordination { conjuncts, coordinators, .. } = &block.kind else { return false };
        let parts = conjuncts.iter().chain(coordinators).flat_map(|&part| analysis.words_of(part));
        parts.collect::<BTreeSet<u32>>() != block.words
    })
}

fn written(analysis: &Analysis) -> String {
    formats::gfl::write_annotation(&analysis.said(), analysis.tokens())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn what_is_written_as_text_and_read_says_the_same_and_nothing_else_is_lost(changes in changes()) {
        let before = after(&changes);
        if has_twins(&before) || has_other_words(&before) {
            return Ok(());
        }
        for text in [before.gfl().text, written(&before)] {
            let mut read = before.clone();
            read.apply(&Change::Gfl { text: text.clone() }).unwrap();
            prop_assert_eq!(&read.gfl().text, &text);
            prop_assert_eq!(meaning(&read.said()), meaning(&before.said()), "{}", text);
            prop_assert_eq!(beside(&read), beside(&before));
            for (unit, head) in before.heads() {
                prop_assert_eq!(read.head(unit), Some(head), "{}", text);
                prop_assert_eq!(read.relation(unit), before.relation(unit), "{}", text);
            }
            for (id, block) in before.blocks() {
                prop_assert_eq!(&read.blocks()[id].label, &block.label);
            }
            // What belongs to nothing has no relation to it.
            let words = (1..=6).map(WordOrBlock::Word);
            for word in words.filter(|&word| is_fine(&read) && read.head(word).is_none()) {
                prop_assert_eq!(read.relation(word), None);
            }
        }
    }

    #[test]
    fn what_is_written_as_text_says_it_all_to_who_knows_nothing_else(changes in changes_by_hand()) {
        let said = after(&changes);
        let mut read = Analysis::new(tokens());
        read.apply(&Change::Gfl { text: written(&said) }).unwrap();
        if is_fine(&read) {
            prop_assert_eq!(meaning(&read.said()), meaning(&said.said()), "{}", written(&said));
        } else {
            prop_assert!(read.heads().next().is_none() && read.blocks().is_empty());
        }
    }

    #[test]
    fn text_with_problems_stays_as_it_was_typed_and_changes_no_head(changes in changes(), text in gfl()) {
        let before = after(&changes);
        let mut read = before.clone();
        read.apply(&Change::Gfl { text: text.clone() }).unwrap();
        prop_assert_eq!(read.gfl().text, text);
        if !is_fine(&read) {
            prop_assert_eq!(read.said(), before.said());
            prop_assert_eq!(read.blocks(), before.blocks());
        }
        prop_assert_eq!(beside(&read), beside(&before));
    }

    #[test]
    fn an_edit_of_heads_or_blocks_takes_the_place_of_what_was_typed(
        changes in changes(),
        text in gfl(),
        edit in change_by_hand(),
    ) {
        let mut analysis = after(&changes);
        analysis.apply(&Change::Gfl { text: text.clone() }).unwrap();
        let is_made = analysis.apply(&edit).is_ok();
        let is_structure = !matches!(
            edit,
            Change::Relation { .. }
                | Change::Tag { .. }
                | Change::Main { .. }
                | Change::Unsure { .. }
                | Change::Forbid { .. }
                | Change::Comment { .. }
        );
        let expected = if is_made && is_structure { written(&analysis) } else { text };
        prop_assert_eq!(analysis.gfl().text, expected);
    }
}

#[test]
fn every_kind_of_statement_reaches_heads_and_blocks() {
    let mut analysis = Analysis::new(["we", "saw", "the", "dog", "and", "a", "cat"].map(Into::into).to_vec());
    let text = "we > saw**\n$x :: {(the dog*) (a cat*)} :: and\n$x > saw";
    analysis.apply(&Change::Gfl { text: text.into() }).unwrap();
    assert_eq!(analysis.gfl().problems, []);
    let words: Vec<Vec<u32>> =
        analysis.blocks().values().map(|block| block.words.iter().copied().collect()).collect();
    assert!(
        words.contains(&vec![3, 4]) && words.contains(&vec![6, 7]) && words.contains(&vec![3, 4, 5, 6, 7])
    );
    assert_eq!(analysis.head(WordOrBlock::Word(1)), Some(WordOrBlock::Word(2).into()));
    assert_eq!(analysis.head(WordOrBlock::Word(2)), Some(annotation::Attached::Root));
    let mut read = analysis.clone();
    read.apply(&Change::Gfl { text: written(&analysis) }).unwrap();
    assert_eq!(meaning(&read.said()), meaning(&analysis.said()));
}

#[test]
fn places_of_problems_count_characters() {
    let mut analysis = Analysis::new(["日本", "é"].map(Into::into).to_vec());
    analysis.apply(&Change::Gfl { text: "日本 > nobody".into() }).unwrap();
    let place = analysis.gfl().problems[0].place;
    assert_eq!((place.line, place.column, place.length), (1, 6, 6));
}
