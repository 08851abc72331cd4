//! Counts and supports against the enumeration of all trees.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use proptest::prelude::*;
use score::commitment::{Nodes, measure, promiscuity, support};
use std::collections::BTreeSet;
use std::sync::OnceLock;
use tree::{Arc, Group, GroupKind, Node, PartialTree, Place};

/// What a node stands for besides itself: a coordination stands for its leftmost coordinator.
fn firm(said: &PartialTree, node: Node) -> Node {
    match node {
        Node::Group(index) => match &said.groups[index].kind {
            GroupKind::Coordination { coordinators, .. } => {
                let leftmost = coordinators.iter().min_by_key(|&&part| said.words_of(part)[0]).unwrap();
                firm(said, *leftmost)
            }
            _ => node,
        },
        word => word,
    }
}

fn words(said: &PartialTree, node: Node) -> BTreeSet<usize> {
    match firm(said, node) {
        Node::Word(word) => BTreeSet::from([word]),
        Node::Group(index) => match &said.groups[index].kind {
            GroupKind::Bracket { members, .. } => {
                members.iter().flat_map(|&member| words(said, member)).collect()
            }
            _ => unreachable!("no multiwords here"),
        },
    }
}

/// The head of a bracket: members stand for their own heads, and only one of these is headed elsewhere.
fn top(said: &PartialTree, node: Node, heads: &[usize]) -> Option<usize> {
    match firm(said, node) {
        Node::Word(word) => Some(word),
        Node::Group(index) => {
            let GroupKind::Bracket { members, .. } = &said.groups[index].kind else { return None };
            let tops: BTreeSet<usize> =
                members.iter().map(|&member| top(said, member, heads)).collect::<Option<_>>()?;
            let mut leaving = tops.iter().filter(|&&word| !tops.contains(&heads[word - 1]));
            leaving.next().filter(|_| leaving.next().is_none()).copied()
        }
    }
}

/// The definition: connected brackets, given heads, arrows between tops.
fn supports(said: &PartialTree, heads: &[usize]) -> bool {
    let top = |node| top(said, node, heads);
    let hangs = |dependent, head| top(dependent).is_some_and(|word| Some(heads[word - 1]) == head);
    let group_holds = |index: usize| match &said.groups[index].kind {
        GroupKind::Bracket { head, .. } => {
            let own = top(Node::Group(index));
            own.is_some() && head.is_none_or(|head| top(head) == own)
        }
        GroupKind::Coordination { conjuncts, coordinators, .. } => {
            let head = firm(said, Node::Group(index));
            let mut parts = conjuncts.iter().chain(coordinators).filter(|&&part| firm(said, part) != head);
            parts.all(|&part| top(head).is_some() && hangs(part, top(head)))
        }
        GroupKind::Multiword { .. } => true,
    };
    (0..said.groups.len()).all(group_holds)
        && said.arcs.iter().all(|arc| top(arc.head).is_some() && hangs(arc.dependent, top(arc.head)))
        && said.roots.iter().all(|&(node, _)| hangs(node, Some(0)))
        && !said.forbidden.iter().any(|arc| top(arc.head).is_some() && hangs(arc.dependent, top(arc.head)))
}

/// All trees over `n` ≤ 6 words, made once.
fn all_trees(n: usize) -> &'static [Vec<usize>] {
    static TREES: [OnceLock<Vec<Vec<usize>>>; 7] = [const { OnceLock::new() }; 7];
    TREES[n].get_or_init(|| make_trees(n))
}

/// Heads from 0 to n without cycles.
fn make_trees(n: usize) -> Vec<Vec<usize>> {
    let mut trees = Vec::new();
    let mut heads = vec![0; n];
    loop {
        let reaches_root = |word: usize| {
            let mut at = word;
            (0..=n).any(|_| {
                at = if at == 0 { 0 } else { heads[at - 1] };
                at == 0
            })
        };
        if (1..=n).all(reaches_root) {
            trees.push(heads.clone());
        }
        let Some(next) = heads.iter().position(|&head| head < n) else { return trees };
        heads[next] += 1;
        heads[..next].fill(0);
    }
}

