//! Constraints in Eisner's chart: every item of an admitted tree is allowed, and for plain annotations a chart
//! of allowed items builds exactly the admitted trees.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;
use std::sync::LazyLock;
use testkit::annotations::all_trees;
use tree::{
    Arc, BracketReading, Constraints, Group, GroupKind, Heads, Node, PartialTree, Place, Reading, Side,
};

/// Projective trees of up to five words.
static TREES: LazyLock<Vec<Vec<Heads>>> = LazyLock::new(|| {
    let projective = |n| all_trees(n).into_iter().filter(Heads::is_projective).collect();
    (0..=5).map(projective).collect()
});

/// Head, side, end and whether all dependents are there.
type Half = (usize, Side, usize, bool);

/// The complete items of the only derivation of a projective tree.
fn halves(tree: &Heads) -> Vec<Half> {
    let (dependents, reach) = (tree.dependents_by_head(), tree.reach());
    let mut halves = Vec::new();
    for head in 0..=tree.len() {
        let (left, right) = dependents.by_side(head);
        let left = std::iter::once(head).chain(left.iter().rev().map(|&word| reach[word].0));
        let right = std::iter::once(head).chain(right.iter().map(|&word| reach[word].1));
        for (side, ends) in [(Side::Left, left.collect::<Vec<_>>()), (Side::Right, right.collect())] {
            if (head, side) != (0, Side::Left) {
                let last = ends.len() - 1;
                halves.extend(ends.iter().enumerate().map(|(rank, &end)| (head, side, end, rank == last)));
            }
        }
    }
    halves
}

fn allows_all_items(constraints: &Constraints, tree: &Heads) -> Result<(), String> {
    for (head, dependent) in (1..=tree.len()).map(|word| (tree.head(word), word)) {
        if !constraints.allows_arc(head, dependent) {
            return Err(format!("arc {head} → {dependent} of {tree:?}"));
        }
    }
    for (head, side, end, is_sealed) in halves(tree) {
        let sealed = !is_sealed || constraints.allows_sealed_half(head, side, end);
        if !constraints.allows_half(head, side, end) || !sealed {
            return Err(format!("half {head} {side:?} {end}, sealed {is_sealed}, of {tree:?}"));
        }
    }
    Ok(())
}

/// How many trees a chart of allowed items builds.
///
/// - open(h, d) = Σ_k half(h, k) · sealed(d, k + 1), an arc over both inner halves
/// - half(h, e) = Σ_d open(h, d) · sealed(d, e), the half grows by a dependent with its outer half
///
/// where sealed is half, or 0 where `allows_sealed_half` rules it out; both ways the count must be the same.
fn count_in_chart(constraints: &Constraints) -> usize {
    let pruned = count(constraints, |head, side, end| constraints.allows_sealed_half(head, side, end));
    assert_eq!(pruned, count(constraints, |_, _, _| true));
    pruned
}

fn count(constraints: &Constraints, allows_sealed: impl Fn(usize, Side, usize) -> bool) -> usize {
    let n = constraints.n_words();
    // By head and end; which side follows from which is larger, and for end = head both sides are one.
    let mut half = vec![vec![0usize; n + 1]; n + 1];
    (0..=n).for_each(|word| half[word][word] = 1);
    let sealed = |half: &[Vec<usize>], head: usize, side: Side, end: usize| {
        if allows_sealed(head, side, end) { half[head][end] } else { 0 }
    };
    let mut open = vec![vec![0usize; n + 1]; n + 1];
    for width in 1..=n {
        for left in 0..=n - width {
            let right = left + width;
            for k in left..right {
                let to_right = half[left][k] * sealed(&half, right, Side::Left, k + 1);
                let to_left = sealed(&half, left, Side::Right, k) * half[right][k + 1];
                open[left][right] += if constraints.allows_arc(left, right) { to_right } else { 0 };
                open[right][left] += if constraints.allows_arc(right, left) { to_left } else { 0 };
            }
            if constraints.allows_half(left, Side::Right, right) {
                let grown = (left + 1..=right).map(|d| open[left][d] * sealed(&half, d, Side::Right, right));
                half[left][right] = grown.sum();
            }
            if left > 0 && constraints.allows_half(right, Side::Left, left) {
                let grown = (left..right).map(|d| open[right][d] * sealed(&half, d, Side::Left, left));
                half[right][left] = grown.sum();
            }
        }
    }
    sealed(&half, 0, Side::Right, n)
}

fn n_admitted(constraints: &Constraints) -> usize {
    TREES[constraints.n_words()].iter().filter(|tree| constraints.admits(tree)).count()
}

#[test]
fn unconstrained_chart_builds_all_projective_trees() {
    let counts: Vec<usize> = (0..=5).map(|n| count_in_chart(&Constraints::unconstrained(n))).collect();
    assert_eq!(counts, TREES.iter().map(Vec::len).collect::<Vec<_>>());
}

