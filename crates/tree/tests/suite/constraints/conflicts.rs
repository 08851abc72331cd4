//! Conflicts name both places.

use tree::{
    BracketReading, Conflict, Constraints, Group, GroupKind, Node, PartialTree, Place, Reading, Span,
};

use super::saying::{arc, arcs, bracket, conflict, read};

#[test]
fn two_heads_are_named_with_both_places() {
    let said = PartialTree { arcs: vec![arc(1, 2, 3), arc(3, 2, 8)], ..PartialTree::new(3) };
    assert_eq!(
        conflict(&said).to_string(),
        "word 2 depends on word 1 (line 3) and on word 3 (line 8); remove one of the two"
    );
    let rooted = PartialTree {
        arcs: vec![arc(1, 2, 3)],
        roots: vec![(Node::Word(2), Place::line(8))],
        ..PartialTree::new(3)
    };
    assert_eq!(
        conflict(&rooted).to_string(),
        "word 2 depends on word 1 (line 3) and on the root (line 8); remove one of the two"
    );
}

#[test]
fn cycles_are_named_with_both_places() {
    let said = PartialTree { arcs: vec![arc(1, 2, 3), arc(2, 1, 8)], ..PartialTree::new(3) };
    let expected = Conflict::Cycle { words: vec![1, 2], first: Place::line(8), second: Place::line(3) };
    assert_eq!(conflict(&said), expected);
}

#[test]
fn arcs_out_of_a_bracket_by_a_non_head_are_named_with_both_places() {
    let with_head = PartialTree {
        groups: vec![bracket(&[1, 2], Some(Node::Word(1)), 1)],
        arcs: vec![arc(3, 2, 2)],
        ..PartialTree::new(3)
    };
    let expected = Conflict::NonHeadLeaves {
        word: 2,
        head: 1,
        outside: 3,
        bracket: Place::line(1),
        arc: Place::line(2),
    };
    assert_eq!(conflict(&with_head), expected);
    let open = PartialTree {
        groups: vec![bracket(&[1, 2], None, 1)],
        arcs: vec![arc(3, 2, 2), arc(3, 1, 5)],
        ..PartialTree::new(3)
    };
    let expected = Conflict::TwoWaysOut {
        words: (1, 2),
        bracket: Place::line(1),
        first: Place::line(5),
        second: Place::line(2),
    };
    assert_eq!(conflict(&open), expected);
}

#[test]
fn dependents_of_a_non_head_are_a_conflict_only_in_the_subtree_reading() {
    let said = PartialTree {
        groups: vec![bracket(&[1, 2], Some(Node::Word(1)), 1)],
        arcs: vec![arc(2, 3, 2)],
        ..PartialTree::new(3)
    };
    let expected =
        Conflict::AttachedInside { dependent: 3, head: 2, bracket: Place::line(1), arc: Place::line(2) };
    assert_eq!(conflict(&said), expected);
    let connected = Reading { brackets: BracketReading::Connected, ..Reading::default() };
    assert!(Constraints::from_partial(&said, &connected).is_ok());
}

#[test]
fn crossing_brackets_are_a_conflict_only_in_the_subtree_reading() {
    let groups = vec![bracket(&[1, 2], None, 1), bracket(&[2, 3], None, 2)];
    let said = PartialTree { groups, ..PartialTree::new(3) };
    let expected = Conflict::CrossingBrackets {
        first_words: vec![1, 2],
        first: Place::line(1),
        second_words: vec![2, 3],
        second: Place::line(2),
    };
    assert_eq!(conflict(&said), expected);
    let connected = Reading { brackets: BracketReading::Connected, ..Reading::default() };
    assert!(Constraints::from_partial(&said, &connected).is_ok());
}

#[test]
fn senseless_annotations_are_refused_not_panicked_at() {
    let refused = |said: PartialTree| conflict(&said);
    let place = Place::line(1);
    let group = |kind| PartialTree { groups: vec![Group { kind, place }], ..PartialTree::new(2) };
    let far = PartialTree { arcs: vec![arc(9, 1, 1)], ..PartialTree::new(2) };
    assert_eq!(refused(far), Conflict::NoSuchWord { word: 9, n_words: 2, place });
    let zero = PartialTree { arcs: vec![arc(0, 1, 1)], ..PartialTree::new(2) };
    assert_eq!(refused(zero), Conflict::NoSuchWord { word: 0, n_words: 2, place });
    let missing = PartialTree { roots: vec![(Node::Group(3), place)], ..PartialTree::new(2) };
    assert_eq!(refused(missing), Conflict::NoSuchGroup { group: 3, n_groups: 0, place });
    let empty = group(GroupKind::Bracket { members: vec![], head: None });
    assert_eq!(refused(empty), Conflict::EmptyGroup { place });
    let in_itself = group(GroupKind::Bracket { members: vec![Node::Group(0), Node::Word(1)], head: None });
    assert_eq!(refused(in_itself), Conflict::GroupInItself { place });
    let error = Constraints::unconstrained(2).and(&Constraints::unconstrained(3)).unwrap_err();
    assert_eq!(error, Conflict::Lengths { first: 2, second: 3 });
}

#[test]
fn brackets_nested_thousands_deep_do_not_overflow_the_stack() {
    let depth = 2_000;
    let mut said = PartialTree::new(2);
    said.groups.push(bracket(&[1, 2], None, 1));
    for inner in 0..depth {
        let kind = GroupKind::Bracket { members: vec![Node::Group(inner)], head: None };
        said.groups.push(Group { kind, place: Place::line(1) });
    }
    assert_eq!(arcs(&read(&said)), "02 01");
}

/// Right-branching: every constituent is a word and a smaller constituent, as brackets without heads.
#[test]
fn all_brackets_of_a_long_sentence_are_read_quickly() {
    let n = 600;
    let words: Vec<usize> = (1..=n).collect();
    let groups = (1..n - 1).map(|start| bracket(&words[start..], None, start as u32)).collect();
    let said = PartialTree { groups, ..PartialTree::new(n) };
    let start = std::time::Instant::now();
    let constraints = read(&said);
    // It takes tenths of a second without optimisation; looking at triples of words takes seven seconds.
    assert!(start.elapsed().as_secs_f64() < 3.0, "{:?}", start.elapsed());
    assert!(constraints.allows_span(Span::new(299, n).unwrap()));
    assert!(!constraints.allows_span(Span::new(299, n - 1).unwrap()));
    assert!(!constraints.allows_arc(600, 1) && !constraints.allows_arc(300, 1));
    assert!(!constraints.allows_arc(300, 299) && constraints.allows_arc(299, 300));
}
