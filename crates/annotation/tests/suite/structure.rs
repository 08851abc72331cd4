//! Heads and blocks: what can be said at all, and what comes of turning round and taking apart.

use crate::anything::{WORDS, accept, after, change, changes, changes_by_hand, tokens, unit};
use annotation::{
    Analysis, Attach, Attached, BlockKind, Change, Refusal, Shape, WordBlock, WordOrBlock, WrittenHead,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn is_there(analysis: &Analysis, unit: WordOrBlock) -> bool {
    match unit {
        WordOrBlock::Word(word) => (1..=WORDS.len() as u32).contains(&word),
        WordOrBlock::Block { bracket } => analysis.blocks().contains_key(&bracket),
    }
}

fn above(analysis: &Analysis, unit: WordOrBlock) -> Option<WordOrBlock> {
    match analysis.head(unit) {
        Some(Attached::To(above)) => Some(above),
        _ => None,
    }
}

/// Whether one unit is, or lies in, the other.
fn lies_in(analysis: &Analysis, inner: WordOrBlock, outer: WordOrBlock) -> bool {
    let (inner_words, outer_words) = (analysis.words_of(inner), analysis.words_of(outer));
    inner == outer
        || (matches!(outer, WordOrBlock::Block { .. })
            && inner_words.is_subset(&outer_words)
            && inner_words != outer_words)
}

fn check(analysis: &Analysis) -> Result<(), TestCaseError> {
    for (unit, head) in analysis.heads() {
        prop_assert!(is_there(analysis, unit), "{:?}", unit);
        let Attached::To(head) = head else { continue };
        prop_assert!(is_there(analysis, head), "{:?}", head);
        let is_apart = !lies_in(analysis, unit, head) && !lies_in(analysis, head, unit);
        prop_assert!(is_apart, "{:?} belongs to {:?}: {:?}", unit, head, analysis);
        let (mut at, mut steps) = (unit, 0);
        while let Some(next) = above(analysis, at) {
            (at, steps) = (next, steps + 1);
            prop_assert!(steps <= analysis.heads().count(), "a circle at {:?}: {:?}", unit, analysis);
        }
    }
    for (id, block) in analysis.blocks() {
        prop_assert!(block.words.len() > 1);
        prop_assert!(block.words.iter().all(|&word| is_there(analysis, WordOrBlock::Word(word))));
        if let BlockKind::Bracket { head: Some(head) } = block.kind {
            let this = WordOrBlock::Block { bracket: *id };
            prop_assert!(head != this && is_there(analysis, head), "{:?}", analysis);
            prop_assert!(analysis.words_of(head).is_subset(&block.words), "{:?}", analysis);
        }
    }
    Ok(())
}

/// Heads, blocks and relations.
type Parts = (BTreeMap<WordOrBlock, Attached>, BTreeMap<u32, WordBlock>, Vec<(WordOrBlock, Option<String>)>);

fn parts(analysis: &Analysis) -> Parts {
    let blocks = analysis.blocks().keys().map(|&bracket| WordOrBlock::Block { bracket });
    let units = (1..=WORDS.len() as u32).map(WordOrBlock::Word).chain(blocks);
    let relations = units.map(|unit| (unit, analysis.relation(unit).map(ToString::to_string))).collect();
    (analysis.heads().collect(), analysis.blocks().clone(), relations)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn nothing_belongs_to_itself_to_its_parts_or_to_its_block_whatever_is_done(
        changes in prop::collection::vec(change(), 0..60),
    ) {
        let mut analysis = Analysis::new(tokens());
        for change in &changes {
            let _ = analysis.apply(change);
            check(&analysis)?;
        }
    }

    #[test]
    fn what_is_accepted_comes_with_its_relation_and_keeps_those_that_were_said(
        changes in changes(),
        accepted in accept(),
    ) {
        let before = after(&changes);
        let mut now = before.clone();
        let made = now.apply(&accepted);
        let Change::Accept { heads } = &accepted else { return Ok(()) };
        if made.is_err() {
            prop_assert_eq!(now, before);
            return Ok(());
        }
        for word in (1..=WORDS.len() as u32).map(WordOrBlock::Word) {
            let shown = heads.iter().filter(|one| WordOrBlock::Word(one.of) == word);
            let first = shown.filter_map(|one| one.relation.as_ref()).next();
            prop_assert_eq!(now.relation(word), before.relation(word).or(first), "{:?}", word);
        }
    }

    #[test]
    fn blocks_made_by_hand_lie_in_each_other_or_apart(changes in changes_by_hand()) {
        let analysis = after(&changes);
        let blocks: Vec<&BTreeSet<u32>> = analysis.blocks().values().map(|block| &block.words).collect();
        for (at, one) in blocks.iter().enumerate() {
            for other in &blocks[at + 1..] {
                prop_assert!(one != other);
                prop_assert!(one.is_disjoint(other) || one.is_subset(other) || one.is_superset(other));
            }
        }
    }

    #[test]
    fn the_parent_of_a_block_is_the_smallest_around_it(changes in changes_by_hand()) {
        let analysis = after(&changes);
        for (&id, block) in analysis.blocks() {
            let holds = |other: &u32, around: &WordBlock| *other != id && around.words.is_superset(&block.words);
            let around = analysis.blocks().iter().filter(|(other, around)| holds(other, around));
            let smallest = around.min_by_key(|(_, around)| around.words.len()).map(|(&id, _)| id);
            prop_assert_eq!(analysis.parent(id), smallest);
        }
    }

    /// Turned round once, the dependent stands where the head stood, with its relation, and the head
    /// belongs to it; turned round once more all is as before but for the relation of the
    /// arc itself, which was that of the one direction.
    #[test]
    fn an_arc_that_is_turned_round_twice_is_as_before_but_for_its_relation(
        changes in changes(),
        of in unit(),
    ) {
        let before = after(&changes);
        let mut turned = before.clone();
        if turned.apply(&Change::Flip { of }).is_err() {
            return Ok(());
        }
        let head = above(&before, of).unwrap();
        prop_assert_eq!(turned.head(head), Some(of.into()));
        prop_assert_eq!((turned.head(of), turned.relation(of)), (before.head(head), before.relation(head)));
        prop_assert_eq!(turned.relation(head), None);
        turned.apply(&Change::Flip { of: head }).unwrap();
        let mut expected = before;
        expected.apply(&Change::Relation { of, is: None }).unwrap();
        prop_assert_eq!(parts(&turned), parts(&expected));
    }

    #[test]
    fn what_belongs_to_no_other_cannot_be_turned_round(changes in changes(), of in unit()) {
        let mut analysis = after(&changes);
        if is_there(&analysis, of) && above(&analysis, of).is_none() {
            let name = analysis.name(of);
            prop_assert_eq!(analysis.apply(&Change::Flip { of }), Err(Refusal::NothingToFlip(name)));
        }
    }

    #[test]
    fn a_block_that_is_taken_apart_leaves_nothing_that_names_it(changes in changes(), id in 1..=4u32) {
        let before = after(&changes);
        let mut analysis = before.clone();
        let taken = analysis.apply(&Change::Unbracket { id });
        prop_assert!(taken.is_err() || before.blocks().contains_key(&id));
        if let Err(refusal) = taken {
            // The head of a block takes its place, and may belong to itself then: one of the arcs has to go first.
            let is_circle = matches!(refusal, Refusal::Circle(..));
            prop_assert!(is_circle || !before.blocks().contains_key(&id), "{}", refusal);
            prop_assert_eq!(&analysis, &before);
            return Ok(());
        }
        let gone = WordOrBlock::Block { bracket: id };
        prop_assert_eq!((analysis.head(gone), analysis.relation(gone)), (None, None));
        prop_assert!(analysis.heads().all(|(_, head)| head != Attached::To(gone)));
        let mut blocks = before.blocks().clone();
        let block = blocks.remove(&id).unwrap();
        let BlockKind::Bracket { head } = block.kind else { return Ok(()) };
        if head.is_some_and(|head| !before.words_of(head).is_subset(&block.words)) {
            return Ok(());
        }
        prop_assert_eq!(analysis.blocks().keys().collect::<Vec<_>>(), blocks.keys().collect::<Vec<_>>());
        for (unit, to) in before.heads().filter(|(unit, _)| *unit != gone) {
            let expected = if to == Attached::To(gone) { head.map(Attached::To) } else { Some(to) };
            prop_assert_eq!(analysis.head(unit), expected, "{:?}", unit);
        }
        if let Some(head) = head {
            prop_assert_eq!(analysis.head(head), before.head(head).or(before.head(gone)));
        }
    }
}

fn attach(of: WordOrBlock, to: impl Into<Attached>) -> Change {
    Change::Head(Attach { of, to: Some(WrittenHead(to.into())), relation: None })
}

fn bracket(id: u32, words: &[u32], head: Option<u32>) -> Change {
    Change::Bracket {
        id,
        kind: Some(Shape::Bracket),
        words: words.to_vec(),
        head: head.map(WordOrBlock::Word),
        label: None,
    }
}

fn made(changes: &[Change]) -> Analysis {
    let mut analysis = Analysis::new(tokens());
    for change in changes {
        analysis.apply(change).unwrap();
    }
    analysis
}

const B: WordOrBlock = WordOrBlock::Block { bracket: 1 };

#[test]
fn what_makes_no_sense_is_refused_with_its_reason() {
    use WordOrBlock::Word;
    let analysis = made(&[
        bracket(1, &[1, 2], Some(2)),
        bracket(2, &[1, 2, 3], None),
        attach(Word(4), Word(5)),
        attach(Word(5), B),
    ]);
    let name = |name: &str| Change::Relation { of: WordOrBlock::Word(1), is: Some(name.into()) };
    let refused = [
        (attach(Word(7), Word(1)), "the sentence has no word 7; it has 6"),
        (attach(Word(0), Word(1)), "the sentence has no word 0; it has 6"),
        (
            attach(Word(1), WordOrBlock::Block { bracket: 9 }),
            "there is no block 9; it may have been taken back",
        ),
        (
            attach(Word(4), Word(4)),
            "“the” would belong to itself by way of “the”; turn the arc round, or open it first",
        ),
        (
            attach(B, Word(4)),
            "“the dog” would belong to itself by way of “the”; turn the arc round, or open it first",
        ),
        (attach(B, Word(1)), "a block cannot belong to a part of itself; say the head of the block instead"),
        (
            attach(WordOrBlock::Block { bracket: 2 }, B),
            "a block cannot belong to a part of itself; say the head of the block instead",
        ),
        (
            attach(Word(1), B),
            "a word cannot belong to the block that it is in; say which word heads the block instead",
        ),
        (
            bracket(3, &[3, 4], None),
            "this block would cut the block “the dog >” in two; blocks lie inside each other or apart",
        ),
        (bracket(3, &[4], None), "a block needs at least two words"),
        (bracket(3, &[4, 4], None), "a block needs at least two words"),
        (bracket(3, &[2, 1], None), "there is a block of these words already"),
        (bracket(3, &[4, 6], Some(5)), "the head of a block must be one of its words or blocks"),
        (
            Change::Flip { of: Word(1) },
            "“the” belongs to no word yet, so that there is nothing to turn round",
        ),
        (name("a b"), "“a b” cannot be used here: it is empty or has tabs, line ends or spaces in it"),
    ];
    for (change, reason) in refused {
        assert_eq!(analysis.clone().apply(&change).unwrap_err().to_string(), reason, "{change:?}");
    }
}

#[test]
fn what_a_block_said_goes_to_its_head_when_it_is_taken_apart() {
    let mut analysis = made(&[
        bracket(1, &[1, 2], Some(2)),
        attach(B, WordOrBlock::Word(6)),
        Change::Relation { of: B, is: Some("nsubj".into()) },
        attach(WordOrBlock::Word(4), B),
    ]);
    analysis.apply(&Change::Unbracket { id: 1 }).unwrap();
    assert_eq!(analysis.head(WordOrBlock::Word(2)), Some(WordOrBlock::Word(6).into()));
    assert_eq!(analysis.relation(WordOrBlock::Word(2)).unwrap(), "nsubj");
    assert_eq!(analysis.head(WordOrBlock::Word(4)), Some(WordOrBlock::Word(2).into()));
}

#[test]
fn what_belonged_to_a_block_without_a_head_is_open_when_it_is_taken_apart() {
    let mut analysis =
        made(&[bracket(1, &[1, 2], None), attach(B, WordOrBlock::Word(6)), attach(WordOrBlock::Word(4), B)]);
    analysis.apply(&Change::Unbracket { id: 1 }).unwrap();
    assert!(analysis.heads().next().is_none());
}

#[test]
fn a_block_that_is_changed_keeps_its_head_and_what_belongs_to_it() {
    let mut analysis =
        made(&[bracket(1, &[1, 2], None), attach(B, WordOrBlock::Word(6)), attach(WordOrBlock::Word(4), B)]);
    analysis.apply(&bracket(1, &[1, 2, 3], Some(2))).unwrap();
    assert_eq!(
        (analysis.head(B), analysis.head(WordOrBlock::Word(4))),
        (Some(WordOrBlock::Word(6).into()), Some(B.into()))
    );
    assert_eq!(analysis.apply(&bracket(1, &[1, 2, 3, 4], Some(2))), Err(Refusal::OwnBlock));
}
