//! What follows from single statements.

use tree::{
    Arc, BracketReading, Conflict, Constraints, CoordinationHead, Group, GroupKind, Heads, MultiwordHead,
    Node, PartialTree, Place, Reading, Span,
};

use super::laws::check_exact;
use super::meaning::{TREES, admitted};
use super::saying::{arc, arcs, bracket, read};

#[test]
fn nothing_said_allows_everything_but_loops() {
    let constraints = Constraints::unconstrained(3);
    assert_eq!(arcs(&constraints), "023 013 012");
    assert!(TREES[3].iter().all(|tree| constraints.admits(tree)));
    assert!(!constraints.admits(&Heads::new(vec![0]).unwrap()));
    assert_eq!(constraints.reason(1, 2), None);
    assert!(!constraints.allows_arc(4, 1) && !constraints.allows_arc(0, 0) && !constraints.allows_arc(0, 4));
    let empty = Constraints::unconstrained(0);
    assert!(empty.admits(&Heads::new(vec![]).unwrap()));
    let long = Constraints::unconstrained(200);
    assert!(long.allows_arc(199, 1) && !long.allows_arc(130, 130));
}

#[test]
fn required_arc_forbids_other_heads_and_the_way_back() {
    let said = PartialTree { arcs: vec![arc(2, 1, 7)], ..PartialTree::new(3) };
    let constraints = read(&said);
    assert_eq!(arcs(&constraints), "2 03 012");
    assert_eq!(constraints.required_head(1), Some(2));
    assert_eq!(constraints.required_head(2), None);
    assert_eq!(constraints.reason(3, 1), Some(Place::line(7)));
    assert_eq!(constraints.reason(1, 2), Some(Place::line(7)));
    let chain = PartialTree { arcs: vec![arc(2, 1, 1), arc(3, 2, 2)], ..PartialTree::new(3) };
    assert_eq!(arcs(&read(&chain)), "2 3 0");
}

#[test]
fn root_hangs_from_the_root_and_others_may_too() {
    let said = PartialTree { roots: vec![(Node::Word(2), Place::line(1))], ..PartialTree::new(2) };
    assert_eq!(arcs(&read(&said)), "02 0");
    assert!(read(&said).allows_root(1));
}

#[test]
fn bracket_without_head_keeps_words_outside_from_depending_inside() {
    let said = PartialTree { groups: vec![bracket(&[1, 2], None, 4)], ..PartialTree::new(3) };
    assert_eq!(arcs(&read(&said)), "023 013 0");
    assert_eq!(read(&said).reason(1, 3), Some(Place::line(4)));
    let connected = Reading { brackets: BracketReading::Connected, ..Reading::default() };
    assert_eq!(arcs(&Constraints::from_partial(&said, &connected).unwrap()), "023 013 012");
}

#[test]
fn bracket_that_depends_on_a_word_is_headed_outside_only_by_it() {
    let dependent = Node::Group(0);
    let said = PartialTree {
        groups: vec![bracket(&[1, 2], None, 1)],
        arcs: vec![Arc { head: Node::Word(3), dependent, place: Place::line(2) }],
        ..PartialTree::new(4)
    };
    let constraints = read(&said);
    assert_eq!(arcs(&constraints), "23 13 04 03");
    assert_eq!(constraints.brackets()[0].outer_head, Some(3));
    // b < (a c) allows only b ← a ← c and b ← c ← a.
    let trees = admitted(&PartialTree { n_words: 3, ..said }, Reading::default());
    assert_eq!(trees.iter().map(|tree| tree.as_slice()).collect::<Vec<_>>(), [[3, 1, 0], [2, 3, 0]]);
}

#[test]
fn members_of_a_bracket_with_head_are_headed_inside() {
    let said =
        PartialTree { groups: vec![bracket(&[1, 2, 3], Some(Node::Word(2)), 1)], ..PartialTree::new(4) };
    let constraints = read(&said);
    assert_eq!(arcs(&constraints), "23 04 12 0");
    assert_eq!(constraints.brackets()[0].head, Some(2));
    assert_eq!(constraints.brackets()[0].span, Span::new(0, 3));
}

