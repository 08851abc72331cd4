use super::*;
use crate::project::scripted::{Scripted, change, head, rows};
use annotation::{Change, WordOrBlock};
use serde_json::json;
use std::collections::BTreeSet;
use study::combine::dawid_skene::{Annotated, Options, dawid_skene};
use study::combine::union;
use tree::Text;

const WORDS: &str = "a/A b/B c/A d/B e/A";
const N: usize = 5;

/// What three annotators say of twelve sentences; no word is in a tie unless two say different things and the third nothing.
fn given(sentence: usize) -> [Vec<Option<usize>>; 3] {
    // A chain to the left, one to the right, and a star, with words left open.
    let left: Vec<Option<usize>> = (0..N).map(Some).collect();
    let right: Vec<Option<usize>> = (1..=N).map(|word| Some((word + 1) % (N + 1))).collect();
    let star: Vec<Option<usize>> = (1..=N).map(|word| Some(if word == 3 { 0 } else { 3 })).collect();
    let kept = |mut heads: Vec<Option<usize>>, person: usize| {
        heads.iter_mut().enumerate().for_each(|(at, head)| {
            if (at + sentence * (person + 2)).is_multiple_of(4) {
                *head = None;
            }
        });
        heads
    };
    let all = match sentence % 3 {
        0 => [left.clone(), left, right],
        1 => [star.clone(), left, star],
        _ => [left.clone(), left, star],
    };
    let [a, b, c] = all;
    [kept(a, 0), kept(b, 1), kept(c, 2)]
}

fn twelve() -> Scripted {
    let sentences: Vec<String> = (0..12).map(|_| rows(WORDS)).collect();
    let scripted = Scripted::new(&sentences, &["Ana", "Bo", "Cy"]);
    for sentence in 1..=12 {
        for (who, heads) in (1..).zip(given(sentence)) {
            scripted.says_heads(who, sentence as i64, &heads);
        }
    }
    scripted
}

fn merged_heads(scripted: &Scripted, sentence: i64) -> Vec<Option<usize>> {
    heads_of(&scripted.desk.view(MERGED, sentence, 0).unwrap())
}

fn heads_of(view: &View) -> Vec<Option<usize>> {
    let head = |word: &crate::project::WordView| match word.head?.0 {
        WordOrBlock::Word(head) => Some(head as usize),
        WordOrBlock::Block { .. } => None,
    };
    view.words.iter().map(head).collect()
}

/// Words of which as many say one thing as another.
fn tied(given: &[Vec<Option<usize>>]) -> BTreeSet<usize> {
    let is_tie = |word: &usize| {
        let heads: Vec<usize> = given.iter().filter_map(|heads| heads[word - 1]).collect();
        let count = |head: &usize| heads.iter().filter(|other| *other == head).count();
        let most = heads.iter().map(count).max().unwrap_or(0);
        heads.iter().filter(|head| count(head) == most).collect::<BTreeSet<_>>().len() > 1
    };
    (1..=N).filter(is_tie).collect()
}

#[test]
fn the_majority_is_that_of_combine_and_a_tie_stays_open() {
    let scripted = twelve();
    let n_disputed = scripted.desk.disputed(1).unwrap().len();
    let merged = scripted.desk.merge(1, None, MergeBy::Majority, 7).unwrap();
    assert_eq!(merged.len(), n_disputed);
    let mut n_ties = 0;
    for one in &merged {
        let mut given = given(one.id as usize).to_vec();
        let ties = tied(&given);
        n_ties += ties.len();
        if ties.is_empty() {
            assert!(one.submitted, "{one:?}");
        }
        given.iter_mut().for_each(|heads| ties.iter().for_each(|word| heads[word - 1] = None));
        let expected = union(&given).unwrap().heads;
        assert_eq!(merged_heads(&scripted, one.id), expected, "sentence {}", one.id);
        assert_eq!(one.submitted, one.open == 0);
    }
    assert!(n_ties > 0 && merged.iter().any(|one| one.submitted), "{merged:?}");
}

#[test]
fn dawid_skene_is_that_of_combine_over_all_sentences() {
    let scripted = twelve();
    let tags: Vec<Text> = ["A", "B", "A", "B", "A"].map(Text::from).to_vec();
    let sentences: Vec<Annotated> = (1..=12)
        .map(|sentence| Annotated {
            tags: tags.clone(),
            annotations: given(sentence).into_iter().enumerate().collect(),
        })
        .collect();
    let combined = dawid_skene(&sentences, 3, &Options::default()).unwrap().combined(&sentences);
    for sentence in 1..=12 {
        scripted.desk.merge(1, Some(sentence), MergeBy::DawidSkene, 7).unwrap();
        assert_eq!(merged_heads(&scripted, sentence), combined[sentence as usize - 1].heads);
        assert!(!scripted.desk.view(MERGED, sentence, 0).unwrap().submitted);
    }
}

