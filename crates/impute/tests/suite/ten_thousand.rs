//! Every tree that an imputer gives back satisfies its annotation, over ten thousand annotations that some tree satisfies.
//!
//! Each annotation is said of a tree that is drawn first, so it is known that there is one. Nothing is left out of
//! the count: a case that is not completed as its tree shows to be possible is a failure.

use arcs::Roots;
use chain::{Rng, Stream, Workers};
use impute::convex::{self, ConvexModel, ConvexOptions, FeatureOptions};
use impute::gpc::CompleteOptions;
use impute::{Completed, Fragment};
use testkit::annotations::any_reading;
use tree::Possible;
use tree::{
    Arc, BracketReading, Constraints, Group, GroupKind, Heads, MultiwordHead, Node, PartialTree, Place,
    Reading,
};

use crate::completing::{any_model, fragment};

const N_CASES: usize = 10_000;
const LONGEST: usize = 12;

/// An annotation and a tree that satisfies it.
struct Case {
    said: PartialTree,
    reading: Reading,
    tree: Heads,
    fragment: Fragment,
}

/// A tree: neighbouring fragments are joined until one is left, or some are, and each hangs from the root.
fn any_projective_tree(rng: &mut Rng, n_words: usize) -> Heads {
    let mut heads = vec![0; n_words];
    let mut tops: Vec<usize> = (1..=n_words).collect();
    let n_roots = if rng.bernoulli(0.8) { 1 } else { 1 + rng.below(n_words) };
    while tops.len() > n_roots {
        let at = rng.below(tops.len() - 1);
        let right_heads = rng.bernoulli(0.5);
        let (head, dependent) = if right_heads { (at + 1, at) } else { (at, at + 1) };
        heads[tops[dependent] - 1] = tops[head] as u32;
        tops.remove(dependent);
    }
    Heads::new(heads).unwrap()
}

/// A tree that need not be projective: words are attached in any order, each to one before it.
fn any_tree(rng: &mut Rng, n_words: usize) -> Heads {
    let mut order: Vec<usize> = (1..=n_words).collect();
    rng.shuffle(&mut order);
    let mut heads = vec![0; n_words];
    for (rank, &word) in order.iter().enumerate().skip(1) {
        let from_root = rng.bernoulli(0.05);
        heads[word - 1] = if from_root { 0 } else { order[rng.below(rank)] as u32 };
    }
    Heads::new(heads).unwrap()
}

fn dependents(tree: &Heads, head: usize) -> Vec<usize> {
    (1..=tree.len()).filter(|&word| tree.head(word) == head).collect()
}

/// The word of a node that has its head outside, if there is one.
fn top(tree: &Heads, words: &[usize]) -> Option<usize> {
    words.iter().copied().find(|&word| !words.contains(&tree.head(word)))
}

/// The node itself, or a group of which it is the top.
fn by_any_name(rng: &mut Rng, tree: &Heads, said: &PartialTree, word: usize) -> Node {
    let groups = (0..said.groups.len()).map(Node::Group);
    let mut names: Vec<Node> =
        groups.filter(|&group| top(tree, &said.words_of(group)) == Some(word)).collect();
    names.push(Node::Word(word));
    names[rng.below(names.len())]
}

/// A subtree, or words that are connected, with or without the head, other groups among the members.
fn bracket(rng: &mut Rng, tree: &Heads, said: &PartialTree) -> GroupKind {
    let head = 1 + rng.below(tree.len());
    let mut words = vec![head];
    if rng.bernoulli(0.5) {
        words = (1..=tree.len()).filter(|&word| tree.dominates(head, word)).collect();
    } else {
        for _ in 0..1 + rng.below(4) {
            let more: Vec<usize> = words.iter().flat_map(|&word| dependents(tree, word)).collect();
            let more: Vec<usize> = more.into_iter().filter(|word| !words.contains(word)).collect();
            if !more.is_empty() {
                words.push(more[rng.below(more.len())]);
            }
        }
    }
    words.sort_unstable();
    let mut members: Vec<Node> = words.iter().map(|&word| Node::Word(word)).collect();
    for group in (0..said.groups.len()).map(Node::Group) {
        let within = said.words_of(group);
        let replaces = |node: &Node| matches!(node, Node::Word(word) if within.contains(word));
        if rng.bernoulli(0.4) && members.iter().filter(|node| replaces(node)).count() == within.len() {
            members.retain(|node| !replaces(node));
            members.push(group);
        }
    }
    let holds = |node: &Node| said.words_of(*node).contains(&head);
    let named = members.iter().copied().find(holds).filter(|_| rng.bernoulli(0.4));
    GroupKind::Bracket { members, head: named }
}

