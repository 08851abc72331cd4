//! Constraints against brute force: the meaning of an annotation written down a second time, from GFL's
//! definition, and compared over all trees of up to five words.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{all_trees, any_heads};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::LazyLock;
use tree::{
    Arc, BracketReading, Conflict, Constraints, CoordinationHead, Group, GroupKind, Heads, MultiwordHead,
    Node, PartialTree, Place, Reading, Span,
};

static TREES: LazyLock<Vec<Vec<Heads>>> = LazyLock::new(|| (0..=5).map(all_trees).collect());

// ---- The meaning of an annotation, independently. ----

struct Meaning<'a> {
    said: &'a PartialTree,
    reading: Reading,
    heads: &'a Heads,
}

impl Meaning<'_> {
    /// The lexical head of a node in this tree; `None` if the node is not what the annotation says it is.
    fn head_word(&self, node: Node) -> Option<usize> {
        let group = match node {
            Node::Word(word) => return Some(word),
            Node::Group(group) => &self.said.groups[group],
        };
        match &group.kind {
            GroupKind::Multiword { words } => Some(self.multiword_head(words)),
            GroupKind::Bracket { members, head } => {
                let words: BTreeSet<usize> =
                    members.iter().map(|&member| self.head_word(member)).collect::<Option<_>>()?;
                let leaving: Vec<usize> =
                    words.iter().copied().filter(|&word| !words.contains(&self.heads.head(word))).collect();
                let [top] = leaving[..] else { return None };
                match head {
                    Some(head) => (self.head_word(*head)? == top).then_some(top),
                    None => Some(top),
                }
            }
            GroupKind::Coordination { conjuncts, coordinators, .. } => {
                let (heading, _) = self.coordination(conjuncts, coordinators);
                self.head_word(heading)
            }
        }
    }

    fn multiword_head(&self, words: &[usize]) -> usize {
        let mut sorted = words.to_vec();
        sorted.sort_unstable();
        if self.reading.multiword == MultiwordHead::First { sorted[0] } else { sorted[sorted.len() - 1] }
    }

    fn position(&self, node: Node) -> usize {
        self.said.words_of(node)[0]
    }

    /// What heads a coordination, and its arcs (head, dependent).
    fn coordination(&self, conjuncts: &[Node], coordinators: &[Node]) -> (Node, Vec<(Node, Node)>) {
        let sorted = |nodes: &[Node]| {
            let mut nodes = nodes.to_vec();
            nodes.sort_by_key(|&node| self.position(node));
            nodes
        };
        let (conjuncts, coordinators) = (sorted(conjuncts), sorted(coordinators));
        if self.reading.coordination == CoordinationHead::Coordinator && !coordinators.is_empty() {
            let head = coordinators[0];
            let arcs = coordinators[1..].iter().chain(&conjuncts).map(|&node| (head, node)).collect();
            return (head, arcs);
        }
        let head = conjuncts[0];
        let mut arcs: Vec<_> = conjuncts[1..].iter().map(|&node| (head, node)).collect();
        for &coordinator in &coordinators {
            let after = conjuncts.iter().find(|&&node| self.position(node) > self.position(coordinator));
            arcs.push((*after.unwrap_or(&conjuncts[conjuncts.len() - 1]), coordinator));
        }
        (head, arcs)
    }

    /// Every arc that must be there, as nodes.
    fn arcs(&self) -> Vec<(Node, Node)> {
        let mut arcs: Vec<_> = self.said.arcs.iter().map(|arc| (arc.head, arc.dependent)).collect();
        for group in &self.said.groups {
            match &group.kind {
                GroupKind::Multiword { words } => {
                    let head = self.multiword_head(words);
                    let others = words.iter().filter(|&&word| word != head);
                    arcs.extend(others.map(|&word| (Node::Word(head), Node::Word(word))));
                }
                GroupKind::Coordination { conjuncts, coordinators, .. } => {
                    arcs.extend(self.coordination(conjuncts, coordinators).1);
                }
                GroupKind::Bracket { .. } => {}
            }
        }
        arcs
    }

    fn is_arc(&self, head: Node, dependent: Node) -> Option<bool> {
        Some(self.heads.head(self.head_word(dependent)?) == self.head_word(head)?)
    }

    fn admits(&self) -> bool {
        self.try_admits().unwrap_or(false)
    }

    fn try_admits(&self) -> Option<bool> {
        let n = self.said.n_words;
        let mentioned = self.said.mentioned_words();
        let is_kept = |word: usize| !self.reading.omit_unmentioned || mentioned.contains(&word);
        let mut fine = (1..=n)
            .all(|word| !is_kept(word) || self.heads.head(word) == 0 || is_kept(self.heads.head(word)));
        for (head, dependent) in self.arcs() {
            fine &= self.is_arc(head, dependent)?;
        }
        for arc in &self.said.forbidden {
            fine &= !self.is_arc(arc.head, arc.dependent)?;
        }
        for &(root, _) in &self.said.roots {
            fine &= self.heads.head(self.head_word(root)?) == 0;
        }
        for (index, group) in self.said.groups.iter().enumerate() {
            let top = self.head_word(Node::Group(index))?;
            if let GroupKind::Multiword { words } = &group.kind {
                let others = words.iter().filter(|&&word| word != top);
                fine &= others.clone().all(|&word| self.heads.dependents(word).all(|below| !is_kept(below)));
            }
            let is_subtree = self.reading.brackets == BracketReading::Subtree;
            if matches!(group.kind, GroupKind::Bracket { .. }) && is_subtree {
                let words = self.said.words_of(Node::Group(index));
                for word in (1..words[0]).chain(words[words.len() - 1] + 1..=n).filter(|&word| is_kept(word))
                {
                    let head = self.heads.head(word);
                    if words.contains(&head) {
                        fine &= head == top && self.is_said(head, word);
                    }
                }
            }
        }
        Some(fine)
    }

    fn is_said(&self, head: usize, dependent: usize) -> bool {
        let is = |node: Node, word: usize| self.head_word(node) == Some(word);
        self.arcs().into_iter().any(|(h, d)| is(h, head) && is(d, dependent))
    }
}

