//! What drawn trees say under an annotation, against the list of all trees.

use arcs::Roots;
use chain::Stream;
use impute::admitted::Trees;
use impute::drawn::complete;
use testkit::annotations::{all_trees, any_annotation, any_reading};
use tree::{Heads, Possible};

const SPANNING: Trees = Trees { roots: Roots::Many, projective: false };

fn share(trees: &[(&Heads, f64)], head: usize, word: usize) -> f64 {
    let all: f64 = trees.iter().map(|(_, weight)| weight).sum();
    trees.iter().filter(|(heads, _)| heads.head(word) == head).map(|(_, weight)| weight).sum::<f64>() / all
}

/// Annotations of up to four words that leave nothing out, each with some trees of these words, drawn in unequal shares.
fn cases(mut see: impl FnMut(&Possible, &[Heads], &[Heads])) {
    for seed in 0..400 {
        let rng = &mut Stream::new(seed).purpose("drawn").rng();
        let n_words = 1 + rng.below(4);
        let said = any_annotation(rng, n_words);
        let Ok(possible) = Possible::new(&said, &any_reading(rng)) else { continue };
        if (1..=n_words).any(|word| possible.left_out(word)) {
            continue;
        }
        let all = all_trees(n_words);
        let n_draws = [30, 500][rng.below(2)];
        let draws: Vec<Heads> = (0..n_draws)
            .map(|_| all[(rng.uniform() * rng.uniform() * all.len() as f64) as usize].clone())
            .collect();
        see(&possible, &all, &draws);
    }
}

#[test]
fn draws_that_keep_everything_are_counted_alone_where_there_are_enough() {
    let mut n_seen = 0;
    cases(|possible, _, draws| {
        let kept: Vec<_> =
            draws.iter().filter(|heads| possible.admits(heads)).map(|heads| (heads, 1.0)).collect();
        if kept.len() < 20 {
            return;
        }
        n_seen += 1;
        let (best, posteriors) = complete(draws, possible, SPANNING).expect("there are trees");
        assert!(possible.admits(&best));
        let n_words = possible.n_words();
        let mut most: f64 = 0.0;
        for (heads, _) in &kept {
            most = most.max((1..=n_words).map(|word| posteriors.of(heads.head(word), word)).sum());
        }
        let gain: f64 = (1..=n_words).map(|word| posteriors.of(best.head(word), word)).sum();
        assert!(gain > most - 1e-9, "{gain} and {most}");
        for word in 1..=n_words {
            for head in 0..=n_words {
                assert!((posteriors.of(head, word) - share(&kept, head, word)).abs() < 1e-12);
            }
        }
    });
    assert!(n_seen > 60, "{n_seen}");
}

#[test]
fn otherwise_arcs_of_the_nearest_draws_are_put_together() {
    let mut n_seen = 0;
    cases(|possible, all, draws| {
        let n_words = possible.n_words();
        if draws.iter().filter(|heads| possible.admits(heads)).count() >= 20 {
            return;
        }
        n_seen += 1;
        let wrong = |heads: &Heads| {
            (1..=n_words).filter(|&word| !possible.whole().allows_arc(heads.head(word), word)).count()
        };
        let most = (0..).find(|&most| draws.iter().filter(|heads| wrong(heads) <= most).count() >= 20);
        let most = most.expect("there are thirty");
        let nearest: Vec<&Heads> = draws.iter().filter(|heads| wrong(heads) <= most).collect();
        let n = |head: usize, word: usize| {
            nearest.iter().filter(|heads| heads.head(word) == head).count() as f64 + 0.1
        };
        let weight = |heads: &Heads| (1..=n_words).map(|word| n(heads.head(word), word)).product::<f64>();
        let admitted: Vec<(&Heads, f64)> =
            all.iter().filter(|heads| possible.admits(heads)).map(|heads| (heads, weight(heads))).collect();
        let (best, posteriors) = complete(draws, possible, SPANNING).expect("there are trees");
        assert!(possible.admits(&best));
        for word in 1..=n_words {
            for head in 0..=n_words {
                assert!((posteriors.of(head, word) - share(&admitted, head, word)).abs() < 1e-9);
            }
        }
    });
    assert!(n_seen > 30, "{n_seen}");
}

#[test]
fn without_draws_all_trees_are_alike() {
    let possible = Possible::everything(3);
    let (heads, posteriors) = complete(&[], &possible, SPANNING).expect("there are trees");
    assert!(possible.admits(&heads));
    // Three words have 16 trees, and 6 of their arcs leave the root in 8 of them.
    assert!((posteriors.of(0, 1) - 0.5).abs() < 1e-9, "{}", posteriors.of(0, 1));
    assert!((posteriors.of(2, 1) - 0.25).abs() < 1e-9);
}