#[test]
fn word_may_depend_on_the_head_of_a_bracket_from_outside_if_that_was_said() {
    let head = Node::Group(0);
    let said = PartialTree {
        groups: vec![bracket(&[1, 2], None, 1)],
        arcs: vec![Arc { head, dependent: Node::Word(3), place: Place::line(2) }],
        ..PartialTree::new(4)
    };
    let constraints = read(&said);
    assert_eq!(arcs(&constraints), "024 014 12 03");
    assert_eq!(constraints.brackets()[0].span, None);
}

#[test]
fn words_in_the_gap_of_a_bracket_are_free() {
    let said = PartialTree { groups: vec![bracket(&[1, 3], None, 1)], ..PartialTree::new(4) };
    let constraints = read(&said);
    assert_eq!(arcs(&constraints), "0234 0134 0124 02");
    assert_eq!(constraints.brackets()[0].span, Span::new(0, 3));
}

#[test]
fn word_of_an_inner_bracket_may_be_headed_by_one_that_cannot_be_its_head() {
    let outer = GroupKind::Bracket { members: vec![Node::Group(0), Node::Word(4)], head: None };
    let said = PartialTree {
        groups: vec![bracket(&[1, 2, 3], None, 1), Group { kind: outer, place: Place::line(2) }],
        arcs: vec![arc(1, 3, 3)],
        ..PartialTree::new(4)
    };
    assert!(read(&said).allows_arc(3, 2));
    check_exact(&said, Reading::default()).unwrap();
}

#[test]
fn multiword_is_headed_by_its_first_or_last_token_and_the_others_have_no_dependents() {
    let kind = GroupKind::Multiword { words: vec![1, 2] };
    let said = PartialTree { groups: vec![Group { kind, place: Place::line(1) }], ..PartialTree::new(3) };
    assert_eq!(arcs(&read(&said)), "03 1 01");
    let last = Reading { multiword: MultiwordHead::Last, ..Reading::default() };
    assert_eq!(arcs(&Constraints::from_partial(&said, &last).unwrap()), "2 03 02");
}

#[test]
fn coordination_is_headed_by_its_coordinator_or_first_conjunct() {
    let kind = GroupKind::Coordination {
        name: "$x".into(),
        conjuncts: vec![Node::Word(4), Node::Word(1), Node::Word(2)],
        coordinators: vec![Node::Word(3)],
    };
    let dependent = Node::Group(0);
    let said = PartialTree {
        groups: vec![Group { kind, place: Place::line(1) }],
        arcs: vec![Arc { head: Node::Word(5), dependent, place: Place::line(2) }],
        ..PartialTree::new(5)
    };
    assert_eq!(arcs(&read(&said)), "3 3 5 3 0");
    let conjunct = Reading { coordination: CoordinationHead::Conjunct, ..Reading::default() };
    assert_eq!(arcs(&Constraints::from_partial(&said, &conjunct).unwrap()), "5 1 4 1 0");
}

#[test]
fn unmentioned_words_are_free_or_left_out() {
    let said = PartialTree { arcs: vec![arc(2, 1, 1)], ..PartialTree::new(3) };
    assert!(read(&said).allows_arc(3, 2));
    let omit = Reading { omit_unmentioned: true, ..Reading::default() };
    let constraints = Constraints::from_partial(&said, &omit).unwrap();
    assert_eq!(arcs(&constraints), "2 0 ");
    assert_eq!(constraints.left_out(), [3]);
    assert!(constraints.is_left_out(3) && !constraints.is_left_out(2));
    assert!(constraints.admits(&Heads::new(vec![2, 0, 1]).unwrap()));
    assert!(!constraints.admits(&Heads::new(vec![2, 3, 0]).unwrap()));
    let other = PartialTree { arcs: vec![arc(1, 3, 5)], ..PartialTree::new(3) };
    let error = constraints.and(&read(&other)).unwrap_err();
    assert_eq!(error, Conflict::LeftOut { word: 3, place: Place::line(5) });
}

