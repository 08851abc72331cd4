//! The cases of an annotation have each admitted tree once and no other.

use std::sync::LazyLock;

use chain::Stream;
use testkit::annotations::{all_trees, any_annotation, any_reading, spread};
use tree::Possible;
use tree::{Constraints, GroupKind, Heads, Node, PartialTree, Place, Reading, Side};

/// All trees of up to six words.
static TREES: LazyLock<Vec<Vec<Heads>>> = LazyLock::new(|| (0..=6).map(all_trees).collect());

/// Whether a chart over the kept words that asks about arcs and halves builds the tree, whose derivation is unique.
fn is_built(case: &Constraints, tree: &Heads, kept: &[usize]) -> bool {
    let at = |word: usize| if word == 0 { 0 } else { kept[word - 1] };
    let (dependents, reach) = (tree.dependents_by_head(), tree.reach());
    (0..=tree.len()).all(|head| {
        let (left, right) = dependents.by_side(head);
        left.iter().chain(right).all(|&word| case.allows_arc(at(head), at(word)))
            && left.iter().all(|&word| case.allows_half(at(head), Side::Left, at(reach[word].0)))
            && right.iter().all(|&word| case.allows_half(at(head), Side::Right, at(reach[word].1)))
    })
}

fn check(said: &PartialTree, reading: &Reading) -> Option<bool> {
    let n_words = said.n_words;
    let whole = Constraints::from_partial(said, reading).ok()?;
    let kept: Vec<usize> = (1..=n_words).filter(|&word| !whole.is_left_out(word)).collect();
    let Ok(possible) = Possible::new(said, reading) else {
        let none = TREES[kept.len()].iter().all(|tree| !whole.admits(&spread(tree, &kept, n_words)));
        assert!(none, "refused, but there are trees: {said:?} {reading:?}");
        return None;
    };
    let (arc_cases, all) = possible.arc_cases();
    assert!(possible.is_exact() && all);
    for tree in &TREES[kept.len()] {
        let whole_tree = spread(tree, &kept, n_words);
        let admitted = usize::from(whole.admits(&whole_tree));
        let context = || format!("{whole_tree:?} {said:?} {reading:?}");
        assert_eq!(usize::from(possible.admits(&whole_tree)), admitted, "{}", context());
        let among = |cases: &[Constraints]| cases.iter().filter(|case| case.admits(&whole_tree)).count();
        assert_eq!(among(possible.cases()), admitted, "cases {}", context());
        assert_eq!(among(&arc_cases), admitted, "arc cases {}", context());
        let by_arcs = arc_cases
            .iter()
            .filter(|case| kept.iter().all(|&word| case.allows_arc(whole_tree.head(word), word)))
            .count();
        assert_eq!(by_arcs, admitted, "arcs {}", context());
        if tree.is_projective() {
            let built = possible.cases().iter().filter(|case| is_built(case, tree, &kept)).count();
            assert_eq!(built, admitted, "chart {}", context());
        }
    }
    Some(possible.cases().len() > 1)
}

#[test]
fn cases_have_every_admitted_tree_once_and_charts_build_no_other() {
    let (mut consistent, mut split) = (0, 0);
    for seed in 0..6000 {
        let rng = &mut Stream::new(7).item(seed).rng();
        let n_words = if seed % 50 == 0 { 6 } else { rng.below(6) };
        let (said, reading) = (any_annotation(rng, n_words), any_reading(rng));
        if let Some(several) = check(&said, &reading) {
            consistent += 1;
            split += usize::from(several);
        }
    }
    assert!(consistent > 2000 && split > 300, "{consistent} consistent, {split} split");
}

#[test]
fn plain_brackets_and_arcs_are_one_case() {
    let mut said = PartialTree::new(6);
    let bracket = |words: std::ops::RangeInclusive<usize>| {
        let kind = GroupKind::Bracket { members: words.map(Node::Word).collect(), head: None };
        tree::Group { kind, place: Place::default() }
    };
    said.groups = vec![bracket(1..=5), bracket(2..=4)];
    let possible = Possible::new(&said, &Reading::default()).unwrap();
    assert_eq!(possible.cases().len(), 1);
    assert!(!possible.is_free() && Possible::everything(6).is_free());
    // A gap makes a case for each head.
    said.groups = vec![bracket(1..=2)];
    if let GroupKind::Bracket { members, .. } = &mut said.groups[0].kind {
        members.push(Node::Word(4));
    }
    assert_eq!(Possible::new(&said, &Reading::default()).unwrap().cases().len(), 3);
}

#[test]
fn too_many_cases_are_not_listed_and_said_to_be_inexact() {
    let mut said = PartialTree::new(60);
    for start in (1..60).step_by(6) {
        let members = [start, start + 1, start + 3, start + 4].map(Node::Word).to_vec();
        let kind = GroupKind::Bracket { members, head: None };
        said.groups.push(tree::Group { kind, place: Place::default() });
    }
    let possible = Possible::new(&said, &Reading::default()).unwrap();
    assert!(!possible.is_exact() && possible.cases().len() == 256);
    let case = &possible.cases()[0];
    let open = possible.open_bracket(case).unwrap();
    let finer = tree::possible::split(case, open).unwrap();
    assert_eq!(finer.len(), 4);
    assert!(finer.iter().all(|case| possible.open_bracket(case) != Some(open)));
}

#[test]
fn cases_are_listed_up_to_the_limit_and_not_beyond() {
    let of_pairs = |n_pairs: usize| {
        let mut said = PartialTree::new(3 * n_pairs);
        for start in (1..).step_by(3).take(n_pairs) {
            let members = [start, start + 2].map(Node::Word).to_vec();
            let kind = GroupKind::Bracket { members, head: None };
            said.groups.push(tree::Group { kind, place: Place::default() });
        }
        let reading = Reading { brackets: tree::BracketReading::Connected, ..Reading::default() };
        let possible = Possible::new(&said, &reading).unwrap();
        (possible.cases().len(), possible.is_exact())
    };
    assert_eq!(Possible::MAX_CASES, 256);
    assert_eq!([of_pairs(7), of_pairs(8), of_pairs(9)], [(128, true), (256, true), (256, false)]);
}