#[test]
fn what_was_decided_by_hand_stays_and_a_vote_is_undone_step_by_step() {
    let scripted = Scripted::new(&[rows(WORDS)], &["Ana", "Bo", "Cy"]);
    for who in [1, 2] {
        scripted.says(who, 1, vec![head(1, 2), head(3, 4), head(4, 0)]);
    }
    scripted.says(3, 1, vec![head(1, 5), head(3, 5), head(4, 5)]);
    // Decided: the first word as nobody said, the third is open.
    scripted.happens(0, 1, 1, vec![edit(vec![head(1, 3), head(3, 2)])]);
    scripted.happens(0, 1, 2, vec![edit(vec![change(json!({"head": {"of": 3, "to": null}}))])]);
    let before = merged_heads(&scripted, 1);
    let one = scripted.desk.merge(1, Some(1), MergeBy::Majority, 3).unwrap().remove(0);
    assert_eq!(merged_heads(&scripted, 1), [Some(3), None, None, Some(0), None]);
    assert_eq!((one.disputed, one.open, one.submitted), (3, 0, false));
    let by = |desk: &Desk| desk.disputed(1).unwrap()[0].by.clone();
    assert_eq!(by(&scripted.desk), [Via::Majority, Via::Key]);
    // The same again is nothing new.
    let version = scripted.desk.view(MERGED, 1, 0).unwrap().version;
    scripted.desk.merge(1, Some(1), MergeBy::Majority, 4).unwrap();
    assert_eq!(scripted.desk.view(MERGED, 1, 0).unwrap().version, version);
    scripted.happens(0, 1, 5, vec![Happening::Undo]);
    assert_eq!(merged_heads(&scripted, 1), before);
    // What people said has not changed.
    assert_eq!(heads_of(&scripted.desk.view(3, 1, 0).unwrap())[0], Some(5));
}

fn edit(changes: Vec<Change>) -> Happening {
    Happening::Edit { via: Via::Key, changes }
}

#[test]
fn what_nobody_disputes_is_carried_over_also_what_is_said_later() {
    let scripted = Scripted::new(&[rows(WORDS)], &["Ana", "Bo"]);
    let block = change(json!({"bracket": {"id": 1, "words": [1, 2], "head": 2}}));
    let above = change(json!({"head": {"of": {"bracket": 1}, "to": 3, "relation": "obj"}}));
    scripted.says(1, 1, vec![block.clone(), above, head(3, 4), change(json!({"tag": {"of": 5, "is": "Z"}}))]);
    let other = change(json!({"bracket": {"id": 7, "words": [1, 2], "head": 2}}));
    let above = change(json!({"head": {"of": {"bracket": 7}, "to": 3, "relation": "obj"}}));
    scripted.says(2, 1, vec![other, above, head(3, 5)]);
    let merged = scripted.desk.dispute(1, 1).unwrap().merged;
    assert_eq!(merged.brackets.len(), 1);
    let depends_on = merged.brackets[0].depends_on.map(|head| head.0);
    assert_eq!(
        (depends_on, merged.brackets[0].head),
        (Some(WordOrBlock::Word(3)), Some(WordOrBlock::Word(2)))
    );
    assert_eq!(merged.brackets[0].relation.as_deref(), Some("obj"));
    assert_eq!((merged.words[4].tag.as_str(), merged.words[2].head), ("Z", None));
    // Bo changes her mind, and says something more.
    scripted.says(2, 1, vec![head(3, 4), head(4, 0)]);
    let merged = scripted.desk.dispute(1, 1).unwrap().merged;
    assert_eq!(heads_of(&merged)[2..4], [Some(4), Some(0)]);
    // What was taken back is not put there again by looking at it.
    scripted.happens(0, 1, 3, vec![Happening::Undo]);
    assert_eq!(heads_of(&scripted.desk.dispute(1, 1).unwrap().merged)[2..4], [None, None]);
}

#[test]
fn what_the_file_said_and_all_took_back_is_open() {
    let file = "1\ta\t_\tA\t_\t_\t2\tdep\t_\t_\n2\tb\t_\tB\t_\t_\t0\troot\t_\t_\n\n".to_string();
    let scripted = Scripted::new(&[file], &["Ana", "Bo"]);
    let opened = change(json!({"head": {"of": 1, "to": null}}));
    scripted.says(1, 1, vec![opened.clone()]);
    scripted.says(2, 1, vec![opened]);
    assert_eq!(heads_of(&scripted.desk.dispute(1, 1).unwrap().merged), [None, Some(0)]);
}