/// A word and dependents of it that have none, all on the side that the reading asks for.
fn multiword(rng: &mut Rng, tree: &Heads, reading: &Reading) -> GroupKind {
    let head = 1 + rng.below(tree.len());
    let leaf = |&word: &usize| dependents(tree, word).is_empty();
    let side = |&word: &usize| (word > head) == (reading.multiword == MultiwordHead::First);
    let mut words: Vec<usize> = dependents(tree, head).into_iter().filter(leaf).filter(side).collect();
    words.push(head);
    words.sort_unstable();
    GroupKind::Multiword { words }
}

/// A word and dependents of it, as coordinator and conjuncts or as conjuncts.
fn coordination(rng: &mut Rng, tree: &Heads, said: &PartialTree) -> GroupKind {
    let head = 1 + rng.below(tree.len());
    let mut below: Vec<Node> =
        dependents(tree, head).into_iter().map(|word| by_any_name(rng, tree, said, word)).collect();
    rng.shuffle(&mut below);
    below.truncate(1 + rng.below(3));
    let (mut conjuncts, mut coordinators) = (below, vec![by_any_name(rng, tree, said, head)]);
    if rng.bernoulli(0.5) {
        let coordinator = if rng.bernoulli(0.5) { conjuncts.pop() } else { None };
        conjuncts.append(&mut coordinators);
        coordinators.extend(coordinator);
    }
    GroupKind::Coordination { name: "x".to_owned(), conjuncts, coordinators }
}

/// Says one thing more, which is probably true of the tree.
fn say(rng: &mut Rng, tree: &Heads, reading: &Reading, said: &mut PartialTree) {
    let place = Place::default();
    let word = 1 + rng.below(tree.len());
    let group = |kind| Group { kind, place };
    match rng.below(12) {
        0..4 => {
            let dependent = by_any_name(rng, tree, said, word);
            match tree.head(word) {
                0 => said.roots.push((dependent, place)),
                head => {
                    let head = by_any_name(rng, tree, said, head);
                    said.arcs.push(Arc { head, dependent, place });
                }
            }
        }
        4..8 => said.groups.push(group(bracket(rng, tree, said))),
        8 => said.groups.push(group(multiword(rng, tree, reading))),
        9 => said.groups.push(group(coordination(rng, tree, said))),
        10 => said.anaphora.push((Node::Word(word), Node::Word(1), place)),
        _ => {
            let head = 1 + rng.below(tree.len());
            let (head, dependent) = (by_any_name(rng, tree, said, head), by_any_name(rng, tree, said, word));
            said.forbidden.push(Arc { head, dependent, place });
        }
    }
}

/// The tree over the words that are kept: who hangs on one that is not, hangs on its head.
fn without_left_out(tree: &Heads, allowed: &Constraints) -> Heads {
    let climb = |word: usize| {
        let mut head = tree.head(word);
        while head > 0 && allowed.is_left_out(head) {
            head = tree.head(head);
        }
        head as u32
    };
    let heads = (1..=tree.len()).map(|word| if allowed.is_left_out(word) { 0 } else { climb(word) });
    Heads::new(heads.collect()).unwrap()
}

fn any_case(seed: usize) -> Case {
    let rng = &mut Stream::new(31).item(seed).rng();
    let n_words = if seed.is_multiple_of(200) { seed / 200 % 2 } else { 1 + rng.below(LONGEST) };
    let n_statements = if n_words == 0 { 0 } else { 1 + rng.below(n_words + 4) };
    let mut tree =
        if rng.bernoulli(0.6) { any_projective_tree(rng, n_words) } else { any_tree(rng, n_words) };
    let mut said = PartialTree::new(n_words);
    let mut reading = Reading { omit_unmentioned: false, ..any_reading(rng) };
    if rng.bernoulli(0.5) {
        reading.brackets = BracketReading::Connected;
    }
    for _ in 0..n_statements {
        let mut more = said.clone();
        say(rng, &tree, &reading, &mut more);
        if Constraints::from_partial(&more, &reading).is_ok_and(|allowed| allowed.admits(&tree)) {
            said = more;
        }
    }
    if rng.bernoulli(0.25) {
        let omitting = Reading { omit_unmentioned: true, ..reading };
        if let Ok(allowed) = Constraints::from_partial(&said, &omitting) {
            let smaller = without_left_out(&tree, &allowed);
            if allowed.admits(&smaller) {
                (reading, tree) = (omitting, smaller);
            }
        }
    }
    let possible = Possible::new(&said, &reading).unwrap();
    Case { said, reading, tree, fragment: fragment(rng, possible) }
}