/// Annotations over up to `max` words with brackets that nest and, if asked for, overlap.
fn any_annotation(max: usize, overlap: bool) -> impl Strategy<Value = PartialTree> {
    (2..=max, prop::collection::vec((0u8..10, any::<[u8; 5]>()), 0..7)).prop_map(move |(n_words, statements)| {
        let mut said = PartialTree::new(n_words);
        let place = Place::default();
        for (kind, bytes) in statements {
            let n_groups = said.groups.len();
            // Groups and words are drawn alike; a group that is drawn was made before.
            let node = |byte: u8| match byte as usize % (n_words + n_groups) {
                word if word < n_words => Node::Word(word + 1),
                group => Node::Group(group - n_words),
            };
            let [one, two, three] = [node(bytes[0]), node(bytes[1]), node(bytes[2])];
            match kind {
                0..=2 if one != two => said.arcs.push(Arc { head: one, dependent: two, place }),
                3 => said.roots.push((one, place)),
                4..=7 => {
                    let members: BTreeSet<Node> = [one, two, three].into_iter().take(2 + bytes[3] as usize % 2).collect();
                    let members: Vec<Node> = members.into_iter().collect();
                    let head = members.get(bytes[4] as usize % 6).copied();
                    // Brackets over the same members are the same bracket, so there is only one of them.
                    let known = |group: &Group| matches!(&group.kind, GroupKind::Bracket { members: m, .. } if *m == members);
                    if members.len() < 2 || said.groups.iter().any(known) {
                        continue;
                    }
                    said.groups.push(Group { kind: GroupKind::Bracket { members, head }, place });
                    if !overlap && !laminar(&said) {
                        said.groups.pop();
                    }
                }
                8 => {
                    let kind = GroupKind::Coordination {
                        name: format!("$x{n_groups}"),
                        conjuncts: vec![one],
                        coordinators: vec![two, three],
                    };
                    said.groups.push(Group { kind, place });
                }
                9 => said.forbidden.push(Arc { head: one, dependent: two, place }),
                _ => {}
            }
        }
        said
    })
}

/// Open brackets that are attached to each other, with arcs ruled out between their words or between them.
///
/// Every word is in one of two brackets or in none, so that, unlike above, the brackets are large enough to
/// stay open, and the arcs that are ruled out take single heads from them.
fn attached_brackets() -> impl Strategy<Value = PartialTree> {
    let words = prop::collection::vec(0usize..5, 4..=5);
    let pairs = prop::collection::vec(any::<[u8; 2]>(), 0..4);
    (words, any::<[bool; 2]>(), 0usize..4, pairs).prop_map(|(side, [nested, doubly], attached, pairs)| {
        let place = Place::default();
        let n_words = side.len();
        let mut said = PartialTree::new(n_words);
        let on = |bracket: usize| -> Vec<Node> {
            (1..=n_words).filter(|&word| side[word - 1] / 2 == bracket).map(Node::Word).collect()
        };
        let mut push = |members: Vec<Node>| {
            if members.len() > 1 {
                said.groups.push(Group { kind: GroupKind::Bracket { members, head: None }, place });
            }
            said.groups.len()
        };
        push(on(0));
        if push(on(1)) > 0 && nested {
            push([vec![Node::Group(0)], on(2)].concat());
        }
        let n_groups = said.groups.len();
        let mut arc = |head: Node, dependent: Node| {
            let known = |node| matches!(node, Node::Word(_)) || node < Node::Group(n_groups);
            if known(head) && known(dependent) && head != dependent {
                said.arcs.push(Arc { head, dependent, place });
            }
        };
        arc(Node::Group(attached % 2), Node::Group(1 - attached % 2));
        if doubly {
            arc(Node::Group(2), Node::Group(1));
        }
        let node = |byte: u8| match byte as usize % (n_words + n_groups) {
            word if word < n_words => Node::Word(word + 1),
            group => Node::Group(group - n_words),
        };
        let forbidden = pairs.iter().map(|&[one, two]| Arc { head: node(one), dependent: node(two), place });
        said.forbidden = forbidden.filter(|arc| arc.head != arc.dependent).collect();
        said
    })
}

