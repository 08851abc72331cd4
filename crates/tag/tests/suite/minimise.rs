//! Model minimisation against naive searches.

use proptest::prelude::*;
use tag::hmm::Lattice;
use tag::minimise::minimise;

const N_TAGS: usize = 3;
const BASE: usize = N_TAGS + 1;

type Column = Vec<(u32, f64)>;

fn lattice(sentence: &[Column]) -> Lattice {
    let mut lattice = Lattice::default();
    for column in sentence {
        lattice.push(column.iter().map(|&(tag, weight)| (tag, weight, None)));
    }
    lattice
}

fn padded(sentence: &[Column]) -> Vec<Column> {
    let edge = vec![(N_TAGS as u32, 1.0)];
    std::iter::once(edge.clone()).chain(sentence.iter().cloned()).chain([edge]).collect()
}

fn has(column: &Column, tag: usize) -> Option<f64> {
    column.iter().find(|&&(t, _)| t as usize == tag).map(|&(_, weight)| weight)
}

/// The weight with which a pair covers a token: that of the tag it gives it as the later tag, or else as the earlier one.
fn covers(columns: &[Column], at: usize, pair: usize) -> Option<f64> {
    let (first, second) = (pair / BASE, pair % BASE);
    let as_later = has(&columns[at - 1], first).and(has(&columns[at], second));
    as_later.or_else(|| has(&columns[at + 1], second).and(has(&columns[at], first)))
}

fn covers_all(sentences: &[Vec<Column>], chosen: &[usize]) -> bool {
    sentences.iter().map(|s| padded(s)).all(|columns| {
        (1..columns.len() - 1).all(|at| chosen.iter().any(|&pair| covers(&columns, at, pair).is_some()))
    })
}

/// Whether some sequence of tags takes chosen pairs only, by listing all sequences.
fn has_way(sentence: &[Column], chosen: &[usize]) -> bool {
    let mut ways = vec![vec![N_TAGS]];
    for column in padded(sentence).iter().skip(1) {
        ways = ways
            .iter()
            .flat_map(|way| column.iter().map(move |&(tag, _)| [way.as_slice(), &[tag as usize]].concat()))
            .collect();
    }
    ways.iter().any(|way| way.windows(2).all(|pair| chosen.contains(&(pair[0] * BASE + pair[1]))))
}

/// The first stage by its definition: each time the pair with the largest weight of tokens that no chosen pair covers.
fn greedy(sentences: &[Vec<Column>]) -> Vec<usize> {
    let mut chosen = Vec::new();
    while !covers_all(sentences, &chosen) {
        let gain = |pair: usize| -> f64 {
            let columns = sentences.iter().map(|sentence| padded(sentence));
            columns
                .flat_map(|columns| {
                    let open = |at: &usize| !chosen.iter().any(|&c| covers(&columns, *at, c).is_some());
                    let gains: Vec<f64> = (1..columns.len() - 1)
                        .filter(open)
                        .filter_map(|at| covers(&columns, at, pair))
                        .collect();
                    gains
                })
                .sum()
        };
        let best =
            (0..BASE * BASE).fold(0, |best, pair| if gain(pair) > gain(best) + 1e-12 { pair } else { best });
        chosen.push(best);
    }
    chosen
}

/// The size of the smallest set of pairs that covers all tokens.
fn smallest(sentences: &[Vec<Column>]) -> usize {
    let sets = 0u32..1 << (BASE * BASE);
    let members = |set: u32| -> Vec<usize> { (0..BASE * BASE).filter(|pair| set >> pair & 1 == 1).collect() };
    let covering = sets.filter(|&set| covers_all(sentences, &members(set)));
    covering.map(|set| set.count_ones() as usize).min().expect("all pairs together cover everything")
}

/// Weights are sixteenths, so that sums are exact in any order.
fn texts(most: usize) -> impl Strategy<Value = Vec<Vec<Column>>> {
    let column = proptest::collection::vec(proptest::option::of(1..17u32), N_TAGS).prop_map(|weights| {
        let tags: Column =
            (0..).zip(weights).filter_map(|(tag, w)| w.map(|w| (tag, f64::from(w) / 16.0))).collect();
        if tags.is_empty() { vec![(1, 1.0)] } else { tags }
    });
    proptest::collection::vec(proptest::collection::vec(column, 1..5), 1..most)
}

proptest! {
    #[test]
    fn the_first_stage_is_the_greedy_cover(text in texts(5)) {
        let lattices: Vec<Lattice> = text.iter().map(|sentence| lattice(sentence)).collect();
        let pairs = minimise(&lattices, N_TAGS);
        let found: Vec<usize> =
            pairs.in_order().iter().take(pairs.n_covering()).map(|&(a, b)| a as usize * BASE + b as usize).collect();
        prop_assert_eq!(found, greedy(&text));
    }

    #[test]
    fn all_tokens_are_covered_and_all_sentences_have_a_way(text in texts(5)) {
        let lattices: Vec<Lattice> = text.iter().map(|sentence| lattice(sentence)).collect();
        let pairs = minimise(&lattices, N_TAGS);
        let chosen: Vec<usize> = pairs.in_order().iter().map(|&(a, b)| a as usize * BASE + b as usize).collect();
        prop_assert!(covers_all(&text, &chosen[..pairs.n_covering()]));
        prop_assert!(text.iter().all(|sentence| has_way(sentence, &chosen)));
        prop_assert!(pairs.in_order().iter().all(|&(a, b)| pairs.contains(a, b)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn the_cover_is_at_most_a_logarithm_larger_than_the_smallest(text in texts(3)) {
        // With equal weights this is the classical greedy cover, whose bound is the harmonic number of the tokens.
        let equal: Vec<Vec<Column>> = text
            .iter()
            .map(|sentence| sentence.iter().map(|column| column.iter().map(|&(tag, _)| (tag, 1.0)).collect()).collect())
            .collect();
        let lattices: Vec<Lattice> = equal.iter().map(|sentence| lattice(sentence)).collect();
        let n_tokens: usize = equal.iter().map(Vec::len).sum();
        let bound: f64 = (1..=n_tokens).map(|n| 1.0 / n as f64).sum();
        let found = minimise(&lattices, N_TAGS).n_covering();
        prop_assert!(found as f64 <= bound * smallest(&equal) as f64 + 1e-9);
    }
}

#[test]
fn one_pair_that_covers_everything_is_found() {
    let word = |tags: &[u32]| -> Column { tags.iter().map(|&tag| (tag, 1.0)).collect() };
    let sentence = vec![word(&[0, 1]), word(&[0, 2]), word(&[0]), word(&[0, 1, 2])];
    let pairs = minimise(&[lattice(&sentence)], N_TAGS);
    assert_eq!(pairs.in_order()[0], (0, 0));
    assert_eq!(pairs.n_covering(), 1);
    // The way in and the way out are added.
    assert_eq!(pairs.in_order().len(), 3);
}

#[test]
fn no_text_needs_no_pairs() {
    assert!(minimise(&[], N_TAGS).in_order().is_empty());
}