impl Case {
    fn kept(&self) -> Vec<usize> {
        (1..=self.fragment.len()).filter(|&word| !self.fragment.possible.left_out(word)).collect()
    }

    fn n_roots(&self, heads: &Heads) -> usize {
        self.kept().into_iter().filter(|&word| heads.head(word) == 0).count()
    }

    /// Whether the kept words of a tree form one that is projective.
    fn is_projective(&self, heads: &Heads) -> bool {
        let kept = self.kept();
        let place = |word: usize| kept.iter().position(|&other| other == word).map_or(0, |at| at as u32 + 1);
        let Ok(tree) = Heads::new(kept.iter().map(|&word| place(heads.head(word))).collect()) else {
            return false;
        };
        tree.is_projective()
    }

    /// The annotation as a whole, and once more what can be read off it without any theory.
    fn check(&self, heads: &Heads, by: &str) {
        let context = || format!("{by}: {heads:?} is not {:?} in {:?}", self.said, self.reading);
        assert!(self.fragment.possible.admits(heads), "{}", context());
        for arc in &self.said.arcs {
            if let (Node::Word(head), Node::Word(dependent)) = (arc.head, arc.dependent) {
                assert_eq!(heads.head(dependent), head, "{}", context());
            }
        }
        for arc in &self.said.forbidden {
            if let (Node::Word(head), Node::Word(dependent)) = (arc.head, arc.dependent) {
                assert_ne!(heads.head(dependent), head, "{}", context());
            }
        }
        for &(node, _) in &self.said.roots {
            if let Node::Word(word) = node {
                assert_eq!(heads.head(word), 0, "{}", context());
            }
        }
        for group in &self.said.groups {
            let GroupKind::Bracket { members, head } = &group.kind else { continue };
            let word = |node: &Node| if let Node::Word(word) = node { Some(*word) } else { None };
            let Some(words) = members.iter().map(word).collect::<Option<Vec<usize>>>() else { continue };
            let tops: Vec<usize> =
                words.iter().copied().filter(|&word| !words.contains(&heads.head(word))).collect();
            assert_eq!(tops.len(), 1, "{}", context());
            if let Some(Node::Word(head)) = head {
                assert_eq!(tops[0], *head, "{}", context());
            }
        }
    }

    fn check_posteriors(&self, completed: &Completed, by: &str) {
        for word in 1..=self.fragment.len() {
            let row = completed.posteriors.row(word);
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{by}: {row:?} {:?}", self.said);
        }
    }
}

fn convex_model(cases: &[Case], projective: bool, roots: Roots) -> ConvexModel {
    let some: Vec<Fragment> = cases.iter().take(60).map(|case| case.fragment.clone()).collect();
    let features = FeatureOptions { words: 0, suffixes: 0, ..FeatureOptions::default() };
    let options = ConvexOptions {
        projective,
        roots,
        features,
        max_iterations: 5,
        temperature: Some(0.3),
        ..ConvexOptions::default()
    };
    convex::train(&some, &options, &Workers::serial()).model
}

/// Every answer of every imputer.
fn check_all(cases: &[Case]) {
    let fragments: Vec<Fragment> = cases.iter().map(|case| case.fragment.clone()).collect();
    let rng = &mut Stream::new(32).rng();
    for roots in [Roots::One, Roots::Many] {
        let model = any_model(rng, roots, 2);
        let options = CompleteOptions { samples: 2, seed: 1 };
        for (case, found) in cases.iter().zip(model.complete_all(&fragments, &options, &Workers::serial())) {
            assert!(found.satisfied, "{:?} {:?} {:?}", case.tree, case.said, case.reading);
            assert!(found.projective || !case.is_projective(&case.tree), "{:?}", case.said);
            assert_eq!(found.completed.samples.len(), if found.projective { 2 } else { 0 });
            for heads in found.completed.samples.iter().chain([&found.completed.heads]) {
                case.check(heads, "gpc");
                assert!(!found.projective || case.is_projective(heads));
                assert!(roots == Roots::Many || case.has_one_root_if_it_can(heads));
            }
            case.check_posteriors(&found.completed, "gpc");
        }
        for projective in [true, false] {
            let model = convex_model(cases, projective, roots);
            let by = format!("convex, projective {projective}, {roots:?}");
            for (case, completed) in cases.iter().zip(model.complete_all(&fragments, &Workers::serial())) {
                let heads = &completed.heads;
                case.check(heads, &by);
                let must_be_projective = projective && case.is_projective(&case.tree);
                assert!(!must_be_projective || case.is_projective(heads), "{by}");
                assert!(roots == Roots::Many || case.has_one_root_if_it_can(heads), "{by}");
                case.check_posteriors(&completed, &by);
            }
        }
    }
}

