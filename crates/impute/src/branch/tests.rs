use arcs::{ArcScores, Roots, best_spanning};
use chain::{Rng, Stream};
use tree::{BracketReading, Group, GroupKind, Node, PartialTree, Place, Reading};

use super::*;

/// Brackets of three words with gaps, no head of which is said, read as merely connected.
fn brackets(n_words: usize, all: &[Vec<usize>]) -> Constraints {
    let mut said = PartialTree::new(n_words);
    for words in all {
        let members = words.iter().map(|&word| Node::Word(word)).collect();
        let kind = GroupKind::Bracket { members, head: None };
        said.groups.push(Group { kind, place: Place::default() });
    }
    let reading = Reading { brackets: BracketReading::Connected, ..Reading::default() };
    Constraints::from_partial(&said, &reading).unwrap()
}

fn random_scores(rng: &mut Rng, n_words: usize) -> ArcScores {
    let mut scores = ArcScores::zero(n_words);
    for word in 1..=n_words {
        (0..=n_words).for_each(|head| scores.set(head, word, rng.uniform()));
    }
    scores
}

fn solve(scores: &ArcScores, case: &Constraints) -> Option<(f64, Heads)> {
    let mut masked = scores.clone();
    masked.restrict(case);
    let heads = best_spanning(&masked, Roots::Many)?;
    Some((masked.of_tree(&heads), heads))
}

fn trees(n_words: u32) -> Vec<Heads> {
    let width = n_words + 1;
    let list = |code: u32| (0..n_words).map(|at| code / width.pow(at) % width).collect();
    (0..width.pow(n_words)).filter_map(|code| Heads::new(list(code)).ok()).collect()
}

#[test]
fn the_tree_is_the_best_of_all_that_are_admitted() {
    let trees = trees(5);
    let rng = &mut Stream::new(1).rng();
    let mut n_split = 0;
    for _ in 0..200 {
        let mut some = || {
            let mut words: Vec<usize> = (1..=5).collect();
            rng.shuffle(&mut words);
            words.truncate(3);
            words.sort_unstable();
            words
        };
        let whole = brackets(5, &[some(), some()]);
        let scores = random_scores(rng, 5);
        let mut n_solved = 0;
        let found = branch(std::slice::from_ref(&whole), &whole, MAX_SPLITS, |case| {
            n_solved += 1;
            solve(&scores, case)
        });
        n_split += usize::from(n_solved > 1);
        let score = |heads: &Heads| scores.of_tree(heads);
        let admitted = trees.iter().filter(|tree| whole.admits(tree));
        let best = admitted.max_by(|a, b| score(a).total_cmp(&score(b)));
        match (found, best) {
            (Found::Best(found), Some(best)) => assert_eq!(found, *best),
            (Found::Nothing, None) => {}
            other => panic!("{other:?}"),
        }
    }
    assert!(n_split > 100, "{n_split}");
}

#[test]
fn a_search_that_is_given_up_says_so_and_leaves_an_admitted_tree_if_it_finds_one() {
    // Five brackets that the best tree takes apart, all heads of all of them alike.
    let words: Vec<Vec<usize>> = (2..=6).map(|word| vec![word, word + 5, word + 10]).collect();
    let whole = brackets(16, &words);
    let mut scores = ArcScores::zero(16);
    (2..=16).for_each(|word| scores.set(1, word, 1.0));
    let found = branch(std::slice::from_ref(&whole), &whole, 10, |case| solve(&scores, case));
    let Found::Admitted(heads) = found else { panic!("{found:?}") };
    assert!(whole.admits(&heads));
    // With patience it is the same score, since all heads are alike, but now that is known.
    let found = branch(std::slice::from_ref(&whole), &whole, MAX_SPLITS, |case| solve(&scores, case));
    let Found::Best(best) = found else { panic!("{found:?}") };
    assert_eq!(scores.of_tree(&best), scores.of_tree(&heads));
}

#[test]
fn without_an_admitted_tree_the_search_ends_or_is_given_up_with_the_best_tree() {
    // Whatever is asked, the tree is a star that takes all brackets apart.
    let of_brackets = |n_brackets: usize| {
        let n_words = 1 + 3 * n_brackets;
        let words = (2..2 + n_brackets).map(|word| vec![word, word + n_brackets, word + 2 * n_brackets]);
        let whole = brackets(n_words, &words.collect::<Vec<_>>());
        let heads: Vec<u32> = (0..n_words as u32).map(|at| at.min(1)).collect();
        let star = Heads::new(heads).unwrap();
        assert!(!whole.admits(&star));
        (branch(std::slice::from_ref(&whole), &whole, 3, |_| Some((1.0, star.clone()))), star)
    };
    assert_eq!(of_brackets(2).0, Found::Nothing);
    let (found, star) = of_brackets(10);
    assert_eq!(found, Found::Broken(star));
}
