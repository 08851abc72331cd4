use super::*;
use tree::{Arc, Group, GroupKind, Node, Place};

fn texts(text: &str) -> Vec<Text> {
    text.split_whitespace().map(Text::from).collect()
}

/// An annotation of arcs `dependent head`, 0 for roots.
fn record(annotator: &str, tags: &str, arcs: &[(usize, usize)], gold: &[usize]) -> Record {
    let tags = texts(tags);
    let place = Place::default();
    let mut said = PartialTree::new(tags.len());
    for &(dependent, head) in arcs {
        match head {
            0 => said.roots.push((Node::Word(dependent), place)),
            _ => said.arcs.push(Arc { head: Node::Word(head), dependent: Node::Word(dependent), place }),
        }
    }
    let gold = gold.iter().map(|&head| Some(head)).collect();
    Record { annotator: annotator.into(), said, tags, gold, seconds: None }
}

fn corpus() -> Vec<Record> {
    // the dog can bark: dog heads the, bark heads the rest.
    let gold = [2, 4, 4, 0];
    vec![
        record("ana", "DET NOUN AUX VERB", &[(1, 2), (4, 3), (3, 0)], &gold),
        record("ben", "DET NOUN AUX VERB", &[(2, 1)], &gold),
        record("ana", "DET NOUN AUX VERB", &[(1, 2), (2, 4), (3, 4)], &gold),
    ]
}

#[test]
fn annotators_are_reported_in_the_order_of_their_first_records() {
    let reports = by_annotator(&corpus(), &Options { block: 1, ..Options::default() });
    assert_eq!(reports.keys().collect::<Vec<_>>(), ["ana", "ben"]);
    let ana = &reports["ana"];
    assert_eq!((ana.densities.n_sentences, ana.densities.n_tokens, ana.densities.n_arcs), (2, 8, 5));
    assert_eq!(ana.blocks.iter().map(|block| block.n_arcs).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(ana.densities.per_token(ana.densities.n_arcs), 5.0 / 8.0);
}

#[test]
fn heads_of_constructions_are_counted_by_what_heads_them() {
    let reports = by_annotator(&corpus(), &Options::default());
    let counts =
        |name: &str| reports[name].constructions.iter().map(|(_, counts)| *counts).collect::<Vec<_>>();
    let pair = |by_content, by_function| Headedness { by_content, by_function };
    assert_eq!(counts("ana"), [pair(2, 0), pair(1, 1)]);
    assert_eq!(counts("ben"), [pair(0, 1), pair(0, 0)]);
    let shares = counts("ben").into_iter().map(Headedness::content_share);
    assert_eq!(shares.collect::<Vec<_>>(), [Some(0.0), None]);
}

#[test]
fn committed_arcs_are_compared_with_gold() {
    let reports = by_annotator(&corpus(), &Options::default());
    // ana: 1←2 right, 4←3 and 3←0 wrong, 2 is left with 1, 3, 4 or the root; then 1←2, 2←4, 3←4 right, and
    // only the root is left for 4.
    assert_eq!(reports["ana"].against_gold, Counts { matched: 5, gold: 8, system: 7 });
    assert_eq!(reports["ben"].against_gold, Counts { matched: 0, gold: 4, system: 1 });
    assert_eq!(reports["ana"].completion["NOUN"], Accuracy { correct: 1, total: 2 });
    assert_eq!(reports["ana"].completion["DET"], Accuracy { correct: 2, total: 2 });
}

#[test]
fn a_phrase_is_complete_if_all_its_words_but_the_head_are() {
    let reports = by_annotator(&corpus(), &Options::default());
    assert_eq!(reports["ana"].phrases["NOUN"], Accuracy { correct: 2, total: 2 });
    assert_eq!(reports["ana"].phrases["VERB"], Accuracy { correct: 1, total: 2 });
    assert!(!reports["ana"].phrases.contains_key("DET"));
    assert_eq!(reports["ben"].phrases["NOUN"], Accuracy { correct: 0, total: 1 });
    // An open word deep inside leaves all phrases around it incomplete.
    let deep = record("eve", "DET NOUN AUX VERB", &[(2, 4), (3, 4), (4, 0)], &[2, 4, 4, 0]);
    let phrases = report(&[&deep], &Options::default()).phrases;
    assert!(phrases.values().all(|phrase| phrase.correct == 0) && phrases.len() == 2, "{phrases:?}");
}

#[test]
fn kinds_of_groups_and_hours_are_counted() {
    let mut record = record("ana", "X X X X X", &[(1, 0)], &[]);
    let place = Place::default();
    for kind in [
        GroupKind::Multiword { words: vec![1, 2] },
        GroupKind::Bracket { members: vec![Node::Word(3), Node::Word(4)], head: None },
        GroupKind::Bracket { members: vec![Node::Word(3), Node::Word(5)], head: None },
    ] {
        record.said.groups.push(Group { kind, place });
    }
    record.seconds = Some(90.0);
    let mut untimed = record.clone();
    untimed.seconds = None;
    let counts: Densities = [&record, &untimed].map(Densities::of).into_iter().sum();
    assert_eq!((counts.n_multiwords, counts.n_brackets, counts.n_coordinations), (2, 4, 0));
    assert_eq!((counts.tokens_per_hour(), counts.arcs_per_hour()), (Some(200.0), Some(40.0)));
    assert_eq!(Densities::of(&untimed).tokens_per_hour(), None);
    assert_eq!(over_time(&[&record, &untimed, &record], 2).len(), 2);
    assert!(over_time(&[&record], 0).is_empty());
}

#[test]
fn missing_tags_and_gold_are_no_statement() {
    let mut bare = record("ana", "X X", &[(1, 2)], &[]);
    bare.tags.clear();
    let report = report(&[&bare], &Options::default());
    assert_eq!((report.against_gold, report.completion.len()), (Counts::default(), 0));
    assert_eq!(super::report(&[], &Options::default()).densities, Densities::default());
}
