//! Probabilities of arcs and best trees under an annotation, against the list of all trees.

use arcs::{ArcScores, Roots};
use chain::{Rng, Stream};
use impute::admitted::{Trees, best, posteriors};
use testkit::annotations::{all_trees, any_annotation, any_reading};
use tree::{Heads, Possible};

fn any_scores(rng: &mut Rng, n_words: usize) -> ArcScores {
    let mut scores = ArcScores::new(n_words);
    for word in 1..=n_words {
        for head in (0..=n_words).filter(|&head| head != word) {
            scores.set(head, word, 4.0 * rng.uniform() - 2.0);
        }
    }
    scores
}

#[test]
fn they_are_those_of_the_admitted_trees() {
    let mut n_constrained = 0;
    for seed in 0..400 {
        let rng = &mut Stream::new(seed).purpose("admitted").rng();
        let n_words = 1 + rng.below(4);
        let said = any_annotation(rng, n_words);
        let Ok(possible) = Possible::new(&said, &any_reading(rng)) else { continue };
        if (1..=n_words).any(|word| possible.left_out(word)) {
            continue;
        }
        let roots = if rng.bernoulli(0.5) { Roots::One } else { Roots::Many };
        let trees = Trees { roots, projective: rng.bernoulli(0.5) };
        let fits = |heads: &Heads| {
            possible.admits(heads)
                && (roots == Roots::Many || heads.n_roots() == 1)
                && (!trees.projective || heads.is_projective())
        };
        let listed: Vec<Heads> = all_trees(n_words).into_iter().filter(fits).collect();
        let scores = any_scores(rng, n_words);
        let (cases, exact) = possible.arc_cases();
        assert!(exact, "these are few");
        let found = posteriors(&scores, &cases, trees);
        let Some(found) = found.filter(|_| !listed.is_empty()) else {
            assert!(listed.is_empty(), "{seed}: {said:?}");
            continue;
        };
        n_constrained += usize::from(!possible.is_free());
        let all: f64 = listed.iter().map(|heads| scores.of_tree(heads).exp()).sum();
        for word in 1..=n_words {
            for head in 0..=n_words {
                let with = listed.iter().filter(|heads| heads.head(word) == head);
                let expected = with.map(|heads| scores.of_tree(heads).exp()).sum::<f64>() / all;
                assert!((found.of(head, word) - expected).abs() < 1e-9, "{seed}: {head} → {word}, {said:?}");
            }
        }
        let gain = |heads: &Heads| (1..=n_words).map(|word| found.of(heads.head(word), word)).sum::<f64>();
        let most = listed.iter().map(gain).fold(0.0, f64::max);
        let tree = best(&possible, &cases, &found, trees).expect("there are trees");
        assert!(fits(&tree), "{seed}: {tree:?}");
        assert!((gain(&tree) - most).abs() < 1e-9, "{seed}: {} instead of {most}", gain(&tree));
    }
    assert!(n_constrained > 100, "{n_constrained}");
}