#[test]
fn bracket_with_known_head_can_be_attached_before_its_far_half_is_there() {
    let members = vec![Node::Word(2), Node::Word(3), Node::Word(4)];
    let kind = GroupKind::Bracket { members, head: Some(Node::Word(3)) };
    let groups = vec![Group { kind, place: Place::line(1) }];
    let said = PartialTree { groups, ..PartialTree::new(4) };
    let constraints = Constraints::from_partial(&said, &Reading::default()).unwrap();
    let tree = Heads::new(vec![0, 3, 1, 3]).unwrap();
    assert!(constraints.admits(&tree));
    assert_eq!(allows_all_items(&constraints, &tree), Ok(()));
    // The halves of the bracket's words stay inside, and those of the head are not sealed before its edges.
    assert!(constraints.allows_half(3, Side::Right, 3) && !constraints.allows_sealed_half(3, Side::Right, 3));
    assert!(
        constraints.allows_sealed_half(3, Side::Right, 4) && constraints.allows_sealed_half(3, Side::Left, 2)
    );
    assert!(!constraints.allows_half(2, Side::Left, 1) && !constraints.allows_half(3, Side::Left, 1));
    // A half from outside does not end inside, and one from inside does not reach over the head.
    assert!(!constraints.allows_half(1, Side::Right, 3) && constraints.allows_half(1, Side::Right, 4));
    assert!(!constraints.allows_half(2, Side::Right, 3) && constraints.allows_half(2, Side::Right, 2));
    assert_eq!(count_in_chart(&constraints), n_admitted(&constraints));
}

#[test]
fn halves_of_words_that_do_not_exist_or_are_left_out_are_not_allowed() {
    let arc = Arc { head: Node::Word(3), dependent: Node::Word(1), place: Place::default() };
    let said = PartialTree { arcs: vec![arc], ..PartialTree::new(4) };
    let omit = Reading { omit_unmentioned: true, ..Reading::default() };
    let constraints = Constraints::from_partial(&said, &omit).unwrap();
    assert!(
        constraints.allows_sealed_half(3, Side::Left, 1) && !constraints.allows_sealed_half(3, Side::Left, 3)
    );
    assert!(!constraints.allows_half(2, Side::Left, 2) && !constraints.allows_half(3, Side::Left, 2));
    assert!(constraints.allows_sealed_half(0, Side::Right, 3) && !constraints.allows_half(0, Side::Right, 4));
    let free = Constraints::unconstrained(2);
    assert!(free.allows_half(0, Side::Right, 0) && !free.allows_sealed_half(0, Side::Right, 1));
    assert!(!free.allows_half(0, Side::Left, 0) && !free.allows_half(1, Side::Left, 0));
    assert!(!free.allows_half(3, Side::Left, 2) && !free.allows_half(1, Side::Right, 3));
    assert!(!free.allows_half(1, Side::Left, 2) && !free.allows_half(2, Side::Right, 1));
    assert!(!free.allows_half(usize::MAX, Side::Left, 1) && !free.allows_half(1, Side::Right, usize::MAX));
}

type Index = prop::sample::Index;

fn node(said: &PartialTree, pick: Index) -> Node {
    let choice = pick.index(said.n_words + said.groups.len());
    if choice < said.n_words { Node::Word(choice + 1) } else { Node::Group(choice - said.n_words) }
}

/// Annotations of all kinds: nested groups, gaps, arcs between words and groups.
fn any_annotation() -> impl Strategy<Value = PartialTree> {
    let index = any::<Index>;
    let group = (0u8..8, prop::collection::vec(index(), 1..4), prop::option::of(index()));
    let pairs = |max| prop::collection::vec((index(), index()), 0..=max);
    (1usize..=5, prop::collection::vec(group, 0..3), pairs(2), pairs(1)).prop_map(|(n, groups, arcs, out)| {
        let mut said = PartialTree::new(n);
        for (kind, picks, head) in groups {
            let members: Vec<Node> = picks.iter().map(|&pick| node(&said, pick)).collect();
            let kind = match kind {
                0 => GroupKind::Multiword { words: picks.iter().map(|pick| pick.index(n) + 1).collect() },
                1 => GroupKind::Coordination { name: "$x".into(), conjuncts: members, coordinators: vec![] },
                _ => {
                    GroupKind::Bracket { head: head.map(|head| members[head.index(members.len())]), members }
                }
            };
            said.groups.push(Group { kind, place: Place::default() });
        }
        let arc = |&(head, dependent): &(Index, Index)| Arc {
            head: node(&said, head),
            dependent: node(&said, dependent),
            place: Place::default(),
        };
        let (arcs, forbidden) = (arcs.iter().map(arc).collect(), out.iter().map(arc).collect());
        PartialTree { arcs, forbidden, ..said }
    })
}