#[test]
fn ruled_out_arcs_are_not_allowed() {
    let said = PartialTree { forbidden: vec![arc(2, 1, 1)], ..PartialTree::new(2) };
    assert_eq!(arcs(&read(&said)), "0 01");
    let narrowed = Constraints::unconstrained(2).forbid(0, 1, Place::line(3)).unwrap();
    assert_eq!(arcs(&narrowed), "2 0");
    assert_eq!(narrowed.reason(0, 1), Some(Place::line(3)));
    let error = narrowed.forbid(2, 1, Place::line(4)).unwrap_err();
    assert_eq!(error, Conflict::NoHead { word: 1, first: Place::line(3), second: Place::line(4) });
    let error = Constraints::unconstrained(2).forbid_all([(0, 1), (0, 2)], Place::line(1)).unwrap_err();
    assert!(matches!(error, Conflict::Cycle { .. } | Conflict::NoRoot { .. }), "{error}");
    let error = Constraints::unconstrained(2).forbid(0, 3, Place::line(1)).unwrap_err();
    assert_eq!(error, Conflict::NoSuchWord { word: 3, n_words: 2, place: Place::line(1) });
}

#[test]
fn spans_that_cross_a_bracket_are_not_allowed() {
    let said = PartialTree { groups: vec![bracket(&[2, 3], None, 9)], ..PartialTree::new(4) };
    let constraints = read(&said);
    let allowed = |start, end| constraints.allows_span(Span::new(start, end).unwrap());
    assert!(
        allowed(1, 3) && allowed(0, 3) && allowed(1, 4) && allowed(1, 2) && allowed(2, 3) && allowed(3, 4)
    );
    assert!(!allowed(0, 2) && !allowed(2, 4));
    assert_eq!(constraints.crossed_bracket(Span::new(0, 2).unwrap()), Some(Place::line(9)));
}

/// The half bracket of figure 3.5 of Sun (2016): "a > dog" puts a bracket before the right half of dog.
#[test]
fn arc_gives_a_half_bracket_before_the_far_half_of_the_head() {
    let constraints = read(&PartialTree { arcs: vec![arc(3, 1, 1)], ..PartialTree::new(4) });
    let allowed = |start, end| constraints.allows_split_span(Span::new(start, end).unwrap());
    assert!(allowed(0, 5) && allowed(0, 6) && allowed(5, 8) && allowed(2, 5) && allowed(2, 4));
    // 2j − 2 < a < 2i − 1 < b in the thesis' algorithm 6, with head i = 3 and dependent j = 1.
    for start in 1..=4 {
        for end in 6..=8 {
            assert!(!allowed(start, end), "{start}..{end}");
        }
    }
    let mirrored = read(&PartialTree { arcs: vec![arc(2, 4, 1)], ..PartialTree::new(4) });
    let allowed = |start, end| mirrored.allows_split_span(Span::new(start, end).unwrap());
    // a < 2i − 1 < b < 2j with head i = 2 and dependent j = 4.
    for start in 0..=2 {
        for end in 4..=7 {
            assert!(!allowed(start, end), "{start}..{end}");
        }
    }
    assert!(allowed(2, 8) && allowed(3, 8) && allowed(3, 6) && allowed(0, 3));
}

/// Figure 3.4 of Sun (2016): "under the agreement" with head under.
#[test]
fn known_head_gives_brackets_over_the_halves() {
    let said =
        PartialTree { groups: vec![bracket(&[2, 3, 4], Some(Node::Word(2)), 1)], ..PartialTree::new(5) };
    let constraints = read(&said);
    let allowed = |start, end| constraints.allows_split_span(Span::new(start, end).unwrap());
    assert!(allowed(2, 8) && allowed(3, 8) && allowed(3, 6) && allowed(0, 8) && allowed(2, 10));
    assert!(!allowed(2, 6) && !allowed(2, 4) && !allowed(0, 4) && !allowed(0, 3) && !allowed(4, 10));
}