fn admitted(said: &PartialTree, reading: Reading) -> Vec<&'static Heads> {
    let trees = TREES[said.n_words].iter();
    trees.filter(|heads| Meaning { said, reading, heads }.admits()).collect()
}

// ---- Random annotations. ----

fn any_reading() -> impl Strategy<Value = Reading> {
    (any::<bool>(), any::<bool>(), any::<bool>(), prop::bool::weighted(0.2)).prop_map(|(b, m, c, omit)| {
        Reading {
            brackets: if b { BracketReading::Subtree } else { BracketReading::Connected },
            multiword: if m { MultiwordHead::First } else { MultiwordHead::Last },
            coordination: if c { CoordinationHead::Coordinator } else { CoordinationHead::Conjunct },
            omit_unmentioned: omit,
        }
    })
}

type Picks = (u8, Vec<prop::sample::Index>, Option<prop::sample::Index>, prop::sample::Index);

/// Annotations with nested groups and arcs between all kinds of nodes; places are numbered lines.
fn any_annotation(max_arcs: usize) -> impl Strategy<Value = PartialTree> {
    let index = any::<prop::sample::Index>;
    let group = (0u8..6, prop::collection::vec(index(), 1..4), prop::option::of(index()), index());
    let pair = || (index(), index());
    (
        1usize..=5,
        prop::collection::vec(group, 0..3),
        prop::collection::vec(pair(), 0..=max_arcs),
        prop::collection::vec(pair(), 0..2),
        prop::collection::vec(index(), 0..2),
    )
        .prop_map(|(n, groups, arcs, forbidden, roots)| {
            let mut said = PartialTree::new(n);
            let mut line = 0;
            let mut place = || {
                line += 1;
                Place::line(line)
            };
            for picks in groups {
                let kind = group_kind(&said, picks);
                said.groups.push(Group { kind, place: place() });
            }
            let node = |said: &PartialTree, pick: prop::sample::Index| {
                let choice = pick.index(n + said.groups.len());
                if choice < n { Node::Word(choice + 1) } else { Node::Group(choice - n) }
            };
            for (head, dependent) in arcs {
                let arc = Arc { head: node(&said, head), dependent: node(&said, dependent), place: place() };
                said.arcs.push(arc);
            }
            for (head, dependent) in forbidden {
                let arc = Arc { head: node(&said, head), dependent: node(&said, dependent), place: place() };
                said.forbidden.push(arc);
            }
            for root in roots {
                said.roots.push((node(&said, root), place()));
            }
            said
        })
}

fn group_kind(said: &PartialTree, (kind, picks, head, last): Picks) -> GroupKind {
    let n = said.n_words;
    let mut nodes: Vec<Node> = Vec::new();
    for pick in &picks {
        let choice = pick.index(n + said.groups.len());
        let node = if choice < n { Node::Word(choice + 1) } else { Node::Group(choice - n) };
        if !nodes.contains(&node) {
            nodes.push(node);
        }
    }
    match kind {
        0 => GroupKind::Multiword { words: picks.iter().map(|pick| pick.index(n) + 1).collect() },
        1 => GroupKind::Coordination {
            name: "$x".into(),
            conjuncts: nodes,
            coordinators: if last.index(4) == 0 { vec![] } else { vec![Node::Word(last.index(n) + 1)] },
        },
        _ => {
            let head = head.map(|head| nodes[head.index(nodes.len())]);
            GroupKind::Bracket { members: nodes, head }
        }
    }
}

// ---- Laws. ----

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
fn check_exact(said: &PartialTree, reading: Reading) -> Result<(), TestCaseError> {
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

// ---- Derivations, one by one. ----

fn arc(head: usize, dependent: usize, line: u32) -> Arc {
    Arc { head: Node::Word(head), dependent: Node::Word(dependent), place: Place::line(line) }
}

fn bracket(words: &[usize], head: Option<Node>, line: u32) -> Group {
    let members = words.iter().map(|&word| Node::Word(word)).collect();
    Group { kind: GroupKind::Bracket { members, head }, place: Place::line(line) }
}

fn read(said: &PartialTree) -> Constraints {
    Constraints::from_partial(said, &Reading::default()).unwrap()
}

fn conflict(said: &PartialTree) -> Conflict {
    Constraints::from_partial(said, &Reading::default()).unwrap_err()
}

/// Possible heads of each word, such as `02 13 0`.
fn arcs(constraints: &Constraints) -> String {
    let n = constraints.n_words();
    let heads =
        |word| (0..=n).filter(move |&head| constraints.allows_arc(head, word)).map(|head| head.to_string());
    (1..=n).map(|word| heads(word).collect::<String>()).collect::<Vec<_>>().join(" ")
}

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

// ---- Conflicts name both places. ----

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