#[test]
fn ties_are_left_for_the_adjudicator_and_then_all_is_merged() {
    let scripted = Scripted::new(&[rows(WORDS), rows(WORDS)], &["Ana", "Bo"]);
    for sentence in [1, 2] {
        scripted.says(1, sentence, vec![head(1, 2), head(2, 3)]);
        scripted.says(2, sentence, vec![head(1, 3), head(2, 3)]);
    }
    let merged = scripted.desk.merge(1, None, MergeBy::Majority, 1).unwrap();
    assert!(merged.iter().all(|one| (one.disputed, one.open, one.submitted) == (1, 1, false)));
    // Nothing is handed in that is not written out for lack of a decision, and what all agree on is there.
    assert_eq!(merged_heads(&scripted, 1), [None, Some(3), None, None, None]);
    scripted.happens(0, 1, 2, vec![edit(vec![head(1, 2)])]);
    let merged = scripted.desk.merge(1, None, MergeBy::Majority, 3).unwrap();
    assert_eq!(merged.iter().map(|one| one.submitted).collect::<Vec<_>>(), [true, false]);
    let listed: Vec<(i64, bool)> =
        scripted.desk.disputed(1).unwrap().iter().map(|one| (one.id, one.is_merged)).collect();
    assert_eq!(listed, [(2, false), (1, true)]);
    assert!(matches!(scripted.desk.merge(2, None, MergeBy::Majority, 3), Err(Fault::NotYours(_))));
    assert!(matches!(scripted.desk.merge(1, Some(9), MergeBy::Majority, 3), Err(Fault::Missing(_))));
}

#[test]
fn relations_go_with_the_head_that_is_taken() {
    let scripted = Scripted::new(&[rows(WORDS)], &["Ana", "Bo", "Cy"]);
    for (who, to, relation, tag) in [(1, 2, "x", "P"), (2, 2, "x", "P"), (3, 3, "y", "Q")] {
        let said = change(json!({"head": {"of": 1, "to": to, "relation": relation}}));
        scripted.says(who, 1, vec![said, change(json!({"tag": {"of": 2, "is": tag}}))]);
    }
    scripted.desk.merge(1, Some(1), MergeBy::Majority, 1).unwrap();
    let merged = scripted.desk.view(MERGED, 1, 0).unwrap();
    assert_eq!((merged.words[0].relation.as_deref(), merged.words[1].tag.as_str()), (Some("x"), "P"));
    let moments = scripted.desk.moments(MERGED, 1, 0).unwrap();
    assert_eq!(moments.last().unwrap().by, "majority");
}

fn block(id: u32, words: &[u32], head: Option<u32>, label: &str) -> Change {
    change(json!({"bracket": {"id": id, "words": words, "head": head, "label": label}}))
}

fn tag(of: u32, is: &str) -> Change {
    change(json!({"tag": {"of": of, "is": is}}))
}

fn related(of: serde_json::Value, to: u32, relation: &str) -> Change {
    change(json!({"head": {"of": of, "to": to, "relation": relation}}))
}

#[test]
fn sentences_that_differ_in_all_but_heads_are_listed_after_those_whose_heads_differ() {
    let scripted = Scripted::new(&vec![rows(WORDS); 6], &["Ana", "Bo"]);
    let said = [
        // The same, with blocks that are numbered otherwise.
        (
            1,
            [
                vec![block(1, &[1, 2], Some(1), "A"), tag(5, "Z")],
                vec![block(4, &[1, 2], Some(1), "A"), tag(5, "Z")],
            ],
        ),
        // Somebody is silent.
        (2, [vec![head(1, 2), tag(1, "X")], vec![related(json!(1), 2, "x")]]),
        (3, [vec![head(1, 2), tag(1, "X")], vec![head(1, 2), tag(1, "Y")]]),
        (4, [vec![related(json!(1), 2, "x"), block(1, &[4, 5], None, "B")], vec![related(json!(1), 2, "y")]]),
        // Relations go with heads, so that here is one difference and not two.
        (5, [vec![related(json!(1), 2, "x")], vec![related(json!(1), 3, "y")]]),
        (6, [vec![head(1, 2), head(2, 3), tag(3, "P")], vec![head(1, 3), head(2, 4), tag(3, "Q")]]),
    ];
    for (sentence, [ana, bo]) in said {
        scripted.says(1, sentence, ana);
        scripted.says(2, sentence, bo);
    }
    let listed = scripted.desk.disputed(1).unwrap();
    let listed: Vec<_> = listed.iter().map(|one| (one.id, one.n_different, one.n_other)).collect();
    assert_eq!(listed, [(6, 2, 1), (5, 1, 0), (4, 0, 2), (3, 0, 1)]);
    let dispute = scripted.desk.dispute(1, 4).unwrap();
    let expected = [
        Difference { what: Differing::Relation, words: vec![1] },
        Difference { what: Differing::Block, words: vec![4, 5] },
    ];
    assert_eq!((dispute.differences, dispute.others), (vec![], expected.to_vec()));
}