#[test]
fn all_trees_satisfy_ten_thousand_annotations_that_some_tree_satisfies() {
    let cases: Vec<Case> = (0..N_CASES).map(any_case).collect();
    check_generator(&cases);
    check_all(&cases);
}

#[test]
fn brackets_with_more_cases_than_can_be_listed_and_no_projective_tree_are_satisfied_too() {
    let heads = vec![
        27, 10, 18, 27, 11, 11, 14, 16, 6, 20, 7, 27, 14, 28, 21, 7, 28, 20, 13, 17, 0, 14, 7, 16, 16, 6, 28,
        0, 16,
    ];
    let tree = Heads::new(heads).unwrap();
    let mut said = PartialTree::new(tree.len());
    for words in [&[7, 11, 16, 23][..], &[10, 18, 20], &[6, 9, 26], &[13, 14, 22], &[1, 4, 12, 27]] {
        let members = words.iter().map(|&word| Node::Word(word)).collect();
        said.groups.push(Group { kind: GroupKind::Bracket { members, head: None }, place: Place::default() });
    }
    let reading = Reading { brackets: BracketReading::Connected, ..Reading::default() };
    let possible = Possible::new(&said, &reading).unwrap();
    assert!(!possible.arc_cases().1 && possible.admits(&tree));
    let fragment = fragment(&mut Stream::new(34).rng(), possible);
    check_all(&[Case { said, reading, tree, fragment }]);
}

impl Case {
    /// A tree with one root is known if that which the annotation was said of has one.
    fn has_one_root_if_it_can(&self, heads: &Heads) -> bool {
        // Where the annotation leaves no projective tree with one root, a projective one with several comes first.
        self.n_roots(&self.tree) > 1 || !self.is_projective(&self.tree) || self.n_roots(heads) <= 1
    }
}

/// The cases are what they are meant to be: all kinds of statements, both readings, trees of all shapes.
fn check_generator(cases: &[Case]) {
    assert_eq!(cases.len(), N_CASES);
    assert!(cases.iter().all(|case| case.fragment.possible.admits(&case.tree)));
    let count = |holds: &dyn Fn(&Case) -> bool| cases.iter().filter(|case| holds(case)).count();
    let has = |case: &Case, kind: &dyn Fn(&GroupKind) -> bool| {
        case.said.groups.iter().any(|group| kind(&group.kind))
    };
    let is_group = |node: Node| matches!(node, Node::Group(_));
    let counts = [
        ("arcs", count(&|case| !case.said.arcs.is_empty())),
        ("arcs from groups", count(&|case| case.said.arcs.iter().any(|arc| is_group(arc.head)))),
        ("arcs to groups", count(&|case| case.said.arcs.iter().any(|arc| is_group(arc.dependent)))),
        ("forbidden arcs", count(&|case| !case.said.forbidden.is_empty())),
        ("roots", count(&|case| !case.said.roots.is_empty())),
        ("roots that are groups", count(&|case| case.said.roots.iter().any(|root| is_group(root.0)))),
        ("anaphora", count(&|case| !case.said.anaphora.is_empty())),
        ("brackets", count(&|c| has(c, &|kind| matches!(kind, GroupKind::Bracket { head: None, .. })))),
        (
            "headed brackets",
            count(&|c| has(c, &|kind| matches!(kind, GroupKind::Bracket { head: Some(_), .. }))),
        ),
        ("multiwords", count(&|c| has(c, &|kind| matches!(kind, GroupKind::Multiword { .. })))),
        ("coordinations", count(&|c| has(c, &|kind| matches!(kind, GroupKind::Coordination { .. })))),
        ("subtrees", count(&|case| case.reading.brackets == BracketReading::Subtree)),
        ("connected", count(&|case| case.reading.brackets == BracketReading::Connected)),
        ("words left out", count(&|case| case.kept().len() < case.fragment.len())),
        ("projective", count(&|case| case.is_projective(&case.tree))),
        ("crossing", count(&|case| !case.is_projective(&case.tree))),
        ("several roots", count(&|case| case.n_roots(&case.tree) > 1)),
        ("several cases", count(&|case| case.fragment.possible.cases().len() > 1)),
        ("twelve words", count(&|case| case.fragment.len() == LONGEST)),
    ];
    assert!(counts.iter().all(|&(_, n)| n >= 300), "{counts:?}");
}
