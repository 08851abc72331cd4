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
        && said.forbidden.iter().all(|arc| match (firm(said, arc.head), firm(said, arc.dependent)) {
            (Node::Word(head), Node::Word(dependent)) => heads[dependent - 1] != head,
            _ => true,
        })
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
    prop_assert!(ours.promiscuity.trees <= ours.spanning_trees || !said.forbidden.is_empty());
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
        let expected = if n < 2 { 1.0 } else { 0.0 };
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
    said.arcs.push(Arc { head: Node::Word(2), dependent: Node::Group(0), place: Place::default() });
    assert_eq!(promiscuity(&said, &Nodes::All).trees.to_u64(), Some(2));
}

#[test]
fn contradictions_leave_no_tree() {
    let mut said = PartialTree::new(3);
    let arc = |head, dependent| Arc {
        head: Node::Word(head),
        dependent: Node::Word(dependent),
        place: Place::default(),
    };
    said.arcs = vec![arc(1, 2), arc(2, 3), arc(3, 1)];
    let ours = measure(&said, &Nodes::All);
    assert!(ours.promiscuity.trees.is_zero());
    assert_eq!(ours.commitment(), None);
}