fn laminar(said: &PartialTree) -> bool {
    let is_bracket = |&index: &usize| matches!(said.groups[index].kind, GroupKind::Bracket { .. });
    let sets: Vec<_> =
        (0..said.groups.len()).filter(is_bracket).map(|index| words(said, Node::Group(index))).collect();
    sets.iter().all(|one| {
        sets.iter().all(|other| one.is_disjoint(other) || one.is_subset(other) || other.is_subset(one))
    })
}

fn check(said: &PartialTree) -> Result<(), TestCaseError> {
    let trees: Vec<_> = all_trees(said.n_words).iter().filter(|heads| supports(said, heads)).collect();
    let ours = measure(said, &Nodes::All);
    prop_assert!(ours.promiscuity.exact);
    prop_assert_eq!(ours.promiscuity.trees.to_u64(), Some(trees.len() as u64));
    prop_assert!(ours.promiscuity.trees <= ours.spanning_trees);
    let found = support(said, &Nodes::All);
    for word in 1..=said.n_words {
        let heads: BTreeSet<usize> = trees.iter().map(|heads| heads[word - 1]).collect();
        let ours: BTreeSet<usize> = found.heads[word - 1].iter().copied().collect();
        prop_assert!(heads.is_subset(&ours), "word {}: {:?} not within {:?}", word, heads, ours);
        if said.groups.is_empty() && said.forbidden.is_empty() && !trees.is_empty() {
            prop_assert_eq!(heads, ours);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn counts_equal_enumeration_for_nested_brackets(said in any_annotation(5, false)) {
        check(&said)?;
    }

    #[test]
    fn counts_equal_enumeration_for_overlapping_brackets(said in any_annotation(5, true)) {
        check(&said)?;
    }

    #[test]
    fn counts_equal_enumeration_for_attached_brackets(said in attached_brackets()) {
        check(&said)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn counts_equal_enumeration_on_six_words(said in any_annotation(6, true)) {
        check(&said)?;
    }
}

fn bracket(words: impl IntoIterator<Item = usize>, head: Option<usize>) -> Group {
    let members = words.into_iter().map(Node::Word).collect();
    Group { kind: GroupKind::Bracket { members, head: head.map(Node::Word) }, place: Place::default() }
}

#[test]
fn nothing_said_leaves_all_trees_and_commits_to_none() {
    for n in 0..40usize {
        let ours = measure(&PartialTree::new(n), &Nodes::All);
        // Cayley: (n + 1)^(n − 1) trees over n words and the root.
        let cayley = (1..n as u64)
            .fold(score::commitment::Natural::from(1), |power, _| power.times_plus(n as u64 + 1, 0));
        assert_eq!(ours.promiscuity.trees, cayley);
        // A single word has a single tree, whatever is said of it.
        let expected = if n == 1 { 1.0 } else { 0.0 };
        assert!((ours.commitment().unwrap() - expected).abs() < 1e-12);
    }
}

#[test]
fn large_open_brackets_are_counted_exactly_and_quickly() {
    // Two open brackets of a and b words: a^(a−1) · b^(b−1) rooted trees inside, and outside three trees over
    // two blocks and the root, of which those with an arc between blocks may leave from any member.
    let (a, b) = (40, 30);
    let mut said = PartialTree::new(a + b);
    said.groups = vec![bracket(1..=a, None), bracket(a + 1..=a + b, None)];
    let count = promiscuity(&said, &Nodes::All);
    let power = |base: usize, exponent: usize| exponent as f64 * (base as f64).ln();
    let expected = power(a, a - 1) + power(b, b - 1) + ((1 + a + b) as f64).ln();
    assert!(count.exact);
    assert!((count.trees.ln() - expected).abs() < 1e-9, "{} {expected}", count.trees.ln());
}

#[test]
fn too_many_overlapping_brackets_give_an_upper_bound_that_says_so() {
    let mut said = PartialTree::new(14);
    said.groups = vec![bracket(1..=8, None), bracket(5..=12, None), bracket([2, 13], None)];
    let count = promiscuity(&said, &Nodes::All);
    assert!(!count.exact);
    let ours = measure(&said, &Nodes::All);
    assert!(count.trees < ours.spanning_trees);
}

#[test]
fn an_attached_open_bracket_hangs_by_one_word() {
    // b < (a c) allows only b ← a ← c and b ← c ← a.
    let mut said = PartialTree::new(3);
    said.groups.push(bracket([1, 3], None));
    said.arcs.push(arc(Node::Word(2), Node::Group(0)));
    assert_eq!(promiscuity(&said, &Nodes::All).trees.to_u64(), Some(2));
}

fn arc(head: Node, dependent: Node) -> Arc {
    Arc { head, dependent, place: Place::default() }
}

#[test]
fn an_arc_ruled_out_between_attached_open_brackets_is_not_counted() {
    // (b d) > (a c) has one tree for each pair of tops; b must not depend on c, which leaves three.
    let mut said = PartialTree::new(4);
    said.groups = vec![bracket([1, 3], None), bracket([2, 4], None)];
    said.arcs.push(arc(Node::Group(0), Node::Group(1)));
    assert_eq!(promiscuity(&said, &Nodes::All).trees.to_u64(), Some(4));
    said.forbidden.push(arc(Node::Word(3), Node::Word(2)));
    assert_eq!(promiscuity(&said, &Nodes::All).trees.to_u64(), Some(3));
}

#[test]
fn a_condition_on_a_top_that_cannot_head_every_word_is_not_contracted() {
    // (b (a c)), b !> c: b is headed by a, the top, or heads either top.
    let mut said = PartialTree::new(3);
    said.groups = vec![bracket([1, 3], None)];
    let members = vec![Node::Word(2), Node::Group(0)];
    said.groups.push(Group { kind: GroupKind::Bracket { members, head: None }, place: Place::default() });
    assert_eq!(promiscuity(&said, &Nodes::All).trees.to_u64(), Some(4));
    said.forbidden.push(arc(Node::Word(3), Node::Word(2)));
    assert_eq!(promiscuity(&said, &Nodes::All).trees.to_u64(), Some(3));
}

#[test]
fn a_word_on_two_nested_open_brackets_is_counted_by_contraction() {
    // ((1 … 6) 7 8) with word 9 on both brackets: 6⁵ rooted trees within the first; as word 9 has one head, the
    // top of the second is the same, and 7 and 8 stand below it in 3 ways. Outside, nine of fifteen possible
    // heads are these words, and there are 15⁵ ways for the five words and the bracket.
    let mut said = PartialTree::new(14);
    said.groups = vec![bracket(1..=6, None)];
    let members = vec![Node::Group(0), Node::Word(7), Node::Word(8)];
    said.groups.push(Group { kind: GroupKind::Bracket { members, head: None }, place: Place::default() });
    said.arcs = vec![arc(Node::Group(0), Node::Word(9)), arc(Node::Group(1), Node::Word(9))];
    let count = promiscuity(&said, &Nodes::All);
    assert!(count.exact);
    assert_eq!(count.trees.to_u64(), Some(6u64.pow(5) * 3 * 15u64.pow(5)));
}

#[test]
fn a_word_on_the_inner_of_two_brackets_with_the_same_tops_is_counted_by_contraction() {
    // (((1 … 6)* 7) 8) with word 8 on the innermost: 6⁵ rooted trees there, 7 and 8 below its top. Outside, the
    // eight words are among fifteen possible heads of six words and the bracket.
    let nested =
        |members, head| Group { kind: GroupKind::Bracket { members, head }, place: Place::default() };
    let mut said = PartialTree::new(14);
    said.groups = vec![
        bracket(1..=6, None),
        nested(vec![Node::Group(0), Node::Word(7)], Some(Node::Group(0))),
        nested(vec![Node::Group(1), Node::Word(8)], None),
    ];
    said.arcs = vec![arc(Node::Group(0), Node::Word(8))];
    let count = promiscuity(&said, &Nodes::All);
    assert!(count.exact);
    assert_eq!(count.trees.to_u64(), Some(6u64.pow(5) * 15u64.pow(6)));
}

#[test]
fn an_arc_said_and_the_same_arc_ruled_out_share_the_trees_between_them() {
    // Too many trees to enumerate: the bracket must be contracted, also where it is the dependent.
    let mut open = PartialTree::new(12);
    open.groups = vec![bracket(1..=5, None), bracket(6..=8, Some(7))];
    let trees = |said: &PartialTree| {
        let count = promiscuity(said, &Nodes::All);
        assert!(count.exact);
        count.trees.to_u64().unwrap()
    };
    for head in [Node::Word(10), Node::Word(6), Node::Word(3), Node::Group(1)] {
        let (mut said, mut ruled_out) = (open.clone(), open.clone());
        said.arcs.push(arc(head, Node::Group(0)));
        ruled_out.forbidden.push(arc(head, Node::Group(0)));
        assert_eq!(trees(&said) + trees(&ruled_out), trees(&open), "{head:?}");
    }
}

#[test]
fn an_arc_ruled_out_from_a_large_open_bracket_leaves_an_upper_bound() {
    let mut said = PartialTree::new(12);
    said.groups = vec![bracket(1..=8, None)];
    let open = promiscuity(&said, &Nodes::All);
    said.forbidden.push(arc(Node::Group(0), Node::Word(10)));
    let count = promiscuity(&said, &Nodes::All);
    assert!(open.exact && !count.exact);
    assert_eq!(count.trees, open.trees);
}

#[test]
fn a_bracket_around_another_never_depends_on_it() {
    let mut said = PartialTree::new(12);
    said.groups = vec![bracket(1..=4, None), bracket(1..=8, None)];
    let open = promiscuity(&said, &Nodes::All);
    said.forbidden.push(arc(Node::Group(0), Node::Group(1)));
    assert_eq!(promiscuity(&said, &Nodes::All), open);
    assert!(open.exact);
}

#[test]
fn the_head_of_a_bracket_is_headed_outside() {
    let mut said = PartialTree::new(4);
    said.groups = vec![bracket(1..=3, Some(2))];
    let found = support(&said, &Nodes::All);
    assert_eq!(found.heads, [vec![2, 3], vec![0, 4], vec![1, 2], vec![0, 1, 2, 3]]);
}

#[test]
fn a_long_sentence_is_measured_exactly() {
    // Cayley: n^(n−2) trees of n = 151 nodes; one arc said leaves n^(n−3), as the joined words are one block.
    let n = 151f64;
    let mut said = PartialTree::new(150);
    let nothing = measure(&said, &Nodes::All);
    assert!(nothing.promiscuity.exact && nothing.commitment().unwrap() < 1e-12);
    said.arcs.push(arc(Node::Word(2), Node::Word(1)));
    let one = measure(&said, &Nodes::All);
    assert!(one.promiscuity.exact);
    assert!((one.commitment().unwrap() - 1.0 / (n - 2.0)).abs() < 1e-12);
    let power = (0..148).fold(score::commitment::Natural::from(1), |power, _| power.times_plus(151, 0));
    assert_eq!(one.promiscuity.trees, power);
}

#[test]
fn contradictions_leave_no_tree() {
    let mut said = PartialTree::new(3);
    let word = Node::Word;
    said.arcs = vec![arc(word(1), word(2)), arc(word(2), word(3)), arc(word(3), word(1))];
    let ours = measure(&said, &Nodes::All);
    assert!(ours.promiscuity.trees.is_zero());
    assert_eq!(ours.commitment(), None);
}