#[test]
fn what_is_said_of_blocks_that_all_have_made_may_differ_too() {
    let scripted = Scripted::new(&[rows(WORDS)], &["Ana", "Bo"]);
    let of = |id: u32| json!({"bracket": id});
    let outer = |id, label| block(id, &[1, 2, 3], None, label);
    scripted.says(
        1,
        1,
        vec![block(1, &[1, 2], Some(1), "A"), outer(2, "C"), related(of(2), 4, "x"), head(5, 0)],
    );
    scripted.says(
        2,
        1,
        vec![block(7, &[1, 2], Some(2), "B"), outer(3, "C"), related(of(3), 5, "y"), head(5, 0)],
    );
    let told = |desk: &Desk| -> Vec<(Differing, Vec<u32>)> {
        desk.dispute(1, 1).unwrap().others.into_iter().map(|one| (one.what, one.words)).collect()
    };
    let expected = [
        (Differing::BlockHead, vec![1, 2]),
        (Differing::Label, vec![1, 2]),
        // The relation goes with what it belongs to.
        (Differing::Attachment, vec![1, 2, 3]),
    ];
    assert_eq!(told(&scripted.desk), expected);
    scripted.says(2, 1, vec![related(of(3), 4, "y"), block(7, &[1, 2], Some(1), "A")]);
    assert_eq!(told(&scripted.desk), [(Differing::Relation, vec![1, 2, 3])]);
    // A word that belongs to the same words belongs to the same block.
    let to = |id: u32| change(json!({"head": {"of": 4, "to": {"bracket": id}}}));
    let scripted = Scripted::new(&[rows(WORDS)], &["Ana", "Bo"]);
    scripted.says(1, 1, vec![block(1, &[1, 2], None, "A"), to(1)]);
    scripted.says(2, 1, vec![block(7, &[1, 2], None, "A"), to(7)]);
    assert_eq!(scripted.desk.disputed(1).unwrap(), []);
}

#[test]
fn a_tie_of_tags_or_relations_is_left_for_the_adjudicator_and_blocks_go_by_the_majority() {
    let scripted = Scripted::new(&vec![rows(WORDS); 3], &["Ana", "Bo", "Cy"]);
    for (who, is, relation) in [(1, "X", "x"), (2, "Y", "x"), (3, "Y", "y")] {
        scripted.says(who, 1, vec![head(1, 2), tag(1, is)]);
        if who < 3 {
            scripted.says(who, 2, vec![related(json!(1), 2, ["x", "y"][who as usize - 1])]);
        }
        scripted.says(who, 3, vec![related(json!(1), 2, relation), block(who as u32, &[4, 5], None, "A")]);
    }
    scripted.says(3, 3, vec![change(json!({"unbracket": {"id": 3}}))]);
    let merged = scripted.desk.merge(1, None, MergeBy::Majority, 1).unwrap();
    let merged: Vec<_> = merged.iter().map(|one| (one.id, one.disputed, one.open, one.submitted)).collect();
    assert_eq!(merged, [(1, 0, 0, true), (2, 0, 1, false), (3, 0, 0, true)]);
    let view = |sentence| scripted.desk.view(MERGED, sentence, 0).unwrap();
    assert_eq!(view(1).words[0].tag, "Y");
    assert_eq!((view(3).words[0].relation.as_deref(), view(3).brackets.len()), (Some("x"), 1));
    // What was decided by hand is no tie any more.
    scripted.happens(0, 2, 2, vec![edit(vec![change(json!({"relation": {"of": 1, "is": "z"}}))])]);
    let merged = scripted.desk.merge(1, None, MergeBy::Majority, 3).unwrap();
    assert_eq!((merged.len(), merged[0].submitted), (1, true));
    assert_eq!(view(2).words[0].relation.as_deref(), Some("z"));
}