/// Annotations for which a chart is exact: brackets over stretches of words or over such brackets and words,
/// named by arcs only as dependents, and arcs between words.
fn plain_annotation() -> impl Strategy<Value = PartialTree> {
    let index = any::<Index>;
    let group = (index(), index(), prop::option::of(index()));
    let pairs = |max| prop::collection::vec((index(), index()), 0..=max);
    (1usize..=5, prop::collection::vec(group, 0..4), pairs(2), pairs(1)).prop_map(|(n, groups, arcs, out)| {
        let mut said = PartialTree::new(n);
        for (one, other, head) in groups {
            let (one, other) = (one.index(n) + 1, other.index(n) + 1);
            let members = stretch(&said, one.min(other), one.max(other));
            let head = head.map(|head| members[head.index(members.len())]);
            said.groups.push(Group { kind: GroupKind::Bracket { members, head }, place: Place::default() });
        }
        for (head, dependent) in arcs {
            let (head, dependent) = (Node::Word(head.index(n) + 1), node(&said, dependent));
            said.arcs.push(Arc { head, dependent, place: Place::default() });
        }
        for (head, dependent) in out {
            let (head, dependent) = (Node::Word(head.index(n) + 1), Node::Word(dependent.index(n) + 1));
            said.forbidden.push(Arc { head, dependent, place: Place::default() });
        }
        said
    })
}

/// The words from `first` to `last`; if the last group lies inside, it stands for its words.
fn stretch(said: &PartialTree, first: usize, last: usize) -> Vec<Node> {
    let group = said.groups.len().checked_sub(1);
    let inner = group.map(|group| said.words_of(Node::Group(group))).unwrap_or_default();
    let is_inside = !inner.is_empty() && inner.iter().all(|&word| first <= word && word <= last);
    let words = (first..=last).filter(|word| !(is_inside && inner.contains(word))).map(Node::Word);
    words.chain(group.filter(|_| is_inside).map(Node::Group)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn every_item_of_an_admitted_projective_tree_is_allowed(said in any_annotation(), subtree in prop::bool::weighted(0.8)) {
        let brackets = if subtree { BracketReading::Subtree } else { BracketReading::Connected };
        let reading = Reading { brackets, ..Reading::default() };
        let Ok(constraints) = Constraints::from_partial(&said, &reading) else { return Ok(()) };
        for tree in TREES[said.n_words].iter().filter(|tree| constraints.admits(tree)) {
            prop_assert_eq!(allows_all_items(&constraints, tree), Ok(()));
        }
        let n_allowed =
            TREES[said.n_words].iter().filter(|tree| allows_all_items(&constraints, tree).is_ok()).count();
        prop_assert_eq!(count_in_chart(&constraints), n_allowed);
    }

    #[test]
    fn chart_builds_exactly_the_admitted_trees_of_plain_annotations(said in plain_annotation()) {
        let Ok(constraints) = Constraints::from_partial(&said, &Reading::default()) else { return Ok(()) };
        // Something attached to a bracket opens it; the promise is for brackets that must be constituents.
        if constraints.brackets().iter().all(|bracket| bracket.span.is_some()) {
            prop_assert_eq!(count_in_chart(&constraints), n_admitted(&constraints));
        }
    }
}

/// The promise ends here, and these are the ways in which it does: the chart has trees that are not admitted.
#[test]
fn gaps_and_attachments_to_brackets_leave_more_trees_in_the_chart_than_are_admitted() {
    let counts = |said: &PartialTree, brackets: BracketReading| {
        let reading = Reading { brackets, ..Reading::default() };
        let constraints = Constraints::from_partial(said, &reading).unwrap();
        (count_in_chart(&constraints), n_admitted(&constraints))
    };
    let bracket = |words: &[usize]| {
        let members = words.iter().map(|&word| Node::Word(word)).collect();
        vec![Group { kind: GroupKind::Bracket { members, head: None }, place: Place::default() }]
    };
    let gap = PartialTree { groups: bracket(&[1, 3]), ..PartialTree::new(3) };
    let arc = Arc { head: Node::Group(0), dependent: Node::Word(3), place: Place::default() };
    let attached = PartialTree { groups: bracket(&[1, 2]), arcs: vec![arc], ..PartialTree::new(3) };
    let plain = PartialTree { groups: bracket(&[1, 2]), ..PartialTree::new(3) };
    let found = [
        counts(&gap, BracketReading::Subtree),
        counts(&attached, BracketReading::Subtree),
        counts(&plain, BracketReading::Connected),
        counts(&plain, BracketReading::Subtree),
    ];
    assert_eq!(found, [(7, 4), (4, 2), (12, 7), (4, 4)]);
}
